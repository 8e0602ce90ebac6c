import type { Reader, Tx } from '@atrium/server-kit/database.ts'
import { and, asc, eq, inArray, isNotNull, isNull, ne, or, type SQL } from 'drizzle-orm'
import { isTypedPurchase } from '../payments/customers/customers.queries.ts'
import type { MemberNow } from './reading.ts'
import { subscriptions } from './subscriptions.tables.ts'

/** A subscription as it is stored, by its id at the provider; undefined if it is not here. */
export async function storedSubscription(db: Reader, providerId: string) {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.providerId, providerId))
  return row
}

/** The same, also of what a file has brought under the provider's id, and was never read. */
export async function namedSubscription(db: Reader, objectId: string) {
  const [row] = await db.select().from(subscriptions).where(isOfObject(objectId))
  return row
}

export function isOfObject(objectId: string): SQL | undefined {
  const { id, providerId, proof } = subscriptions
  return or(eq(providerId, objectId), and(eq(id, objectId), isNull(providerId), eq(proof, 'vendor')))
}

/** Locks subscriptions in the order of their ids, before anything is decided about them or their seats. */
export async function lockSubscriptions(tx: Tx, ids: readonly string[]): Promise<void> {
  const { id } = subscriptions
  const isWanted = inArray(id, [...new Set(ids)])
  await tx.select({ id }).from(subscriptions).where(isWanted).orderBy(asc(id)).for('update')
}

/**
 * Whether a member has, or had, another trial of the product at PayPal that nothing was paid after: any page can begin them, as many as
 * it likes.
 */
export async function hasTriedAtPaypal(
  { tx, memberId }: MemberNow,
  { providerId, productCode }: { providerId: string; productCode: string },
): Promise<boolean> {
  const { id, channel, trialEnd, memberId: owner, productCode: product, providerId: other } = subscriptions
  const [found] = await tx
    .select({ id })
    .from(subscriptions)
    .where(
      and(
        ...[eq(owner, memberId), eq(product, productCode)],
        ...[eq(channel, 'paypal'), isNotNull(trialEnd), ne(other, providerId)],
      ),
    )
    .limit(1)
  return found !== undefined
}

/** A member's subscription, by its id at the provider, and how it is known to be theirs. */
export async function subscriptionOfProvider(
  db: Reader,
  { providerId, memberId }: { providerId: string; memberId: string },
) {
  const { id, parentId, channel, proof } = subscriptions
  const [row] = await db
    .select({ id, parentId, channel, proof, isTyped: isTypedPurchase(subscriptions) })
    .from(subscriptions)
    .where(and(eq(subscriptions.providerId, providerId), eq(subscriptions.memberId, memberId)))
  return row
}
