import type { Jobs } from '@atrium/server-kit/jobs.ts'
import { eq } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import type { Deps } from '../../deps.ts'
import { events } from './events.tables.ts'
import { type Delivery, eventsQueue } from './events.writes.ts'

type Needs = Pick<Deps, 'config' | 'db'>

/** Milliseconds that a receiver may take to answer. */
const timeoutMs = 10_000

/** Delivers events, at least once each. */
export async function eventsJobs(jobs: Jobs, deps: Needs): Promise<void> {
  await jobs.work<Delivery>(eventsQueue, (delivery) => deliver(deps, delivery))
}

/**
 * Sends one event to one address in the usual webhook form (Standard Webhooks: `webhook-id`, `webhook-timestamp`,
 * `webhook-signature`). Any 2xx counts as delivered; otherwise the queue retries for about two days.
 */
async function deliver({ config, db }: Needs, { eventId, url }: Delivery): Promise<void> {
  const [event] = await db.select().from(events).where(eq(events.id, eventId))
  // The address may have been removed from the settings.
  if (!event || !config.EVENT_SECRET || !config.EVENT_URLS.includes(url)) return

  const body = JSON.stringify({ type: event.type, timestamp: event.createdAt.toISOString(), data: event.data })
  // The wall clock at each delivery: receivers refuse signatures that are minutes old.
  const sentAt = new Date()
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'error',
    headers: {
      'content-type': 'application/json',
      'webhook-id': event.id,
      'webhook-timestamp': String(Math.trunc(sentAt.getTime() / 1000)),
      'webhook-signature': new Webhook(config.EVENT_SECRET).sign(event.id, sentAt, body),
    },
    body,
    signal: AbortSignal.timeout(timeoutMs),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`${new URL(url).host} answered ${response.status}`)
}
