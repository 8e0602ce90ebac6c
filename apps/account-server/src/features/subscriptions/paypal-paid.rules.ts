import type { PaypalPayment } from '../../outside/paypal/subscription-payments.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import type { Cycle } from './billing-cycle.rules.ts'
import { isKept, type PaidFacts } from './paypal-facts.rules.ts'
import { asMeasured } from './paypal-measured.rules.ts'
import type { DecidedPayment, PaidPlan } from './paypal-payments.tables.ts'
import { type Withholding, wantedOf } from './paypal-price.rules.ts'
import { aheadMs, buyersTerms, hasBegunBy, isAheadOf, lastingCycle } from './paypal-purpose.rules.ts'
import { begunTrial, isTrialOver, type Trial, unpaidEnd } from './paypal-trials.rules.ts'

export interface PaidTime {
  /** The cycle that was paid and ends last; undefined: there is none. */
  cycle: Cycle | undefined
  /** The id of the payment that was for it. */
  paidBy: string | null
  /** What the payment for that cycle has bought, or else what the trial is of; undefined: there is neither. */
  plan: PaidPlan | undefined
  /** Whether a later payment was given or taken back: PayPal has billed what followed. */
  isGivenBack: boolean
  /** A trial, as far as it has begun; undefined: there is none, or it is over. */
  trial: Trial | undefined
  /** Of which product a trial has begun, also one that is over; undefined: none has. */
  triedProduct: string | undefined
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
  const { now } = facts
  const given = asMeasured(asRead, facts)
  const wanted = wantedOf(given, facts)
  const { decided } = facts
  const isTaken = (payment: PaypalPayment) => payment.state === 'given_back' || facts.takenBack.has(payment.id)
  const kept = given.payments.filter((payment) => isKept(payment, facts))
  const lasting = lastingCycle(given, { ...facts, purposes: decided })

  const hasRunTrial = given.trials.some(({ begun }) => begun > 0)
  const isAhead = isAheadOf(given, facts)
  const cycle = hasBegunBy(given, facts) ? lasting : undefined
  const isOwn = !given.isOverridden || facts.isAccepted
  const fee = kept.find(({ id }) => decided.get(id)?.purpose === 'fee')
  const { isFurther = false } = facts
  const begun = cycle ? undefined : begunTrial(given, { ...facts, kept })
  const unpaidUntil = cycle ? undefined : unpaidEnd(given, { ...facts, begun })
  const begins = isAhead ? given.startsAt : unpaidUntil
  const beginsAt = begins && begins > now ? begins : undefined
  const isOver = unpaidUntil !== undefined || (begun && isTrialOver(begun, given, now))
  const trial = isOver ? undefined : begun
  const paidTime = cycle ? { ...cycle, paidBy: cycle.payment } : begun && { paidBy: fee, ...begun }
  const tried = isOwn && !isFurther && hasRunTrial && cycle ? facts.price.productCode : undefined
  const isElsewhere = (one: PaypalPayment) => !cycle && isOfOtherTerms(given, decided.get(one.id))
  const unused = beginsAt ? undefined : (kept.slice(-1).find(isElsewhere) ?? unusedPayment(kept, paidTime))
  const paidFrom = paidTime ? paidTime.periodStart.getTime() - aheadMs : 0
  const idle = kept.filter(({ id, at }) => at.getTime() < paidFrom && decided.get(id)?.purpose === 'waiting')
  const isGranted = Boolean(paidTime ?? beginsAt) && !unused
  const isClaimed = kept.length > 0 || beginsAt !== undefined || given.trials.length > 0
  return {
    paidBy: cycle ? cycle.payment.id : null,
    plan: cycle?.plan ?? trial?.plan,
    isGivenBack: given.payments.some((one) => isTaken(one) && (!lasting || one.at > lasting.payment.at)),
    triedProduct: begun?.plan.productCode ?? tried,
    ...{ cycle, trial, isFurther, beginsAt, unused, idle },
    withholding: withholdingOf(given, { wanted, isClaimed, isGranted, payments: kept }),
  }
}

/** What was paid on other terms, and waits, does not belong to a trial of the plan to which its buyer has revised it. */
function isOfOtherTerms(given: PaypalSubscription, decided: DecidedPayment | undefined): boolean {
  return decided?.purpose === 'waiting' && decided.terms !== buyersTerms(given)
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
