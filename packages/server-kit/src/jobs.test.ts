import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from './database.ts'
import { startJobs } from './jobs.ts'
import { newLogger } from './logging.ts'
import { newEmptyDatabase } from './test-database.ts'
import { newForwarder, throughForwarder } from './test-forwarder.ts'

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
    queues: ['emails', { name: 'objects', oncePerSubject: true }],
    logger,
  })

test('a long queue is worked off without pauses, and a failing job delays no other', async () => {
  const jobs = await started('jobs_long')
  const handled = new Map<number, number>()
  await db.transaction(async (tx) => {
    for (let place = 0; place < 120; place += 1) await jobs.send(tx, 'emails', { place })
  })
  await jobs.work<{ place: number }>('emails', async ({ place }) => {
    handled.set(place, (handled.get(place) ?? 0) + 1)
    if (place === 60 && handled.get(place) === 1) throw new Error('the receiver is away')
  })

  // One job per second and worker would take forty seconds.
  await expect.poll(() => handled.size).toBe(120)
  await expect.poll(() => handled.get(60)).toBe(2)
  expect([...handled.values()].filter((times) => times > 1)).toHaveLength(1)
  await jobs.stop()
})

test('a worker that is woken does not wait for its next poll', async () => {
  const jobs = await started('jobs_woken')
  let handled = 0
  await jobs.work('emails', async () => {
    handled += 1
  })

  // Five polls are five seconds.
  const begun = Date.now()
  for (let number = 1; number <= 5; number += 1) {
    await db.transaction((tx) => jobs.send(tx, 'emails', {}))
    const isHandled = () => {
      jobs.wake(['emails', 'unknown'])
      return handled
    }
    await expect.poll(isHandled, { interval: 10 }).toBe(number)
  }
  expect(Date.now() - begun).toBeLessThan(4500)
  await jobs.stop()
})

test('a job that is put on a queue again by its id is handled once, also after it is done', async () => {
  const jobs = await started('jobs_each')
  const [one, two] = [randomUUID(), randomUUID()]
  const send = (...ids: string[]) =>
    db.transaction((tx) =>
      jobs.sendEach(
        tx,
        'emails',
        ids.map((id) => ({ id, data: { id } })),
      ),
    )
  await send(one)
  await send(one, two)
  const handled: string[] = []
  await jobs.work<{ id: string }>('emails', async ({ id }) => {
    handled.push(id)
  })
  await expect.poll(() => handled.toSorted()).toEqual([one, two].toSorted())

  const last = randomUUID()
  await send(one, two, last)
  await send()
  await expect.poll(() => handled.at(-1)).toBe(last)
  expect(handled).toHaveLength(3)
  await jobs.stop()
})

test('while a job about a subject waits, another about it adds nothing', async () => {
  const jobs = await started('jobs_once')
  const send = (subject: string) => db.transaction((tx) => jobs.send(tx, 'objects', { subject }, subject))
  for (const subject of ['one', 'one', 'two', 'one']) await send(subject)
  const handled: string[] = []
  await jobs.work<{ subject: string }>('objects', async ({ subject }) => {
    handled.push(subject)
  })
  await expect.poll(() => handled.toSorted()).toEqual(['one', 'two'])

  await send('one')
  await expect.poll(() => handled.toSorted()).toEqual(['one', 'one', 'two'])
  await jobs.stop()
})

test('a later job runs once about a subject, and not before its time', async () => {
  const jobs = await started('jobs_later')
  const handled: number[] = []
  await jobs.work('objects', async () => {
    handled.push(Date.now())
  })
  const sentAt = Date.now()
  const later = { seconds: 2, subject: 'one' }
  for (let times = 0; times < 2; times += 1) await db.transaction((tx) => jobs.sendLater(tx, 'objects', {}, later))
  await expect.poll(() => handled).toHaveLength(1)
  expect((handled[0] ?? 0) - sentAt).toBeGreaterThanOrEqual(1900)
  await jobs.stop()
})

test('a database outage and its end are logged once each, and jobs are handled again', async () => {
  await using forwarder = await newForwarder(Number(new URL(database.url).port))
  const lines: string[] = []
  const jobs = await startJobs({
    databaseUrl: throughForwarder(database.url, forwarder),
    schema: 'jobs_away',
    queues: ['emails'],
    logger: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
  })
  const handled: string[] = []
  await jobs.work<{ name: string }>('emails', async ({ name }) => {
    handled.push(name)
  })
  await jobs.schedule('hourly', '0 * * * *', async () => undefined)

  forwarder.moveTo(1)
  await pause(4000)
  forwarder.moveTo(forwarder.target)
  await db.transaction((tx) => jobs.send(tx, 'emails', { name: 'afterwards' }))
  await expect.poll(() => handled).toEqual(['afterwards'])
  await jobs.stop()

  const logged = lines.map((line) => JSON.parse(line))
  expect(logged.length).toBeLessThanOrEqual(4)
  expect(logged.at(-1)).toMatchObject({ level: 30, msg: 'the job queue has its database again' })
  expect(logged[0]).toMatchObject({
    level: 40,
    msg: 'the job queue waits for the database',
    reason: { message: expect.stringMatching(/./) },
  })
})

test('a scheduled job that a stop interrupted is retried, also on an existing queue', async () => {
  const jobs = await started('jobs_clock')
  await jobs.schedule('daily', '0 3 1 1 *', async () => undefined)
  await db.execute(sql`update jobs_clock.queue set retry_limit = 0 where name = 'daily'`)
  await jobs.stop()
  const next = await started('jobs_clock')
  await next.schedule('daily', '0 3 1 1 *', async () => undefined)
  const { rows } = await db.execute(sql`select retry_limit from jobs_clock.queue where name = 'daily'`)
  expect(rows).toEqual([{ retry_limit: 2 }])
  await next.stop()
})

test('a schedule that is gone after a start is removed with its jobs', async () => {
  const before = await started('jobs_schedules')
  for (const name of ['daily', 'gone']) await before.schedule(name, '0 3 1 1 *', async () => undefined)
  await before.schedule('often', { cron: '0 3 1 1 *', secondsAfter: [0, 20] }, async () => undefined)
  const { rows: stored } = await db.execute(
    sql`select options->'startAfter' as after from jobs_schedules.schedule where name = 'often' order by key`,
  )
  expect(stored).toEqual([{ after: null }, { after: 20 }])
  await before.stop()

  const after = await started('jobs_schedules')
  await db.transaction((tx) => after.send(tx, 'gone', {}))
  await after.schedule('daily', '0 3 1 1 *', async () => undefined)
  await after.endOtherSchedules()
  const { rows } = await db.execute(sql`select name from jobs_schedules.schedule`)
  expect(rows).toEqual([{ name: 'daily' }])
  expect((await db.execute(sql`select 1 from jobs_schedules.job where name = 'gone'`)).rowCount).toBe(0)
  await after.stop()
})

test('a job exists exactly when its transaction commits', async () => {
  const jobs = await started('jobs_commit')
  const handled: string[] = []
  await db
    .transaction(async (tx) => {
      await jobs.send(tx, 'emails', { name: 'never' })
      throw new Error('rolled back')
    })
    .catch(() => undefined)
  await db.transaction((tx) => jobs.send(tx, 'emails', { name: 'sent' }))
  await jobs.work<{ name: string }>('emails', async ({ name }) => {
    handled.push(name)
  })

  await expect.poll(() => handled).toEqual(['sent'])
  await jobs.stop()
})

test('a queue may have its own retries, also an existing one', async () => {
  const jobs = await started('jobs_retries')
  let tries = 0
  await jobs.work(
    'emails',
    async () => {
      tries += 1
      throw new Error('never')
    },
    { retryLimit: 1, retryDelay: 1, retryDelayMax: 1 },
  )
  await db.transaction((tx) => jobs.send(tx, 'emails', { name: 'tried twice' }))

  await expect.poll(() => tries).toBe(2)
  await new Promise((resolve) => setTimeout(resolve, 3000))
  expect(tries).toBe(2)
  await jobs.stop()
})

test('of long jobs only so many run at once, and a silent one is noticed long before its time is over', async () => {
  const jobs = await started('jobs_long')
  let [running, most, done] = [0, 0, 0]
  await jobs.work(
    'archives',
    async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setTimeout(resolve, 1500))
      running -= 1
      done += 1
    },
    { atOnce: 2 },
  )
  await db.transaction(async (tx) => {
    for (const name of ['one', 'two', 'three', 'four']) await jobs.send(tx, 'archives', { name })
  })

  await expect.poll(() => done).toBe(4)
  expect(most).toBe(2)
  const { rows } = await db.execute(
    sql`select distinct heartbeat_seconds as heartbeat, expire_seconds as most from jobs_long.job where name = 'archives'`,
  )
  expect(rows).toEqual([{ heartbeat: 30, most: 14_400 }])
  await jobs.stop()
})

test('a job that waits does not begin before what is written by another sender about the same subject', async () => {
  const jobs = await started('jobs_held')
  await db.execute(sql`create table held_notes (note text)`)
  const send = (subject: string) => db.transaction((tx) => jobs.send(tx, 'objects', { subject }, subject))
  const seen: [subject: string, notes: number][] = []
  const { promise: other, resolve: otherIsHandled } = Promise.withResolvers<void>()

  await send('held')
  await db.transaction(async (tx) => {
    await tx.execute(sql`insert into held_notes values ('written late')`)
    await jobs.send(tx, 'objects', { subject: 'held' }, 'held')
    await send('other')
    await jobs.work<{ subject: string }>('objects', async ({ subject }) => {
      const { rows } = await db.execute(sql`select from held_notes`)
      seen.push([subject, rows.length])
      if (subject === 'other') otherIsHandled()
    })
    await other
  })

  await expect
    .poll(() => seen)
    .toEqual([
      ['other', 0],
      ['held', 1],
    ])
  await jobs.stop()
})
