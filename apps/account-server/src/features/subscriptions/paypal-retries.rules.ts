import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import type { Cycle } from './billing-cycle.rules.ts'
import type { PaidFacts } from './paypal-facts.rules.ts'
import { reaches } from './paypal-price.rules.ts'
import { goesOn, type Standing } from './paypal-standing.rules.ts'
import type { SubscriptionRow } from './subscriptions.tables.ts'

const dayMs = 86_400_000

interface Priced {
  /** Of a whole term, in minor units and before tax; null: it is not known, or not one of the vendor's. */
  price: number | null
  /** How many of the plan. */
  units: number
}

interface Facts {
  standing: Standing
  paid: { cycle: Cycle | undefined; trial: Cycle | undefined }
  /** What was paid before, and would go on. */
  before: Priced
  /** What PayPal has now; undefined: nothing that can be granted. */
  billed: Priced | undefined
  /** Whether that is another plan than before: PayPal bills no trial of it. */
  isRevised: boolean
  now: Date
}

/**
 * What the days of retries are of: no more than what PayPal could not collect. Whoever makes a cycle cost a cent, the day before it is billed,
 * and lets it fail, would have all that was paid before for those days, and owe a cent.
 */
export function retriedOf(
  given: PaypalSubscription,
  { standing, paid, before, billed, isRevised, now }: Facts,
): { standing: Standing; isOfBilled: boolean } {
  const { failure } = given
  const isLess = ({ price }: Priced) =>
    failure !== null && price !== null && !reaches({ amount: failure.amount, tax: null }, given, price)
  const until = (paid.cycle ?? paid.trial)?.periodEnd.getTime() ?? 0
  // PayPal tries some hours before the end. A setup fee that failed is of no cycle, and a cycle of a trial costs what the plan says of it.
  const isOfCycle = failure !== null && failure.at.getTime() > until - dayMs
  const isInTrial = paid.trial !== undefined && !given.isPastTrial && !isRevised
  // Of several prices it is that of the first whose cycles have not all run.
  const ofNow = given.trials.find(({ begun, cycles }) => begun < cycles)?.amount ?? 0
  const isOfTrial = ({ units }: Priced) =>
    isInTrial && failure !== null && ofNow > 0 && reaches({ amount: failure.amount, tax: null }, given, ofNow * units)
  const isPaid = isOfTrial(before) || until > now.getTime() || !isOfCycle
  if (standing.status !== 'past_due' || isPaid || !isLess(before)) return { standing, isOfBilled: false }
  if (billed && isOfTrial(billed)) return { standing, isOfBilled: true }
  if (billed && billed.price !== null && !isLess(billed)) return { standing, isOfBilled: true }
  return { standing: goesOn('pending'), isOfBilled: false }
}

/**
 * What is granted costs for a whole term, in minor units and before tax: what the catalog asks where a price of the buyer's own is not stored;
 * null: it is not known, as that of the vendor's tiers.
 */
export function pricedAs(
  { price, providerItems: [item] }: Pick<SubscriptionRow, 'price' | 'providerItems'>,
  { planId }: Pick<PaypalSubscription, 'planId'>,
  { listPrice, unitPrices = [] }: Pick<PaidFacts, 'listPrice' | 'unitPrices'>,
): number | null {
  if (price !== null || !item) return price
  const ofPlan = listPrice ? [listPrice.amount] : []
  const units = item.priceId === planId ? ofPlan : unitPrices
  return units.length === 0 ? null : Math.max(...units) * item.quantity
}
