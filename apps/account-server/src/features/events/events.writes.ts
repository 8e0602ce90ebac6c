import type { Tx } from '@atrium/server-kit/database.ts'
import type { Deps } from '../../deps.ts'
import { events } from './events.tables.ts'

export const eventsQueue = 'events'

/** What a delivery carries: one address, one event. */
export interface Delivery {
  eventId: string
  url: string
}

interface Happening {
  /** `noun.happened`: `device.deactivated` (`docs/events.md`). */
  type: 'device.activated' | 'device.deactivated'
  /** Ids and facts, never a key in full. */
  data: Readonly<Record<string, unknown>>
  now: Date
}

/**
 * Tells the vendor's own systems what happened, in the transaction in which it did: one delivery an address, each tried
 * on its own. Without an address nothing is kept.
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
