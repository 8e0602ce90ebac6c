import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '@atrium/server-kit/database.ts'
import { and, asc, eq, inArray, isNotNull, lte } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { paypalDeliveries } from '../store/paypal.tables.ts'
import { find } from '../store/store.ts'
import { wireTime } from '../wire/ids.rules.ts'
import { signingCertificate } from './certificates.ts'
import { notificationsPath, wireEvent } from './events.wire.ts'
import { authAlgorithm, mostAttempts, pauseAfter, signatureOf } from './signature.rules.ts'

interface Options {
  db: Db
  publicUrl: string
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

/** Delivers events to webhooks until each has answered 2xx or the last retry has failed, on the wall clock. */
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
    const untried = and(eq(paypalDeliveries.attempts, 0), isNotNull(paypalDeliveries.nextAt))
    if ((await db.$count(paypalDeliveries, untried)) === 0) return
    await pause(5)
  }
}

/** @returns how many deliveries were attempted */
async function deliverDue(sending: Sending): Promise<number> {
  const now = new Date()
  const claimed = await sending.db.transaction(async (tx) => {
    const due = await tx
      .select()
      .from(paypalDeliveries)
      .where(lte(paypalDeliveries.nextAt, now))
      .orderBy(asc(paypalDeliveries.nextAt), asc(paypalDeliveries.id))
      .limit(atOnce)
      .for('update', { skipLocked: true })
    const ids = due.map(({ id }) => id)
    if (ids.length > 0) {
      const nextAt = new Date(now.getTime() + lease)
      await tx.update(paypalDeliveries).set({ nextAt }).where(inArray(paypalDeliveries.id, ids))
    }
    return due
  })
  await Promise.all(claimed.map((delivery) => attempt(sending, delivery)))
  return claimed.length
}

type Delivery = typeof paypalDeliveries.$inferSelect

async function attempt(sending: Sending, delivery: Delivery): Promise<void> {
  const { db, publicUrl, signal } = sending
  const [event, webhook] = [await find(db, 'event', delivery.eventId), await find(db, 'webhook', delivery.webhookId)]
  if (!event || !webhook) return saveOutcome(db, delivery, { outcome: 'address gone', nextAt: null })

  const body = JSON.stringify(wireEvent(publicUrl, event))
  const headers = await signedHeaders(sending, { id: delivery.transmissionId, webhookId: webhook.id, body })
  const outcome = await post({ url: webhook.url, body, headers, signal })
  // A stop is not the receiver’s fault.
  if (signal.aborted) return saveOutcome(db, delivery, { nextAt: new Date() })
  const now = new Date()
  const attempts = delivery.attempts + 1
  if (/^2\d\d$/.test(outcome)) {
    return saveOutcome(db, delivery, { outcome, attempts, nextAt: null, deliveredAt: now })
  }
  const nextAt = attempts < mostAttempts ? new Date(now.getTime() + pauseAfter(attempts) * 1000) : null
  return saveOutcome(db, delivery, { outcome, attempts, nextAt })
}

async function signedHeaders(
  { db, publicUrl }: Sending,
  given: { id: string; webhookId: string; body: string },
): Promise<Record<string, string>> {
  const { id: certificateId, privateKey } = await signingCertificate(db)
  const time = wireTime(new Date())
  return {
    'content-type': 'application/json',
    'user-agent': 'PayPal/AUHD-1.0-1',
    'paypal-auth-algo': authAlgorithm,
    'paypal-auth-version': 'v2',
    'paypal-cert-url': `${publicUrl}${notificationsPath}/certs/${certificateId}`,
    'paypal-transmission-id': given.id,
    'paypal-transmission-time': time,
    'paypal-transmission-sig': signatureOf({ ...given, time }, privateKey),
  }
}

interface Notice {
  url: string
  body: string
  headers: Record<string, string>
  signal: AbortSignal
}

/** @returns the status of the response, or why there is none */
async function post({ url, body, headers, signal }: Notice): Promise<string> {
  try {
    const reply = await fetch(url, {
      method: 'POST',
      headers,
      body,
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
  await db.update(paypalDeliveries).set(change).where(eq(paypalDeliveries.id, id))
}
