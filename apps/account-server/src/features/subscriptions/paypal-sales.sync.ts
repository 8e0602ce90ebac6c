import type { Tx } from '@atrium/server-kit/database.ts'
import { isRecent } from '../../db/calendar.rules.ts'
import type { Deps } from '../../deps.ts'
import type { PaypalSale } from '../../outside/paypal/sales.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import { ifKnown } from '../../outside/provider-failure.ts'
import { paymentsWithOrder } from '../orders/orders.queries.ts'
import { type Applied, applyInvoice } from '../orders/orders.sync.ts'
import { applyRefunds, unpublished } from '../orders/refunds.sync.ts'
import type { Owner } from '../payments/customers/customer-claims.queries.ts'
import { ownerOfPayer } from '../payments/customers/payers.queries.ts'
import { linkedMember, withheldSince } from '../payments/unmatched/unmatched.queries.ts'
import { type MovedFrom, movedFrom } from './moving/moving.queries.ts'
import type { PaidFacts } from './paypal-facts.rules.ts'
import { paidFactsOf } from './paypal-facts.ts'
import { paidTimeOf } from './paypal-paid.rules.ts'
import type { Withholding } from './paypal-price.rules.ts'
import { unorderedOf } from './paypal-readings.ts'
import { wholeRefundOf } from './paypal-refunds.rules.ts'
import { saleAsInvoice } from './paypal-sales.rules.ts'
import { isReturnedUnused, waitingReason } from './paypal-waiting.rules.ts'
import { isStillOf, storedSubscription } from './subscriptions.queries.ts'
import type { SubscriptionRow } from './subscriptions.tables.ts'

type Needs = Pick<Deps, 'db' | 'clock' | 'logger' | 'jobs'> & {
  config: Pick<Deps['config'], 'SHOP_SIGNING_SECRET'>
}

interface Paid {
  sale: PaypalSale
  given: PaypalSubscription
  syncNumber: number
  isTakenOver: boolean
  /** It has waited for the operator. */
  hasWaited?: boolean
  /** The operator has accepted it, or its terms. */
  isAccepted?: boolean
}

/** A withholding, or `transferred`: nothing is granted for it, and it waits for the operator. */
export type AppliedSale = Exclude<Applied, 'waiting' | 'given_meanwhile'> | Withholding | 'transferred'

/**
 * Of the subscription's member, who may have another address by now than the payer's. What was paid before a transfer is of who had it then,
 * and waits only if it did before.
 */
export async function applySale(deps: Needs, paid: Paid): Promise<AppliedSale> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const outcome = await applySaleAsOfNow(deps, paid)
    if (outcome !== 'given_meanwhile') return outcome
  }
  throw new Error('the subscription is given to others')
}

/** Its subscription may become somebody else's between reading whose it is and storing the order. */
const mostTries = 3

async function applySaleAsOfNow(
  deps: Needs,
  { sale, given, isAccepted, ...reading }: Paid,
): Promise<AppliedSale | 'given_meanwhile'> {
  if (!Number.isSafeInteger(sale.total) || !Number.isSafeInteger(sale.tax)) {
    deps.logger.warn({ saleId: sale.id }, 'a payment that is too large to be stored')
    return 'impossible_amount'
  }
  const before = await storedSubscription(deps.db, given.id)
  const moved = await movedFrom(deps.db, given.id)
  const owner = await ownerOfSale(deps, { sale, given, before, moved })
  const facts = { ...(await paidFactsOf(deps, given)), before }
  const waitsFor = moved ? reasonOfMoved(sale, { ...facts, ...moved }) : waitingReason(sale, given, facts)
  const { paidBy } = paidTimeOf(given, facts)
  const hasPaid = paidBy === sale.id || (reading.hasWaited === true && (facts.isAccepted || isAccepted === true))
  const invoice = saleAsInvoice(sale, given, { purposes: facts.decided, storedEnd: before?.periodEnd ?? null, hasPaid })
  const isWaiting = waitsFor !== undefined || isReturnedUnused(sale, given, facts)
  const stored = { providerId: given.id, memberId: before?.memberId }
  const whose = {
    ...{ owner, isOwnerStored: (before ?? moved) !== undefined },
    isStillTheirs: (tx: Tx) => isStillOf(tx, stored),
    ...(before && { unordered: unorderedOf(given, facts) }),
  }
  const outcome = await applyInvoice(deps, invoice, {
    ...reading,
    ...whose,
    ...aloneOf(sale, { waitsFor, moved }),
    isWaiting,
  })
  return outcome === 'waiting' ? (waitsFor ?? 'done') : outcome
}

interface Facts extends Pick<Paid, 'sale' | 'given'> {
  before: SubscriptionRow | undefined
  moved: MovedFrom | undefined
}

async function ownerOfSale({ db, config }: Needs, { sale, given, before, moved }: Facts): Promise<Owner | undefined> {
  if (before) return { memberId: before.memberId, proof: before.proof ?? 'vendor' }
  if (!moved) return ownerOfPayer(db, given, { secrets: config.SHOP_SIGNING_SECRET })
  // Where nobody knew who had it, or they were erased, the operator may have said whose the payment is.
  const memberId = (await linkedMember(db, { provider: 'paypal', objectId: sale.id })) ?? moved.memberId
  return memberId === undefined ? undefined : { memberId, proof: 'vendor' }
}

function reasonOfMoved({ id, paidAt }: PaypalSale, { movedAt, ordered, decided }: PaidFacts & MovedFrom) {
  if (paidAt > movedAt) return 'transferred'
  return ordered?.has(id) ? undefined : (decided.get(id)?.reason ?? undefined)
}

/** What nobody here has paid waits with its subscription; not what was paid before a transfer. */
function aloneOf(sale: PaypalSale, { waitsFor, moved }: Pick<Facts, 'moved'> & { waitsFor: string | undefined }) {
  return {
    isAlone: moved !== undefined && waitsFor === undefined,
    isGivenBack: moved !== undefined && sale.refundedAt !== null,
  }
}

interface Reading {
  given: PaypalSubscription
  syncNumber: number
}

/**
 * What has waited, and does not any more, becomes an order: the operator has accepted it, or what was paid since is granted with it. It is
 * as if it had been heard of when it was stored as waiting.
 */
export async function applyWaited(
  deps: Needs & { paypal: Pick<Deps['paypal'], 'readSale'> },
  { given, syncNumber }: Reading,
): Promise<void> {
  const { db } = deps
  const since = await withheldSince(db, { provider: 'paypal', objectId: given.id })
  if (!since) return
  const before = await storedSubscription(db, given.id)
  const facts = { ...(await paidFactsOf(deps, given)), before }
  const paid = given.payments.filter((one) => one.state === 'paid' && waitingReason(one, given, facts) === undefined)
  const known = await paymentsWithOrder(
    db,
    paid.map(({ id }) => id),
  )
  for (const { id } of paid.filter((one) => !known.has(one.id))) {
    const sale = await ifKnown(deps.paypal.readSale(id))
    if (!sale) continue
    const hasWaited = since.acceptedAt === null || sale.paidAt <= since.acceptedAt
    const isTakenOver = !isRecent(sale.paidAt, since.createdAt)
    const isAccepted = since.acceptedAt !== null
    await applySale(deps, { sale, given, syncNumber, isTakenOver, hasWaited, isAccepted })
    await applyRefunds(deps, { invoiceId: id, refunds: wholeRefundOf(sale, syncNumber), publish: unpublished })
  }
}
