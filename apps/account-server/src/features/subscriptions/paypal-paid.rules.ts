import type { PaypalPayment } from '../../outside/paypal/subscription-payments.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import type { Cycle } from './billing-cycle.rules.ts'
import { isKept, type PaidFacts } from './paypal-facts.rules.ts'
import { asMeasured } from './paypal-measured.rules.ts'
import type { DecidedPayment, PaidPlan } from './paypal-payments.tables.ts'
import { beforeTax, type Withholding, wantedOf } from './paypal-price.rules.ts'
import { lastingCycle, type Purposes, purposesOf, wasCollected } from './paypal-purpose.rules.ts'
import { grantedTrial, isTrialOver, ownTrial, paidPart, type Trial, unpaidEnd } from './paypal-trials.rules.ts'

export interface PaidTime {
  /** What each payment was for, by its id. */
  purposes: Purposes
  /** The cycle that was paid and ends last; undefined: there is none. */
  cycle: Cycle | undefined
  /** The id of the payment that was for it. */
  paidBy: string | null
  /** What the last payment for that cycle, or for a trial, has bought; undefined: nothing was paid, or it is stored no more. */
  plan: PaidPlan | undefined
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
  /** Those from before what was paid that wait. */
  idle: readonly PaypalPayment[]
}

/**
 * What of a subscription was paid. Its plan, price, quantity, start and owner are the word of whoever created it, with a browser the
 * buyer's: only payments count, each for what it was when it was read first, and a trial that the vendor's own plan has.
 */
export function paidTimeOf(asRead: PaypalSubscription, facts: PaidFacts): PaidTime {
  const { before, now } = facts
  const given = asMeasured(asRead, facts)
  const wanted = wantedOf(given, facts)
  const decided = purposesOf(given, facts)
  const isTaken = (payment: PaypalPayment) => payment.state === 'given_back' || facts.takenBack.has(payment.id)
  const kept = given.payments.filter((payment) => isKept(payment, facts))
  const lasting = lastingCycle(given, { ...facts, purposes: decided })

  const hasRunTrial = given.trials.some(({ begun }) => begun > 0)
  // What PayPal counts as run says nothing of that: with a revision before the start, it may be the trial of the plan of now.
  const isAhead =
    Math.max(now.getTime(), ...given.payments.map(({ at }) => at.getTime())) < given.startsAt.getTime() - aheadMs
  const hasBegun = !isAhead && (given.status === 'ACTIVE' || given.changedAt >= given.startsAt)
  const cycle = hasBegun ? lasting : undefined
  const isOwn = !given.isOverridden || facts.isAccepted
  const isOffered = isOwn && typeof wanted === 'number' && hasBegun && !cycle
  const fee = kept.find(({ id }) => decided.get(id)?.purpose === 'fee')
  const ofTrial = kept.filter(({ id }) => isForTrialOf(given, decided.get(id)))
  const offered = isOffered ? ownTrial(given, { before, payments: ofTrial, kept }) : undefined
  const { isFurther = false } = facts
  const earlier = cycle ? undefined : grantedTrial(given, { before, isTaken, now })
  const own = offered && isFurther ? paidPart(offered, earlier) : offered
  const begun = own ?? earlier
  const unpaidUntil = offered && isFurther ? unpaidEnd(offered, { granted: begun, now }) : undefined
  const begins = isAhead ? given.startsAt : unpaidUntil
  const beginsAt = begins && begins > now ? begins : undefined
  const trial: Trial | undefined = unpaidUntil || (own && isTrialOver(given)) ? undefined : begun
  const paidTime = cycle ? { ...cycle, paidBy: cycle.payment } : begun && { paidBy: fee, ...begun }
  const unused = beginsAt ? undefined : unusedPayment(kept, paidTime)
  const purposes = cycle ? besideOf(given, { ...facts, cycle, purposes: decided }) : decided
  const paidFrom = paidTime ? paidTime.periodStart.getTime() - aheadMs : 0
  const idle = kept.filter(({ id, at }) => at.getTime() < paidFrom && purposes.get(id)?.purpose === 'waiting')
  const isGranted = Boolean(paidTime ?? beginsAt) && !unused
  const isClaimed = kept.length > 0 || beginsAt !== undefined || given.trials.length > 0
  return {
    paidBy: cycle ? cycle.payment.id : null,
    plan: cycle?.plan ?? (trial?.paidBy && purposes.get(trial.paidBy.id)?.plan) ?? undefined,
    isGivenBack: given.payments.some((one) => isTaken(one) && (!lasting || one.at > lasting.payment.at)),
    isTrialBegun: begun !== undefined || (isOwn && !isFurther && hasRunTrial && cycle !== undefined),
    ...{ purposes, cycle, trial, isFurther, beginsAt, unused, idle },
    withholding: withholdingOf(given, { wanted, isClaimed, isGranted, payments: kept }),
  }
}

/** Clocks differ: what begins sooner has begun, and is granted once it is paid. */
const aheadMs = 3_600_000

interface Decided extends PaidFacts {
  purposes: Purposes
}

/** What has paid for a trial of one plan pays for none of another to which it is revised. */
function isForTrialOf({ planId }: PaypalSubscription, decided: DecidedPayment | undefined): boolean {
  return decided?.purpose === 'trial' && decided.plan?.providerItems[0]?.priceId === planId
}

interface PaidCycle extends Cycle {
  paidBy?: PaypalPayment | undefined
}

/** What was collected within a paid cycle, as a setup fee is, belongs to it. */
function unusedPayment(payments: readonly PaypalPayment[], paid: PaidCycle | undefined): PaypalPayment | undefined {
  const last = payments.at(-1)
  if (!last || !paid || last === paid.paidBy) return paid ? undefined : last
  return isBefore(last, paid.periodEnd.getTime() - dayMs) ? undefined : last
}

function isBefore({ at }: PaypalPayment, ms: number): boolean {
  return at.getTime() < ms
}

const dayMs = 86_400_000

/**
 * Of what would wait, what was paid within that is paid waits for nobody; nor does what came before it, once it is an order or was accepted, and,
 * if it is read first now and nothing waits, what may have been for a cycle on terms of the vendor's.
 */
function besideOf(given: PaypalSubscription, { cycle, purposes, ...facts }: Decided & { cycle: Cycle }): Purposes {
  const [from, until] = [cycle.periodStart.getTime() - aheadMs, cycle.periodEnd.getTime() - dayMs]
  const { decided: known, ordered, releasedAt, waiting } = facts
  const isSettled = (one: PaypalPayment) => ordered?.has(one.id) || wasCollected(one, purposes, releasedAt)
  const isBeside = (one: PaypalPayment) =>
    isBefore(one, from)
      ? isSettled(one) || (!waiting && !known.has(one.id) && isOfVendor(one, given, facts))
      : isBefore(one, until)
  const beside = given.payments.filter((one) => purposes.get(one.id)?.purpose === 'waiting' && isBeside(one))
  const decided = beside.flatMap(({ id }): [string, DecidedPayment][] => {
    const one = purposes.get(id)
    return one ? [[id, { ...one, purpose: 'beside', reason: null }]] : []
  })
  return new Map([...purposes, ...decided])
}

/**
 * Whether a payment from before what is granted was for a cycle on terms of the vendor's, or may have been: PayPal does not show the terms
 * of then. Between plans that the catalog knows it is a number of units at the price of one of them. A vendor's own plan, or one that has
 * another price than before, may have cost anything; what its buyer has overridden is not the vendor's word.
 */
function isOfVendor(
  payment: PaypalPayment,
  given: PaypalSubscription,
  { unitPrices, listPrice }: Pick<PaidFacts, 'unitPrices' | 'listPrice'>,
): boolean {
  if (!unitPrices || (given.isRepriced && !given.isOverridden)) return !given.isOverridden
  const isOwnLess = (given.amount ?? 0) < (listPrice?.amount ?? 0)
  const units = [...unitPrices, ...(given.amount === null || isOwnLess ? [] : [given.amount])]
  const sums = [payment.amount, beforeTax(payment, given)]
  return units.some((unit) => unit > 0 && sums.some((sum) => sum % unit === 0))
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
