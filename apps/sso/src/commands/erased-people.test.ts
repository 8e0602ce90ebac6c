import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Reader } from '@atrium/server-kit/database.ts'
import { addressHash, lockErasures, secretIdOf } from '@atrium/server-kit/erased-addresses.ts'
import { runInside } from '@atrium/server-kit/test-command.ts'
import { eq, like, sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { users } from '../features/accounts/accounts.tables.ts'
import { newWorld, type World } from '../test/world.ts'
import { accountsCommand } from './accounts.command.ts'

const secret = 'a secret of at least 32 characters'
const erased = 'ada@erased.test'

/** Account-server's table in the same database. */
async function addTable({ db }: World) {
  await db.execute(sql`create schema if not exists account`)
  await db.execute(sql`drop table if exists account.erased_addresses`)
  await db.execute(sql`create table account.erased_addresses (hash text not null unique, secret_id text not null)`)
}

const erase = (db: Reader, email = erased) =>
  db.execute(sql`insert into account.erased_addresses values (${addressHash(secret, email)}, ${secretIdOf(secret)})`)

/** Makes accounts for a file of members. */
async function makeAccounts({ db }: World, emails: readonly string[], erasureSecret: string | undefined) {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-erased-'))
  const path = join(folder, 'members.ndjson')
  await writeFile(path, emails.map((email) => JSON.stringify({ type: 'member', email })).join('\n'))
  const env = { DATABASE_URL: db.$client.options.connectionString, SHARED: 'Atrium-demo-1' }
  const parameters = [path, '--password-from', 'SHARED']
  return runInside(accountsCommand, parameters, { ...env, ERASURE_SECRET: erasureSecret }).finally(() =>
    rm(folder, { recursive: true }),
  )
}

test('who was erased gets no account from a file, and is counted, until they sign up again', async () => {
  await using world = await newWorld()
  await addTable(world)
  await erase(world.db)
  const people = ['Ada@Erased.test', 'grace@erased.test']
  const made = async () => (await world.db.select().from(users).where(like(users.email, '%@erased.test'))).length

  const secrets = [undefined, 'another secret of 32 characters and more']
  expect(await Promise.all(secrets.map((given) => makeAccounts(world, people, given)))).toMatchObject([
    { code: 2, stdout: '', stderr: expect.stringContaining('ERASURE_SECRET is needed') },
    { code: 2, stdout: '', stderr: expect.stringContaining('ERASURE_SECRET is not the one') },
  ])
  expect(await made()).toBe(0)

  expect(await makeAccounts(world, people, secret)).toMatchObject({
    code: 0,
    stdout:
      'Accounts made: 1. There already: 0. Lines about other things: 0. Lines passed over: 0. Skipped, as their data was erased: 1.\n',
  })
  expect(await made()).toBe(1)

  await world.newUser({ email: erased })
  expect(await makeAccounts(world, people, secret)).toMatchObject({
    code: 0,
    stdout: 'Accounts made: 0. There already: 2. Lines about other things: 0. Lines passed over: 0.\n',
  })
})

test('who is erased while accounts are made gets none, also as the first person ever', async () => {
  await using world = await newWorld()
  await addTable(world)
  const email = 'grace@erased-meanwhile.test'
  const { making } = await world.db.transaction(async (tx) => {
    // As an erasure does.
    await lockErasures(tx)
    await erase(tx, email)
    const making = makeAccounts(world, [email], secret)
    await vi.waitFor(
      async () => {
        const { rowCount } = await world.db.execute(
          sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        expect(rowCount).toBe(1)
      },
      { timeout: 30_000 },
    )
    return { making }
  })
  expect(await making).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Skipped, as their data was erased: 1.'),
  })
  expect(await world.db.$count(users, eq(users.email, email))).toBe(0)
})
