import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import { isKept } from './paypal-facts.rules.ts'
import { asMeasured } from './paypal-measured.rules.ts'
import { billedNow, planPaidBefore } from './paypal-plan.rules.ts'
import { wantedOf } from './paypal-price.rules.ts'
import { type Deciding, hasBegunBy } from './paypal-purpose.rules.ts'
import { isPaidWithFee, trialCycles } from './paypal-trials.rules.ts'
import type { DecidedTrial } from './paypal-trials.tables.ts'

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
  const isOwn = !given.isOverridden || facts.isAccepted
  if (!isOwn || typeof wantedOf(given, facts) !== 'number') return noTrial(given, facts, { isOpen: true })
  const cycles = trialCycles(given)
  const [first] = cycles
  if (!first || isPastBegin(given, facts) || isBilledWithin(given, first))
    return noTrial(given, facts, { isOpen: false })
  const amounts = cycles.map(({ amount }) => amount)
  const kept = given.payments.filter((one) => isKept(one, facts))
  const fee = { ...given, kept, decided: facts.purposes, amounts }
  return {
    ...noTrial(given, facts, { isOpen: !isPaidWithFee(given, fee) }),
    cycles: cycles.map(({ periodEnd, amount }) => ({ endsAt: periodEnd.toISOString(), amount })),
    setupFee: given.setupFee,
  }
}

function noTrial(given: PaypalSubscription, facts: Deciding, { isOpen }: { isOpen: boolean }): DecidedTrial {
  return { plan: billedNow(given, facts), startsAt: given.startsAt, cycles: [], setupFee: 0, isOpen }
}

/** What a row says is a trial, and no payment of a trial has made: a file does not say of which plan it was. */
function trialOfRow(given: PaypalSubscription, facts: Deciding): DecidedTrial | undefined {
  const { before, purposes } = facts
  if (!before?.trialEnd || [...purposes.values()].some(({ purpose }) => purpose === 'trial')) return undefined
  const isOfPlan = before.providerItems.some(({ priceId }) => priceId === given.planId)
  const cycles = isOfPlan ? trialCycles(given) : []
  const ofRow = { startsAt: before.periodStart, cycles: [{ endsAt: before.trialEnd.toISOString(), amount: 0 }] }
  const ofPlan = {
    startsAt: given.startsAt,
    cycles: cycles.map(({ periodEnd, amount }) => ({ endsAt: periodEnd.toISOString(), amount })),
  }
  return {
    plan: planPaidBefore(before, given, facts),
    ...(cycles.length > 0 ? ofPlan : ofRow),
    ...{ setupFee: 0, isOpen: false },
  }
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
