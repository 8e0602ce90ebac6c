import type { SubscriptionStatus } from '@atrium/contract/subscriptions.ts'
import { monthsLater } from '../../db/calendar.rules.ts'
import type { Interval } from '../../outside/paypal/plans.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import { paidCycle } from './billing-cycle.rules.ts'
import type { KnownPrice } from './known-price.ts'
import { nextPlanOf, waitingPlan } from './next-plan.rules.ts'
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

/** What a change that was paid here has made of the subscription, before PayPal has it. */
type Granted = Pick<
  SubscriptionRow,
  'productCode' | 'userCount' | 'storageCapacity' | 'connectors' | 'term' | 'price' | 'currency' | 'providerItems'
>

type Before = Granted &
  Pick<
    SubscriptionRow,
    | 'status'
    | 'cancelAt'
    | 'pastDueSince'
    | 'periodStart'
    | 'periodEnd'
    | 'endedAt'
    | 'pendingPlanId'
    | 'pendingQuantity'
  > &
  Partial<Pick<SubscriptionRow, 'nextPlan'>>

interface Facts {
  price: KnownPrice
  before: Before | undefined
  /** The customer has just turned auto-renewal off here. */
  isTurnedOff?: boolean
  now: Date
}

/**
 * PayPal's subscription as a row. PayPal knows no period: it ends at the next billing; once PayPal drops that, with a suspension or
 * a cancellation, the stored end counts. The price is for a whole term, before tax.
 */
export function paypalProjectionOf(given: PaypalSubscription, facts: Facts): Projection & Granted {
  const { price, before, isTurnedOff = false, now } = facts
  const period = periodOf(given, before)
  const standing = standingOf(given, { before, isTurnedOff, periodEnd: period.periodEnd, now })
  const { status, cancelAt } = standing
  const isPastDue = status === 'past_due'
  const { failure } = given
  const pending = pendingOf(given, before, period.periodEnd)
  const billed = billedByPaypal(given, price)
  const kept = keptInPeriod(given, before, period.periodEnd)

  return {
    ...standing,
    ...period,
    ...pending,
    nextPlan: nextPlan({
      ...{ before, isPending: pending.pendingPlanId !== null },
      billed: kept && { ...billed, planId: given.planId },
    }),
    ...(kept ?? billed),
    autoRenew: cancelAt === null && status !== 'canceled',
    trialEnd: given.isTrial ? given.nextBillingAt : null,
    pastDueSince: isPastDue
      ? (before?.pastDueSince ?? failure?.at ?? given.changedAt)
      : unpaidSince(given, status, before),
    createdAt: given.createdAt,
    commitmentEnd: null,
    dueAmount: isPastDue ? (failure?.amount ?? null) : null,
    dueUrl: '',
    nextAttemptAt: isPastDue ? (failure?.nextAttemptAt ?? null) : null,
    needsConfirmation: false,
    isRenewing: false,
  }
}

/** The plan and quantity that PayPal bills. */
export function billedByPaypal(given: PaypalSubscription, price: KnownPrice): Granted {
  const { id, planId, amount, quantity, currency, hasTaxOnTop } = given
  const { productCode, term, isStorage, isConnector } = price
  return {
    ...{ productCode, term },
    userCount: isStorage ? 1 : quantity,
    price: amount === null ? null : amount * quantity,
    currency: currency === '' ? null : currency,
    storageCapacity: isStorage ? quantity : 0,
    connectors: isConnector ? quantity : 0,
    // What it costs with a tax is not computed here: it cannot be changed here either.
    providerItems: [
      { id, priceId: planId, productCode, isConnector: false, quantity, amount: hasTaxOnTop ? null : amount },
    ],
  }
}

/**
 * What the row says until the period ends, if PayPal has another plan or quantity: PayPal bills a revision from the next cycle on, and
 * knows nothing of what was bought here for the rest of this one.
 */
function keptInPeriod(
  { planId, quantity }: PaypalSubscription,
  before: Before | undefined,
  periodEnd: Date | null,
): Granted | undefined {
  const [item] = before?.providerItems ?? []
  if (!before || !item || before.periodEnd?.getTime() !== periodEnd?.getTime()) return undefined
  if (item.priceId === planId && item.quantity === quantity) return undefined
  const { productCode, userCount, storageCapacity, connectors, term, price, currency, providerItems } = before
  return { productCode, userCount, storageCapacity, connectors, term, price, currency, providerItems }
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

interface Standing {
  status: SubscriptionStatus
  cancelAt: Date | null
  endedAt: Date | null
}

interface StandingFacts extends Required<Pick<Facts, 'before' | 'isTurnedOff' | 'now'>> {
  periodEnd: Date | null
}

/** A cancellation is final at PayPal; the customer has paid until the end of the period. */
function standingOf(given: PaypalSubscription, facts: StandingFacts): Standing {
  const { status, failure, isTrial, changedAt, nextBillingAt } = given
  const { before, isTurnedOff, periodEnd, now } = facts
  const goesOn = (as: SubscriptionStatus) => ({ status: as, cancelAt: null, endedAt: null })
  if (status === 'ACTIVE') {
    if (failure) return goesOn('past_due')
    // The last cycle of a plan with an end: nothing is billed next.
    if (!nextBillingAt && !isTrial && periodEnd) return { status: 'active', cancelAt: periodEnd, endedAt: periodEnd }
    return goesOn(isTrial ? 'trialing' : 'active')
  }
  // Suspended by Atrium: auto-renewal is off. PayPal itself suspends after failed payments.
  if (status === 'SUSPENDED') {
    const cancelAt = before?.cancelAt ?? (isTurnedOff ? periodEnd : null)
    return cancelAt ? { status: 'active', cancelAt, endedAt: null } : goesOn('past_due')
  }
  if (status !== 'CANCELLED' && status !== 'EXPIRED') return goesOn('pending')
  const isPaid = status === 'CANCELLED' && !failure && !isStillDue(given, before)
  if (isPaid && periodEnd && periodEnd > now) return { status: 'active', cancelAt: periodEnd, endedAt: periodEnd }
  return {
    status: 'canceled',
    cancelAt: before?.cancelAt ?? null,
    endedAt: before?.endedAt ?? endOf(periodEnd, changedAt, now),
  }
}

/** PayPal forgets a failed payment with the cancellation; what was due then is paid if something was paid since. */
function isStillDue({ lastPaidAt }: PaypalSubscription, before: Before | undefined): boolean {
  if (before?.status !== 'past_due') return false
  return lastPaidAt === null || before.pastDueSince === null || lastPaidAt < before.pastDueSince
}

/** What ended unpaid keeps the day since when: it is why it ended. */
function unpaidSince(given: PaypalSubscription, status: SubscriptionStatus, before: Before | undefined): Date | null {
  const isUnpaid = before?.status === 'canceled' || isStillDue(given, before)
  return status === 'canceled' && isUnpaid ? (before?.pastDueSince ?? null) : null
}

/** What ran out ended with its period; what was not paid, when it was canceled. */
function endOf(periodEnd: Date | null, changedAt: Date, now: Date): Date {
  return periodEnd && periodEnd <= now ? periodEnd : changedAt
}

function periodOf(
  given: PaypalSubscription,
  before: Before | undefined,
): Pick<Projection, 'periodStart' | 'periodEnd'> {
  const { nextBillingAt, interval, startsAt, lastPaidAt, isTrial } = given
  if (nextBillingAt) {
    const begin = interval && !isTrial ? oneEarlier(nextBillingAt, interval) : startsAt
    const periodStart = continued(before, {
      periodStart: begin < startsAt ? startsAt : begin,
      periodEnd: nextBillingAt,
    })
    return { periodStart, periodEnd: nextBillingAt }
  }
  const paid = lastPaidAt ? paidCycle(given, lastPaidAt, before?.periodEnd ?? null) : undefined
  // A period was paid that was not read while PayPal still said when it bills next.
  if (before?.periodEnd && paid && paid.periodStart >= before.periodEnd) return paid
  if (before) return { periodStart: before.periodStart, periodEnd: before.periodEnd }
  if (paid) return paid
  return { periodStart: startsAt, periodEnd: given.changedAt }
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
  if (before.periodEnd.getTime() === period.periodEnd.getTime()) return before.periodStart
  const between = Math.abs(before.periodEnd.getTime() - period.periodStart.getTime())
  return between <= mostDaysBetween * dayMs ? before.periodEnd : period.periodStart
}

/** A date one interval earlier; months end at their last day. */
function oneEarlier(date: Date, { unit, count }: Interval): Date {
  const many = -count
  if (unit === 'DAY' || unit === 'WEEK') return new Date(date.getTime() + many * (unit === 'WEEK' ? 7 : 1) * dayMs)
  return monthsLater(date, unit === 'YEAR' ? many * 12 : many)
}
