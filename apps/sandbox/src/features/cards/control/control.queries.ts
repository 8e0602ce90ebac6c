import type { Db, Reader } from '@atrium/server-kit/database.ts'
import { asc, desc, eq, inArray } from 'drizzle-orm'
import { cardDeliveries, cardObjects } from '../store/cards.tables.ts'
import { isOf, type Kind, type Stored, type StoredOf } from '../store/stored.ts'

const shownAtOnce = 20

/** The latest objects of some kinds, newest first, without deleted ones. */
export async function latest<K extends Kind>(db: Reader, kind: K): Promise<StoredOf<K>[]> {
  const rows = await db
    .select({ stored: cardObjects.stored, isDeleted: cardObjects.isDeleted })
    .from(cardObjects)
    .where(eq(cardObjects.kind, kind))
    .orderBy(desc(cardObjects.place))
    .limit(shownAtOnce)
  return rows.flatMap(({ stored, isDeleted }) => (!isDeleted && isOf(stored, kind) ? [stored] : []))
}

export async function anyObject(db: Db, id: string): Promise<Stored['object'] | undefined> {
  const [row] = await db.select({ stored: cardObjects.stored }).from(cardObjects).where(eq(cardObjects.id, id))
  return row?.stored.object
}

/** The deliveries of some events. */
export async function deliveriesOf(db: Db, eventIds: readonly string[]) {
  if (eventIds.length === 0) return []
  return db
    .select()
    .from(cardDeliveries)
    .where(inArray(cardDeliveries.eventId, [...eventIds]))
    .orderBy(asc(cardDeliveries.id))
}

/** Sends an event again to every endpoint that had it. @returns whether there is any */
export async function resend(db: Db, eventId: string, now: Date): Promise<boolean> {
  const sent = await db
    .update(cardDeliveries)
    .set({ nextAt: now, deliveredAt: null, outcome: 'waiting' })
    .where(eq(cardDeliveries.eventId, eventId))
    .returning({ id: cardDeliveries.id })
  return sent.length > 0
}
