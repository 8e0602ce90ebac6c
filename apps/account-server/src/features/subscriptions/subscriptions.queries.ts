import { seatTypes } from '@atrium/contract/seat-types.ts'
import type { Reader, Tx } from '@atrium/server-kit/database.ts'
import { and, asc, eq, exists, inArray, isNotNull, isNull, like, ne, or, type SQL, sql } from 'drizzle-orm'
import { union } from 'drizzle-orm/pg-core'
import { activity } from '../activity/activity.tables.ts'
import { isTypedPurchase } from '../payments/customers/customers.queries.ts'
import { unmatchedPurchases } from '../payments/unmatched/unmatched.tables.ts'
import { seats } from './seats.tables.ts'
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

/** Whether a provider's subscription is of a member still, or still not here: it is locked against another Owner until the end of the transaction. */
export async function isStillOf(
  tx: Tx,
  { providerId, memberId }: { providerId: string; memberId: string | undefined },
): Promise<boolean> {
  const { memberId: owner, providerId: stored } = subscriptions
  const [row] = await tx.select({ owner }).from(subscriptions).where(eq(stored, providerId)).for('share')
  return row?.owner === memberId
}

/** Locks subscriptions in the order of their ids, before anything is decided about them or their seats. */
export async function lockSubscriptions(tx: Tx, ids: readonly string[]): Promise<void> {
  const { id } = subscriptions
  const isWanted = inArray(id, [...new Set(ids)])
  await tx.select({ id }).from(subscriptions).where(isWanted).orderBy(asc(id)).for('update')
}

/** Whose it is or will be, whose other subscriptions can be asked for under the lock. */
export interface MemberNow {
  tx: Tx
  memberId: string
}

/** A trial that is to be granted. */
interface TrialAsked {
  providerId: string
  productCode: string
  /** Whether more than a typed address says whose it is, or who can say so has added it. */
  isSure: boolean
}

/**
 * Whether a member has, or had, another trial of the product at PayPal, whoever has it now and whatever was paid after it: any page can
 * begin them, as many as it likes. What a stranger has paid for with the member's address takes no trial that is surely theirs.
 */
export async function hasTriedAtPaypal(
  { tx, memberId }: MemberNow,
  { providerId, productCode, isSure }: TrialAsked,
): Promise<boolean> {
  const { id, channel, trialEnd, trialProduct, productCode: product, providerId: stored } = subscriptions
  const isOther = or(isNull(stored), ne(stored, providerId))
  // A transfer lets a card continue it, under PayPal's number.
  const isOfPaypal = or(eq(channel, 'paypal'), like(id, 'I-%'))
  // What a file has brought says of a trial only when it ends.
  const hasBeenOne = or(isNotNull(trialProduct), isNotNull(trialEnd))
  const isTrial = or(eq(trialProduct, productCode), and(eq(product, productCode), hasBeenOne))
  const isCounted = isSure ? isSurely(tx, memberId) : undefined
  const [found] = await tx
    .select({ id })
    .from(subscriptions)
    .where(and(inArray(id, everOwned(tx, memberId)), isTrial, isOther, isOfPaypal, isCounted))
    .limit(1)
  return found !== undefined
}

/** More than a typed address says that it is the member's, or they or the operator have said so. */
function isSurely(tx: Tx, member: string) {
  const { providerId, proof } = subscriptions
  const isOfThis = and(eq(unmatchedPurchases.provider, 'paypal'), eq(unmatchedPurchases.objectId, providerId))
  const isAcceptedNow = and(isOfThis, isNotNull(unmatchedPurchases.acceptedAt))
  const accepted = tx.select({ one: sql`1` }).from(unmatchedPurchases).where(isAcceptedNow)
  const { memberId, action, target } = activity
  const isClaim = and(eq(memberId, member), eq(action, 'subscription.claimed'), eq(target, providerId))
  const claimed = tx.select({ one: sql`1` }).from(activity).where(isClaim)
  return or(isNull(proof), ne(proof, 'address'), exists(accepted), exists(claimed))
}

/** Ids of the subscriptions that a member has or had: the Owner's seat stays when it is removed, and moves with a transfer. */
function everOwned(tx: Tx, member: string) {
  const owned = tx.select({ id: subscriptions.id }).from(subscriptions).where(eq(subscriptions.memberId, member))
  const isOwners = and(eq(seats.memberId, member), eq(seats.type, seatTypes.owner))
  const seated = tx.select({ id: seats.subscriptionId }).from(seats).where(isOwners)
  const { action, details } = activity
  const moved = tx
    .select({ id: sql<string>`jsonb_array_elements_text(${details} -> 'subscriptionIds')` })
    .from(activity)
    .where(and(eq(activity.memberId, member), eq(action, 'subscriptions.transferred')))
  return union(owned, seated, moved)
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
