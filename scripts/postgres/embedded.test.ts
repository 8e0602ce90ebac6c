import { chmod, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { folderWithDatabase, masterOf, newFolder, query, start } from '../test/embedded-postgres.ts'
import { startEmbeddedPostgres } from './embedded.ts'
import { canEnter } from './run-as.ts'

const directory = await folderWithDatabase()

test('committed data survives a kill of the database', async () => {
  const first = await start(directory)
  await query(first.url, 'create table kept (id int)')
  await query(first.url, 'insert into kept values (7)')

  process.kill(await masterOf(directory), 'SIGKILL')
  await first.exited
  const second = await start(directory)

  expect(await query(second.url, 'select id from kept')).toEqual([{ id: 7 }])
})

test('a foreign folder in place of the data is refused with a message and left unchanged', async () => {
  const directory = await newFolder()
  const place = join(directory, 'postgresql')
  await mkdir(join(place, '18/main'), { recursive: true })

  await expect(startEmbeddedPostgres({ directory })).rejects.toThrow(
    `${place} was not made by Atrium. Nothing was changed: set ATRIUM_DATA_DIR to another folder.`,
  )

  expect(await readdir(directory)).toEqual(['postgresql'])
})

test('a database without its password file is refused with a message and left unchanged', async () => {
  const file = join(directory, 'postgresql.password')
  await rename(file, `${file}.away`)
  onTestFinished(() => rename(`${file}.away`, file))

  await expect(startEmbeddedPostgres({ directory })).rejects.toThrow(
    `${join(directory, 'postgresql')} was not made by Atrium. Nothing was changed: set ATRIUM_DATA_DIR to another folder.`,
  )
})

test('an aborted first start leaves no process and no incomplete data', async () => {
  const directory = await newFolder()
  const interruption = new AbortController()
  const starting = startEmbeddedPostgres({ directory, signal: interruption.signal })
  await expect.poll(() => readdir(join(directory, 'postgresql.new'))).toContain('base')

  interruption.abort(new Error('interrupted'))

  await expect(starting).rejects.toThrow('interrupted')
  expect(await readdir(directory)).toEqual(['postgresql.password'])
  const whole = await start(directory)
  expect(await query(whole.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a start that is aborted while the server comes up leaves no server', async () => {
  const interruption = new AbortController()
  const starting = startEmbeddedPostgres({ directory, signal: interruption.signal })
  const lockFile = join(directory, 'postgresql/postmaster.pid')
  await expect.poll(() => readFile(lockFile), { interval: 1 }).toBeDefined()

  interruption.abort(new Error('interrupted'))

  await expect(starting).rejects.toThrow('interrupted')
  await expect(readFile(lockFile)).rejects.toThrow('ENOENT')
})

test('data of another major version is refused with a message and left unchanged', async () => {
  const version = join(directory, 'postgresql/PG_VERSION')
  const ours = await readFile(version)
  await writeFile(version, '16\n')
  onTestFinished(() => writeFile(version, ours))

  await expect(startEmbeddedPostgres({ directory })).rejects.toThrow(
    /written by PostgreSQL 16, and this is PostgreSQL \d+\. Nothing was changed/,
  )

  expect(await readFile(version, 'utf8')).toBe('16\n')
})

test('a first start that was killed starts over', async () => {
  // As if initdb had been killed: the cluster does not have its name yet.
  await rename(join(directory, 'postgresql'), join(directory, 'postgresql.new'))

  const whole = await start(directory)

  expect(await query(whole.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('only the password opens it, and only from this machine', async () => {
  const postgres = await start(directory)
  const url = new URL(postgres.url)
  expect(url.hostname).toBe('127.0.0.1')
  url.password = 'guessed'
  await expect(query(url.href, 'select 1')).rejects.toThrow(/password authentication failed/)
})

test('a folder inside a private one cannot be entered by another user', async () => {
  const closed = await newFolder()
  await chmod(closed, 0o700)
  const nobody = { uid: 65_534, gid: 65_534 }
  expect(await canEnter(join(closed, 'inside'), nobody)).toBe(false)
  expect(await canEnter(join(closed, 'inside'), undefined)).toBe(true)
  expect(await canEnter(tmpdir(), nobody)).toBe(true)
})
