import type { PaypalPayment } from '../../outside/paypal/subscription-payments.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import { isKept } from './paypal-facts.rules.ts'
import { asMeasured } from './paypal-measured.rules.ts'
import { billedNow, planPaidBefore } from './paypal-plan.rules.ts'
import { wantedOf } from './paypal-price.rules.ts'
import { type Deciding, hasBegunBy } from './paypal-purpose.rules.ts'
import { feePayment, trialCycles } from './paypal-trials.rules.ts'
import type { DecidedTrial, TrialCycle } from './paypal-trials.tables.ts'

const dayMs = 86_400_000

/**
 * The trial with which a subscription begins: that of the plan that PayPal has in the first reading since then, whatever its buyer makes of it
 * later. What a row says that a file or an earlier version of this program has brought was decided then. Undefined: it has not begun.
 */
export function decideTrial(asRead: PaypalSubscription, facts: Deciding): DecidedTrial | undefined {
  const given = asMeasured(asRead, facts)
  const { trial: known } = facts
  const filed = known && known.cycles.length > 0 ? undefined : trialOfRow(given, facts)
  if (filed) return filed
  // An answer without the plan says nothing of it.
  if ((known && !known.isOpen) || given.interval === null || !hasBegunBy(given, facts)) return known
  if (known && known.cycles.length > 0) return withFee(known, given, facts)
  const none = { plan: billedNow(given, facts), startsAt: given.startsAt, cycles: [], setupFee: 0, feePaidBy: null }
  if (!isOwn(given, facts) || typeof wantedOf(given, facts) !== 'number') return { ...none, isOpen: true }
  const [first] = trialCycles(given)
  if (!first || isPastBegin(given, facts)) return { ...none, isOpen: false }
  const { setupFee } = given
  const begun = withFee({ ...none, cycles: storedCycles(given), setupFee, isOpen: setupFee > 0 }, given, facts)
  return !begun.isOpen && isBilledWithin(given, first) ? { ...none, isOpen: false } : begun
}

/** Whether its trial is the vendor's, or was accepted. */
function isOwn({ isOverridden }: PaypalSubscription, { isAccepted }: Deciding): boolean {
  return !isOverridden || isAccepted
}

function storedCycles(given: PaypalSubscription): TrialCycle[] {
  return trialCycles(given).map(({ periodEnd, amount }) => ({ endsAt: periodEnd.toISOString(), amount }))
}

/** Once its setup fee is paid it counts, as it was decided before. */
function withFee(trial: DecidedTrial, given: PaypalSubscription, { purposes, ...facts }: Deciding): DecidedTrial {
  const kept = given.payments.filter((one) => isKept(one, facts))
  const { plan, cycles, setupFee } = trial
  const ends = cycles.map(({ endsAt, amount }) => ({ periodEnd: new Date(endsAt), amount }))
  const terms = { setupFee, planId: plan.providerItems[0]?.priceId, cycles: ends }
  // PayPal may have another tax by now, and does not say what it was.
  const isAsMuch = ({ amount }: PaypalPayment, price: number) => amount >= price
  const fee = setupFee > 0 ? feePayment({ ...terms, kept, decided: purposes, isAsMuch }) : undefined
  return fee ? { ...trial, feePaidBy: fee.id, isOpen: false } : trial
}

/** What a row says is a trial: a file does not say of which plan it was, and an earlier version of this program has not stored it. */
function trialOfRow(given: PaypalSubscription, facts: Deciding): DecidedTrial | undefined {
  const { before, purposes, trial } = facts
  const isPaid = [...purposes.values()].some(({ purpose }) => purpose === 'trial')
  if (!before?.trialEnd || (isPaid && trial)) return undefined
  const { periodStart, trialEnd } = before
  const isOfPlan =
    isOwn(given, facts) &&
    before.providerItems.some(({ priceId }) => priceId === given.planId) &&
    given.trials.length > 0
  const row = { plan: planPaidBefore(before, given, facts), isOpen: false }
  if (isOfPlan) {
    const { startsAt, setupFee } = given
    return withFee({ ...row, startsAt, cycles: storedCycles(given), setupFee, feePaidBy: null }, given, facts)
  }
  // What was paid is granted by its own payment.
  const cycles = isPaid ? [] : [{ endsAt: trialEnd.toISOString(), amount: 0 }]
  return { ...row, startsAt: periodStart, cycles, setupFee: 0, feePaidBy: null }
}

/** Whether a cycle was billed before it was read first, or it has been more than begun: then its trial is over, or that of another plan. */
function isPastBegin({ payments }: PaypalSubscription, { before, purposes }: Deciding): boolean {
  const isBegun = before !== undefined && (before.trialProduct != null || before.status !== 'pending')
  return isBegun || payments.some(({ id }) => purposes.get(id)?.purpose === 'cycle')
}

/** What is free cannot fail before its end: then something else is billed. */
function isBilledWithin(
  { failure }: PaypalSubscription,
  { periodEnd, amount }: { periodEnd: Date; amount: number },
): boolean {
  return amount === 0 && failure !== null && failure.at.getTime() < periodEnd.getTime() - dayMs
}
