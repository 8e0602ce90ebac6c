import { isRecent } from '../../db/calendar.rules.ts'
import { nextSyncNumber } from '../../db/sync-numbers.queries.ts'
import type { Deps } from '../../deps.ts'
import type { PaypalSale } from '../../outside/paypal/sales.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import { ifKnown } from '../../outside/provider-failure.ts'
import { applyRefunds, publishing, unpublished } from '../orders/refunds.sync.ts'
import { givePaypalToSigned } from './ownership/give-paypal.ts'
import { rememberLessThanPlan } from './paypal-facts.ts'
import { type PaypalNeeds, paypalReading } from './paypal-readings.ts'
import { refundsWith, wholeRefundOf } from './paypal-refunds.rules.ts'
import { type AppliedSale, applySale, applyWaited } from './paypal-sales.sync.ts'
import { applyReading } from './projection.writes.ts'
import { liveProjection, takeOverProjection } from './projection-deps.ts'
import type { Applied } from './reading.ts'

/** Fetches a subscription of PayPal and applies its state: a webhook says only that something changed. */
export async function syncPaypalSubscription(deps: Deps, id: string): Promise<void> {
  await readAndProject(deps, id)
}

async function readAndProject(deps: Deps, id: string): Promise<Applied | undefined> {
  const syncNumber = await nextSyncNumber(deps.db)
  const given = await ifKnown(deps.paypal.readSubscription(id))
  if (!given) return undefined
  await applyWaited(deps, { given, syncNumber })
  return project({ ...deps, ...liveProjection(deps) }, given, syncNumber)
}

/** Applies a payment of a subscription to its order, and then what it means for the subscription: until when it is paid. */
export function syncSale(deps: Deps, id: string): Promise<void> {
  return syncSaleAsOf(deps, id, () => false)
}

type IsTakenOver = (sale: PaypalSale) => boolean

async function syncSaleAsOf(deps: Deps, id: string, isTakenOver: IsTakenOver, isRepeated = false): Promise<void> {
  const syncNumber = await nextSyncNumber(deps.db)
  const sale = await ifKnown(deps.paypal.readSale(id))
  const given = sale && (await ifKnown(deps.paypal.readSubscription(sale.subscriptionId)))
  if (!given) return
  await rememberLessThanPlan(deps, given)
  const applied = await applySale(deps, { sale, given, syncNumber, isTakenOver: isTakenOver(sale) })
  await applyRefunds(deps, { invoiceId: id, refunds: wholeRefundOf(sale, syncNumber), publish: publishing(deps) })
  const outcome = await readAndProject(deps, given.id)
  // Another payment of the same moment, as a first cycle beside a setup fee, may have come between the two readings.
  const isGrantedNow = isWithheld(applied) && (outcome === 'done' || outcome === 'outdated')
  if (isGrantedNow && !isRepeated) await syncSaleAsOf(deps, id, isTakenOver, true)
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

type TakeOver = Pick<Deps, 'db' | 'clock' | 'logger' | 'jobs'> &
  Pick<PaypalNeeds, 'paypal' | 'config'> & { say(sentence: string): void }

/**
 * Takes over every subscription that PayPal has, without events: nothing happened. It may be interrupted and run again.
 * @returns how many were taken over, and how many belong to nobody here, or have a plan that the catalog does not know
 */
export function syncPaypalSubscriptions(asked: TakeOver): Promise<Counts> {
  return forEach(asked, project)
}

/** Takes over what was paid for the subscriptions of PayPal, and what was given back wholly; it keeps PayPal's numbers. It may be interrupted and run again. */
export function syncSales(asked: TakeOver): Promise<Counts> {
  return forEach(asked, (deps, given, syncNumber) => applySales(deps, { given, syncNumber, isTakenOver: () => true }))
}

interface Sales {
  given: PaypalSubscription
  syncNumber: number
  isTakenOver: IsTakenOver
}

async function applySales(
  deps: Pick<Deps, 'db' | 'clock' | 'logger' | 'jobs'> & Pick<PaypalNeeds, 'paypal' | 'config'>,
  { given, syncNumber, isTakenOver }: Sales,
): Promise<Outcome> {
  let worst: Outcome = 'done'
  for (const { id, state } of given.payments) {
    const sale = await ifKnown(deps.paypal.readSale(id))
    if (!sale) {
      if (state === 'paid') worst = 'no_sale'
      continue
    }
    const outcome = await applySale(deps, { sale, given, syncNumber, isTakenOver: isTakenOver(sale) })
    if (outcome === 'no_member') return outcome
    if (outcome !== 'done') worst = outcome
    // PayPal's payments do not say how much of them was given back, unless it was all.
    await applyRefunds(deps, { invoiceId: id, refunds: wholeRefundOf(sale, syncNumber), publish: unpublished })
  }
  return worst
}

/** What was nobody's here until now: what was paid for it are orders, too, and what was given back of them is no news. */
export async function findPaypalSubscription(deps: Deps, id: string): Promise<void> {
  await syncPaypalSubscription(deps, id)
  const syncNumber = await nextSyncNumber(deps.db)
  const given = await ifKnown(deps.paypal.readSubscription(id))
  if (!given) return
  await applySales(deps, { given, syncNumber, isTakenOver: ({ paidAt }) => !isRecent(paidAt, deps.clock()) })
}

/** Takes over one subscription: what the operator has accepted of it counts now, and its payments are orders, with their receipts. */
export async function takeOverPaypalSubscription({ paypal, say, ...asked }: TakeOver, id: string): Promise<void> {
  const live = takeOverProjection(asked, ({ priceId }) => say(`${id}: no price of the catalog has the plan ${priceId}`))
  const syncNumber = await nextSyncNumber(asked.db)
  const given = await ifKnown(paypal.readSubscription(id))
  if (!given) return
  await applyWaited({ ...asked, paypal }, { given, syncNumber })
  await project({ ...live, paypal, config: asked.config }, given, syncNumber)
}

type Outcome = Applied | AppliedSale | 'no_sale'

type Apply = (...parameters: Parameters<typeof project>) => Promise<Outcome>

/** Why something was not taken over. */
const reasons: Partial<Record<Outcome, string>> = {
  no_member: 'no member has its custom id or the verified address of its payer',
  number_taken: 'another order has the number of one of its payments',
  impossible_amount: 'its quantity or an amount of it is not one that can be sold: not granted',
  price_overridden:
    'its plan was overridden, and what was paid is not known to be the price of the catalog: not granted',
  paid_too_little: 'what was paid for it is less than one cycle of its plan costs: not granted',
  no_sale: 'PayPal lists a payment of it that cannot be read: it is no order',
  transferred: 'it was billed again after a transfer had given it to another Owner: give the money back, and cancel it',
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

function isWithheld(applied: AppliedSale): boolean {
  return applied !== 'done' && applied !== 'no_member' && applied !== 'number_taken'
}

async function project(deps: PaypalNeeds, given: PaypalSubscription, syncNumber: number): Promise<Applied> {
  await givePaypalToSigned(deps, given)
  await rememberLessThanPlan(deps, given)
  const outcome = await applyReading(deps, () => paypalReading(deps, given, syncNumber))
  if (outcome === 'done' || outcome === 'outdated') return outcome
  const reason = outcome === 'no_member' ? 'a subscription of nobody here' : 'a subscription that is not granted'
  deps.logger.warn({ subscriptionId: given.id, outcome }, reason)
  return outcome
}
