import type { PaypalPayment } from '../../outside/paypal/subscription-payments.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import { type Cycle, intervalsLater } from './billing-cycle.rules.ts'
import { covers } from './paypal-price.rules.ts'
import type { SubscriptionRow } from './subscriptions.tables.ts'

const dayMs = 86_400_000

export interface Trial extends Cycle {
  /** The last payment that was for it; missing: it is free. */
  paidBy?: PaypalPayment
  /** The end of the cycle that it paid for: what follows is free. */
  paidUntil?: Date
}

interface OwnTrial {
  before:
    | (Pick<SubscriptionRow, 'trialEnd' | 'providerItems'> & Partial<Pick<SubscriptionRow, 'trialProduct'>>)
    | undefined
  /** Those that were for a trial of the plan. */
  payments: readonly PaypalPayment[]
  /** Whether a trial of any plan was paid: that lasts as long as it was paid, and no longer than its own plan says. */
  isPaid: boolean
  /** The setup fee, if it was kept. */
  fee: PaypalPayment | undefined
}

/**
 * A trial of the plan's own. A revision to another plan begins none: what the first one has granted stays, unless PayPal goes on without
 * billing. It does not say how often a trial of the plan of now has been run for whom.
 */
export function ownTrial(given: PaypalSubscription, { before, payments, isPaid, fee }: OwnTrial): Trial | undefined {
  const begun = isBegunWithFee(given, fee) ? begunTrial(given, payments) : undefined
  // A file does not say of which plan it was.
  const isRevised = before !== undefined && !before.providerItems.some(({ priceId }) => priceId === given.planId)
  // What PayPal has billed since, and was not granted, has ended it: also once the plan of now was paid, and given back.
  const isHad = before?.trialProduct != null && !before.trialEnd
  if (begun && isHad && (isRevised || before?.trialProduct !== '')) return undefined
  const { nextBillingAt, isPastTrial, failure, setupFee, changedAt } = given
  if (!before?.trialEnd) return begun && isBilledWithin(given, begun) ? undefined : begun
  // What is billed, or could not be, prolongs none that was granted.
  if (isPastTrial || failure) return undefined
  if (!begun || !isRevised) return begun
  // A revision charges no fee; what was suspended over the end was not to be billed then.
  if (isPaid || setupFee > 0 || changedAt > before.trialEnd) return undefined
  if (!nextBillingAt || nextBillingAt.getTime() <= before.trialEnd.getTime() + dayMs) return undefined
  return nextBillingAt < begun.periodEnd ? { ...begun, periodEnd: nextBillingAt } : begun
}

/** A trial of a plan with a setup fee begins once that is paid: a revision charges none. */
export function isBegunWithFee(given: PaypalSubscription, fee: PaypalPayment | undefined): boolean {
  return given.setupFee === 0 || (fee !== undefined && covers(fee, given, given.setupFee))
}

/** What is free cannot fail before its end: then something else is billed. */
function isBilledWithin({ failure }: PaypalSubscription, { paidBy, periodEnd }: Trial): boolean {
  return !paidBy && failure !== null && failure.at.getTime() < periodEnd.getTime() - dayMs
}

/**
 * Of which product a subscription has been its member's trial: one that was granted as their first stays so. Empty: it was a further one;
 * undefined: it has been none.
 */
export function triedProduct(
  row: Pick<SubscriptionRow, 'trialEnd' | 'trialProduct' | 'productCode'> | undefined,
): string | undefined {
  return row?.trialProduct ?? (row?.trialEnd ? row.productCode : undefined)
}

/** What is granted of a further trial: what was paid, and, until its end, what an earlier reading has granted. */
export function paidPart(
  { periodStart, periodEnd, paidBy, paidUntil }: Trial,
  earlier: Cycle | undefined,
): Trial | undefined {
  if (!paidBy || !paidUntil) return undefined
  const end = earlier && earlier.periodEnd > paidUntil ? earlier.periodEnd : paidUntil
  return { periodStart, periodEnd: end < periodEnd ? end : periodEnd, paidBy }
}

interface Unpaid {
  /** What of the trial is granted. */
  granted: Cycle | undefined
  now: Date
}

/** When a further trial ends that goes on after all that is granted of it; undefined: it does not, or not yet. */
export function unpaidEnd({ periodEnd }: Trial, { granted, now }: Unpaid): Date | undefined {
  const isGranted = granted !== undefined && (granted.periodEnd > now || granted.periodEnd >= periodEnd)
  return isGranted ? undefined : periodEnd
}

/**
 * How far a trial of the plan has come; each payment is for one of its cycles. PayPal counts the first cycle some time after it has begun;
 * one that costs something begins with its payment.
 */
function begunTrial(given: PaypalSubscription, payments: readonly PaypalPayment[]): Trial | undefined {
  const { trials, startsAt, nextBillingAt, quantity } = given
  let left = payments
  let end = startsAt
  let paidBy: PaypalPayment | undefined
  let paidUntil = startsAt
  for (const [place, { interval, cycles, amount, begun }] of trials.entries()) {
    const least = place === 0 ? 1 : 0
    const most = Math.min(cycles, Math.max(begun, least))
    const paid = left.filter((payment) => covers(payment, given, amount * (quantity ?? 1))).slice(0, most)
    const last = amount === 0 ? undefined : paid.at(-1)
    // Those before it paid for a cycle each, at what it cost then: seats may have been added since.
    const counted = amount === 0 ? most : Math.min(most, last ? left.indexOf(last) + 1 : 0)
    if (last) {
      left = left.slice(left.indexOf(last) + 1)
      paidBy = last
    }
    end = intervalsLater(end, interval, counted)
    if (last) paidUntil = end
    if (counted < cycles) break
  }
  if (end <= startsAt) return undefined
  // PayPal bills at its own time of that day.
  const isBilledThen = nextBillingAt !== null && Math.abs(nextBillingAt.getTime() - end.getTime()) <= dayMs
  const periodEnd = isBilledThen ? nextBillingAt : end
  return {
    ...{ periodStart: startsAt, periodEnd },
    ...(paidBy && { paidBy, paidUntil: paidUntil < end ? paidUntil : periodEnd }),
  }
}

interface PaidTrial extends Pick<PaypalSubscription, 'trials' | 'startsAt' | 'quantity'> {
  paidAt: Date
  /** Whether what was paid is as much as so many minor units. */
  costs(price: number): boolean
}

/** PayPal charges within hours of the moment that it names, sometimes before it, and at its own time of the day on which a cycle begins. */
const earlyMs = 43_200_000

function isBegun(periodStart: Date, paidAt: Date): boolean {
  return Math.min(periodStart.getTime() - earlyMs, dayOf(periodStart)) <= paidAt.getTime()
}

function dayOf(date: Date): number {
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())
}

/** The cycle of a trial that costs something for which a payment was; undefined: it was for none. */
export function paidTrialCycle({ trials, startsAt, quantity, paidAt, costs }: PaidTrial): Cycle | undefined {
  let begin = startsAt
  let paid: Cycle | undefined
  for (const { interval, cycles, amount } of trials) {
    const isOfTrial = amount > 0 && costs(amount * (quantity ?? 1))
    for (let count = 0; count < cycles; count += 1) {
      const [periodStart, periodEnd] = [
        intervalsLater(begin, interval, count),
        intervalsLater(begin, interval, count + 1),
      ]
      if (isOfTrial && isBegun(periodStart, paidAt)) paid = { periodStart, periodEnd }
    }
    begin = intervalsLater(begin, interval, cycles)
  }
  return paid
}

/** What PayPal bills after the trials, and has neither collected nor failed to collect, grants nothing. */
export function isTrialOver({ isPastTrial, status, failure }: PaypalSubscription): boolean {
  return isPastTrial && status === 'ACTIVE' && !failure
}

interface Granted {
  before: Pick<SubscriptionRow, 'periodStart' | 'trialEnd'> | undefined
  isTaken(payment: PaypalPayment): boolean
  now: Date
}

/**
 * The trial that an earlier reading has granted, until its end: PayPal bills a revision from the next cycle on, and has forgotten the
 * trial. It does not say what was given back of which plan: that may have been for the trial.
 */
export function grantedTrial(given: PaypalSubscription, { before, isTaken, now }: Granted): Cycle | undefined {
  if (!before?.trialEnd || given.payments.some(isTaken)) return undefined
  if (isTrialOver(given) && before.trialEnd <= now) return undefined
  return { periodStart: before.periodStart, periodEnd: before.trialEnd }
}
