import type { Interval } from '../../outside/paypal/plans.ts'
import type { PaypalPayment } from '../../outside/paypal/subscription-payments.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import { type Cycle, earlyMs, paidCycle } from './billing-cycle.rules.ts'
import { nextWithoutConfirmation } from './next-plan.rules.ts'
import { beforeTax, covers } from './paypal-price.rules.ts'
import type { SubscriptionRow } from './subscriptions.tables.ts'

type Plan = Pick<PaypalSubscription, 'planId' | 'quantity'>

/** Whether the row says what PayPal bills. */
export function isPlanOf(
  { providerItems }: Pick<SubscriptionRow, 'providerItems'>,
  { planId, quantity }: Plan,
): boolean {
  const [item] = providerItems
  return item?.priceId === planId && item.quantity === quantity
}

/** Whether an earlier reading has shown it as what is billed from the next period on: what was paid since was paid for it. */
function isForeseen(
  { nextPlan = null }: Partial<Pick<SubscriptionRow, 'nextPlan'>>,
  { planId, quantity }: Plan,
): boolean {
  const next = nextWithoutConfirmation({ nextPlan })
  if (next?.planId !== planId) return false
  return [next.userCount, next.storageCapacity, next.connectors].some((count) => count === quantity)
}

/**
 * A cycle of a plan with longer ones does not last beyond the next payment, if that was given back: it was for the cycle that followed, of the
 * plan of then.
 */
export function untilNext(cycle: Cycle, { at: paidAt }: PaypalPayment, givenBack: readonly PaypalPayment[]): Cycle {
  const next = givenBack.find(({ at }) => at.getTime() > paidAt.getTime() + dayMs)
  const isBeyond = next !== undefined && cycle.periodEnd.getTime() > next.at.getTime() + dayMs
  return isBeyond ? { ...cycle, periodEnd: next.at } : cycle
}

interface Known extends Pick<SubscriptionRow, 'trialEnd' | 'term' | 'periodStart' | 'providerItems'> {
  periodEnd: Date
}

/** The cycle of the plan of before in which a payment falls: it follows the one that is stored. */
export function knownCycle(given: PaypalSubscription, paidAt: Date, known: Known): Cycle | undefined {
  return paidCycle({ ...given, nextBillingAt: null, interval: intervalOf(known) }, paidAt, known.periodEnd)
}

type Before = Omit<Known, 'periodEnd'> &
  Pick<SubscriptionRow, 'periodEnd'> &
  Partial<Pick<SubscriptionRow, 'nextPlan' | 'dueAmount'>>

interface Covering {
  before: Before | undefined
  /** What a cycle of the plan of now costs, in minor units and before tax; in words: it cannot be granted. */
  wanted: number | string
  /** The same of the plan of before; 0: nothing was paid. */
  known: number
}

/**
 * Whether a payment that is new here was for the plan of before, and the revision came later: PayPal does not say. It was for what costs
 * more of what it covers, as a year that was due and is collected after its revision to months; of two that cost the same, for the one of
 * before, until a reading has shown the revision ahead of its payment.
 */
export function isOfPlanBefore(
  payment: PaypalPayment,
  given: PaypalSubscription,
  { before, wanted, known }: Covering,
): boolean {
  if (!before || known === 0 || isPlanOf(before, given)) return false
  if (typeof wanted !== 'number' || !covers(payment, given, wanted)) return true
  // What could not be collected may have been for fewer seats than were paid before.
  const due = before.dueAmount ? beforeTax({ amount: before.dueAmount, tax: null }, given) : known
  const both = Math.min(known, due) + wanted
  if (covers(payment, given, both) && isOfLaterCycle(payment, given, before)) return false
  return known > wanted || (known === wanted && !isForeseen(before, given))
}

/** A cycle of the plan of before was not paid: PayPal adds what is outstanding to the next one, which is of the plan of now. */
function isOfLaterCycle({ at }: PaypalPayment, given: PaypalSubscription, before: Before): boolean {
  const { periodEnd } = before
  const cycle = periodEnd ? knownCycle(given, at, { ...before, periodEnd }) : undefined
  return cycle !== undefined && periodEnd !== null && cycle.periodStart.getTime() > periodEnd.getTime() + earlyMs
}

const dayMs = 86_400_000

/**
 * How often it was billed after its trials. Where that is not stored, a plan that the catalog does not know is billed as long as the period
 * before was, unless that was a trial: then it is unknown.
 */
function intervalOf({ trialEnd, term, periodStart, periodEnd, providerItems }: Known): Interval | null {
  const stored = providerItems[0]?.interval
  if (stored) return stored
  if (term === 'monthly' || term === 'yearly_paid_monthly') return { unit: 'MONTH', count: 1 }
  if (term === 'yearly') return { unit: 'YEAR', count: 1 }
  if (trialEnd) return null
  return { unit: 'DAY', count: Math.max(1, Math.round((periodEnd.getTime() - periodStart.getTime()) / dayMs)) }
}

/** On what terms it is billed, in one line for the operator, and what they come to in minor units after its trials. */
export function termsOf(given: PaypalSubscription) {
  const { planId, amount, currency, quantity, interval, trials, isOverridden, besidePrice } = given
  const many = quantity ?? '?'
  const before = trials.map(
    (trial) => `${trial.cycles} times ${many} × ${trial.amount} ${currency} ${everyOf(trial.interval)}, `,
  )
  const then = before.length > 0 ? 'then ' : ''
  const regular = `${then}${many} × ${amount ?? '?'} ${currency} ${everyOf(interval)}`
  // The plan's own fee and tax go without saying: an override that leaves them out is on other terms.
  const beside = isOverridden ? `, ${besidePrice || 'without a fee or a tax'}` : ''
  const terms = `${planId}: ${before.join('')}${regular}${beside}`
  const price = amount === null || quantity === null ? null : amount * quantity
  return { terms, currency, price: Number.isSafeInteger(price) ? price : null }
}

function everyOf(interval: Interval | null): string {
  return interval ? `every ${interval.count} ${interval.unit}` : 'once'
}
