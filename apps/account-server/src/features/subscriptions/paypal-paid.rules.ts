import type { PaypalPayment } from '../../outside/paypal/subscription-payments.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import type { UnmatchedReason } from '../payments/unmatched/unmatched.tables.ts'
import { type Cycle, paidCycle } from './billing-cycle.rules.ts'
import { covers, isCovered, isForNoCycle, setupFeeOf } from './paypal-fees.rules.ts'
import { asMeasured, isLessThanPlan, isStoredOfBuyer } from './paypal-measured.rules.ts'
import { isOfPlanBefore, knownCycle, leastOf, untilNext } from './paypal-revised.rules.ts'
import {
  grantedTrial,
  isForTrial,
  isTrialOver,
  ownTrial,
  paidPart,
  type Trial,
  unpaidEnd,
} from './paypal-trials.rules.ts'
import type { SubscriptionRow } from './subscriptions.tables.ts'

/**
 * Why what PayPal has is not granted, though something was paid for it. `impossible_amount`: its quantity is not a whole number of what
 * can be sold, or an amount is larger than can be stored; `price_overridden`: whoever created it changed the plan, and has not paid what
 * the catalog asks; `paid_too_little`: no payment was for a whole cycle, as a setup fee is not.
 */
export type Withholding = Extract<UnmatchedReason, 'impossible_amount' | 'price_overridden' | 'paid_too_little'>

type Before = Pick<
  SubscriptionRow,
  'status' | 'periodStart' | 'periodEnd' | 'trialEnd' | 'price' | 'currency' | 'paidBy' | 'providerItems' | 'term'
> &
  Partial<Pick<SubscriptionRow, 'nextPlan' | 'trialProduct'>>

export interface PaidFacts {
  /** What the catalog asks for one unit of the plan; null: it does not know the plan, or it has no price per unit. */
  listPrice: { amount: number; currency: string } | null
  /** Whether the vendor's operator has accepted the terms on which it was bought. */
  isAccepted: boolean
  /** What had been paid for a cycle of accepted terms when they were accepted, in minor units and before tax; null: its whole price. */
  leastAccepted: number | null
  /** When the operator has accepted them, with all that had been paid; left out: never, or it is unknown. */
  acceptedAt?: Date | undefined
  /** Ids of payments that were given or taken back, as far as is known here. */
  takenBack: ReadonlySet<string>
  /** What waited for the operator when it was read last, and why; left out: nothing did. */
  waiting?: { reason: Withholding; payments: readonly Pick<PaypalPayment, 'at' | 'amount'>[] } | undefined
  /** How terms that were read before are less than the plan, in words; empty or left out: none were, or they were accepted. */
  readLess?: string
  /** What one unit costs of each plan between which PayPal revises; left out: the catalog does not know the plan. */
  unitPrices?: readonly number[] | undefined
  /** Ids of payments of which nothing is left to decide: they are orders, or the operator has accepted them. */
  settled?: ReadonlySet<string> | undefined
  /** Whether its member has had another trial of the product at PayPal, or this one has been that of another; left out: no. */
  isFurther?: boolean
  before: Before | undefined
  now: Date
}

export interface PaidTime {
  /** The cycle in which the last payment falls that was for one; undefined: there is none. */
  cycle: Cycle | undefined
  /** The id of that payment. */
  paidBy: string | null
  /** Whether that payment was for the plan and quantity that PayPal has, and not only for those of before. */
  isOfBilled: boolean
  /** Whether a later payment was given or taken back: PayPal has billed what followed. */
  isGivenBack: boolean
  /** A trial of the plan's own, as far as it has begun; undefined: there is none, or it is over. */
  trial: Trial | undefined
  /** Whether such a trial has begun, also one that is over. */
  isTrialBegun: boolean
  /** Whether its member has had one before: of this one only what was paid is granted. */
  isFurther: boolean
  /** When it begins, if nothing is paid before; undefined: it has begun. */
  beginsAt: Date | undefined
  /** Why what PayPal has is not granted; undefined: it is, or nothing was paid for it. */
  withholding: Withholding | undefined
  /** The last payment, if nothing was granted for it; undefined: it paid for a cycle, or within one. */
  unused: PaypalPayment | undefined
  /** Those from before the cycle that was paid that were too little for any, and for nothing else of the plan. */
  idle: readonly PaypalPayment[]
}

/**
 * What of a subscription was paid. Its plan, price, quantity, start and owner are the word of whoever created it, with a browser the
 * buyer's: only payments count, and a trial that the vendor's own plan has.
 */
export function paidTimeOf(asRead: PaypalSubscription, facts: PaidFacts): PaidTime {
  const { takenBack, before, now } = facts
  const given = asMeasured(asRead, facts)
  const wanted = wantedOf(given, facts)
  const isTaken = ({ id, state }: PaypalPayment) => state === 'given_back' || takenBack.has(id)
  const kept = given.payments.filter((payment) => payment.state === 'paid' && !isTaken(payment))
  const fee = setupFeeOf(given, before)
  const payments = kept.filter((payment) => payment !== fee)
  const known = knownPriceOf(given, facts)
  const leastFor = (payment: PaypalPayment) => (typeof wanted === 'number' ? leastOf(payment, wanted, facts) : wanted)
  const isForBilled = (payment: PaypalPayment) =>
    isCovered(payment, given, leastFor(payment)) && !isOfKnownTrial(payment, before)
  const isForKnown = (payment: PaypalPayment) =>
    payment.id === before?.paidBy || (known > 0 && covers(payment, given, known) && !isOfKnownTrial(payment, before))
  const isForCycle = (payment: PaypalPayment) =>
    payment.id === before?.paidBy || !isForNoCycle(payment, given, { before, payments, price: leastFor(payment) })
  const last = payments.filter(isForCycle).findLast((payment) => isForBilled(payment) || isForKnown(payment))

  const hasRunTrial = given.trials.some(({ begun }) => begun > 0)
  // What PayPal counts as run says nothing of that: with a revision before the start, it may be the trial of the plan of now.
  const isAhead =
    Math.max(now.getTime(), ...given.payments.map(({ at }) => at.getTime())) < given.startsAt.getTime() - aheadMs
  const hasBegun = !isAhead && (given.status === 'ACTIVE' || given.changedAt >= given.startsAt)
  const isOfKnown =
    last !== undefined && isForKnown(last) && isOfPlanBefore(last, given, { before, wanted: leastFor(last), known })
  const billed = last && hasBegun ? cycleOf(given, last, { before, isOfKnown, isTaken }) : undefined
  const longer = billed && longerBefore(given, { before, payments, cycle: billed })
  const cycle = longer ?? billed
  const isOwn = !given.isOverridden || facts.isAccepted
  const isOffered = isOwn && typeof wanted === 'number' && hasBegun && !cycle
  const paidBy = longer ? payments.find(({ id }) => id === before?.paidBy) : last
  const offered = isOffered ? ownTrial(given, { before, payments }) : undefined
  const { isFurther = false } = facts
  const earlier = cycle ? undefined : grantedTrial(given, { before, isTaken, now })
  const own = offered && isFurther ? paidPart(offered, earlier) : offered
  const begun = own ?? earlier
  const unpaidUntil = offered && isFurther ? unpaidEnd(offered, { granted: begun, now }) : undefined
  const begins = isAhead ? given.startsAt : unpaidUntil
  const beginsAt = begins && begins > now ? begins : undefined
  const trial = unpaidUntil || (own && isTrialOver(given)) ? undefined : begun
  const paidTime = cycle ? { ...cycle, paidBy } : begun && { paidBy: fee, ...begun }
  const unused = beginsAt ? undefined : unusedPayment(kept, paidTime)
  const isForAny = (payment: PaypalPayment) =>
    payment === fee ||
    isOfKnownTrial(payment, before) ||
    isForKnown(payment) ||
    isForBilled(payment) ||
    (isOwn && isForTrial(payment, given))
  const paidFrom = paidTime ? paidTime.periodStart.getTime() - aheadMs : 0
  const idle = kept.filter((one) => one.at.getTime() < paidFrom && !isForAny(one))
  const isGranted = Boolean(paidTime ?? beginsAt) && !unused
  const isClaimed = kept.length > 0 || beginsAt !== undefined || given.trials.length > 0
  return {
    paidBy: cycle && paidBy ? paidBy.id : null,
    isGivenBack: given.payments.some((payment) => isTaken(payment) && (!last || payment.at > last.at)),
    isOfBilled: last !== undefined && isForBilled(last) && !isOfKnown,
    isTrialBegun: begun !== undefined || (isOwn && !isFurther && hasRunTrial && cycle !== undefined),
    ...{ cycle, trial, isFurther, beginsAt, unused, idle },
    withholding: withholdingOf(given, { wanted, isClaimed, isGranted, payments: kept }),
  }
}

/** Clocks differ: what begins sooner has begun, and is granted once it is paid. */
const aheadMs = 3_600_000

interface OfPlan {
  before: Before | undefined
  /** Whether it was for the plan of before. */
  isOfKnown: boolean
  isTaken(payment: PaypalPayment): boolean
}

/**
 * A payment pays once, for a cycle of the plan that was billed: PayPal bills a revision from the next cycle on, and has forgotten the
 * plan of before, whose cycles may be longer or shorter.
 */
function cycleOf(
  given: PaypalSubscription,
  payment: PaypalPayment,
  { before, isOfKnown, isTaken }: OfPlan,
): Cycle | undefined {
  const isRevised = before?.providerItems.some(({ priceId }) => priceId !== given.planId)
  if (before?.periodEnd && isRevised) {
    const { periodStart, periodEnd } = before
    if (before.paidBy === payment.id) return { periodStart, periodEnd }
    if (isOfKnown) return knownCycle(given, payment.at, { ...before, periodEnd })
  }
  const cycle = paidCycle(given, payment.at, before?.periodEnd ?? null)
  return cycle && untilNext(cycle, payment, { before, givenBack: given.payments.filter(isTaken) })
}

interface AfterRevision {
  before: Before | undefined
  /** Those that can pay for a cycle. */
  payments: readonly PaypalPayment[]
  /** The last one that PayPal billed. */
  cycle: Cycle
}

/** A paid year goes on while months are billed within it: it was due before its revision, and collected after that. */
function longerBefore({ planId }: PaypalSubscription, { before, payments, cycle }: AfterRevision): Cycle | undefined {
  if (!before?.periodEnd || before.periodEnd <= cycle.periodEnd) return undefined
  const isRevised = before.providerItems.some(({ priceId }) => priceId !== planId)
  const isPaid = payments.some(({ id }) => id === before.paidBy)
  return isRevised && isPaid ? { periodStart: before.periodStart, periodEnd: before.periodEnd } : undefined
}

/**
 * What has paid for the period once stays so, whatever is billed next, and a price may have been raised since; 0: nothing has. A price of
 * the buyer's own may be stored from before it was told from the vendor's.
 */
function knownPriceOf(given: PaypalSubscription, { before, ...facts }: PaidFacts): number {
  if (!before || before.status === 'pending' || before.currency !== given.currency) return 0
  return isStoredOfBuyer(given, { before, ...facts }) ? 0 : (before.price ?? 0)
}

/** An earlier reading has shown a trial: what was paid within it, however much, was for none of the cycles that follow. */
function isOfKnownTrial({ at }: PaypalPayment, before: Before | undefined): boolean {
  return before !== undefined && before.trialEnd !== null && at.getTime() < before.trialEnd.getTime() - dayMs
}

interface PaidCycle extends Cycle {
  paidBy?: PaypalPayment | undefined
}

/** What was collected within a paid cycle, as a setup fee is, belongs to it. */
function unusedPayment(payments: readonly PaypalPayment[], paid: PaidCycle | undefined): PaypalPayment | undefined {
  const last = payments.at(-1)
  if (!last || !paid || last === paid.paidBy) return paid ? undefined : last
  return last.at.getTime() < paid.periodEnd.getTime() - dayMs ? undefined : last
}

const dayMs = 86_400_000

/** What one cycle costs at least, in minor units and before tax on top, or why it cannot be granted. */
function wantedOf(
  given: PaypalSubscription,
  { listPrice, isAccepted, leastAccepted }: PaidFacts,
): number | Withholding {
  const { amount, quantity, currency, isOverridden, setupFee } = given
  if (quantity === null) return 'impossible_amount'
  const isOfVendor = !isOverridden || isAccepted
  if (isLessThanPlan(given)) return 'price_overridden'
  // Tiers are the vendor's, and what they come to is not computed here.
  if (isOfVendor && amount === null) return leastAccepted ?? setupFee + 1
  if (amount === null || (!isOfVendor && listPrice?.currency !== currency)) return 'price_overridden'
  const price = isOfVendor ? amount : Math.max(amount, listPrice?.amount ?? 0)
  return Number.isSafeInteger(price * quantity) ? price * quantity : 'impossible_amount'
}

interface Withheld {
  wanted: number | Withholding
  /** Whether something was paid, or is asked for without a payment. */
  isClaimed: boolean
  isGranted: boolean
  payments: readonly PaypalPayment[]
}

function withholdingOf(
  { isOverridden }: PaypalSubscription,
  { wanted, isClaimed, isGranted, payments }: Withheld,
): Withholding | undefined {
  if (typeof wanted !== 'number') return isClaimed ? wanted : undefined
  if (isGranted || payments.length === 0) return undefined
  return isOverridden ? 'price_overridden' : 'paid_too_little'
}
