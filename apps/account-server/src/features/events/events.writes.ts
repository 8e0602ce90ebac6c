import type { Tx } from '@atrium/server-kit/database.ts'
import type { Deps } from '../../deps.ts'
import { events } from './events.tables.ts'

export const eventsQueue = 'events'

/** The delivery of one event to one address. */
export interface Delivery {
  eventId: string
  url: string
}

interface Happening {
  /** `noun.happened`: `device.deactivated` (`docs/events.md`). */
  type:
    | 'device.activated'
    | 'device.deactivated'
    | 'order.refunded'
    | 'purchase.not_mine'
    | 'seat.changed'
    | 'subscription.changed'
    | 'subscription.transferred'
  /** Ids and facts, never a full key. */
  data: Readonly<Record<string, unknown>>
  now: Date
}

/**
 * Publishes an event to the vendor's systems, in the transaction of the change: one delivery per address, each with its own
 * retries. Without an address nothing is stored.
 */
export async function publishEvent(
  { config, jobs }: Pick<Deps, 'config' | 'jobs'>,
  tx: Tx,
  { type, data, now }: Happening,
): Promise<void> {
  if (config.EVENT_URLS.length === 0) return
  const [event] = await tx.insert(events).values({ type, data, createdAt: now }).returning({ id: events.id })
  if (!event) throw new Error('the event was not stored')

  for (const url of config.EVENT_URLS) {
    await jobs.send(tx, eventsQueue, { eventId: event.id, url } satisfies Delivery)
  }
}
