import type { Tx } from '@atrium/server-kit/database.ts'
import { and, eq } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import type { BilledInvoice } from '../../outside/billed-invoice.ts'
import { type Owner, subjectsOfBought } from '../payments/customers/customer-claims.queries.ts'
import { isProven } from '../payments/customers/link-proofs.rules.ts'
import type { UnmatchedReason } from '../payments/unmatched/unmatched.tables.ts'
import {
  forgetTransferred,
  forgetUnowned,
  storeUnmatched,
  type Unmatched as UnmatchedPurchase,
} from '../payments/unmatched/unmatched.writes.ts'
import type { KnownSubscriptions } from './order-owners.queries.ts'
import { orders } from './orders.tables.ts'

type Status = (typeof orders.$inferSelect)['status'] | undefined

/**
 * Whether a new order is shown to its member. Where an address alone says whose it is, only what was paid is, and what belongs to a
 * subscription for which something was paid.
 */
export async function mayAppear(
  tx: Tx,
  { charged, subscriptionId }: Pick<BilledInvoice, 'charged' | 'subscriptionId'>,
  { owner, status }: { owner: Owner; status: Status },
): Promise<boolean> {
  if (isProven(owner.proof) || (status === 'CO' && charged > 0)) return true
  if (subscriptionId === '') return false
  const isOfSubscription = eq(orders.providerSubscriptionId, subscriptionId)
  return (await tx.$count(orders, and(isOfSubscription, eq(orders.memberId, owner.memberId)))) > 0
}

interface Unmatched {
  reason: UnmatchedReason
  status: Status
  /** Whose it would be. */
  owner?: Owner | undefined
  /** What waits instead, if it is nobody's. */
  unordered?: UnmatchedPurchase | undefined
  /** Its subscription does not wait with it. */
  isAlone?: boolean | undefined
  /** All of it was given back. */
  isGivenBack?: boolean | undefined
  /** The addresses by which its buyer finds it. */
  addressSubjects?: readonly string[] | undefined
  now: Date
}

/** Only what was paid waits for a repair; a payment of a subscription that is nobody's here waits with it, unless it `isAlone`. */
export async function storeUnmatchedOrder(
  tx: Tx,
  invoice: BilledInvoice,
  { reason, status, owner, unordered, isAlone, isGivenBack, addressSubjects, now }: Unmatched,
): Promise<void> {
  if (unordered) return storeUnmatched(tx, unordered)
  if (isGivenBack) return forgetUnowned(tx, { provider: invoice.channel, objectId: invoice.id })
  if (status !== 'CO' || invoice.charged <= 0) return
  if (reason === 'no_member' && invoice.subscriptionId !== '' && !isAlone) return
  const whose = { memberId: owner?.memberId, isProven: owner !== undefined && isProven(owner.proof) }
  await storeUnmatched(tx, {
    ...{ provider: invoice.channel, kind: 'invoice', objectId: invoice.id, reason },
    providerSubscriptionId: invoice.subscriptionId,
    ...{ customerId: invoice.customerId, email: invoice.buyer.email, ...whose },
    ...(addressSubjects && { addressSubjects: [...addressSubjects] }),
    ...{ amount: invoice.charged, currency: invoice.currency },
    ...{ boughtAt: invoice.paidAt ?? invoice.createdAt, createdAt: now },
  })
}

type EndedForMove = KnownSubscriptions['endedForMove']

/** What becomes of an invoice that bills again what was transferred: it makes no order, and waits unless it was given back. */
type FateOfMoved = 'waits' | 'given_back'

interface Needs extends Pick<Deps, 'db'> {
  config: Pick<Deps['config'], 'SHOP_SIGNING_SECRET'>
  cards: Pick<Deps['cards'], 'refundsOfInvoice' | 'readCustomer'>
}

/** What the provider says about why an invoice of the card provider is not an order. */
export interface Standing {
  /** It bills again what was transferred; undefined: it does not. */
  ofMoved: FateOfMoved | undefined
  /** It is nobody's, and all of it was given back. */
  isGivenBack: boolean
  /** Of what is nobody's and waits: the addresses by which its buyer finds it. */
  addressSubjects?: readonly string[]
}

export async function standingOf(
  needs: Needs,
  invoice: BilledInvoice,
  { owner, endedForMove }: { owner: Owner | undefined; endedForMove: EndedForMove },
): Promise<Standing> {
  const isPaidAlone = invoice.subscriptionId === '' && invoice.status === 'paid' && invoice.charged > 0
  const isNobodys = !owner && isPaidAlone
  const isGivenBack = isNobodys && (await isGivenBackAlone(needs, invoice))
  const { cards, config } = needs
  const asking = { cards, secrets: config.SHOP_SIGNING_SECRET }
  return {
    ofMoved: await fateOfMoved(needs, invoice, endedForMove),
    isGivenBack,
    ...(isNobodys && !isGivenBack && { addressSubjects: await subjectsOfBought(asking, invoice) }),
  }
}

/** @returns undefined: it is an invoice like any other, as one that settles what was used before is */
async function fateOfMoved(
  { db, cards }: Needs,
  { id, subscriptionId, status, lines, charged, createdAt }: BilledInvoice,
  endedForMove: EndedForMove,
): Promise<FateOfMoved | undefined> {
  const endedAt = subscriptionId === '' ? undefined : await endedForMove(db, subscriptionId)
  const isForTimeAhead = lines.some(({ periodEnd }) => periodEnd > createdAt)
  if (!endedAt || createdAt <= endedAt || !isForTimeAhead) return undefined
  const isGivenBack = status === 'paid' && (await cards.refundsOfInvoice(id)).amount >= charged
  return isGivenBack ? 'given_back' : 'waits'
}

/** What belongs to a subscription waits with that. */
async function isGivenBackAlone({ cards }: Needs, { id, charged }: BilledInvoice) {
  return (await cards.refundsOfInvoice(id)).amount >= charged
}

/** Only what was paid waits, until all of it was given back. */
async function storeBilledAgain(
  tx: Tx,
  invoice: BilledInvoice,
  { fate, ...facts }: Omit<Unmatched, 'reason'> & { fate: FateOfMoved },
): Promise<void> {
  if (fate === 'waits') await storeUnmatchedOrder(tx, invoice, { reason: 'transferred', ...facts })
  else await forgetTransferred(tx, { provider: invoice.channel, objectId: invoice.id })
}

/** What a reading says of an invoice that is new here. */
export interface NewReading extends Partial<Standing> {
  /** Whether its subscription is still of whom it was when that was read; to be locked. Left out: its customer says whose it is. */
  isStillTheirs?(tx: Tx): Promise<boolean>
  /** What waits of its subscription, if the Owner was erased. */
  unordered?: UnmatchedPurchase | undefined
  /** Of nobody's: its subscription does not wait with it. */
  isAlone?: boolean
  /** Nothing is granted for it: it is an order once the operator has accepted it. */
  isWaiting?: boolean
}

interface New {
  invoice: BilledInvoice
  owner: Owner | undefined
  status: Status
  reading: NewReading
}

/** What becomes of a new invoice that is not an order, or not yet; undefined: it is one. */
export async function storedInstead(
  { clock, logger }: Pick<Deps, 'clock' | 'logger'>,
  tx: Tx,
  { invoice, owner, status, reading }: New,
) {
  const now = clock()
  if ((await reading.isStillTheirs?.(tx)) === false) return 'given_meanwhile'
  if (reading.ofMoved) {
    await storeBilledAgain(tx, invoice, { fate: reading.ofMoved, status, owner, now })
    return reading.ofMoved === 'waits' ? 'waiting' : 'done'
  }
  if (!(owner && (await mayAppear(tx, invoice, { owner, status })))) {
    logger.warn({ invoiceId: invoice.id, customerId: invoice.customerId }, 'an invoice of nobody here')
    const unordered = owner ? undefined : reading.unordered
    await storeUnmatchedOrder(tx, invoice, { ...reading, unordered, reason: 'no_member', status, now })
    return reading.isGivenBack ? 'done' : 'no_member'
  }
  return reading.isWaiting ? 'waiting' : undefined
}
