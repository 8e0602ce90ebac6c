import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { isAlive } from '../postgres/orphan.ts'
import { lockDirectory } from './data-directory.ts'
import { embeddedDatabase, ownDatabase } from './database.ts'
import { refuseTakenPorts } from './ports.ts'
import { programEnvironment, readStartConfig } from './settings.ts'
import { startStack } from './stack.ts'

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-start-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Leaves the lock of a start that was killed. */
async function leaveLock(directory: string, mark: string): Promise<void> {
  await mkdir(join(directory, 'start.lock'))
  if (mark) await writeFile(join(directory, 'start.lock', mark), '')
}

test('a directory is locked by one start at a time', async () => {
  const directory = await newFolder()
  const letGo = await lockDirectory(directory)

  await expect(lockDirectory(directory)).rejects.toThrow(
    `Atrium already runs on ${directory} (process ${process.pid}). Stop it first, or set ATRIUM_DATA_DIR to another folder.`,
  )
  await letGo()
  const again = await lockDirectory(directory)
  await again()
})

test('a lock is stale if its process has exited, if its pid belongs to another process, or if it is empty', async () => {
  for (const mark of ['999999999-1', `${process.pid}-1`, 'rubbish', '0-', '-1-', '']) {
    const directory = await newFolder()
    await leaveLock(directory, mark)
    const letGo = await lockDirectory(directory)
    await expect(lockDirectory(directory)).rejects.toThrow(`(process ${process.pid})`)
    await letGo()
  }
})

test('of several starts that find a stale lock, one gets the directory', async () => {
  for (let round = 0; round < 30; round += 1) {
    const directory = await newFolder()
    await leaveLock(directory, '999999999-1')
    const holds = await Promise.allSettled([1, 2, 3].map(() => lockDirectory(directory)))

    const refusals = holds.flatMap((hold) => (hold.status === 'rejected' ? [String(hold.reason)] : []))
    expect(refusals).toEqual(Array(2).fill(expect.stringContaining('Atrium already runs on')))
  }
})

test('the lock is the only file, and releasing it removes it', async () => {
  const directory = await newFolder()
  const letGo = await lockDirectory(directory)
  await lockDirectory(directory).catch(() => undefined)
  expect(await readdir(directory)).toEqual(['start.lock'])
  await letGo()
  expect(await readdir(directory)).toEqual([])
})

test('a directory that cannot be written is reported as such, not as a second start', async () => {
  const file = join(await newFolder(), 'file')
  await writeFile(file, '')
  const blocked = await newFolder()
  await writeFile(join(blocked, 'start.lock'), '')

  for (const [directory, code] of [
    [file, 'EEXIST'],
    [join(file, 'below'), 'ENOTDIR'],
    [blocked, 'ENOTDIR'],
  ] as const) {
    await expect(lockDirectory(directory)).rejects.toThrow(
      `The data directory ${directory} cannot be written (${code}). Set ATRIUM_DATA_DIR to a folder of your own.`,
    )
  }
})

test('a read-only directory is reported in one line', async () => {
  const directory = await newFolder()
  await chmod(directory, 0o555)
  // Root may write anywhere.
  const isRoot = process.getuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  const refused = await lockDirectory(directory).catch((error: Error) => error.message)
  if (isRoot) process.seteuid?.(0)

  expect(refused).toBe(
    `The data directory ${directory} cannot be written (EACCES). Set ATRIUM_DATA_DIR to a folder of your own.`,
  )
})

test.each([0, 500])('a stop %d ms into a restart of the database leaves no database running', async (delay) => {
  const directory = await newFolder()
  await chmod(directory, 0o755)
  const restartMessage = Promise.withResolvers<string>()
  const database = await embeddedDatabase(directory, restartMessage.resolve)
  const master = async () => Number((await readFile(lockFile, 'utf8')).split('\n')[0])
  const lockFile = join(directory, 'postgresql/postmaster.pid')

  process.kill(await master(), 'SIGKILL')
  expect(await restartMessage.promise).toBe('PostgreSQL stopped unexpectedly; restarting it.')
  await sleep(delay)
  await database.stop()

  // Longer than the pause before a restart.
  await sleep(600)
  const left = await master().catch(() => undefined)
  expect(left !== undefined && isAlive(left)).toBe(false)
})

test('a taken port is named with the setting that chooses another', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')

  await expect(refuseTakenPorts([{ port: address.port, setting: 'ATRIUM_SSO_PORT' }])).rejects.toThrow(
    `Port ${address.port} is taken by another program. Stop it, or set ATRIUM_SSO_PORT to a free port.`,
  )
})

test.each([
  ['postgres://nobody:x@127.0.0.1:1/none', /ECONNREFUSED/],
  [`${process.env.ATRIUM_TEST_DATABASE_URL?.replace(/\/[^/]*$/, '')}/absent`, /"absent" does not exist/],
  // A server with trust authentication still rejects unknown users.
  [
    process.env.ATRIUM_TEST_DATABASE_URL?.replace(/\/\/[^@]+@/, '//absent:wrong@') ?? '',
    /authentication failed|does not exist/,
  ],
])('a wrong DATABASE_URL is reported in one line, without the password', async (url, reason) => {
  const refusal = await ownDatabase(url).catch((error: Error) => error.message)
  expect(refusal).toMatch(/^DATABASE_URL does not work: .*Correct it, or leave it out/)
  expect(refusal).toMatch(reason)
  expect(refusal).not.toContain('wrong@')
})

test('a wrong setting is named', () => {
  expect(() => readStartConfig({ ATRIUM_PORT: 'http' })).toThrow(
    'The setting ATRIUM_PORT is not valid: must be a port number. See .env.example.',
  )
  expect(() => readStartConfig({ DATABASE_URL: 'mysql://x' })).toThrow(
    'The setting DATABASE_URL is not valid: must be a postgres:// address',
  )
})

test('certificates that the programs could not read end the start before it begins', async () => {
  const start = startStack({
    env: { NODE_EXTRA_CA_CERTS: '/nowhere/ca.crt' },
    say: () => undefined,
    prepare: () => Promise.reject(new Error('it began')),
    onFailed: () => undefined,
  })
  await expect(start).rejects.toThrow(/^The setting NODE_EXTRA_CA_CERTS is not valid: .*\(ENOENT\)/)
})

test('the programs’ addresses derive from the ports unless they are set', () => {
  const env = { ATRIUM_PORT: '4000', SITE_URL: 'https://folio.example' }
  const environment = programEnvironment(readStartConfig(env), 'postgres://x', env)
  expect(environment).toMatchObject({
    PUBLIC_URL: 'http://localhost:4000',
    SSO_URL: 'http://localhost:3001',
    SITE_URL: 'https://folio.example',
    FEEDBACK_URL: 'http://localhost:3002/support/feedback',
    DATABASE_URL: 'postgres://x',
  })
})
