import type { Reader } from '@atrium/server-kit/database.ts'
import { and, asc, eq } from 'drizzle-orm'
import { takenBackPayments } from '../../orders/orders.queries.ts'
import { providerOperations } from '../../payments/operations/operations.tables.ts'
import { OrderedChange, OrderOutcome } from './ordered-change.ts'
import type { Bought } from './paypal-grant.rules.ts'

interface BoughtInPeriod extends Bought {
  /** Whether anything else was bought that was given or taken back. */
  isLess: boolean
}

/**
 * What the payments of a period have bought, as far as it is kept by now. To be read under the subscription's lock.
 * @returns undefined: nothing was bought by order, or by an earlier version of this program, which did not store what that replaced
 */
export async function boughtInPeriod(
  db: Reader,
  { providerId, periodEnd }: Pick<OrderedChange, 'providerId' | 'periodEnd'>,
): Promise<BoughtInPeriod | undefined> {
  const made = await madeOrders(db, providerId)
  const ofPeriod = made.filter((one) => one.periodEnd.getTime() === periodEnd.getTime())
  const fromNow = ofPeriod.filter(({ granted }) => granted.isFromNow)
  const base = fromNow[0]?.granted.replaced
  if (!base || fromNow.some(({ granted }) => !granted.replaced)) return undefined
  const takenBack = await takenBackPayments(
    db,
    ofPeriod.map(({ captureId }) => captureId),
  )
  const kept = ofPeriod.filter(({ captureId }) => !takenBack.has(captureId))
  return { base, kept: kept.map(({ granted }) => granted), isLess: kept.length < ofPeriod.length }
}

/** Oldest first. */
async function madeOrders(db: Reader, providerId: string) {
  const { objectId, kind, status, createdAt, input, result } = providerOperations
  const isMade = and(eq(kind, 'subscription.change_by_order'), eq(status, 'succeeded'))
  const rows = await db
    .select({ input, result })
    .from(providerOperations)
    .where(and(eq(objectId, providerId), isMade))
    .orderBy(asc(createdAt))
  return rows.map((row) => ({ ...OrderedChange.parse(row.input), ...OrderOutcome.parse(row.result) }))
}
