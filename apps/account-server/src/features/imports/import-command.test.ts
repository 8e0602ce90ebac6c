import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runInside, runProgram } from '@atrium/server-kit/test-command.ts'
import { newEmptyDatabase } from '@atrium/server-kit/test-database.ts'
import { newForwarder, throughForwarder } from '@atrium/server-kit/test-forwarder.ts'
import { like, sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { members } from '../../db/members.tables.ts'
import { newWorld } from '../../test/world.ts'
import { importCommand } from './imports.command.ts'

type World = Awaited<ReturnType<typeof newWorld>>

const program = join(import.meta.dirname, 'import-command.ts')

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-import-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function fileOf(name: string, records: readonly object[]): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, records.map((record) => JSON.stringify(record)).join('\n'))
  return file
}

const run = (url: string, ...parameters: string[]) => runInside(importCommand, parameters, { DATABASE_URL: url })

test('all applied is 0, with warnings too; some refused is 1', async () => {
  await using world = await newWorld()
  const { DATABASE_URL: url } = world.config
  const good = { type: 'member', email: 'good@command.test' }
  const odd = {
    ...{ type: 'address', email: good.email, addressId: 'A', country: 'SJ', state: 'X', zip: '9170' },
    created: '2026-01-01T00:00:00Z',
  }

  const applied = await run(url, await fileOf('good.ndjson', [good, odd]))
  expect(applied).toMatchObject({
    code: 0,
    stderr: 'warning: line 2, state: is left out: there is no list of states of SJ\n',
    stdout: expect.stringMatching(/^2 lines applied, 0 refused, 1 warnings, \d+ a second\n$/),
  })
  const refused = await run(url, await fileOf('bad.ndjson', [good, { ...good, frstName: 'Ada' }]))
  expect(refused).toMatchObject({
    code: 1,
    stderr: 'line 2, frstName: is not a known field; did you mean firstName?\n',
    stdout: expect.stringMatching(/^1 lines applied, 1 refused, 0 warnings/),
  })
})

test('a command that is not one is 2, and says why', async () => {
  await using world = await newWorld()
  const { DATABASE_URL: url } = world.config
  const file = await fileOf('any.ndjson', [{ type: 'member', email: 'any@command.test' }])
  for (const parameters of [[], ['']]) {
    expect(await run(url, ...parameters)).toMatchObject({
      code: 2,
      stderr: 'Usage: npm run import -- FILE [--dry-run]\n',
    })
  }
  expect(await run(url, file, '--dryrun')).toMatchObject({
    code: 2,
    stderr: 'Usage: npm run import -- FILE [--dry-run]\n',
  })
  expect(await run(url, '/nowhere.ndjson')).toMatchObject({ code: 2, stderr: 'There is no file /nowhere.ndjson.\n' })
  expect(await run(url, folder)).toMatchObject({ code: 2, stderr: `${folder} is a folder, not a file.\n` })
  expect(await run('mysql://x', file)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^The setting DATABASE_URL .*\n$/),
  })
})

test('--help is an answer, without a database too', async () => {
  for (const option of ['--help', '-h']) {
    expect(await run('', option)).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^Usage: npm run import -- FILE \[--dry-run\]\n\n.*docs\/imports\.md/),
    })
  }
  const file = await fileOf('any.ndjson', [{ type: 'member', email: 'any@command.test' }])
  expect(await runProgram(program, [file])).toMatchObject({
    code: 2,
    stderr: 'Set DATABASE_URL, or run npm start beside this: there is no database to work on.\n',
  })
})

test('a second file is 2, and nothing is applied', async () => {
  await using world = await newWorld()
  const file = await fileOf('second.ndjson', [{ type: 'member', email: 'second@command.test' }])
  expect(await run(world.config.DATABASE_URL, file, file)).toMatchObject({
    code: 2,
    stderr: 'Usage: npm run import -- FILE [--dry-run]\n',
  })
  expect(await world.db.$count(members, like(members.email, 'second@command.test'))).toBe(0)
})

test('a database that is away, refuses or has no tables is 3, in one sentence', async () => {
  await using world = await newWorld()
  await using empty = await newEmptyDatabase()
  const file = await fileOf('any.ndjson', [{ type: 'member', email: 'away@command.test' }])
  const at = (change: (url: URL) => void) => {
    const url = new URL(world.config.DATABASE_URL)
    change(url)
    return url.href
  }

  const role = `powerless_${Date.now()}`
  await administrate(`create role ${role} login password 'x'`)
  const away = at((url) => Object.assign(url, { port: '1' }))
  const unknown = at((url) => Object.assign(url, { hostname: 'nowhere.invalid' }))
  const missing = at((url) => Object.assign(url, { pathname: '/no_such_database' }))
  const stranger = at((url) => Object.assign(url, { username: 'nobody' }))
  const powerless = at((url) => Object.assign(url, { username: role, password: 'x' }))
  const sentences: [string, RegExp][] = [
    [
      powerless,
      /^The user of DATABASE_URL lacks a right: permission denied for schema migrations\. Nothing was applied\.\n$/,
    ],
    [away, /^The database of DATABASE_URL does not answer\. Is it running\? Nothing was applied\.\n$/],
    [unknown, /^The host .* cannot be found\. Is its name right in DATABASE_URL\? Nothing was applied\.\n$/],
    [missing, /^The database named in DATABASE_URL does not exist\. Nothing was applied\.\n$/],
    [stranger, /^The database refuses the user.*\. Nothing was applied\.\n$/],
    [empty.url, /^The database does not have the tables of this version: .*\. Nothing was applied\.\n$/],
  ]
  for (const [url, sentence] of sentences) {
    expect(await run(url, file)).toMatchObject({ code: 3, stderr: expect.stringMatching(sentence) })
  }
  await administrate(`drop role ${role}`)
})

/** A file that comes bit by bit, of members who are numbered. */
async function slowFile(name: string) {
  const path = join(folder, name)
  await promisify(execFile)('mkfifo', [path])
  const line = (number: number) => `${JSON.stringify({ type: 'member', email: `${number}@${name}.test` })}\n`
  return {
    path,
    open: () => createWriteStream(path),
    lines: (from: number, count: number) => Array.from({ length: count }, (_, index) => line(from + index)).join(''),
    applied: (world: Pick<World, 'db'>) => world.db.$count(members, like(members.email, `%@${name}.test`)),
  }
}

/** Beside the database of a world, which may be closed. */
async function administrate(statement: string) {
  const client = new pg.Client({ connectionString: process.env.ATRIUM_TEST_DATABASE_URL })
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return rows
}

/** Ends the connection of the import once it waits for a lock. */
async function endConnection(database: string) {
  const ended = () =>
    administrate(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'atrium-import' and datname = '${database}' and wait_event_type = 'Lock'`)
  await expect.poll(() => ended()).toHaveLength(1)
}

const nameOf = (url: string) => new URL(url).pathname.slice(1)

test('a connection that ends under a batch is replaced, and the file is applied', async () => {
  await using world = await newWorld()
  const slow = await slowFile('ended')
  const running = run(world.config.DATABASE_URL, slow.path)
  const file = slow.open()
  await world.db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${members} in share mode`)
    file.write(slow.lines(0, 501))
    await endConnection(nameOf(world.config.DATABASE_URL))
  })
  file.end()

  expect(await running).toMatchObject({ code: 0, stderr: '' })
  expect(await slow.applied(world)).toBe(501)
})

test('a dry run is one transaction: where its connection ends, nothing was changed', async () => {
  await using world = await newWorld()
  const slow = await slowFile('dry')
  const running = run(world.config.DATABASE_URL, slow.path, '--dry-run')
  const file = slow.open()
  await world.db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${members} in share mode`)
    file.write(slow.lines(0, 501))
    await endConnection(nameOf(world.config.DATABASE_URL))
  })
  file.end()

  expect(await running).toMatchObject({
    code: 3,
    stderr: 'The connection to the database was lost. Nothing was changed.\n',
  })
  expect(await slow.applied(world)).toBe(0)
})

test('a database that goes away in the middle of a file: how far it got is said, and the rest follows when it is back', async () => {
  await using world = await newWorld()
  const { DATABASE_URL: url } = world.config
  const allow = (isOpen: boolean) => administrate(`alter database ${nameOf(url)} allow_connections ${isOpen}`)
  const slow = await slowFile('lost')
  const running = run(url, slow.path)
  const file = slow.open()
  file.write(slow.lines(0, 501))
  await expect.poll(() => slow.applied(world)).toBe(500)

  await world.db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${members} in share mode`)
    file.write(slow.lines(501, 500))
    await allow(false)
    await endConnection(nameOf(world.config.DATABASE_URL))
    file.end()
    expect(await running).toMatchObject({
      code: 3,
      stderr: `The database of DATABASE_URL takes no connections: database "${nameOf(world.config.DATABASE_URL)}" is not currently accepting connections. Everything up to line 500 is done. Run the same file again: what is applied already changes nothing.\n`,
    })
  })
  await allow(true)

  const again = join(folder, 'again.ndjson')
  await writeFile(again, slow.lines(0, 1001))
  expect(await run(url, again)).toMatchObject({ code: 0, stdout: expect.stringContaining('1001 lines applied') })
  expect(await slow.applied(world)).toBe(1001)
})

test('a commit that is not answered: whether the line is applied is not known, and the same file can be run again', async () => {
  await using world = await newWorld()
  const { DATABASE_URL: url } = world.config
  await using forwarder = await newForwarder(Number(new URL(url).port))
  const file = await fileOf('unanswered.ndjson', [{ type: 'member', email: '1@unanswered.test' }])
  forwarder.loseAnswerTo('commit')

  expect(await runProgram(program, [file], { DATABASE_URL: throughForwarder(url, forwarder) })).toMatchObject({
    code: 3,
    stderr:
      'The connection to the database was lost, and it is not known whether the last lines are applied. Run the same file again: what is applied already changes nothing.\n',
  })
  expect(await run(throughForwarder(url, forwarder), file)).toMatchObject({ code: 0 })
  expect(await world.db.$count(members, like(members.email, '%@unanswered.test'))).toBe(1)
})

test('a batch whose commit is not answered by a database that then goes away: nobody says that nothing was applied', async () => {
  await using world = await newWorld()
  const { DATABASE_URL: url } = world.config
  await using forwarder = await newForwarder(Number(new URL(url).port))
  const allow = (isOpen: boolean) => administrate(`alter database ${nameOf(url)} allow_connections ${isOpen}`)
  const slow = await slowFile('gone')
  const running = run(throughForwarder(url, forwarder), slow.path)
  const file = slow.open()
  const connections = () =>
    administrate(`select from pg_stat_activity where application_name = 'atrium-import' and datname = '${nameOf(url)}'`)
  await expect.poll(() => connections()).toHaveLength(1)

  await allow(false)
  forwarder.loseAnswerTo('commit')
  file.end(slow.lines(0, 2))

  expect(await running).toMatchObject({
    code: 3,
    stderr: `The database of DATABASE_URL takes no connections: database "${nameOf(url)}" is not currently accepting connections. Run the same file again: what is applied already changes nothing.\n`,
  })
  await allow(true)
  expect(await slow.applied(world)).toBe(2)
})
