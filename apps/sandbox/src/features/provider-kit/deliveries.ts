import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '@atrium/server-kit/database.ts'
import { and, asc, eq, inArray, isNotNull, lte } from 'drizzle-orm'
import { bigint, integer, text, timestamp } from 'drizzle-orm/pg-core'
import type { FastifyBaseLogger } from 'fastify'
import { sandbox } from './schema-name.ts'

/** What is sent to a merchant's address. */
interface Notice {
  url: string
  headers: Record<string, string>
  body: string
}

interface Options {
  db: Db
  /** The real time. */
  clock: () => Date
  logger: FastifyBaseLogger
  /** Of the provider's table of deliveries. */
  table: string
  mostAttempts: number
  /** Seconds until the next attempt. */
  pauseAfter(attempts: number): number
  /** @returns `undefined` if the address is gone */
  noticeOf(delivery: number): Promise<Notice | undefined>
}

interface Sending extends Options {
  rows: ReturnType<typeof deliveryRows>
  /** Aborts the deliveries under way. */
  signal: AbortSignal
}

export interface Deliveries {
  /** Checks immediately for deliveries that are due. */
  wake(): void
  /** Waits until every delivery was tried once, or a bounded time has passed. */
  tried(): Promise<void>
  /** Aborts deliveries under way; they are sent again after the next start. */
  stop(): Promise<void>
}

/** How often it checks for due deliveries, in milliseconds. */
const rhythm = 1000

const atOnce = 10

/** How long a delivery is leased, in milliseconds: longer than its timeout. */
const lease = 60_000
const timeoutMs = 10_000

/** What every provider's table of deliveries has. */
function deliveryRows(table: string) {
  return sandbox.table(table, {
    id: bigint('id', { mode: 'number' }).primaryKey(),
    attempts: integer('attempts').notNull(),
    nextAt: timestamp('next_at', { withTimezone: true }),
    deliveredAt: timestamp('delivered_at', { withTimezone: true }),
    outcome: text('outcome').notNull(),
  })
}

/** Delivers a provider's events until each was answered with 2xx or the last retry has failed. */
export function startDeliveries(options: Options): Deliveries {
  let running: Promise<void> | undefined
  let isAskedAgain = false
  const stopping = new AbortController()
  const sending = { ...options, rows: deliveryRows(options.table), signal: stopping.signal }

  const wake = () => {
    if (stopping.signal.aborted) return
    isAskedAgain = true
    running ??= work().finally(() => {
      running = undefined
      if (isAskedAgain) wake()
    })
  }
  const work = async () => {
    while (isAskedAgain) {
      isAskedAgain = false
      try {
        if ((await deliverDue(sending)) > 0 && !stopping.signal.aborted) isAskedAgain = true
      } catch (error) {
        options.logger.warn({ err: error }, 'webhook deliveries failed')
      }
    }
  }
  const timer = setInterval(wake, rhythm)

  return {
    wake,
    tried: () => untilTried(sending, wake),
    async stop() {
      stopping.abort()
      isAskedAgain = false
      clearInterval(timer)
      await running
    },
  }
}

/** How long a move of the clock waits for the deliveries of a step, in milliseconds. */
const longestWait = 15_000

async function untilTried({ db, rows, signal }: Sending, wake: () => void): Promise<void> {
  const last = Date.now() + longestWait
  const untried = and(eq(rows.attempts, 0), isNotNull(rows.nextAt))
  const isTried = async () => signal.aborted || Date.now() > last || (await db.$count(rows, untried)) === 0
  if (await isTried()) return
  wake()
  while (!(await isTried())) await pause(5)
}

/** @returns how many deliveries were attempted */
async function deliverDue(sending: Sending): Promise<number> {
  const { db, clock, rows } = sending
  const now = clock()
  if ((await db.$count(rows, lte(rows.nextAt, now))) === 0) return 0
  const claimed = await db.transaction(async (tx) => {
    const due = await tx
      .select()
      .from(rows)
      .where(lte(rows.nextAt, now))
      .orderBy(asc(rows.nextAt), asc(rows.id))
      .limit(atOnce)
      .for('update', { skipLocked: true })
    const ids = due.map(({ id }) => id)
    if (ids.length > 0) {
      const nextAt = new Date(now.getTime() + lease)
      await tx.update(rows).set({ nextAt }).where(inArray(rows.id, ids))
    }
    return due
  })
  await Promise.all(claimed.map((delivery) => attempt(sending, delivery)))
  return claimed.length
}

type Delivery = ReturnType<typeof deliveryRows>['$inferSelect']

async function attempt(sending: Sending, { id, attempts: before }: Delivery): Promise<void> {
  const { db, clock, rows, signal, mostAttempts, pauseAfter } = sending
  const save = async (change: Partial<Delivery>) => {
    await db.update(rows).set(change).where(eq(rows.id, id))
  }
  const notice = await sending.noticeOf(id)
  if (!notice) return save({ outcome: 'address gone', nextAt: null })

  const outcome = await post(notice, signal)
  const now = clock()
  const attempts = before + 1
  if (/^2\d\d$/.test(outcome)) return save({ outcome, attempts, nextAt: null, deliveredAt: now })
  // A stop is not the receiver’s fault.
  if (signal.aborted) return save({ nextAt: now })
  const nextAt = attempts < mostAttempts ? new Date(now.getTime() + pauseAfter(attempts) * 1000) : null
  return save({ outcome, attempts, nextAt })
}

/** @returns the status of the response, or why there is none */
async function post({ url, headers, body }: Notice, signal: AbortSignal): Promise<string> {
  try {
    const reply = await fetch(url, {
      method: 'POST',
      headers,
      body,
      // The providers do not follow redirects.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    await reply.body?.cancel()
    return String(reply.status)
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'no answer in time' : 'not reached'
  }
}
