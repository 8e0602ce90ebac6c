import { paypalStep } from '../../outside/paypal/money.rules.ts'
import type { PaypalPayment } from '../../outside/paypal/subscription-payments.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import { intervalsLater } from './billing-cycle.rules.ts'
import type { SubscriptionRow } from './subscriptions.tables.ts'

const dayMs = 86_400_000

/** A setup fee is charged with the approval, in the same moment as a first cycle that begins with it. */
const sameMomentMs = 3_600_000

/**
 * The payment of the setup fee, however large: it pays for no cycle. It is one of the first, and of two that are equal one is the fee; what
 * is paid before the start can be nothing else. What has paid for a period here stays what it was, since the fee is that of the plan of now.
 */
export function setupFeeOf(
  given: PaypalSubscription,
  before: Partial<Pick<SubscriptionRow, 'paidBy'>> | undefined,
): PaypalPayment | undefined {
  const collected = given.payments.filter(({ state }) => state !== 'unpaid')
  const [first] = collected
  if (!first) return undefined
  if (isBeforeStart(first, given)) return first
  if (first.id !== before?.paidBy && isCycleUnpaid(first, given)) return first
  const atApproval = collected.filter(({ at }) => at.getTime() - first.at.getTime() < sameMomentMs)
  const others = atApproval.filter(({ id }) => id !== before?.paidBy)
  const fee = others.find((payment) => isSetupFee(payment, given))
  // A cycle is charged once: of two, one is the fee of a plan that PayPal has forgotten, which no smaller one can be taken for.
  if (fee || atApproval.length < 2) return fee
  // What is left of them when the other was given back may be that fee.
  const kept = others.filter(({ state }) => state === 'paid')
  return kept.toSorted((one, other) => other.amount - one.amount)[0]
}

/**
 * A fee is charged with the approval, which PayPal does not date: within three hours of the creation, as long as one of its orders can be
 * approved, it is taken for that. A cycle can be charged at PayPal's own time of the day on which it
 * begins, some hours before that.
 */
function isBeforeStart({ at }: PaypalPayment, { startsAt, createdAt }: PaypalSubscription): boolean {
  const isOfApproval = at.getTime() - createdAt.getTime() < approvalMs
  return at.getTime() < startsAt.getTime() - (isOfApproval ? sameMomentMs : dayMs)
}

/** The first cycle could not be collected: what came before that was for none. */
function isCycleUnpaid({ at }: PaypalPayment, { startsAt, failure, interval }: PaypalSubscription): boolean {
  if (!failure || !interval || failure.at < at) return false
  return failure.at.getTime() < intervalsLater(startsAt, interval, 1).getTime() - dayMs
}

const approvalMs = 3 * 3_600_000

interface Known {
  before:
    | Partial<
        Pick<SubscriptionRow, 'periodStart' | 'periodEnd' | 'trialEnd' | 'trialProduct' | 'paidBy' | 'providerItems'>
      >
    | undefined
  /** Those that were kept. */
  payments: readonly PaypalPayment[]
  /** What one cycle costs, before tax; in words: why it cannot be granted. */
  price: number | string
}

/**
 * Whether a payment that has not paid for the stored period pays for none: it came before that, within it while it was paid, or with the
 * approval. It was for something else then, whatever plan its buyer has made of it since.
 */
export function isForNoCycle(payment: PaypalPayment, given: PaypalSubscription, known: Known): boolean {
  const { before, payments } = known
  const isPaid = payments.some(({ id }) => id === before?.paidBy)
  const at = payment.at.getTime()
  const isOfOther = before?.providerItems?.some(({ priceId }) => priceId !== given.planId) === true
  const periodStart = isOfOther && before?.paidBy ? before.periodStart : undefined
  const isEarlier = periodStart !== undefined && at < periodStart.getTime() - dayMs
  const isWithinPaid = isPaid && at < (before?.periodEnd?.getTime() ?? 0) - dayMs
  return isEarlier || isWithinPaid || isAheadOfCycles(payment, given, known)
}

/**
 * Whether it was paid with the approval, and before any cycle of the plan: what a revision during a trial has made of the plan since was
 * not asked for then.
 */
function isAheadOfCycles(
  payment: PaypalPayment,
  given: PaypalSubscription,
  { before, price }: Omit<Known, 'payments'>,
): boolean {
  const { isPastTrial, startsAt, nextBillingAt, interval, trials, payments } = given
  const { at } = payment
  const first = payments.find(({ state }) => state !== 'unpaid')
  if (!first || at.getTime() - first.at.getTime() >= sameMomentMs) return false
  // Which cycles PayPal counts after a revision is not documented; an earlier reading has shown the trial.
  const isWithinTrial = before?.trialEnd && at.getTime() < before.trialEnd.getTime() - dayMs
  if (isWithinTrial) return true
  if (isPastTrial && before?.trialProduct !== '') return false
  if (trials.length > 0 || !interval) return true
  // PayPal counts a cycle some time after it has begun: what it bills next says whether one has. It forgets that with a cancellation.
  const bills = nextBillingAt ?? before?.periodEnd
  if (!bills) return beforeTax(payment, given) !== price
  const isNotCounted = at.getTime() >= startsAt.getTime() - sameMomentMs && isDayOf(bills, startsAt)
  return !isNotCounted && !isDayOf(bills, intervalsLater(startsAt, interval, 1))
}

function isDayOf(one: Date, other: Date): boolean {
  return Math.abs(one.getTime() - other.getTime()) <= dayMs
}

function isSetupFee(payment: PaypalPayment, given: PaypalSubscription): boolean {
  const { setupFee, currency } = given
  return setupFee > 0 && payment.currency === currency && beforeTax(payment, given) === setupFee
}

/** A tax within the price belongs to it; one on top does not. */
export function beforeTax(
  { amount, tax }: Pick<PaypalPayment, 'amount' | 'tax'>,
  { taxOnTop }: PaypalSubscription,
): number {
  if (taxOnTop === 0) return amount
  return tax === null ? Math.round(amount / (1 + taxOnTop / 100)) : amount - tax
}

/** Whether it is as large as a price that can be granted; in words: why none can. */
export function isCovered(payment: PaypalPayment, given: PaypalSubscription, price: number | string): boolean {
  return typeof price === 'number' && covers(payment, given, price)
}

/** Whether it is at least as large, before tax, in the currency that is billed. */
export function covers(payment: PaypalPayment, given: PaypalSubscription, price: number): boolean {
  return payment.currency === given.currency && reaches(payment, given, price)
}

/** Whether what was asked for is at least as much, before tax. PayPal rounds its sum with a tax on top, forints to whole ones. */
export function reaches(
  asked: Pick<PaypalPayment, 'amount' | 'tax'>,
  given: PaypalSubscription,
  price: number,
): boolean {
  const rounding = given.taxOnTop > 0 && asked.tax === null ? paypalStep(given.currency) / 2 : 0
  return beforeTax(asked, given) + rounding >= price
}
