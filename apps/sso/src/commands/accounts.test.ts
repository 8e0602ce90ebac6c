import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitCodes } from '@atrium/server-kit/command.ts'
import { runInside, runProgram } from '@atrium/server-kit/test-command.ts'
import { newEmptyDatabase } from '@atrium/server-kit/test-database.ts'
import { throughForwarder } from '@atrium/server-kit/test-forwarder.ts'
import { hash as bcrypt } from 'bcrypt'
import { eq, like } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '../features/accounts/accounts.tables.ts'
import { endExpiredSessions } from '../features/sign-out/sign-out.jobs.ts'
import { account, databaseForwarder, demoPassword, newWorld, type World } from '../test/world.ts'
import * as wire from '../wire.ts'
import { setRole } from './account-role.ts'
import { accountsCommand } from './accounts.command.ts'

const program = join(import.meta.dirname, 'accounts.ts')
const password = 'Atrium-demo-1'
const usage =
  'Usage: npm run accounts -- FILE --password-from VARIABLE [--dry-run], or npm run accounts -- FILE --with-hashes [--dry-run]\n' +
  '   or: npm run accounts -- role EMAIL support|none\n'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-accounts-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function fileOf(...lines: (object | string)[]): Promise<string> {
  const path = join(folder, 'members.ndjson')
  await writeFile(path, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'))
  return path
}

const run = (parameters: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  runInside(accountsCommand, parameters, { SHARED: password, ...env })

const databaseOf = (world: World) => world.db.$client.options.connectionString
const runIn = (world: World, ...parameters: string[]) => run(parameters, { DATABASE_URL: databaseOf(world) })
const shared = ['--password-from', 'SHARED']

const member = (name: string, more: object = {}) => ({ type: 'member', email: `${name}@command.test`, ...more })
const made = async (world: World, pattern: string) =>
  (await world.db.select().from(users).where(like(users.email, pattern))).map(({ email }) => email).sort()

test('it makes an account for each member of a file, says which lines it passes over and why, and can be run again', async () => {
  await using world = await newWorld()
  const file = await fileOf(
    member('Ada', { firstName: 'Ada' }),
    { type: 'product', code: 'EDITOR', name: 'Editor', sku: 'editor' },
    member('grace'),
    { type: 'member', email: 'no address' },
    member('nul', { lastName: 'a\0b' }),
    { ...member('misspelled'), frstName: 'Ada' },
    '',
    '{"type":"member"',
    '{"type":"Member","email":"capital@command.test"}',
    '{"type":"member","email":"one@command.test","email":"two@command.test"}',
    'not json at all',
  )

  expect(await runIn(world, file, ...shared)).toMatchObject({
    code: 1,
    stdout: 'Accounts made: 2. There already: 0. Lines about other things: 1. Lines passed over: 7.\n',
    stderr: [
      'line 4, email: must be an e-mail address',
      'line 5, lastName: has characters that are not text',
      'line 6, frstName: is not a known field; did you mean firstName?',
      'line 8: is not JSON',
      'line 9, type: "Member" is not a type of record; did you mean member?',
      'line 10, email: stands twice, with different values',
      'line 11: is not JSON',
      '',
    ].join('\n'),
  })
  expect((await runIn(world, file, ...shared)).stdout).toBe(
    'Accounts made: 0. There already: 2. Lines about other things: 1. Lines passed over: 7.\n',
  )

  expect(await made(world, '%@command.test')).toEqual(['ada@command.test', 'grace@command.test'])
  const signedIn = await world.browser().send(wire.signIn, { body: { email: 'ada@command.test', password } })
  expect(signedIn.status).toBe(200)
})

test('the program prints and ends with its exit code, and without a database says what is missing', async () => {
  await using world = await newWorld()
  const file = await fileOf(member('program'), 'not json at all')
  const parameters = [file, ...shared]
  expect(await runProgram(program, parameters, { DATABASE_URL: databaseOf(world), SHARED: password })).toEqual({
    code: 1,
    stdout: 'Accounts made: 1. There already: 0. Lines about other things: 0. Lines passed over: 1.\n',
    stderr: 'line 2: is not JSON\n',
  })
  expect(await made(world, 'program@%')).toEqual(['program@command.test'])
  expect(await runProgram(program, parameters, { SHARED: password })).toEqual({
    code: 2,
    stdout: '',
    stderr: 'Set DATABASE_URL, or run npm start beside this: there is no database to work on.\n',
  })
})

test.each([
  ['UTF-16', Buffer.from('{"type":"member"}', 'utf16le'), 'is UTF-16. Save it as UTF-8.'],
  [
    'a JSON list',
    JSON.stringify([member('list')]),
    'is one JSON list. Each record must be a line of its own (NDJSON).',
  ],
])('a file of another kind is 2, as it is for the import: %s', async (_kind, content, sentence) => {
  await using world = await newWorld()
  const path = await fileOf()
  await writeFile(path, content)
  expect(await runIn(world, path, ...shared)).toMatchObject({ code: 2, stdout: '', stderr: `${path} ${sentence}\n` })
})

test('a dry run needs no password, makes nothing, and is one also where npm took the option for its own', async () => {
  await using world = await newWorld()
  const file = await fileOf(member('dry'), member('dry'), member('Dry-too'))
  const expected = {
    code: 0,
    stdout: 'Accounts that would be made: 2. There already: 1. Lines about other things: 0. Lines passed over: 0.\n',
  }
  expect(await runIn(world, file, '--dry-run')).toMatchObject(expected)
  expect(await run([file], { DATABASE_URL: databaseOf(world), npm_config_dry_run: 'true' })).toMatchObject(expected)
  expect(await made(world, 'dry%@command.test')).toEqual([])
})

test('an account gets the role of a support agent, and loses it', async () => {
  await using world = await newWorld()
  const { email, id } = await world.newUser()
  const rolesNow = async () => (await world.db.select().from(users).where(eq(users.id, id))).map(({ roles }) => roles)

  expect(await runIn(world, 'role', email.toUpperCase(), 'support')).toMatchObject({
    code: 0,
    stdout: `${email} has the role support from the next sign-in on.\n`,
  })
  expect(await rolesNow()).toEqual([['support']])
  await runIn(world, 'role', email, 'support')
  expect(await runIn(world, 'role', email, 'none')).toMatchObject({
    code: 0,
    stdout: `${email} no longer has a role. Its sessions end within two minutes, and with them what it opened as support.\n`,
  })
  expect(await rolesNow()).toEqual([[]])
  expect((await world.acts(id)).filter((action) => action === 'account.roles-changed')).toHaveLength(2)
  expect(await runIn(world, 'role', 'nobody@command.test', 'support')).toMatchObject({
    code: 1,
    stdout: 'No account has the address nobody@command.test. Nothing was changed.\n',
  })
})

test('an account whose address nobody has confirmed gets no role', async () => {
  await using world = await newWorld()
  const { id, email } = await world.newUser()
  await world.db.update(users).set({ emailVerified: false }).where(eq(users.id, id))
  const said: string[] = []
  const print = (line: string) => said.push(line)
  expect(await setRole(world.db, { email, roles: ['support'] }, print)).toBe(exitCodes.refused)
  expect(said).toEqual([
    `${email} is not confirmed yet: its owner signs in and confirms it first. Nothing was changed.`,
  ])
  await world.db.update(users).set({ emailVerified: true }).where(eq(users.id, id))
  expect(await setRole(world.db, { email, roles: ['support'] }, print)).toBe(exitCodes.done)
})

test('whoever loses the role of a support agent is signed out everywhere', async () => {
  await using world = await newWorld()
  const { email, id } = await world.newUser()
  const agent = world.browser()
  await agent.send(wire.signIn, { body: { email, password: demoPassword } })
  const service = encodeURIComponent(`${account}/support?signin=abc`)
  const isSignedIn = async () => (await agent.get(`/cas/login?service=${service}`)).statusCode === 302

  await runIn(world, 'role', email, 'support')
  expect(await isSignedIn()).toBe(true)
  await runIn(world, 'role', email, 'none')
  expect(await isSignedIn()).toBe(false)
  // The sweep of each minute, which also sends the single logout notices.
  await endExpiredSessions(world.deps)
  expect(await world.acts(id)).toEqual(expect.arrayContaining(['account.roles-changed', 'session.ended']))

  await agent.send(wire.signIn, { body: { email, password: demoPassword } })
  expect(await runIn(world, 'role', email, 'none')).toMatchObject({ code: 0, stdout: `${email} has no role.\n` })
  expect(await isSignedIn()).toBe(true)
})

test('wrong arguments are answered with 2 and one sentence, or the usage', async () => {
  await using world = await newWorld()
  const file = await fileOf(member('any'))
  const wrong: [parameters: string[], said: string, env?: NodeJS.ProcessEnv][] = [
    [[], usage],
    [[file, file, ...shared], usage],
    [['role', 'ada@command.test'], usage],
    [['role', 'ada@command.test', 'admin'], usage],
    [[file, ...shared, '--all'], usage],
    [['--file', file, ...shared], usage],
    [[file], `Which password? ${usage}`],
    [[folder, ...shared], `${folder} is a folder, not a file.\n`],
    [['/nowhere.ndjson', ...shared], 'There is no file /nowhere.ndjson.\n'],
    [
      [file],
      'npm has taken --password-from for itself: put -- before what is given to the command.\n',
      { npm_config_password_from: 'true' },
    ],
  ]
  const answers = await Promise.all(
    wrong.map(([parameters, , env]) => run(parameters, { DATABASE_URL: databaseOf(world), ...env })),
  )

  expect(answers.map(({ code, stderr }) => [code, stderr])).toEqual(wrong.map(([, said]) => [2, said]))
})

test('--help prints the usage', async () => {
  expect(await run(['--help'])).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(usage) })
})

test.each([
  ['', 'The environment has no variable SHARED with the password.'],
  ['password', 'The password in SHARED is one of the commonest: choose another.'],
])('a password that nobody may choose is 2: %s', async (given, sentence) => {
  const env = { DATABASE_URL: 'postgres://127.0.0.1:1/atrium', SHARED: given }
  const file = await fileOf(member('any'))
  expect(await run([file, ...shared], env)).toMatchObject({ code: 2, stderr: `${sentence}\n` })
})

test('a database that has no address, is away or has no tables is said', async () => {
  await using empty = await newEmptyDatabase()
  const file = await fileOf(member('away'))
  const parameters = [file, ...shared]
  expect(await run(parameters, { DATABASE_URL: 'mysql://x' })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^The setting DATABASE_URL is not valid.*\n$/),
  })
  expect(await run(parameters, { DATABASE_URL: 'postgres://127.0.0.1:1/atrium' })).toMatchObject({
    code: 3,
    stderr: 'The database of DATABASE_URL does not answer. Is it running? No account was made.\n',
  })
  expect(await run(parameters, { DATABASE_URL: empty.url })).toMatchObject({
    code: 3,
    stderr:
      'The database does not have the tables of this version: start sso once, which makes them. No account was made.\n',
  })
})

test('a commit that is not answered: whether the account is made is not known, and it can be run again', async () => {
  await using world = await newWorld()
  await using forwarder = await databaseForwarder()
  const env = { DATABASE_URL: throughForwarder(databaseOf(world) ?? '', forwarder) }
  const parameters = [await fileOf(member('unanswered')), ...shared]
  forwarder.loseAnswerTo('commit')

  expect(await run(parameters, env)).toMatchObject({
    code: 3,
    stderr:
      'The connection to the database was lost, and it is not known whether the last account was made. Run it again: accounts that are there stay as they are.\n',
  })
  expect(await run(parameters, env)).toMatchObject({ code: 0 })
  expect(await made(world, 'unanswered@%')).toEqual(['unanswered@command.test'])
})

test('accounts of another system are taken over with the hashes of their passwords; what cannot be compared is passed over', async () => {
  await using world = await newWorld()
  const account = (name: string, passwordHash: string, more: object = {}) => ({
    ...{ type: 'account', email: `${name}@taken.test`, emailVerified: true, passwordHash, ...more },
  })
  const file = await fileOf(
    account('Edith', await bcrypt(password, 4), { firstName: 'Edith', locale: 'de-de' }),
    account('md5', '5f4dcc3b5aa765d61d8327deb882cf99'),
    account('slow', (await bcrypt(password, 4)).replace('$04$', '$20$')),
    member('Ada'),
    { type: 'account', email: 'unsaid@taken.test', passwordHash: await bcrypt(password, 4) },
  )

  const trial = await runIn(world, file, '--with-hashes', '--dry-run')
  expect(await made(world, '%@taken.test')).toEqual([])
  const done = await runIn(world, file, '--with-hashes')

  const counts = '1. There already: 0. Lines about other things: 0. Lines passed over: 4.\n'
  expect([trial.stdout, done.stdout]).toEqual([`Accounts that would be made: ${counts}`, `Accounts made: ${counts}`])
  expect(done).toMatchObject({
    code: 1,
    stderr: [
      'line 2, passwordHash: must be a hash of argon2 or scrypt as a PHC string, or of bcrypt',
      'line 3, passwordHash: takes more time or memory to compare than Atrium allows: that person has to set a new password',
      'line 4, type: "member" is not a type of record',
      'line 5, emailVerified: is missing',
      '',
    ].join('\n'),
  })
  const reply = await world.browser().send(wire.signIn, { body: { email: 'edith@taken.test', password } })
  expect(reply.status).toBe(200)
  expect((await run([file, '--with-hashes', ...shared])).stderr).toMatch(/^Which passwords/)
})
