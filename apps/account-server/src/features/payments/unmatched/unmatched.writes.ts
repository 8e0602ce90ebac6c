import type { Tx } from '@atrium/server-kit/database.ts'
import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { type Declinable, isDeclinedOf, isObject, withheldReasons } from './unmatched.queries.ts'
import {
  acceptedTerms,
  declinedPurchases,
  termsLessThanPlan,
  type UnmatchedPurchase,
  unmatchedPurchases,
} from './unmatched.tables.ts'

type Writer = Pick<Tx, 'insert' | 'delete'>

export type Unmatched = Omit<typeof unmatchedPurchases.$inferInsert, 'id' | 'acceptedAt'>

/**
 * Stores that an object of a provider is nobody's here, or not granted, and why; the row of an earlier reading is replaced. Who accepted it
 * for another reason, as its member does what is offered, on other terms, for more, or before what waits was paid, has not accepted this one; nor does an id that the operator has
 * read stand for anything but what its line showed.
 */
export async function storeUnmatched(db: Writer, purchase: Unmatched): Promise<void> {
  const { createdAt: _first, ...facts } = purchase
  const { id, provider, objectId, reason, terms, amount, currency, payments, acceptedAt } = unmatchedPurchases
  const { email, addressSubjects, memberId } = unmatchedPurchases
  const isSame = sql`${reason} = excluded.reason and ${terms} = excluded.terms`
  const isNoLess = sql`coalesce(excluded.amount >= ${amount}, true)`
  const isEarlier = sql`(not ${inArray(reason, withheldReasons)} or excluded.bought_at <= ${acceptedAt})`
  // To whom it was linked is not here any more.
  const isOfNobody = sql`${reason} = 'no_member'`
  const isOfferToSame = sql`(${reason} <> 'offered' or ${memberId} is not distinct from excluded.member_id)`
  const stillAccepted = sql`case when ${isSame} and ${isNoLess} and ${isEarlier} and ${isOfferToSame} and not ${isOfNobody} then ${acceptedAt} end`
  const isPaidSame = sql`(${amount}, ${currency}, ${payments}) is not distinct from (excluded.amount, excluded.currency, excluded.payments)`
  const sameId = sql`case when ${isSame} and ${isPaidSame} then ${id} else excluded.id end`
  // An erased person's address does not come back with the next reading.
  const known = sql`case when ${email} <> '' then excluded.email else '' end`
  const left = sql`array(select unnest(${addressSubjects}) intersect select unnest(excluded.address_subjects || array['']))`
  const subjects = sql`case when '' = any(${addressSubjects}) then ${left} else excluded.address_subjects end`
  const isOfferToOther = sql`(excluded.reason = 'offered' and excluded.member_id is distinct from ${memberId})`
  if (purchase.reason === 'not_mine') await rememberDeclined(db, purchase)
  await db
    .insert(unmatchedPurchases)
    .values(purchase)
    .onConflictDoUpdate({
      target: [provider, objectId],
      set: { ...facts, id: sameId, email: known, addressSubjects: subjects, acceptedAt: stillAccepted },
      // What a member has said stays, and is about themselves: once the address is corrected, whose it is now is asked.
      setWhere: sql`(${reason} <> 'not_mine' or ${isOfferToOther})`,
    })
}

/** Stays said until it is given to the same member all the same. */
export async function rememberDeclined(
  db: Writer,
  { provider, objectId, customerId = '', memberId, createdAt: declinedAt }: Unmatched,
): Promise<void> {
  if (!memberId) return
  const declined = { provider, objectId, memberId, customerId, declinedAt }
  await db.insert(declinedPurchases).values(declined).onConflictDoNothing()
}

/** It is the member's, after all. */
export async function forgetDeclined(
  db: Writer,
  { memberId, ...of }: { memberId: string } & Declinable,
): Promise<void> {
  await db.delete(declinedPurchases).where(and(isDeclinedOf(of), eq(declinedPurchases.memberId, memberId)))
}

/** The object was matched: nothing waits any more. What was accepted stays, since it is asked again with each reading. */
export async function forgetUnmatched(
  db: Writer,
  { provider, objectId }: Pick<UnmatchedPurchase, 'provider' | 'objectId'>,
): Promise<void> {
  await db.delete(unmatchedPurchases).where(and(isObject(provider, objectId), isNull(unmatchedPurchases.acceptedAt)))
}

/** Nothing was paid for an object of nobody here, or all of it was given back, and nothing runs. What a member has said of it stays. */
export async function forgetUnowned(
  db: Writer,
  { provider, objectId }: Pick<UnmatchedPurchase, 'provider' | 'objectId'>,
): Promise<void> {
  const { acceptedAt, reason } = unmatchedPurchases
  const isForgettable = and(ne(reason, 'not_mine'), isNull(acceptedAt))
  await db.delete(unmatchedPurchases).where(and(isObject(provider, objectId), isForgettable))
}

/** Somebody is named as the Owner of these objects: they are offered to nobody, and wait for nobody. What was accepted stays. */
export async function forgetOffers(db: Writer, objectIds: readonly string[]): Promise<void> {
  const { objectId, reason, acceptedAt } = unmatchedPurchases
  const isOffer = and(inArray(objectId, [...objectIds]), inArray(reason, ['offered', 'no_member']))
  await db.delete(unmatchedPurchases).where(and(isOffer, isNull(acceptedAt)))
}

/** Everything that was paid for an object is granted: the operator has nothing to decide. What a member has said of it stays. */
export async function forgetWithheld(
  db: Writer,
  { provider, objectId }: Pick<UnmatchedPurchase, 'provider' | 'objectId'>,
): Promise<void> {
  const { acceptedAt, reason } = unmatchedPurchases
  const isWithheld = inArray(reason, withheldReasons)
  await db.delete(unmatchedPurchases).where(and(isObject(provider, objectId), isWithheld, isNull(acceptedAt)))
}

/** What was billed again after a transfer was given back, or nothing goes on any more with what was not paid. */
export async function forgetTransferred(
  db: Writer,
  { provider, objectId }: Pick<UnmatchedPurchase, 'provider' | 'objectId'>,
): Promise<void> {
  const isTransferred = inArray(unmatchedPurchases.reason, ['transferred', 'taken_back_after_transfer'])
  await db.delete(unmatchedPurchases).where(and(isObject(provider, objectId), isTransferred))
}

/** Nothing is left to decide of what several Owners have paid for. What the operator has said of it stays. */
export async function forgetTakenBack(db: Writer, objectIds: readonly string[]): Promise<void> {
  const { objectId, reason, acceptedAt } = unmatchedPurchases
  const isTakenBack = and(inArray(objectId, [...objectIds]), eq(reason, 'taken_back_after_transfer'))
  await db.delete(unmatchedPurchases).where(and(isTakenBack, isNull(acceptedAt)))
}

/** Those that were accepted before are not any more. */
export async function storeAcceptedTerms(
  db: Writer,
  { provider, objectId, terms, amount, acceptedAt }: typeof acceptedTerms.$inferInsert,
): Promise<void> {
  await db
    .insert(acceptedTerms)
    .values({ provider, objectId, terms, amount, acceptedAt })
    .onConflictDoUpdate({
      target: [acceptedTerms.provider, acceptedTerms.objectId],
      set: { terms, amount, acceptedAt },
    })
}

/** Terms that are less than their plan were read: what was paid on them waits, whatever is read later. */
export async function storeLessThanPlan(db: Writer, less: typeof termsLessThanPlan.$inferInsert): Promise<void> {
  const { words } = less
  await db
    .insert(termsLessThanPlan)
    .values(less)
    .onConflictDoUpdate({ target: termsLessThanPlan.objectId, set: { words } })
}

/** The operator has accepted what its line says. */
export async function forgetLessThanPlan(db: Writer, objectId: string): Promise<void> {
  await db.delete(termsLessThanPlan).where(eq(termsLessThanPlan.objectId, objectId))
}
