import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInside, runProgram } from '@atrium/server-kit/test-command.ts'
import { newEmptyDatabase } from '@atrium/server-kit/test-database.ts'
import { eq, getTableName, is, sql } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as schema from '../db/schema.ts'
import { impersonalTables, personalTables } from '../features/account-data/personal-tables.ts'
import { accounts, sessions, users } from '../features/accounts/accounts.tables.ts'
import { activity } from '../features/activity/activity.tables.ts'
import { logoutQueue } from '../features/session/end-sessions.writes.ts'
import { pendingIdentities } from '../features/session/pending-identities.tables.ts'
import { signUps } from '../features/sign-up/sign-up.tables.ts'
import { tickets } from '../features/tickets/tickets.tables.ts'
import { account, demoPassword, newWorld, type World } from '../test/world.ts'
import { signIn } from '../wire.ts'
import { membersCommand } from './members.command.ts'

const program = join(import.meta.dirname, 'members.ts')
const personal = ['Quennell', '192.0.2.77', 'hash-of-quennell']

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-sign-on-'))
})
afterAll(() => rm(folder, { recursive: true }))

const run = (databaseUrl: string | undefined, ...parameters: string[]) =>
  runInside(membersCommand, parameters, { DATABASE_URL: databaseUrl })

const urlOf = ({ db }: World) => db.$client.options.connectionString

async function accountWithEverything({ db }: World) {
  const email = `ada-${randomUUID()}@quennell.test`
  const [userId, now] = [randomUUID(), new Date()]
  const name = { firstName: 'Ada', lastName: 'Quennell' }
  await db.insert(users).values({ id: userId, name: 'Ada Quennell', email, ...name })
  const account = { id: randomUUID(), accountId: userId, userId, providerId: 'credential' }
  await db.insert(accounts).values({ ...account, password: 'hash-of-quennell', email })
  await db.insert(sessions).values({
    ...{ id: randomUUID(), token: randomUUID(), userId, ipAddress: '192.0.2.77' },
    ...{ createdAt: now, updatedAt: now, expiresAt: now },
  })
  const details = { provider: 'Quennell' }
  await db.insert(activity).values({ at: now, userId, action: 'session.started', address: '192.0.2.77', details })
  await db.insert(signUps).values({
    ...{ id: randomUUID(), email, ...name, passwordHash: 'hash-of-quennell', locale: 'en-us', expiresAt: now },
  })
  await db.insert(pendingIdentities).values({
    ...{ ...pendingIdentity(), provider: 'google', subject: 's', email, emailVerified: true, ...name },
  })
  return email
}

const pendingIdentity = () => ({
  ...({
    hash: randomUUID(),
    browserHash: 'b',
    authority: 'a',
    method: 'GET',
    locale: 'en-us',
    expiresAt: new Date(),
  } as const),
})

async function traces({ db }: World, email: string): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(
    sql`select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'sso'`,
  )
  const lines = await Promise.all(
    rows.map(({ name }) => db.execute<{ line: string }>(sql.raw(`select t::text as line from ${name} t`))),
  )
  const text = lines.flatMap((found) => found.rows.map(({ line }) => line)).join('\n')
  return [...personal, email].filter((piece) => text.includes(piece))
}

test('every table is in an erasure and an export, or excluded for a reason (else: list it in personal-tables.ts)', () => {
  const tables = Object.values(schema).filter((entry) => is(entry, PgTable))
  const listed = [...personalTables.map(({ table }) => table), ...impersonalTables.keys()]
  expect(listed.map(getTableName).sort()).toEqual(tables.map(getTableName).sort())
})

test('an export has everything but secrets; an erasure leaves nothing, and the second time there is nobody', async () => {
  await using world = await newWorld()
  const email = await accountWithEverything(world)
  expect(await traces(world, email)).toEqual([...personal, email])

  const exported = await runProgram(program, ['export', email, '--to', folder], { DATABASE_URL: urlOf(world) })
  expect(exported).toEqual({ code: 0, stdout: `Written to ${folder}: sign-on.json.\n`, stderr: '' })
  const written = await readFile(join(folder, 'sign-on.json'), 'utf8')
  expect(JSON.parse(written)).toMatchObject({
    account: [{ email, lastName: 'Quennell' }],
    sessions: [{}],
    signUps: [{}],
  })
  expect(written).not.toContain('hash-of-quennell')

  expect(await run(urlOf(world), 'erase', email, '--dry-run')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('to be erased: activity (1)'),
  })
  expect(await traces(world, email)).toEqual([...personal, email])

  expect(await run(urlOf(world), 'erase', email.toUpperCase())).toMatchObject({ code: 0, stderr: '' })
  expect(await traces(world, email)).toEqual([])
  expect(await run(urlOf(world), 'erase', email)).toMatchObject({
    code: 0,
    stdout: `Nobody has an account with the address ${email} at the single sign-on.\n`,
  })
})

test('an export has nothing of others: neither their activity, nor an identity that may be somebody else’s', async () => {
  await using world = await newWorld()
  const [email, other] = [await accountWithEverything(world), randomUUID()]
  const unconfirmed = { provider: 'facebook', emailVerified: false, firstName: 'Mallory', lastName: 'Marsh' } as const
  await world.db.insert(pendingIdentities).values([
    { ...pendingIdentity(), ...unconfirmed, subject: 'typed', email: 'mallory@marsh.test', codeEmail: email },
    { ...pendingIdentity(), ...unconfirmed, subject: 'claimed', email },
  ])
  await world.db.insert(activity).values({
    ...{
      at: new Date(),
      userId: other,
      action: 'session.started',
      address: '198.51.100.7',
      details: { note: `not-${email}` },
    },
  })
  const to = join(folder, 'others')

  expect(await run(urlOf(world), 'export', email, '--to', to)).toMatchObject({ code: 0 })
  const written = await readFile(join(to, 'sign-on.json'), 'utf8')
  expect(JSON.parse(written)).toMatchObject({ unconfirmedIdentities: [{ subject: 's' }], activity: [{}] })
  for (const piece of ['Mallory', 'marsh.test', '198.51.100.7']) expect(written).not.toContain(piece)

  // What has the address is erased all the same, and the activity of an account whose address contains it is left alone.
  await run(urlOf(world), 'erase', email)
  expect(await world.db.$count(pendingIdentities)).toBe(0)
  expect(await world.db.select().from(activity).where(eq(activity.userId, other))).toMatchObject([
    { address: '198.51.100.7', details: { note: `not-${email}` } },
  ])
})

test('an erasure notifies the services in which the person is signed in', async () => {
  await using world = await newWorld({ work: true })
  const { id: userId, email } = await world.newUser()
  const [sessionId, now] = [randomUUID(), new Date()]
  const until = new Date(now.getTime() + 60_000)
  await world.db.insert(sessions).values({
    ...{ id: sessionId, token: randomUUID(), userId, createdAt: now, updatedAt: now, expiresAt: until },
  })
  const ticket = { sessionId, issuedAt: now, expiresAt: until, fromNewLogin: true, attemptedAt: new Date(0) }
  await world.db.insert(tickets).values([
    { ...ticket, hash: randomUUID(), sealed: 'one', service: 'https://signed-in.test/app', accepted: true },
    { ...ticket, hash: randomUUID(), sealed: 'two', service: 'https://never-there.test/', accepted: false },
  ])
  const notices = () =>
    world.db.execute<{ data: object }>(
      sql`select data from sso_jobs.job where name = ${logoutQueue} and data ->> 'userId' = ${userId}`,
    )

  expect((await run(urlOf(world), 'erase', email, '--dry-run')).stdout).toContain('tickets (2), sessions (1)')
  expect((await notices()).rows).toEqual([])

  expect(await run(urlOf(world), 'erase', email)).toMatchObject({ code: 0, stderr: '' })
  expect((await notices()).rows).toMatchObject([{ data: { service: 'https://signed-in.test/app', sealed: 'one' } }])
  expect(await world.db.$count(sessions, eq(sessions.userId, userId))).toBe(0)
})

test('with a CAS server of another vendor it says that its data is not included', async () => {
  await using database = await newEmptyDatabase()
  expect(await run(database.url, 'erase', 'a@b.c')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('your CAS server'),
  })
})

test('npm run members -- sessions --end ends the sessions of the account, and tells the services', async () => {
  await using world = await newWorld({ work: true })
  const { id: userId, email } = await world.newUser()
  const service = `${account}/account?signin=abc`
  const { body } = await world.browser().send(signIn, { body: { email, password: demoPassword, service } })
  const ticket = new URL(body.redirectUrl).searchParams.get('ticket') ?? ''
  await world.browser().get(`/cas/serviceValidate?${new URLSearchParams({ service, ticket })}`)
  const left = () => world.db.$count(sessions, eq(sessions.userId, userId))

  const counted = await run(urlOf(world), 'sessions', email)
  expect(counted.stdout).toBe('Sessions at the single sign-on, with --end they end: 1.\n')
  expect(await left()).toBe(1)
  const ended = await run(urlOf(world), 'sessions', email, '--end')
  expect(ended).toMatchObject({
    code: 0,
    stdout: 'Sessions at the single sign-on, ended there and everywhere: 1.\n',
  })
  expect(await left()).toBe(0)
  const { rows: notices } = await world.db.execute(
    sql`select data ->> 'service' as service from sso_jobs.job where name = ${logoutQueue} and data ->> 'userId' = ${userId}`,
  )
  expect(notices[0]).toEqual({ service })
  const rows = await world.db.select().from(activity).where(eq(activity.userId, userId))
  expect(rows.filter(({ action }) => action === 'session.ended')).toMatchObject([
    { details: { reason: 'ended-by-operator', by: 'operator' } },
  ])
  const nobody = await run(urlOf(world), 'sessions', 'nobody@quennell.test', '--end')
  expect(nobody.stdout).toContain('Nobody has an account')
})
