import { chmod, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts'
import { canEnter } from './run-as.ts'

const running: EmbeddedPostgres[] = []
const folders: string[] = []
afterEach(async () => {
  for (const postgres of running.splice(0)) await postgres.stop()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-embedded-'))
  await chmod(folder, 0o755)
  folders.push(folder)
  return folder
}

async function start(directory: string): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ directory })
  running.push(postgres)
  return postgres
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

async function masterOf(directory: string): Promise<number> {
  return Number((await readFile(join(directory, 'postgresql/postmaster.pid'), 'utf8')).split('\n')[0])
}

test('what was written is there after the database was killed', async () => {
  const directory = await newFolder()
  const first = await start(directory)
  await query(first.url, 'create table kept (id int)')
  await query(first.url, 'insert into kept values (7)')

  process.kill(await masterOf(directory), 'SIGKILL')
  await first.exited
  const second = await start(directory)

  expect(await query(second.url, 'select id from kept')).toEqual([{ id: 7 }])
})

test('a database that a killed start left running is stopped in order, and its data served on', async () => {
  const directory = await newFolder()
  const orphan = await start(directory)
  const pid = await masterOf(directory)
  await query(orphan.url, 'create table kept (id int)')

  // Nobody tells the first one to stop: to the second start it is an orphan.
  const second = await start(directory)

  await orphan.exited
  expect(await masterOf(directory)).not.toBe(pid)
  expect(await query(second.url, 'select * from kept')).toEqual([])
})

test('a database left running is known by its folder, whatever way leads there', async () => {
  const directory = await newFolder()
  const link = join(await newFolder(), 'link')
  await symlink(directory, link)

  for (const [left, next] of [
    [directory, link],
    [link, directory],
    [link, link],
  ] as const) {
    const orphan = await start(left)
    const pid = await masterOf(directory)
    const second = await start(next)

    await orphan.exited
    expect(await masterOf(directory)).not.toBe(pid)
    await second.stop()
  }
})

test('a lock file that names a process which is no PostgreSQL is from a machine that went down', async () => {
  const directory = await newFolder()
  const first = await start(directory)
  await first.stop()
  const cluster = join(directory, 'postgresql')
  await writeFile(join(cluster, 'postmaster.pid'), `${process.ppid}\n${cluster}\n0\n5432\n\n127.0.0.1\n`)

  const second = await start(directory)

  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('data of another major version is refused in a sentence, and stays as it is', async () => {
  const directory = await newFolder()
  const first = await start(directory)
  await first.stop()
  const version = join(directory, 'postgresql/PG_VERSION')
  await writeFile(version, '16\n')

  await expect(startEmbeddedPostgres({ directory })).rejects.toThrow(
    /written by PostgreSQL 16, and this is PostgreSQL \d+\. Nothing was changed/,
  )

  expect(await readFile(version, 'utf8')).toBe('16\n')
})

test('a first start that was cut short is begun anew', async () => {
  const directory = await newFolder()
  const half = await start(directory)
  await half.stop()
  // As if initdb had never come to its end: the cluster has no name yet.
  await rename(join(directory, 'postgresql'), join(directory, 'postgresql.new'))

  const whole = await start(directory)

  expect(await query(whole.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('only the password opens it, and only from this machine', async () => {
  const directory = await newFolder()
  const postgres = await start(directory)
  const url = new URL(postgres.url)
  expect(url.hostname).toBe('127.0.0.1')
  url.password = 'guessed'
  await expect(query(url.href, 'select 1')).rejects.toThrow(/password authentication failed/)
})

test('a folder below a closed one cannot be entered by another user', async () => {
  const closed = await newFolder()
  await chmod(closed, 0o700)
  const nobody = { uid: 65_534, gid: 65_534 }
  expect(await canEnter(join(closed, 'inside'), nobody)).toBe(false)
  expect(await canEnter(join(closed, 'inside'), undefined)).toBe(true)
  expect(await canEnter(tmpdir(), nobody)).toBe(true)
})
