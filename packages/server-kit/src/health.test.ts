import { sql } from 'drizzle-orm'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from './database.ts'
import { serveHealth } from './health.ts'
import { newEmptyDatabase } from './test-database.ts'
import { newForwarder, throughForwarder } from './test-forwarder.ts'

let database: Awaited<ReturnType<typeof newEmptyDatabase>>
beforeAll(async () => {
  database = await newEmptyDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

async function watched({ isStopping = false } = {}) {
  const forwarder = await newForwarder(Number(new URL(database.url).port))
  const db = openDatabase({ url: throughForwarder(database.url, forwarder), size: 1, applicationName: 'test' })
  const app = Fastify()
  app.decorate('isStopping', () => isStopping)
  serveHealth(app, db)
  const ask = async (url: string) => {
    const begin = Date.now()
    const { statusCode } = await app.inject(url)
    return { status: statusCode, isInTime: Date.now() - begin < 2000 }
  }
  return {
    db,
    forwarder,
    ask,
    async [Symbol.asyncDispose]() {
      await forwarder[Symbol.asyncDispose]()
      await app.close()
      await db.$client.end()
    },
  }
}

const ready = { status: 200, isInTime: true }
const notReady = { status: 503, isInTime: true }

test('readiness does not wait for a full pool', async () => {
  await using world = await watched()
  const busy = world.db.execute(sql`select pg_sleep(3)`).then(() => undefined)
  const answers = await Promise.all(Array.from({ length: 20 }, () => world.ask('/readyz')))
  expect(answers).toEqual(answers.map(() => ready))
  await busy
})

test('a database that is gone or does not respond is reported within two seconds, and its return too', async () => {
  await using world = await watched()
  expect(await world.ask('/readyz')).toEqual(ready)
  world.forwarder.stall()
  expect(await world.ask('/readyz')).toEqual(notReady)
  expect(await world.ask('/readyz')).toEqual(notReady)
  expect(await world.ask('/livez')).toEqual(ready)
  world.forwarder.resume()
  expect(await world.ask('/readyz')).toEqual(ready)

  world.forwarder.moveTo(1)
  expect(await world.ask('/readyz')).toEqual(notReady)
  world.forwarder.moveTo(world.forwarder.target)
  expect(await world.ask('/readyz')).toEqual(ready)
})

test('a stopping server is alive but not ready', async () => {
  await using world = await watched({ isStopping: true })
  expect([await world.ask('/livez'), await world.ask('/readyz')]).toEqual([ready, notReady])
})
