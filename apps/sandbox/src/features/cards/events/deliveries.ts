import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '@atrium/server-kit/database.ts'
import { and, asc, count, eq, inArray, isNotNull, lte } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { cardDeliveries } from '../store/cards.tables.ts'
import { find } from '../store/store.ts'
import { epochSeconds } from '../wire/ids.rules.ts'
import { mostAttempts, pauseAfter, signatureOf } from './signature.rules.ts'

interface Options {
  db: Db
  clock: () => Date
  logger: FastifyBaseLogger
}

interface Sending extends Options {
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

/** Delivers events to webhook endpoints until each has answered 2xx or the last retry has failed. */
export function startDeliveries(options: Options): Deliveries {
  let running: Promise<void> | undefined
  let isAskedAgain = false
  const stopping = new AbortController()
  const sending = { ...options, signal: stopping.signal }

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

async function untilTried({ db, signal }: Sending, wake: () => void): Promise<void> {
  const last = Date.now() + longestWait
  wake()
  while (!signal.aborted && Date.now() < last) {
    const [row] = await db
      .select({ untried: count() })
      .from(cardDeliveries)
      .where(and(eq(cardDeliveries.attempts, 0), isNotNull(cardDeliveries.nextAt)))
    if (row?.untried === 0) return
    await pause(5)
  }
}

/** @returns how many deliveries were attempted */
async function deliverDue(sending: Sending): Promise<number> {
  const { db, clock } = sending
  const now = clock()
  const claimed = await db.transaction(async (tx) => {
    const due = await tx
      .select()
      .from(cardDeliveries)
      .where(lte(cardDeliveries.nextAt, now))
      .orderBy(asc(cardDeliveries.nextAt), asc(cardDeliveries.id))
      .limit(atOnce)
      .for('update', { skipLocked: true })
    const ids = due.map(({ id }) => id)
    if (ids.length > 0) {
      const nextAt = new Date(now.getTime() + lease)
      await tx.update(cardDeliveries).set({ nextAt }).where(inArray(cardDeliveries.id, ids))
    }
    return due
  })
  await Promise.all(claimed.map((delivery) => attempt(sending, delivery)))
  return claimed.length
}

type Delivery = typeof cardDeliveries.$inferSelect

async function attempt({ db, clock, signal }: Sending, delivery: Delivery): Promise<void> {
  const [event, endpoint] = await Promise.all([
    find(db, 'event', delivery.eventId),
    find(db, 'webhook_endpoint', delivery.endpointId),
  ])
  if (!event || endpoint?.object.status !== 'enabled')
    return saveOutcome(db, delivery, { outcome: 'address gone', nextAt: null })

  const now = clock()
  const payload = JSON.stringify(event.object, null, 2)
  const signature = signatureOf(payload, endpoint.hidden.secrets, epochSeconds(now))
  const outcome = await post({ url: endpoint.object.url, payload, signature, signal })
  const attempts = delivery.attempts + 1
  if (/^2\d\d$/.test(outcome)) {
    return saveOutcome(db, delivery, { outcome, attempts, nextAt: null, deliveredAt: now })
  }
  const nextAt = attempts < mostAttempts ? new Date(now.getTime() + pauseAfter(attempts) * 1000) : null
  return saveOutcome(db, delivery, { outcome, attempts, nextAt })
}

interface Notice {
  url: string
  payload: string
  signature: string
  signal: AbortSignal
}

/** @returns the status of the response, or why there is none */
async function post({ url, payload, signature, signal }: Notice): Promise<string> {
  try {
    const reply = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+https://docs.stripe.com/webhooks)',
        'stripe-signature': signature,
      },
      body: payload,
      // The provider does not follow redirects.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    await reply.body?.cancel()
    return String(reply.status)
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'no answer in time' : 'not reached'
  }
}

async function saveOutcome(db: Db, { id }: Delivery, change: Partial<Delivery>): Promise<void> {
  await db.update(cardDeliveries).set(change).where(eq(cardDeliveries.id, id))
}
