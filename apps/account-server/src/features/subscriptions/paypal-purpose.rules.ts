import type { PaypalPayment } from '../../outside/paypal/subscription-payments.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import { type Cycle, paidCycle } from './billing-cycle.rules.ts'
import { isKept, type PaidFacts, type StoredPaid } from './paypal-facts.rules.ts'
import { feeOf, isAheadOfCycles } from './paypal-fees.rules.ts'
import { isStoredOfBuyer } from './paypal-measured.rules.ts'
import type { DecidedPayment, PaidPlan } from './paypal-payments.tables.ts'
import { billedNow, planOf, planPaidBefore } from './paypal-plan.rules.ts'
import { covers, isCovered, leastOf, wantedOf } from './paypal-price.rules.ts'
import { retriedIn } from './paypal-retried.rules.ts'
import { isOfPlanBefore, knownCycle, termsOf, untilNext } from './paypal-revised.rules.ts'
import { feePayment, paidTrialCycle, trialCycles } from './paypal-trials.rules.ts'

const dayMs = 86_400_000

/** What payments were for, by their ids. */
export type Purposes = ReadonlyMap<string, DecidedPayment>

/** Clocks differ: what begins sooner has begun, and is granted once it is paid. */
export const aheadMs = 3_600_000

/** Whether its start is ahead of it all: before that nothing begins, whatever PayPal counts as run, as the trial of a plan to which it is revised. */
export function isAheadOf({ payments, startsAt }: PaypalSubscription, { now }: Pick<PaidFacts, 'now'>): boolean {
  return Math.max(now.getTime(), ...payments.map(({ at }) => at.getTime())) < startsAt.getTime() - aheadMs
}

/** Whether it has begun, also one that has ended since. */
export function hasBegunBy(given: PaypalSubscription, facts: Pick<PaidFacts, 'now'>): boolean {
  return !isAheadOf(given, facts) && (given.status === 'ACTIVE' || given.changedAt >= given.startsAt)
}

/** What its buyer can change of the terms, in words: the price of a plan that is not overridden is the vendor's. */
export function buyersTerms(given: PaypalSubscription): string {
  const { planId, quantity, isOverridden } = given
  return isOverridden ? termsOf(given).terms : `${planId} × ${quantity ?? '?'}`
}

/** Whether a payment that waits, or of which nothing was decided, had been collected at a moment, as readings have shown it. */
export function wasCollected({ id, at }: PaypalPayment, purposes: Purposes, moment: Date | undefined): boolean {
  const known = purposes.get(id)
  const since = known?.purpose === 'waiting' ? known.collectedAt : at
  return moment !== undefined && since !== null && since <= moment
}

interface LastingCycle extends Cycle {
  payment: PaypalPayment
  plan: PaidPlan
}

/** The cycle that was paid and ends last: a paid year goes on while months are billed within it. Undefined: none was paid, or is kept. */
export function lastingCycle(
  { payments }: PaypalSubscription,
  { purposes, takenBack }: Pick<PaidFacts, 'takenBack'> & { purposes: Purposes },
): LastingCycle | undefined {
  const kept = payments.filter((payment) => isKept(payment, { takenBack }))
  return kept.reduce<LastingCycle | undefined>((last, payment) => {
    const cycle = cycleIn(purposes.get(payment.id), payment)
    return cycle && (!last || cycle.periodEnd >= last.periodEnd) ? cycle : last
  }, undefined)
}

function cycleIn(decided: DecidedPayment | undefined, payment: PaypalPayment): LastingCycle | undefined {
  if (decided?.purpose !== 'cycle') return undefined
  const { plan, periodStart, periodEnd } = decided
  return plan && periodStart && periodEnd ? { payment, plan, periodStart, periodEnd } : undefined
}

export interface Deciding extends PaidFacts {
  /** Of the payments before it. */
  purposes: Purposes
}

/** What a payment was for, as if it were collected, by what PayPal has now and what was paid before it. */
export function purposeOf(payment: PaypalPayment, given: PaypalSubscription, facts: Deciding): DecidedPayment {
  const terms = buyersTerms(given)
  const collectedAt = isKept(payment, facts) ? (facts.purposes.get(payment.id)?.collectedAt ?? facts.now) : null
  const none = { reason: null, plan: null, periodStart: null, periodEnd: null, terms, collectedAt }
  const collected = payment.state === 'unpaid' ? { ...given, payments: asCollected(given.payments, payment) } : given
  const before = paidBefore(given, facts)
  const billed = billedNow(given, facts)
  if (feeOf(collected, facts.purposes)?.id === payment.id) {
    const isStored = before !== undefined && before.providerItems.length > 0
    return { ...none, purpose: 'fee', plan: isStored ? planOf(before) : billed }
  }
  const wanted = wantedOf(given, facts)
  const retried = typeof wanted === 'number' ? retriedIn(payment, given, facts) : undefined
  if (retried) return { ...retried, terms, collectedAt }
  const known = { ...facts, before }
  const trial = isOfFile(payment, facts) ? undefined : trialOf(payment, given, facts)
  if (trial && isDearTrial(payment, given, trial)) return { ...none, purpose: 'trial', plan: billed, ...trial }
  const cycle = cycleOf(payment, collected, { ...known, storedEnd: facts.before?.periodEnd ?? null })
  if (typeof cycle === 'object') return { ...none, purpose: 'cycle', ...cycle }
  if (trial) return { ...none, purpose: 'trial', plan: billed, ...trial }
  if (cycle === 'beside' || isOfKnownTrial(payment, facts)) return { ...none, purpose: 'beside' }
  const tooLittle = given.isOverridden ? 'price_overridden' : 'paid_too_little'
  return { ...none, purpose: 'waiting', reason: typeof wanted === 'number' ? tooLittle : wanted }
}

function asCollected(payments: readonly PaypalPayment[], payment: PaypalPayment): PaypalPayment[] {
  return payments.map((one) => (one === payment ? { ...one, state: 'paid' } : one))
}

/** What was paid before, by which the next payment is measured: not what orders have bought on top of that. */
function paidBefore(given: PaypalSubscription, { before, ...facts }: Deciding): StoredPaid | undefined {
  const last = lastingCycle(given, facts)
  if (!last) return before
  const { payment, plan, periodStart, periodEnd } = last
  const paid = { ...plan, periodStart, periodEnd, paidBy: payment.id }
  return { status: 'active', trialEnd: null, ...before, ...paid }
}

/**
 * An earlier reading has shown a trial: what was paid within its first cycle, however much, was for none of those that follow. Later PayPal bills
 * what it is revised to.
 */
function isOfKnownTrial({ at }: PaypalPayment, { before, trial }: Pick<PaidFacts, 'before' | 'trial'>): boolean {
  return (
    before !== undefined &&
    before.trialEnd !== null &&
    !isPastFirst({ at }, { trial }) &&
    at.getTime() < before.trialEnd.getTime() - dayMs
  )
}

/** Whether it was paid after the first cycle of the trial with which it began, and so not with the approval. */
export function isPastFirst({ at }: Pick<PaypalPayment, 'at'>, { trial }: Pick<PaidFacts, 'trial'>): boolean {
  const [first] = trial?.cycles ?? []
  return first !== undefined && at.getTime() >= Date.parse(first.endsAt) - dayMs
}

/** Whether it was paid within what a file has brought, and so for none of a trial of the plan to which that was revised before it was read. */
function isOfFile(payment: PaypalPayment, facts: Deciding): boolean {
  const isFiled = facts.before?.providerItems.length === 0
  return isFiled && (isOfKnownTrial(payment, facts) || cycleOfFile(payment, facts.before) !== undefined)
}

/** The period that a file has brought, if a payment falls in it: PayPal may have another plan by now, with other intervals. */
function cycleOfFile({ at }: PaypalPayment, before: StoredPaid | undefined): Cycle | undefined {
  if (!before?.periodEnd || before.providerItems.length > 0 || before.trialEnd !== null) return undefined
  const { periodStart, periodEnd } = before
  const isWithin = at.getTime() > periodStart.getTime() - dayMs && at.getTime() < periodEnd.getTime() - dayMs
  return isWithin ? { periodStart, periodEnd } : undefined
}

interface Stored extends Deciding {
  /** The end of the period that an earlier reading has stored. */
  storedEnd: Date | null
}

/**
 * The cycle that a payment was for, and the plan: the one that PayPal has, or the one that was paid before.
 * @returns `beside`: it would have been enough, but was paid within or before a cycle that is paid; undefined: it was for none
 */
function cycleOf(
  payment: PaypalPayment,
  given: PaypalSubscription,
  facts: Stored,
): (Cycle & { plan: PaidPlan }) | 'beside' | undefined {
  const { before } = facts
  const wanted = wantedOf(given, facts)
  const price =
    typeof wanted === 'number' && isKept(payment, facts) && wasCollected(payment, facts.purposes, facts.acceptedAt)
      ? leastOf(wanted, facts)
      : wanted
  const known = knownPriceOf(given, facts)
  const isInTrial = isOfKnownTrial(payment, facts)
  const isForBilled = !isInTrial && isCovered(payment, given, price)
  const isForKnown = !isInTrial && known > 0 && covers(payment, given, known)
  if (!isForBilled && !isForKnown) return undefined
  if (isPaidPast(payment, given, facts) && !isAtBoundary(payment, given, facts)) return 'beside'
  const filed = isForKnown && !lastingCycle(given, facts) ? cycleOfFile(payment, before) : undefined
  if (filed && before) return { ...filed, plan: planPaidBefore(before, given, facts) }
  if (!isPastFirst(payment, facts) && isAheadOfCycles(payment, given, { before, price })) return undefined
  const isOfKnown = isForKnown && isOfPlanBefore(payment, given, { before, wanted: price, known })
  const cycle = cycleAt(payment, given, { ...facts, isOfKnown })
  const plan = before && (isOfKnown || !isForBilled) ? planPaidBefore(before, given, facts) : billedNow(given, facts)
  return cycle && { ...cycle, plan }
}

/**
 * What the plan that was paid before, is on trial or was brought by a file costs, whatever PayPal has by now; 0: there is none. A price of the
 * buyer's own may be stored from before it was told from the vendor's.
 */
function knownPriceOf(given: PaypalSubscription, { before, ...facts }: PaidFacts): number {
  if (!before || unpaid.has(before.status) || before.currency !== given.currency) return 0
  return isStoredOfBuyer(given, { before, ...facts }) ? 0 : (before.price ?? 0)
}

const unpaid: ReadonlySet<StoredPaid['status']> = new Set(['pending', 'canceled'])

/** Whether it came within or before a cycle that is paid, or before one of another plan, whatever became of that: it was for no later one. */
function isPaidPast({ at }: PaypalPayment, given: PaypalSubscription, facts: Deciding): boolean {
  const lasting = lastingCycle(given, facts)
  if (lasting && at.getTime() < lasting.periodEnd.getTime() - dayMs) return true
  const starts = given.payments.flatMap(({ id }) => {
    const { purpose, plan, periodStart } = facts.purposes.get(id) ?? {}
    const isOfOther = purpose === 'cycle' && plan?.providerItems[0]?.priceId !== given.planId
    return isOfOther && periodStart ? [periodStart.getTime()] : []
  })
  return starts.some((start) => at.getTime() < start - dayMs)
}

/**
 * Whether a cycle begins with it by what PayPal bills next, shortly before the end that is stored: months end on days of their own, and a cycle
 * may have been read while PayPal had not counted it yet.
 */
function isAtBoundary({ at }: PaypalPayment, given: PaypalSubscription, facts: Stored): boolean {
  const end = lastingCycle(given, facts)?.periodEnd.getTime()
  const begins = given.nextBillingAt ? paidCycle(given, at, null)?.periodStart.getTime() : undefined
  if (end === undefined || begins === undefined) return false
  return at.getTime() > end - mostDaysBetween * dayMs && Math.abs(begins - at.getTime()) < dayMs
}

/** Of months with 28 to 31 days. */
const mostDaysBetween = 4

/** PayPal bills a revision from the next cycle on, and has forgotten the plan of before, whose cycles may be longer or shorter. */
function cycleAt(
  payment: PaypalPayment,
  given: PaypalSubscription,
  { before, storedEnd, isOfKnown, ...facts }: Stored & { isOfKnown: boolean },
): Cycle | undefined {
  // A file does not say of which plan it was.
  const isOfPlan = before?.providerItems.some(({ priceId }) => priceId === given.planId)
  if (before?.periodEnd && !isOfPlan && isOfKnown) {
    return knownCycle(given, payment.at, { ...before, periodEnd: before.periodEnd })
  }
  const cycle = paidCycle(given, payment.at, storedEnd)
  const givenBack = given.payments.filter((one) => one.state === 'given_back' || facts.takenBack.has(one.id))
  return cycle && untilNext(cycle, payment, givenBack)
}

/** The cycle of a trial of the plan's own that costs something, and that had begun, with the setup fee of the plan. */
function trialOf(payment: PaypalPayment, given: PaypalSubscription, facts: Deciding): Cycle | undefined {
  if (given.isOverridden && !facts.isAccepted) return undefined
  const kept = given.payments.filter((one) => isKept(one, facts))
  const isAsMuch = (one: PaypalPayment, price: number) => covers(one, given, price)
  const fee = { ...given, kept, decided: facts.purposes, cycles: trialCycles(given), isAsMuch }
  const isFeePaid = given.setupFee === 0 || feePayment(fee) !== undefined
  // A fee that could not be collected before may be charged with it.
  const owed = isFeePaid ? 0 : given.setupFee
  return paidTrialCycle({ ...given, paidAt: payment.at, costs: (price) => covers(payment, given, price + owed) })
}

/** Whether it is for a trial that costs more than what follows, and has not run. */
function isDearTrial({ at }: PaypalPayment, given: PaypalSubscription, { periodEnd }: Cycle): boolean {
  const { trials, amount, isPastTrial } = given
  return !isPastTrial && at < periodEnd && trials.some((one) => one.amount > (amount ?? 0))
}
