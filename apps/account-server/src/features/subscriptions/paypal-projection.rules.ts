import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import { earlyMs, intervalsLater } from './billing-cycle.rules.ts'
import { nextPlanOf, waitingPlan } from './next-plan.rules.ts'
import type { PaidFacts } from './paypal-facts.rules.ts'
import { asMeasured, isLessThanPlan, isStoredOfBuyer } from './paypal-measured.rules.ts'
import { type PaidTime, paidTimeOf } from './paypal-paid.rules.ts'
import type { PaidPlan } from './paypal-payments.tables.ts'
import { billedByPaypal, billedNow, planOf, storable } from './paypal-plan.rules.ts'
import { pricedAs, retriedOf } from './paypal-retries.rules.ts'
import { isPlanOf } from './paypal-revised.rules.ts'
import { paidUntilOf, paypalStandingOf } from './paypal-standing.rules.ts'
import type { Projection } from './projection.rules.ts'
import type { NextPlan, PlanAhead, SubscriptionRow } from './subscriptions.tables.ts'

const knownStatuses = ['APPROVAL_PENDING', 'APPROVED', 'ACTIVE', 'SUSPENDED', 'CANCELLED', 'EXPIRED']

/** Whether the customer has not approved it yet, or nothing was paid: it is not listed. */
export function isUnapproved({ status }: Pick<PaypalSubscription, 'status'>): boolean {
  return status === 'APPROVAL_PENDING' || status === 'APPROVED'
}

export function isKnownPaypalStatus({ status }: Pick<PaypalSubscription, 'status'>): boolean {
  return knownStatuses.includes(status)
}

type Before = NonNullable<PaidFacts['before']> &
  Pick<SubscriptionRow, 'cancelAt' | 'pastDueSince' | 'endedAt' | 'pendingPlanId' | 'pendingQuantity'>

interface Facts extends Omit<PaidFacts, 'before'> {
  before: Before | undefined
  /** The customer has just turned auto-renewal off here. */
  isTurnedOff?: boolean
  /** For so many days PayPal may bill late. */
  lateBillingDays: number
}

/**
 * PayPal's subscription as a row. PayPal knows no period: it is the cycle that was paid last. The price is for a whole term, before
 * tax.
 */
export function paypalProjectionOf(asRead: PaypalSubscription, facts: Facts): Projection & PaidPlan {
  const { price, before, isTurnedOff = false } = facts
  const given = asMeasured(asRead, facts)
  const paid = paidTimeOf(given, facts)
  const stated = paypalStandingOf(given, { ...facts, paid, isTurnedOff })
  const period = periodOf(given, { before, paid })
  const unordered = endedOrders(given, { ...facts, ...period, paid, isPastDue: stated.status === 'past_due' })
  const { failure } = given
  const pending = pendingOf(given, before, period.periodEnd)
  const billed = billedNow(given, facts)
  const isMeasured = before?.providerItems.some((item) => item.isMeasured) === true
  const isLess = isLessThanPlan(given)
  const isForgotten = !isMeasured && !isLess && isStoredOfBuyer(given, { ...facts, before })
  const stays = keptOf(given, { before, billed, paid, isForgotten })
  const { standing, isOfBilled } = retriedOf(given, {
    ...{ standing: stated, paid, now: facts.now },
    before: {
      price: pricedAs(unordered ?? stays ?? billed, given, facts),
      units: unitsOf(unordered ?? stays ?? billed),
    },
    billed: isLess || given.quantity === null ? undefined : { price: billed.price, units: unitsOf(billed) },
    isRevised: before?.providerItems.some(({ priceId }) => priceId !== given.planId) === true,
  })
  const kept = isOfBilled ? withNoMore(given, { stays, billed, price }) : stays
  const { status, cancelAt } = standing
  const isPastDue = status === 'past_due'
  const isPlanAhead = kept && !paid.withholding && !(billed.price === null && isPlanOf(kept, given))

  return {
    ...standing,
    ...period,
    ...pending,
    paidBy: paid.paidBy,
    paidUntil: paidUntilOf(given, { ...facts, paid, isTurnedOff }),
    nextPlan: nextPlan({
      ...{ before, isPending: pending.pendingPlanId !== null },
      billed: isPlanAhead ? { ...billed, planId: given.planId } : undefined,
    }),
    ...(kept ?? billed),
    ...(unordered &&
      !isOfBilled && { ...unordered, nextPlan: isPlanOf(unordered, given) ? null : nextPlanOf(billed, 'certain') }),
    // What the tax or the setup fee was when it was measured last says what its next payment is measured by.
    ...(isLess && before && !kept && isPlanOf(before, given) && { providerItems: before.providerItems }),
    autoRenew: cancelAt === null && status !== 'canceled',
    trialEnd: paid.trial?.periodEnd ?? null,
    trialProduct: trialProductOf({ ...paid, before }),
    createdAt: given.createdAt,
    commitmentEnd: null,
    dueAmount: isPastDue && failure ? storable(failure.amount) : null,
    dueUrl: '',
    nextAttemptAt: isPastDue ? (failure?.nextAttemptAt ?? null) : null,
    needsConfirmation: false,
    isRenewing: false,
  }
}

interface Retried {
  stays: PaidPlan | undefined
  billed: PaidPlan
  price: Facts['price']
}

/** What PayPal retries is there for no more units than were paid. Undefined: all of it. */
function withNoMore(given: PaypalSubscription, { stays, billed, price }: Retried): PaidPlan | undefined {
  const paid = stays ? unitsOf(stays) : 0
  return paid > 0 && paid < unitsOf(billed) ? billedByPaypal({ ...given, quantity: paid }, price) : undefined
}

function unitsOf({ providerItems: [item], storageCapacity, userCount }: PaidPlan): number {
  return item?.quantity ?? (storageCapacity || userCount)
}

/** Of which product it has been a trial, whatever it is of by now, and whatever has been paid or given back since. */
function trialProductOf({
  before,
  triedProduct,
  isFurther,
}: Pick<Facts, 'before'> & Pick<PaidTime, 'triedProduct' | 'isFurther'>): string | null {
  if (before && before.trialProduct != null) return before.trialProduct
  if (before?.trialEnd) return before.productCode
  if (triedProduct === undefined) return null
  return isFurther ? '' : triedProduct
}

interface AfterOrders extends Pick<Facts, 'before' | 'now'>, Pick<Projection, 'periodEnd'> {
  paid: PaidTime
  isPastDue: boolean
}

/**
 * What was bought by order ends with its period: also while the renewal could not be collected, or is held back, as an eCheck is for days,
 * and, unless PayPal is to bill it as well, in the hours in which it is late.
 */
function endedOrders(given: PaypalSubscription, { before, paid, now, periodEnd, isPastDue }: AfterOrders) {
  const { plan } = paid
  if (!before || plan?.price == null || !isPaidBefore(before, paid)) return undefined
  if ((before.price ?? 0) <= plan.price) return undefined
  if (!periodEnd || periodEnd > now || before.periodEnd?.getTime() !== periodEnd.getTime()) {
    return undefined
  }
  const from = periodEnd.getTime() - earlyMs
  const isBilled = given.payments.some(({ state, at }) => state === 'unpaid' && at.getTime() > from)
  if (!isPastDue && !isBilled && isPlanOf(before, given)) return undefined
  return { ...plan, pendingPlanId: null, pendingQuantity: null }
}

/** Whether the row says what the same payment has bought, and orders on top of it. */
function isPaidBefore({ paidBy }: Before, paid: PaidTime): boolean {
  return paid.paidBy !== null && paid.paidBy === paidBy
}

interface Kept {
  before: Before | undefined
  billed: PaidPlan
  paid: PaidTime
  /** The stored price is the buyer's own. */
  isForgotten: boolean
}

/**
 * What the row says until the period ends, if PayPal has another plan or quantity: what its payment was for, and orders have bought on top of
 * that. Undefined: what PayPal has.
 */
function keptOf(given: PaypalSubscription, kept: Kept): PaidPlan | undefined {
  const { before, billed, paid, isForgotten } = kept
  const isOfRow = before !== undefined && before.providerItems.length > 0 && isRowKept(before, kept)
  const plan = isOfRow ? { ...planOf(before), ...(isForgotten && { price: null }) } : paid.plan
  return !plan || (isPlanOf(plan, given) && plan.price === billed.price) ? undefined : plan
}

function isRowKept(before: Before, { paid }: Kept): boolean {
  if (paid.cycle) return isPaidBefore(before, paid)
  if (paid.trial) return false
  // Nothing is granted: what PayPal has is shown, if it is the vendor's.
  return paid.withholding !== undefined && paid.withholding !== 'paid_too_little'
}

interface Next {
  /** What PayPal bills from the next period on; undefined: what the row says now. */
  billed: PlanAhead | undefined
  before: Before | undefined
  isPending: boolean
}

/** What is billed from the next period on; while a change that begins then waits for its approval, that change. */
function nextPlan({ billed, before, isPending }: Next): NextPlan | null {
  const ordered = before?.nextPlan
  if (isPending && ordered?.when === 'confirmed') return waitingPlan(ordered, billed)
  return billed ? nextPlanOf(billed, isPending ? 'unconfirmed' : 'certain') : null
}

/** What waits for the customer's approval: it is over once PayPal has it, and with the period in which it was asked for. */
function pendingOf({ planId, quantity }: PaypalSubscription, before: Before | undefined, periodEnd: Date | null) {
  const { pendingPlanId = null, pendingQuantity = null } = before ?? {}
  const isApproved = pendingPlanId === planId && pendingQuantity === quantity
  const isOver = before?.periodEnd?.getTime() !== periodEnd?.getTime()
  return isApproved || isOver ? { pendingPlanId: null, pendingQuantity: null } : { pendingPlanId, pendingQuantity }
}

/** The cycle that is paid, or the trial; before the start, its moment. Without any of them, what PayPal bills next. */
function periodOf(
  given: PaypalSubscription,
  { before, paid }: Pick<Kept, 'before' | 'paid'>,
): Pick<Projection, 'periodStart' | 'periodEnd'> {
  const { nextBillingAt, interval, startsAt } = given
  if (paid.beginsAt) return { periodStart: paid.beginsAt, periodEnd: paid.beginsAt }
  const cycle = paid.cycle ?? paid.trial
  if (cycle) return { periodStart: continued(before, cycle), periodEnd: cycle.periodEnd }
  if (before) return { periodStart: before.periodStart, periodEnd: before.periodEnd }
  if (!nextBillingAt || !interval) return { periodStart: startsAt, periodEnd: startsAt }
  const begin = intervalsLater(nextBillingAt, interval, -1)
  return { periodStart: begin < startsAt ? startsAt : begin, periodEnd: nextBillingAt }
}

const dayMs = 24 * 3_600_000

/** Of months with 28 to 31 days. */
const mostDaysBetween = 3

/**
 * One interval before the next billing is not always the day of the last one: between March 31 and April 30 there is a month. A
 * period begins where the one before ended.
 */
function continued(before: Before | undefined, period: { periodStart: Date; periodEnd: Date }): Date {
  if (!before?.periodEnd) return period.periodStart
  const isSame = before.periodEnd.getTime() === period.periodEnd.getTime()
  // What was to begin then had no length.
  if (isSame && before.periodStart < before.periodEnd) return before.periodStart
  const between = Math.abs(before.periodEnd.getTime() - period.periodStart.getTime())
  return between <= mostDaysBetween * dayMs ? before.periodEnd : period.periodStart
}
