import type { PaypalPayment } from '../../outside/paypal/subscription-payments.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import { type Cycle, intervalsLater } from './billing-cycle.rules.ts'
import type { PaidFacts } from './paypal-facts.rules.ts'
import type { PaidPlan } from './paypal-payments.tables.ts'
import type { SubscriptionRow } from './subscriptions.tables.ts'

const dayMs = 86_400_000

export interface Trial extends Cycle {
  /** The last payment that was for it; missing: it is free. */
  paidBy?: PaypalPayment
  /** What it is of. */
  plan: PaidPlan
}

interface TrialFacts extends Pick<PaidFacts, 'trial' | 'decided' | 'takenBack' | 'isFurther' | 'before' | 'now'> {
  /** The payments that were kept. */
  kept: readonly PaypalPayment[]
}

/**
 * The cycle of a trial that ends last, also one that is over: of what costs something those that were paid, whatever became of others; of what
 * is free those of the trial with which it began, unless its member has had another, as long as PayPal goes on.
 */
export function begunTrial(given: PaypalSubscription, facts: TrialFacts): Trial | undefined {
  const { trial, kept, isFurther } = facts
  // It ends with its setup fee, if that is given back.
  if (trial?.feePaidBy && !kept.some(({ id }) => id === trial.feePaidBy)) return undefined
  const paid = paidTrials(facts)
  const free = isFurther ? [] : freeTrials(given, { ...facts, paid })
  const [last] = [...paid, ...free].toSorted((one, other) => Number(other.periodEnd) - Number(one.periodEnd))
  return last && { ...last, periodEnd: asBilled(last.periodEnd, given, facts) }
}

function paidTrials({ kept, decided }: TrialFacts): Trial[] {
  return kept.flatMap((payment) => {
    const { purpose, plan = null, periodStart = null, periodEnd = null } = decided.get(payment.id) ?? {}
    return purpose === 'trial' && plan && periodStart && periodEnd
      ? [{ periodStart, periodEnd, plan, paidBy: payment }]
      : []
  })
}

/** One that follows a cycle that costs something comes with that. Anything else that was given back has ended it, as what was billed in it. */
function freeTrials(
  given: PaypalSubscription,
  { trial, paid, decided, takenBack, before: row, now }: TrialFacts & { paid: readonly Trial[] },
): Trial[] {
  const isTaken = (one: PaypalPayment) => one.state === 'given_back' || takenBack.has(one.id)
  if (!trial || trial.isOpen || given.payments.some((one) => isTaken(one) && decided.get(one.id)?.purpose !== 'trial'))
    return []
  const until = goesOnUntil(given, { before: row, now })
  const free: Trial[] = []
  let periodStart = trial.startsAt
  let before: Trial | undefined = { periodStart, periodEnd: periodStart, plan: trial.plan }
  for (const { endsAt, amount } of trial.cycles) {
    const periodEnd = new Date(endsAt)
    if (amount > 0) before = paid.find((one) => isDayOf(one.periodEnd, periodEnd) && isOfPlan(one, trial))
    else if (before && hasBegun(periodStart, until)) free.push({ ...before, periodStart, periodEnd })
    periodStart = periodEnd
  }
  return free
}

/** What was paid for a cycle of another plan, to which it is revised, has nothing free to follow. */
function isOfPlan({ plan }: Trial, trial: { plan: PaidPlan }): boolean {
  return plan.providerItems[0]?.priceId === trial.plan.providerItems[0]?.priceId
}

/** Until when cycles begin: what has ended does not begin again with a cancellation. */
function goesOnUntil(
  { status, changedAt }: PaypalSubscription,
  { before, now }: Pick<TrialFacts, 'before' | 'now'>,
): Date {
  if (status === 'ACTIVE') return now
  const ended = before?.status === 'canceled' && before.periodEnd
  return ended && ended < changedAt ? new Date(ended.getTime() - dayMs) : changedAt
}

/** Clocks differ. */
function hasBegun(periodStart: Date, until: Date): boolean {
  return periodStart.getTime() - sameMomentMs <= until.getTime()
}

const sameMomentMs = 3_600_000

/** PayPal bills at its own time of that day, and forgets it with a cancellation. */
function asBilled(end: Date, { nextBillingAt }: PaypalSubscription, { before }: Pick<TrialFacts, 'before'>): Date {
  return [nextBillingAt, before?.trialEnd].find((billed) => billed && isDayOf(billed, end)) ?? end
}

function isDayOf(one: Date, other: Date): boolean {
  return Math.abs(one.getTime() - other.getTime()) <= dayMs
}

interface Fee extends Pick<TrialFacts, 'kept' | 'decided'> {
  /** Minor units, before tax. */
  setupFee: number
  planId: string | undefined
  /** Of its trial, and what each costs for one. */
  cycles: readonly { periodEnd: Date; amount: number }[]
  /** Whether a payment is as much as so many minor units. */
  isAsMuch(payment: PaypalPayment, price: number): boolean
}

/** What has paid the setup fee: a payment of its own, or, if that had failed, one of a cycle of the trial. Undefined: none has. */
export function feePayment({ setupFee, planId, cycles, kept, decided, isAsMuch }: Fee): PaypalPayment | undefined {
  const isOwn = [...decided.values()].some(({ purpose }) => purpose === 'fee')
  if (isOwn) return kept.find((one) => decided.get(one.id)?.purpose === 'fee' && isAsMuch(one, setupFee))
  return kept.find((payment) => {
    const { purpose, plan, periodEnd } = decided.get(payment.id) ?? {}
    const [item] = plan?.providerItems ?? []
    if (purpose !== 'trial' || !item || item.priceId !== planId || !periodEnd) return false
    const cycle = cycles.find((one) => isDayOf(one.periodEnd, periodEnd))
    return cycle !== undefined && isAsMuch(payment, cycle.amount * item.quantity + setupFee)
  })
}

interface Further extends Pick<TrialFacts, 'trial' | 'isFurther' | 'now'> {
  /** What of the trial is granted. */
  begun: Trial | undefined
}

/** When a further trial ends that goes on, free, after all that is granted of it; undefined: it does not, or not yet. */
export function unpaidEnd(
  { nextBillingAt }: PaypalSubscription,
  { trial, begun, isFurther, now }: Further,
): Date | undefined {
  if (!isFurther || !trial || trial.isOpen || (begun && begun.periodEnd > now)) return undefined
  const granted = begun ? begun.periodEnd.getTime() + dayMs : 0
  const [next, ...later] = trial.cycles.filter(({ endsAt }) => Date.parse(endsAt) > granted)
  // What costs something is billed then, as what follows the trial.
  if (!next || next.amount > 0) return undefined
  const paid = later.findIndex(({ amount }) => amount > 0)
  const last = [next, ...later.slice(0, paid < 0 ? undefined : paid)].at(-1) ?? next
  const end = new Date(last.endsAt)
  return end > now ? (nextBillingAt ?? end) : end
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
export function paidTrialCycle({ paidAt, quantity, costs, ...given }: PaidTrial): Cycle | undefined {
  const { periodStart, periodEnd } =
    trialCycles(given).findLast(
      (cycle) => cycle.amount > 0 && costs(cycle.amount * (quantity ?? 1)) && isBegun(cycle.periodStart, paidAt),
    ) ?? {}
  return periodStart && periodEnd && { periodStart, periodEnd }
}

/** The cycles of the trials that PayPal has now, and what one costs in each. */
export function trialCycles({
  trials,
  startsAt,
}: Pick<PaypalSubscription, 'trials' | 'startsAt'>): (Cycle & { amount: number })[] {
  let begin = startsAt
  return trials.flatMap(({ interval, cycles, amount }) => {
    const from = begin
    begin = intervalsLater(from, interval, cycles)
    return Array.from({ length: cycles }, (_, count) => ({
      periodStart: intervalsLater(from, interval, count),
      periodEnd: intervalsLater(from, interval, count + 1),
      amount,
    }))
  })
}

/**
 * Whether it has ended, and goes on at PayPal without a payment that has failed: what is neither collected nor failed grants nothing. PayPal bills
 * some hours late, and does not say which cycles it counts after a revision.
 */
export function isTrialOver(
  { periodEnd }: Cycle,
  { isPastTrial, status, failure }: PaypalSubscription,
  now: Date,
): boolean {
  const lateMs = isPastTrial ? 0 : dayMs
  return status === 'ACTIVE' && !failure && periodEnd.getTime() + lateMs <= now.getTime()
}
