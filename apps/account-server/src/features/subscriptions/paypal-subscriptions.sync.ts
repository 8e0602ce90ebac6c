import { isRecent } from '../../db/calendar.rules.ts'
import { nextSyncNumber } from '../../db/sync-numbers.queries.ts'
import type { Deps } from '../../deps.ts'
import type { PaypalSale } from '../../outside/paypal/sales.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import { ifKnown } from '../../outside/provider-failure.ts'
import { knownPrices } from '../catalog/catalog.queries.ts'
import { addForeignProduct } from '../catalog/catalog.writes.ts'
import { takenBackPayments } from '../orders/orders.queries.ts'
import { type Applied as AppliedSale, applyInvoice } from '../orders/orders.sync.ts'
import { applyRefunds, publishing, unpublished } from '../orders/refunds.sync.ts'
import type { Owner } from '../payments/customers/customer-claims.queries.ts'
import { isProven } from '../payments/customers/link-proofs.rules.ts'
import { ownerOfPayer } from '../payments/customers/payers.queries.ts'
import { areTermsAccepted } from '../payments/unmatched/unmatched.queries.ts'
import type { KnownPrice } from './known-price.ts'
import { paypalStanding } from './ownership/purchase-standing.ts'
import { type PaidFacts, paidTimeOf } from './paypal-paid.rules.ts'
import { isKnownPaypalStatus, isUnapproved, paypalProjectionOf } from './paypal-projection.rules.ts'
import { refundsWith, wholeRefundOf } from './paypal-refunds.rules.ts'
import { termsOf } from './paypal-revised.rules.ts'
import { saleAsInvoice } from './paypal-sales.rules.ts'
import { type Applied, applyReading, type ProjectionDeps, type Reading } from './projection.writes.ts'
import { liveProjection, takeOverProjection } from './projection-deps.ts'
import { storedSubscription } from './subscriptions.queries.ts'
import type { SubscriptionRow } from './subscriptions.tables.ts'

interface Needs extends ProjectionDeps {
  config: Pick<Deps['config'], 'SHOP_SIGNING_SECRET' | 'LATE_BILLING_DAYS'>
  paypal: Pick<Deps['paypal'], 'readSubscription' | 'subscriptions' | 'readSale'>
}

/** Fetches a subscription of PayPal and applies its state: a webhook says only that something changed. */
export async function syncPaypalSubscription(deps: Deps, id: string): Promise<void> {
  const syncNumber = await nextSyncNumber(deps.db)
  const given = await ifKnown(deps.paypal.readSubscription(id))
  if (given) await project({ ...deps, ...liveProjection(deps) }, given, syncNumber)
}

/** Applies a payment of a subscription to its order, and then what it means for the subscription: until when it is paid. */
export function syncSale(deps: Deps, id: string): Promise<void> {
  return syncSaleAsOf(deps, id, () => false)
}

async function syncSaleAsOf(deps: Deps, id: string, isTakenOver: (sale: PaypalSale) => boolean): Promise<void> {
  const syncNumber = await nextSyncNumber(deps.db)
  const sale = await ifKnown(deps.paypal.readSale(id))
  const given = sale && (await ifKnown(deps.paypal.readSubscription(sale.subscriptionId)))
  if (!given) return
  await applySale(deps, { sale, given, syncNumber, isTakenOver: isTakenOver(sale) })
  await applyRefunds(deps, { invoiceId: id, refunds: wholeRefundOf(sale, syncNumber), publish: publishing(deps) })
  await syncPaypalSubscription(deps, given.id)
}

/** Applies what was given back of a payment to its order. One that is not here yet is not news, unless it is recent. */
export async function syncPaypalRefund(deps: Deps, id: string): Promise<void> {
  const syncNumber = await nextSyncNumber(deps.db)
  const refund = await ifKnown(deps.paypal.readRefund(id))
  if (!refund) return
  await syncSaleAsOf(deps, refund.saleId, ({ paidAt }) => !isRecent(paidAt, deps.clock()))
  const refunds = refundsWith(refund, syncNumber)
  await applyRefunds(deps, { invoiceId: refund.saleId, refunds, publish: publishing(deps) })
}

interface Counts {
  synced: number
  unmatched: number
}

type TakeOver = Pick<Deps, 'db' | 'clock' | 'logger'> &
  Pick<Needs, 'paypal' | 'config'> & { say(sentence: string): void }

/**
 * Takes over every subscription that PayPal has, without events: nothing happened. It may be interrupted and run again.
 * @returns how many were taken over, and how many belong to nobody here, or have a plan that the catalog does not know
 */
export function syncPaypalSubscriptions(asked: TakeOver): Promise<Counts> {
  return forEach(asked, project)
}

/** Takes over what was paid for the subscriptions of PayPal, and what was given back wholly; it keeps PayPal's numbers. It may be interrupted and run again. */
export function syncSales(asked: TakeOver): Promise<Counts> {
  return forEach(asked, async (deps, given, syncNumber) => {
    let worst: AppliedSale | 'impossible_amount' = 'done'
    for (const { id } of given.payments) {
      const sale = await deps.paypal.readSale(id)
      const outcome = await applySale(deps, { sale, given, syncNumber, isTakenOver: true })
      if (outcome === 'no_member') return outcome
      if (outcome === 'number_taken' || outcome === 'impossible_amount') worst = outcome
      // PayPal's payments do not say how much of them was given back, unless it was all.
      await applyRefunds(deps, { invoiceId: id, refunds: wholeRefundOf(sale, syncNumber), publish: unpublished })
    }
    return worst
  })
}

/** Takes over one subscription: what the operator has accepted of it counts now. */
export async function takeOverPaypalSubscription({ paypal, say, ...asked }: TakeOver, id: string): Promise<void> {
  const live = takeOverProjection(asked, ({ priceId }) => say(`${id}: no price of the catalog has the plan ${priceId}`))
  const syncNumber = await nextSyncNumber(asked.db)
  const given = await ifKnown(paypal.readSubscription(id))
  if (given) await project({ ...live, paypal, config: asked.config }, given, syncNumber)
}

type Outcome = Applied | AppliedSale

type Apply = (...parameters: Parameters<typeof project>) => Promise<Outcome>

/** Why something was not taken over. */
const reasons: Partial<Record<Outcome, string>> = {
  no_member: 'no member has its custom id or the verified address of its payer',
  number_taken: 'another order has the number of one of its payments',
  impossible_amount: 'its quantity or an amount of it is not one that can be sold: not granted',
  price_overridden: 'its plan was overridden, and less was paid than the price of the catalog: not granted',
  paid_too_little: 'what was paid for it is less than one cycle of its plan costs: not granted',
}

async function forEach({ paypal, say, ...asked }: TakeOver, apply: Apply): Promise<Counts> {
  const counts = { synced: 0, unmatched: 0 }
  const live = takeOverProjection(asked, ({ subscriptionId, priceId }) => {
    counts.unmatched += 1
    say(`${subscriptionId}: no price of the catalog has the plan ${priceId}`)
  })
  for (let page = 1; ; page += 1) {
    const syncNumber = await nextSyncNumber(asked.db)
    const { subscriptions, hasMore } = await paypal.subscriptions(page)
    for (const given of subscriptions) {
      const outcome = await apply({ ...live, paypal, config: asked.config }, given, syncNumber)
      const reason = reasons[outcome]
      if (reason !== undefined) say(`${given.id}: ${reason}`)
      counts[reason === undefined ? 'synced' : 'unmatched'] += 1
    }
    if (!hasMore) return counts
  }
}

async function project(deps: Needs, given: PaypalSubscription, syncNumber: number): Promise<Applied> {
  const outcome = await applyReading(deps, await paypalReading(deps, given, syncNumber))
  if (outcome === 'done' || outcome === 'outdated') return outcome
  const reason = outcome === 'no_member' ? 'a subscription of nobody here' : 'a subscription that is not granted'
  deps.logger.warn({ subscriptionId: given.id, outcome }, reason)
  return outcome
}

/** What storing a subscription of PayPal needs, to be read before the transaction. */
export async function paypalReading(deps: Needs, given: PaypalSubscription, syncNumber: number): Promise<Reading> {
  const { db, clock, logger, config } = deps
  const { id: providerId, status } = given
  const owner = await ownerOfPayer(db, given, { secrets: config.SHOP_SIGNING_SECRET })
  const standing = await paypalStanding({ db, now: clock() }, given, owner)
  const { price, listPrice } = await priceOf(deps, given)
  const takenBack = await takenBackPayments(
    db,
    given.payments.map(({ id }) => id),
  )
  const isAccepted = await areTermsAccepted(db, { provider: 'paypal', objectId: providerId, ...termsOf(given) })
  const paidFacts = { listPrice, takenBack, isAccepted, now: clock() }
  if (!isKnownPaypalStatus(given)) {
    logger.error({ subscriptionId: providerId, status }, 'a state of subscriptions that is not known here')
  }
  return {
    ...{ providerId, channel: 'paypal', customerId: null, ...standing, syncNumber },
    isUnpaidStart: isUnpaidStart(given, paidFacts),
    withheld: (before) => withheldOf(given, { ...paidFacts, before, owner: standing.owner }),
    projection(before, asked) {
      const isTurnedOff = asked?.kind === 'subscription.turn_off_renewal'
      const facts = { ...paidFacts, price, before, isTurnedOff, lateBillingDays: config.LATE_BILLING_DAYS }
      return paypalProjectionOf(given, facts)
    },
  }
}

/** Whether it was never paid: a new one is not stored. A state that is not known here is shown as pending. */
function isUnpaidStart(given: PaypalSubscription, facts: Omit<PaidFacts, 'before'>): boolean {
  if (given.payments.some(({ state }) => state !== 'unpaid')) return false
  const { cycle, trial, beginsAt, withholding } = paidTimeOf(given, { ...facts, before: undefined })
  const isBegun = cycle ?? trial ?? beginsAt ?? withholding
  return isUnapproved(given) || (isKnownPaypalStatus(given) && !isBegun)
}

interface WithheldFacts extends Omit<PaidFacts, 'before'> {
  before: SubscriptionRow | undefined
  /** Whose it would be; undefined: nobody's. */
  owner: Owner | undefined
}

/** What was paid and is not granted. A revision of what is stored is not billed yet: it waits once it was paid for. */
function withheldOf(given: PaypalSubscription, { owner, ...facts }: WithheldFacts) {
  const { before, now: createdAt } = facts
  const { withholding: reason, unused } = paidTimeOf(given, facts)
  if (!reason || (before && !unused)) return undefined
  const { id: objectId, payer, createdAt: boughtAt, payments } = given
  const last = payments.findLast(({ state }) => state === 'paid')
  const isStorable = last !== undefined && Number.isSafeInteger(last.amount)
  const paid = isStorable ? { amount: last.amount, currency: last.currency } : {}
  const object = { provider: 'paypal', kind: 'subscription', objectId, reason } as const
  const { memberId, proof } = before ?? owner ?? {}
  const whose = { memberId, isProven: memberId !== undefined && isProven(proof ?? 'vendor') }
  const { terms } = termsOf(given)
  return { ...object, ...whose, email: payer.email, ...paid, terms, boughtAt, createdAt }
}

/** A plan that the catalog does not know is added under PayPal's name, and an error tells the vendor. */
async function priceOf(
  { db, reportUnknownPrice }: Needs,
  { id, planId, productId, planName }: PaypalSubscription,
): Promise<{ price: KnownPrice; listPrice: PaidFacts['listPrice'] }> {
  const found = (await knownPrices(db, [planId])).get(planId)
  const flags = found?.flags ?? []
  const isOf = { isConnector: flags.includes('connector'), isStorage: flags.includes('storage') }
  if (found) {
    const { productCode, term, amount, currency } = found
    return { price: { productCode, term, ...isOf }, listPrice: amount === null ? null : { amount, currency } }
  }
  reportUnknownPrice({ subscriptionId: id, priceId: planId, productId })
  // A product of PayPal has plans of several of the vendor's.
  await db.transaction((tx) => addForeignProduct(tx, { id: planId, name: planName }))
  return { price: { productCode: planId, term: null, ...isOf }, listPrice: null }
}

interface Paid {
  sale: PaypalSale
  given: PaypalSubscription
  syncNumber: number
  isTakenOver: boolean
}

/** Of the subscription's member, who may have another address by now than the payer's. */
async function applySale(
  deps: Needs | Deps,
  { sale, given, ...reading }: Paid,
): Promise<AppliedSale | 'impossible_amount'> {
  if (!Number.isSafeInteger(sale.total) || !Number.isSafeInteger(sale.tax)) {
    deps.logger.warn({ saleId: sale.id }, 'a payment that is too large to be stored')
    return 'impossible_amount'
  }
  const stored = await storedSubscription(deps.db, given.id)
  const owner = stored
    ? { memberId: stored.memberId, proof: stored.proof ?? 'vendor' }
    : await ownerOfPayer(deps.db, given, { secrets: deps.config.SHOP_SIGNING_SECRET })
  return applyInvoice(deps, saleAsInvoice(sale, given, stored?.periodEnd ?? null), { ...reading, owner })
}
