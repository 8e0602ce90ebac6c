import type { Reader, Tx } from '@atrium/server-kit/database.ts'
import { asc, eq, inArray } from 'drizzle-orm'
import { paypalDeliveries } from '../store/paypal.tables.ts'

/** The deliveries of some events, oldest first. */
export async function deliveriesOf(db: Reader, eventIds: readonly string[]) {
  if (eventIds.length === 0) return []
  return db
    .select()
    .from(paypalDeliveries)
    .where(inArray(paypalDeliveries.eventId, [...eventIds]))
    .orderBy(asc(paypalDeliveries.id))
}

/** Sends an event again, to all webhooks that had it. @returns whether there is any */
export async function resendEvent(db: Reader | Tx, eventId: string): Promise<boolean> {
  const sent = await db
    .update(paypalDeliveries)
    .set({ nextAt: new Date(), deliveredAt: null, outcome: 'waiting', attempts: 0 })
    .where(eq(paypalDeliveries.eventId, eventId))
    .returning({ id: paypalDeliveries.id })
  return sent.length > 0
}
