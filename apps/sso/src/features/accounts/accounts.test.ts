import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { like } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newWorld, type World } from '../../test/world.ts'
import * as wire from '../../wire.ts'
import { users } from './accounts.tables.ts'
import { createAccount } from './accounts.writes.ts'

const command = join(import.meta.dirname, '../../commands/accounts.ts')
const password = 'Atrium-demo-1'

/** What it says and answers; that it fails is no surprise. */
async function run(world: World, file: string, given = password) {
  const { connectionString } = world.db.$client.options
  const env = { ...process.env, DATABASE_URL: connectionString, SHARED: given }
  const parameters = [command, '--file', file, '--password-from', 'SHARED']
  return promisify(execFile)(process.execPath, parameters, { env }).then(
    (done) => ({ ...done, code: 0 }),
    (failure: { code: number; stdout: string; stderr: string }) => failure,
  )
}

test('the command makes an account for each member of a file, and can be run again', async () => {
  await using world = await newWorld()
  const folder = await mkdtemp(join(tmpdir(), 'atrium-accounts-'))
  const file = join(folder, 'members.ndjson')
  const lines = [
    { type: 'member', email: 'Ada@command.test', firstName: 'Ada' },
    { type: 'product', code: 'EDITOR' },
    { type: 'member', email: 'grace@command.test' },
    { type: 'member', email: 'no address' },
    { type: 'member', email: 'nul@command.test', lastName: 'a\0b' },
  ]
  await writeFile(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"type":"member"`)

  const first = await run(world, file)
  expect(first).toMatchObject({ code: 1, stdout: 'Accounts made: 2. There already: 0. Lines passed over: 3.\n' })
  for (const line of [4, 5, 6]) expect(first.stderr).toContain(`Line ${line} is not a member`)
  expect((await run(world, file)).stdout).toBe('Accounts made: 0. There already: 2. Lines passed over: 3.\n')

  const made = await world.db.select().from(users).where(like(users.email, '%@command.test'))
  expect(made.map(({ email, emailVerified }) => [email, emailVerified]).sort()).toEqual([
    ['ada@command.test', true],
    ['grace@command.test', true],
  ])
  const signedIn = await world.browser().send(wire.signIn, { body: { email: 'ada@command.test', password } })
  expect(signedIn.status).toBe(200)
  await rm(folder, { recursive: true })
})

test('the command refuses a password that nobody may choose, in one sentence', async () => {
  await using world = await newWorld()
  expect(await run(world, 'nowhere.ndjson', '')).toMatchObject({
    code: 2,
    stderr: 'The environment has no variable SHARED with the password.\n',
  })
  expect(await run(world, 'nowhere.ndjson', 'password')).toMatchObject({
    code: 2,
    stderr: 'The password in SHARED will not do (password_common).\n',
  })
  expect(await run(world, 'nowhere.ndjson')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^The file nowhere.ndjson cannot be read: .*\n$/),
  })
})

test('two who make the same account at once make one', async () => {
  await using world = await newWorld()
  const passwordHash = await world.deps.hashing.hash(password)
  const account = { email: 'twice@example.test', firstName: 'A', lastName: 'B', locale: 'en-us', passwordHash }
  const made = await Promise.all(
    Array.from({ length: 5 }, () => world.db.transaction((tx) => createAccount(tx, world.deps.accounts, account))),
  )
  expect(made.filter((id) => id !== undefined)).toHaveLength(1)
})
