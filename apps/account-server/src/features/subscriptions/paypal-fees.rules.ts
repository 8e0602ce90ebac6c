import type { PaypalPayment } from '../../outside/paypal/subscription-payments.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import { intervalsLater } from './billing-cycle.rules.ts'
import type { DecidedPayment } from './paypal-payments.tables.ts'
import { beforeTax } from './paypal-price.rules.ts'
import type { SubscriptionRow } from './subscriptions.tables.ts'

const dayMs = 86_400_000

/** A setup fee is charged with the approval, in the same moment as a first cycle that begins with it. */
const sameMomentMs = 3_600_000

/**
 * The payment of the setup fee, however large: it pays for no cycle. It is one of the first, and of two that are equal one is the fee; what
 * is paid before the start can be nothing else.
 */
export function feeOf(given: PaypalSubscription, purposes: Purposes): PaypalPayment | undefined {
  const collected = given.payments.filter(({ state }) => state !== 'unpaid')
  const decided = given.payments.find(({ id }) => purposes.get(id)?.purpose === 'fee')
  const [first] = collected
  if (decided || !first) return decided
  const isOpen = ({ id }: PaypalPayment) => (purposes.get(id)?.purpose ?? 'waiting') === 'waiting'
  if (isOpen(first) && (isBeforeStart(first, given) || isCycleUnpaid(first, given))) return first
  const atApproval = collected.filter(({ at }) => at.getTime() - first.at.getTime() < sameMomentMs)
  const others = atApproval.filter(isOpen)
  const fee = others.find((payment) => isSetupFee(payment, given))
  // A cycle is charged once: of two, one is the fee of a plan that PayPal has forgotten, which no smaller one can be taken for.
  if (fee || atApproval.length < 2) return fee
  // What is left of them when the other was given back may be that fee.
  const kept = others.filter(({ state }) => state === 'paid')
  return kept.toSorted((one, other) => other.amount - one.amount)[0]
}

/** What payments were for, by their ids. */
type Purposes = ReadonlyMap<string, Pick<DecidedPayment, 'purpose'>>

/**
 * A fee is charged with the approval, which PayPal does not date: within three hours of the creation, as long as one of its orders can be
 * approved, it is taken for that. A cycle can be charged at PayPal's own time of the day on which it
 * begins, some hours before that.
 */
function isBeforeStart({ at }: PaypalPayment, { startsAt, createdAt }: PaypalSubscription): boolean {
  const isOfApproval = at.getTime() - createdAt.getTime() < approvalMs
  return at.getTime() < startsAt.getTime() - (isOfApproval ? sameMomentMs : dayMs)
}

/** The first cycle could not be collected: what came before that was for none. A fee of the plan's own can fail after its first cycle. */
function isCycleUnpaid(payment: PaypalPayment, given: PaypalSubscription): boolean {
  const { startsAt, failure, interval, currency, isOverridden, setupFee } = given
  if (!failure || !interval || failure.at < payment.at) return false
  const isFee = (one: PaypalPayment) => isSetupFee(one, given)
  const failed = { id: '', at: failure.at, amount: failure.amount, tax: null, currency, state: 'unpaid' } as const
  if (!isOverridden && setupFee > 0 && isFee(failed) && !isFee(payment)) return false
  return failure.at.getTime() < intervalsLater(startsAt, interval, 1).getTime() - dayMs
}

const approvalMs = 3 * 3_600_000

interface Known {
  before: Partial<Pick<SubscriptionRow, 'periodEnd' | 'trialEnd' | 'trialProduct'>> | undefined
  /** What one cycle costs, before tax; in words: why it cannot be granted. */
  price: number | string
}

/**
 * Whether it was paid with the approval, and before any cycle of the plan: what a revision during a trial has made of the plan since was
 * not asked for then.
 */
export function isAheadOfCycles(payment: PaypalPayment, given: PaypalSubscription, { before, price }: Known): boolean {
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
