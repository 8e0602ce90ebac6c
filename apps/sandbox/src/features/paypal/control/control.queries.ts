import type { Db } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import { deliveriesOf } from '../events/events.queries.ts'
import { paypalObjects } from '../store/paypal.tables.ts'
import { list } from '../store/store.ts'
import type { Kind, Stored, StoredOf } from '../store/stored.ts'

const shownAtOnce = 20

/** The latest objects of one kind, newest first. */
export async function latest<K extends Kind>(db: Db, kind: K): Promise<StoredOf<K>['object'][]> {
  return (await list(db, { kind, page: 1, pageSize: shownAtOnce })).objects
}

export async function anyObject(db: Db, id: string): Promise<Stored | undefined> {
  const [row] = await db.select({ stored: paypalObjects.stored }).from(paypalObjects).where(eq(paypalObjects.id, id))
  return row?.stored
}

/** The deliveries of the latest events, newest event first. */
export async function deliveriesOfLatest(db: Db) {
  const events = await latest(db, 'event')
  const types = new Map(events.map(({ id, type }) => [id, type]))
  const found = await deliveriesOf(db, [...types.keys()])
  return found.toReversed().map(({ eventId, attempts, outcome, nextAt }) => ({
    eventId,
    type: types.get(eventId) ?? '',
    attempts,
    outcome,
    isWaiting: nextAt !== null,
  }))
}
