import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from './database.ts'
import { startJobs } from './jobs.ts'
import { newLogger } from './logging.ts'
import { newEmptyDatabase } from './test-database.ts'

let database: Awaited<ReturnType<typeof newEmptyDatabase>>
let db: Db

beforeAll(async () => {
  database = await newEmptyDatabase()
  db = database.db
})
afterAll(() => database[Symbol.asyncDispose]())

const logger = newLogger('test', 'silent')
const started = (schema: string) =>
  startJobs({
    databaseUrl: database.url,
    schema,
    queues: ['letters', { name: 'objects', oncePerSubject: true }],
    logger,
  })

test('a long queue does not wait for the clock, and one that fails holds up no other', async () => {
  const jobs = await started('jobs_long')
  const handled = new Map<number, number>()
  await db.transaction(async (tx) => {
    for (let place = 0; place < 120; place += 1) await jobs.send(tx, 'letters', { place })
  })
  await jobs.work<{ place: number }>('letters', async ({ place }) => {
    handled.set(place, (handled.get(place) ?? 0) + 1)
    if (place === 60 && handled.get(place) === 1) throw new Error('the receiver is away')
  })

  // One a second and worker would take forty seconds.
  await expect.poll(() => handled.size, { timeout: 10_000 }).toBe(120)
  await expect.poll(() => handled.get(60), { timeout: 15_000 }).toBe(2)
  expect([...handled.values()].filter((times) => times > 1)).toHaveLength(1)
  await jobs.stop()
}, 40_000)

test('while a job about something waits, another about the same adds nothing', async () => {
  const jobs = await started('jobs_once')
  const send = (subject: string) => db.transaction((tx) => jobs.send(tx, 'objects', { subject }, subject))
  for (const subject of ['one', 'one', 'two', 'one']) await send(subject)
  const handled: string[] = []
  await jobs.work<{ subject: string }>('objects', async ({ subject }) => {
    handled.push(subject)
  })
  await expect.poll(() => handled.toSorted(), { timeout: 10_000 }).toEqual(['one', 'two'])

  await send('one')
  await expect.poll(() => handled.toSorted(), { timeout: 10_000 }).toEqual(['one', 'one', 'two'])
  await jobs.stop()
}, 30_000)

test('a job exists exactly when its transaction commits', async () => {
  const jobs = await started('jobs_commit')
  const handled: string[] = []
  await db
    .transaction(async (tx) => {
      await jobs.send(tx, 'letters', { name: 'never' })
      throw new Error('rolled back')
    })
    .catch(() => undefined)
  await db.transaction((tx) => jobs.send(tx, 'letters', { name: 'sent' }))
  await jobs.work<{ name: string }>('letters', async ({ name }) => {
    handled.push(name)
  })

  await expect.poll(() => handled, { timeout: 10_000 }).toEqual(['sent'])
  await jobs.stop()
}, 30_000)
