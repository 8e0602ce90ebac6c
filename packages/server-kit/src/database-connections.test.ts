import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newPool, openDatabase, type Reader } from './database.ts'
import { CommitOutcomeUnknown, isDatabaseUnavailable } from './database-failure.ts'
import { newEmptyDatabase } from './test-database.ts'
import { newForwarder, throughForwarder } from './test-forwarder.ts'

let database: Awaited<ReturnType<typeof newEmptyDatabase>>
beforeAll(async () => {
  database = await newEmptyDatabase()
  await database.db.execute(sql`create table notes (text text)`)
})
afterAll(() => database[Symbol.asyncDispose]())

/** A pool of two connections through a forwarder. */
async function forwarded() {
  const forwarder = await newForwarder(Number(new URL(database.url).port))
  const db = openDatabase({ url: throughForwarder(database.url, forwarder), size: 2, applicationName: 'test' })
  return {
    db,
    forwarder,
    async [Symbol.asyncDispose]() {
      await forwarder[Symbol.asyncDispose]()
      await db.$client.end()
    },
  }
}

const write = (db: Reader, text: string) => db.execute(sql`insert into notes values (${text})`)
const stored = async (text: string) =>
  (await database.db.execute(sql`select 1 from notes where text = ${text}`)).rowCount ?? 0
const failureOf = (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => undefined,
    (error) => error,
  )

/** Terminates the transaction's own connection, as an operator would. */
async function terminateOwn(tx: Reader): Promise<void> {
  const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  await database.db.execute(sql`select pg_terminate_backend(${rows[0]?.pid}, 5000)`)
}

test('a connection that ends inside a transaction fails the transaction, and nothing else', async () => {
  await using world = await forwarded()
  const { db } = world
  for (let round = 0; round < 4; round += 1) {
    const failure = await failureOf(
      db.transaction(async (tx) => {
        await write(tx, 'terminated')
        await terminateOwn(tx)
        await write(tx, 'terminated')
      }),
    )
    expect(failure).not.toBeInstanceOf(CommitOutcomeUnknown)
    expect(isDatabaseUnavailable(failure)).toBe(true)
  }
  expect(await stored('terminated')).toBe(0)
  await db.transaction((tx) => write(tx, 'afterwards'))
  expect(await stored('afterwards')).toBe(1)
})

test('the pool replaces a connection that ended between two transactions', async () => {
  await using world = await forwarded()
  const { db, forwarder } = world
  for (let round = 0; round < 4; round += 1) {
    await Promise.all([1, 2].map(() => db.execute(sql`select 1`)))
    forwarder.cut()
    await failureOf(db.transaction((tx) => write(tx, 'between')))
  }
  // Both connections are free again.
  await Promise.all([1, 2].map(() => db.transaction((tx) => tx.execute(sql`select pg_sleep(0.2)`))))
})

test('a commit whose answer was lost has an unknown outcome', async () => {
  await using world = await forwarded()
  const { db, forwarder } = world
  const failure = await failureOf(
    db.transaction(async (tx) => {
      await write(tx, 'unanswered')
      forwarder.loseAnswerTo('commit')
    }),
  )
  expect(failure).toBeInstanceOf(CommitOutcomeUnknown)
  await expect.poll(() => stored('unanswered')).toBe(1)
})

test('an error inside the transaction is rolled back and rethrown', async () => {
  const refusal = new Error('no')
  const failure = await failureOf(
    database.db.transaction(async (tx) => {
      await write(tx, 'refused')
      throw refusal
    }),
  )
  expect(failure).toBe(refusal)
  expect(await stored('refused')).toBe(0)
})

test('a database that does not respond times out, and no caller gets an open transaction', async () => {
  await using world = await forwarded()
  const { db, forwarder } = world
  const begin = Date.now()
  const failure = await failureOf(
    db.transaction(async (tx) => {
      await write(tx, 'stalled')
      forwarder.stall()
      await write(tx, 'stalled')
    }),
  )
  expect(isDatabaseUnavailable(failure)).toBe(true)
  expect(Date.now() - begin).toBeLessThan(8000)
  expect(isDatabaseUnavailable(await failureOf(db.execute(sql`select 1`)))).toBe(true)

  forwarder.resume()
  await db.transaction((tx) => write(tx, 'resumed'))
  expect([await stored('stalled'), await stored('resumed')]).toEqual([0, 1])
})

test.each([
  ['nothing listens', 'postgres://atrium@127.0.0.1:1/atrium'],
  ['the host is unknown', 'postgres://atrium@nowhere.invalid/atrium'],
])('where %s, the database is unavailable', async (_name, url) => {
  const pool = newPool({ connectionString: url, connectionTimeoutMillis: 5000 })
  expect(isDatabaseUnavailable(await failureOf(pool.query('select 1')))).toBe(true)
  await pool.end()
})

test('a full pool and a canceled statement count as unavailable, an invalid statement does not', async () => {
  await using world = await forwarded()
  const { db } = world
  const isUnavailable = async (run: Promise<unknown>) => isDatabaseUnavailable(await failureOf(run))
  const busy = Promise.all([1, 2].map(() => db.execute(sql`select pg_sleep(2)`)))
  await pause(100)
  expect(await isUnavailable(db.execute(sql`select 1`))).toBe(true)
  await busy
  expect(await isUnavailable(db.execute(sql`select pg_cancel_backend(pg_backend_pid())`))).toBe(true)
  expect(await isUnavailable(db.execute(sql`select nonsense`))).toBe(false)
  expect(await isUnavailable(fetch('http://127.0.0.1:1/'))).toBe(false)
})
