import type { Reader } from '@atrium/server-kit/database.ts'
import {
  and,
  arrayContains,
  asc,
  count,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { members } from '../../../db/members.tables.ts'
import {
  acceptedTerms,
  declinedPurchases,
  termsLessThanPlan,
  type UnmatchedPurchase,
  unmatchedPurchases,
} from './unmatched.tables.ts'

type Provider = UnmatchedPurchase['provider']

interface AcceptedObject extends Pick<UnmatchedPurchase, 'provider' | 'objectId'> {
  reason?: UnmatchedPurchase['reason']
  /** Of what is offered: only what is said of the offer to this member counts. */
  memberId?: string | undefined
  /** What its line would say now, in minor units: one that said more has not been accepted. */
  amount?: number
}

/** Whether the operator, or of what is offered the member, has accepted the object as it is. */
export async function isAccepted(
  db: Reader,
  { provider, objectId, reason: asked, memberId, amount: now }: AcceptedObject,
): Promise<boolean> {
  const { acceptedAt, reason, amount } = unmatchedPurchases
  const isNoLess = now === undefined ? undefined : or(isNull(amount), lte(amount, now))
  const isTheirs =
    memberId === undefined ? undefined : or(ne(reason, 'offered'), eq(unmatchedPurchases.memberId, memberId))
  const isIt = and(isObject(provider, objectId), asked && eq(reason, asked), isTheirs, isNoLess)
  return (await db.$count(unmatchedPurchases, and(isIt, isNotNull(acceptedAt)))) > 0
}

/** Reasons of what was paid, and is granted once the operator accepts it. */
export const priceReasons = ['price_overridden', 'paid_too_little'] as const

/** Reasons of what was paid and is not granted. */
export const withheldReasons = [...priceReasons, 'impossible_amount'] as const

/** Since when something that was paid for an object waits, or has waited until it was accepted. */
export async function withheldSince(db: Reader, object: { provider: Provider; objectId: string }) {
  const { reason, createdAt, acceptedAt } = unmatchedPurchases
  const [row] = await db
    .select({ createdAt, acceptedAt })
    .from(unmatchedPurchases)
    .where(and(isObject(object.provider, object.objectId), inArray(reason, withheldReasons)))
  return row
}

interface Withheld {
  /** Why something waits, also once a member has said that the object is not theirs; undefined: nothing does. */
  waiting: (typeof priceReasons)[number] | undefined
  /** When what had waited was accepted; undefined: nothing was. */
  releasedAt: Date | undefined
}

/** What was paid for an object and was not granted; undefined: nothing. */
export async function withheldPurchase(
  db: Reader,
  object: { provider: Provider; objectId: string },
): Promise<Withheld | undefined> {
  const { reason, acceptedAt } = unmatchedPurchases
  const isIt = isObject(object.provider, object.objectId)
  const [row] = await db
    .select({ reason, acceptedAt })
    .from(unmatchedPurchases)
    .where(and(isIt, inArray(reason, [...withheldReasons, 'not_mine'])))
  if (!row) return undefined
  if (row.acceptedAt) return { waiting: undefined, releasedAt: row.reason === 'not_mine' ? undefined : row.acceptedAt }
  return { waiting: row.reason === 'price_overridden' ? row.reason : 'paid_too_little', releasedAt: undefined }
}

/** How terms that were read of a subscription of PayPal are less than its plan, in words; empty: none were, or the operator has accepted them. */
export async function readLessThanPlan(db: Reader, objectId: string): Promise<string> {
  const { words } = termsLessThanPlan
  const [row] = await db.select({ words }).from(termsLessThanPlan).where(eq(termsLessThanPlan.objectId, objectId))
  return row?.words ?? ''
}

interface Asked {
  provider: Provider
  objectId: string
  terms: string
  /** What they come to, in minor units. */
  price: number | null
  currency: string
}

/**
 * What the operator has accepted of the object, if it was these terms, and what had been paid then; null: nothing, or it is unknown. An earlier
 * version of this program stored what was paid instead of the terms.
 */
export async function acceptanceOf(
  db: Reader,
  { provider, objectId, price, ...asked }: Asked,
): Promise<{ amount: number | null; acceptedAt: Date | null } | undefined> {
  const isIt = and(eq(acceptedTerms.provider, provider), eq(acceptedTerms.objectId, objectId))
  const isAsked = and(isIt, eq(acceptedTerms.terms, asked.terms))
  const [accepted] = await db
    .select({ amount: acceptedTerms.amount, acceptedAt: acceptedTerms.acceptedAt })
    .from(acceptedTerms)
    .where(isAsked)
  if (accepted) return accepted
  const { acceptedAt, reason, terms, amount, currency, payments } = unmatchedPurchases
  const isPaid = price === null ? undefined : and(eq(amount, price), eq(currency, asked.currency))
  const isEarlier = and(isNotNull(acceptedAt), inArray(reason, priceReasons), eq(terms, ''), eq(payments, []))
  if (!isPaid) return undefined
  const [earlier] = await db
    .select({ amount, acceptedAt })
    .from(unmatchedPurchases)
    .where(and(isObject(provider, objectId), isEarlier, isPaid))
  return earlier
}

/** Whether a member has said that what a customer of the card provider, or an object, has bought is not theirs. */
export async function isDeclined(db: Reader, { memberId, ...of }: { memberId: string } & Declinable): Promise<boolean> {
  return (await db.$count(declinedPurchases, and(isDeclinedOf(of), eq(declinedPurchases.memberId, memberId)))) > 0
}

/** What a customer of the card provider has bought, or an object. */
export type Declinable = { customerId: string } | { provider: Provider; objectId: string }

export function isDeclinedOf(of: Declinable) {
  const { provider, objectId, customerId } = declinedPurchases
  return 'customerId' in of ? eq(customerId, of.customerId) : and(eq(provider, of.provider), eq(objectId, of.objectId))
}

/** Of objects, who has said that they are not theirs: member ids by object. */
export function declinedObjects(db: Reader, objectIds: readonly string[]) {
  return declinedBy(db, declinedPurchases.objectId, objectIds)
}

/** Of customers of the card provider, who has said that what they have bought is not theirs: member ids by customer. */
export function declinedCustomers(db: Reader, customerIds: readonly string[]) {
  return declinedBy(db, declinedPurchases.customerId, customerIds)
}

async function declinedBy(
  db: Reader,
  column: typeof declinedPurchases.objectId | typeof declinedPurchases.customerId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { memberId } = declinedPurchases
  const rows = await db
    .select({ id: column, memberId })
    .from(declinedPurchases)
    .where(inArray(column, [...ids]))
  const declined = new Map<string, Set<string>>()
  for (const row of rows) declined.set(row.id, (declined.get(row.id) ?? new Set()).add(row.memberId))
  return declined
}

/** What waits without a member, and names whose it is by an address, as `addressSubject` writes that; the oldest first. */
export function waitingForAddress(db: Reader, subject: string) {
  const { provider, kind, objectId, customerId, reason, addressSubjects, acceptedAt, boughtAt } = unmatchedPurchases
  const isWaiting = and(eq(reason, 'no_member'), isNull(acceptedAt))
  return db
    .select({ provider, kind, objectId, customerId })
    .from(unmatchedPurchases)
    .where(and(arrayContains(addressSubjects, [subject]), isWaiting))
    .orderBy(asc(boughtAt), asc(objectId))
}

/** Whose an object that waits is: the operator has linked it since nobody here was its owner, or it was proven when it was read last. */
export async function linkedMember(
  db: Reader,
  { provider, objectId }: { provider: Provider; objectId: string },
): Promise<string | undefined> {
  const [row] = await linked(db, isObject(provider, objectId))
  return row?.memberId
}

/** The same of several: member ids by object. */
export async function linkedObjects(db: Reader, objectIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await linked(db, inArray(unmatchedPurchases.objectId, [...objectIds]))
  return new Map(rows.map((row) => [row.objectId, row.memberId]))
}

function linked(db: Reader, isIt: SQL | undefined) {
  const { objectId, acceptedAt, reason, memberId, isProven } = unmatchedPurchases
  // What an earlier version of this program linked is not marked as proven.
  const isLinked = and(eq(reason, 'no_member'), isNotNull(acceptedAt))
  return db
    .select({ objectId, memberId: members.id })
    .from(unmatchedPurchases)
    .innerJoin(members, and(eq(members.id, memberId), isNull(members.erasedAt)))
    .where(and(isIt, or(isProven, isLinked)))
}

/** Whether what is not granted would be nobody's here, since its member was erased. */
export function isOfErased() {
  const { reason, memberId } = unmatchedPurchases
  const isHere = sql`exists (select from ${members} here where here.id = ${memberId} and here.erased_at is null)`
  return and(inArray(reason, withheldReasons), sql`not ${isHere}`)
}

/** What waits at a provider for the operator or a repair, oldest first. */
export function openUnmatched(db: Reader, provider: Provider) {
  return db
    .select({ ...getTableColumns(unmatchedPurchases), isOfErased: sql<boolean>`${isOfErased()}` })
    .from(unmatchedPurchases)
    .where(and(eq(unmatchedPurchases.provider, provider), isNull(unmatchedPurchases.acceptedAt)))
    .orderBy(unmatchedPurchases.createdAt, unmatchedPurchases.id)
}

/** How many wait, by provider and reason. */
export function unmatchedCounts(db: Reader) {
  const { provider, reason, acceptedAt } = unmatchedPurchases
  return db
    .select({ provider, reason, count: count() })
    .from(unmatchedPurchases)
    .where(isNull(acceptedAt))
    .groupBy(provider, reason)
}

/** The provider's id of the subscription for which something was paid; of a single invoice, the invoice's. */
export function billedSubscription(): SQL<string> {
  const { providerSubscriptionId, objectId } = unmatchedPurchases
  return sql<string>`coalesce(nullif(${providerSubscriptionId}, ''), ${objectId})`
}

export function isObject(provider: Provider, objectId: string) {
  return and(eq(unmatchedPurchases.provider, provider), eq(unmatchedPurchases.objectId, objectId))
}
