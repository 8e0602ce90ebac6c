import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import { earlyMs, intervalsLater } from './billing-cycle.rules.ts'
import type { KnownPrice } from './known-price.ts'
import { nextPlanOf, waitingPlan } from './next-plan.rules.ts'
import type { PaidBeforeOrders } from './paypal-change/paid-before-orders.queries.ts'
import { planFrom } from './paypal-change/paypal-grant.rules.ts'
import { asMeasured, isLessThanPlan, isStoredOfBuyer } from './paypal-measured.rules.ts'
import { type PaidFacts, type PaidTime, paidTimeOf } from './paypal-paid.rules.ts'
import { pricedAs, retriedOf } from './paypal-retries.rules.ts'
import { isPlanOf, isPriceOfBuyer } from './paypal-revised.rules.ts'
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
    | 'trialEnd'
    | 'endedAt'
    | 'pendingPlanId'
    | 'pendingQuantity'
    | 'paidBy'
  > &
  Partial<Pick<SubscriptionRow, 'nextPlan' | 'trialProduct'>>

interface Facts extends Omit<PaidFacts, 'before'> {
  price: KnownPrice
  before: Before | undefined
  /** The customer has just turned auto-renewal off here. */
  isTurnedOff?: boolean
  /** For so many days PayPal may bill late. */
  lateBillingDays: number
  /** What was paid before orders bought more for the rest of a period. */
  beforeOrders?: PaidBeforeOrders | undefined
}

/**
 * PayPal's subscription as a row. PayPal knows no period: it is the cycle that was paid last. The price is for a whole term, before
 * tax.
 */
export function paypalProjectionOf(asRead: PaypalSubscription, facts: Facts): Projection & Granted {
  const { price, before, isTurnedOff = false } = facts
  const given = asMeasured(asRead, facts)
  const paid = paidTimeOf(given, facts)
  const stated = paypalStandingOf(given, { ...facts, paid, isTurnedOff })
  const period = periodOf(given, { before, paid })
  const unordered = endedOrders(given, { ...facts, ...period, isPastDue: stated.status === 'past_due' })
  const { failure } = given
  const pending = pendingOf(given, before, period.periodEnd)
  // A price of the buyer's own is not stored: what the row says counts as paid for when it is billed again.
  const billed = billedByPaypal(isPriceOfBuyer(given, facts) ? { ...given, amount: null } : given, price)
  const isMeasured = before?.providerItems.some((item) => item.isMeasured) === true
  const isLess = isLessThanPlan(given)
  const isForgotten = !isMeasured && !isLess && isStoredOfBuyer(given, { ...facts, before })
  const stays = keptOf(given, { before, billed, paid, periodEnd: period.periodEnd, isForgotten })
  const { standing, isOfBilled } = retriedOf(given, {
    ...{ standing: stated, paid, now: facts.now },
    before: { price: pricedAs({ ...(stays ?? billed), ...unordered }, given, facts) },
    billed: isLess || given.quantity === null ? undefined : billed,
  })
  const kept = isOfBilled ? undefined : stays
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
    trialProduct: trialProductOf(kept ?? billed, { ...paid, before }),
    createdAt: given.createdAt,
    commitmentEnd: null,
    dueAmount: isPastDue && failure ? storable(failure.amount) : null,
    dueUrl: '',
    nextAttemptAt: isPastDue ? (failure?.nextAttemptAt ?? null) : null,
    needsConfirmation: false,
    isRenewing: false,
  }
}

/** Of which product it has been a trial, whatever it is of by now, and whatever has been paid or given back since. */
function trialProductOf(
  { productCode }: Granted,
  { before, isTrialBegun, isFurther }: Pick<Facts, 'before'> & Pick<PaidTime, 'isTrialBegun' | 'isFurther'>,
): string | null {
  if (before && before.trialProduct != null) return before.trialProduct
  if (before?.trialEnd) return before.productCode
  if (!isTrialBegun) return null
  return isFurther ? '' : productCode
}

interface AfterOrders extends Pick<Facts, 'before' | 'beforeOrders' | 'now'>, Pick<Projection, 'periodEnd'> {
  isPastDue: boolean
}

/**
 * What was bought by order ends with its period: also while the renewal could not be collected, or is held back, as an eCheck is for days,
 * and, unless PayPal is to bill it as well, in the hours in which it is late.
 */
function endedOrders(given: PaypalSubscription, { before, beforeOrders, now, periodEnd, isPastDue }: AfterOrders) {
  if (!before || !beforeOrders || beforeOrders.periodEnd > now) return undefined
  if (periodEnd?.getTime() !== beforeOrders.periodEnd.getTime()) return undefined
  const from = beforeOrders.periodEnd.getTime() - earlyMs
  const isBilled = given.payments.some(({ state, at }) => state === 'unpaid' && at.getTime() > from)
  if (!isPastDue && !isBilled && isPlanOf(before, given)) return undefined
  return { ...planFrom(beforeOrders.plan, before), pendingPlanId: null, pendingQuantity: null }
}

/** A number that the database takes; null: it is too large. */
function storable(amount: number): number | null {
  return Number.isSafeInteger(amount) ? amount : null
}

/** The plan and quantity that PayPal bills. */
export function billedByPaypal(given: PaypalSubscription, price: KnownPrice): Granted {
  const { id, planId, amount, currency, interval, taxOnTop, isOverridden, besidePrice } = given
  // What has no quantity that can be sold is not granted.
  const quantity = given.quantity ?? 1
  const { productCode, term, isStorage, isConnector } = price
  return {
    ...{ productCode, term },
    userCount: isStorage ? 1 : quantity,
    price: amount === null ? null : storable(amount * quantity),
    currency: currency === '' ? null : currency,
    storageCapacity: isStorage ? quantity : 0,
    connectors: isConnector ? quantity : 0,
    // What it costs with a tax is not computed here: it cannot be changed here either.
    providerItems: [
      {
        id,
        priceId: planId,
        productCode,
        isConnector: false,
        quantity,
        amount: taxOnTop > 0 || amount === null ? null : storable(amount),
        ...(isOverridden && amount !== null && !isLessThanPlan(given) && { isMeasured: true, besidePrice }),
        ...(interval && { interval }),
      },
    ],
  }
}

interface Kept {
  before: Before | undefined
  billed: Granted
  paid: PaidTime
  periodEnd: Date | null
  /** The stored price is the buyer's own. */
  isForgotten: boolean
}

/**
 * What the row says until the period ends, if PayPal has another plan or quantity: PayPal bills a revision from the next cycle on, and
 * knows nothing of what was bought here for the rest of this one. What was not paid with the new plan or quantity stays as it was, too.
 */
function keptOf(given: PaypalSubscription, kept: Kept): Granted | undefined {
  const { before, billed, paid, periodEnd, isForgotten } = kept
  if (!before || before.providerItems.length === 0) return undefined
  if (isPlanOf(before, given) && before.price === billed.price) return undefined
  const isPaidBefore = paid.paidBy !== null && paid.paidBy === before.paidBy
  // A trial that is free is of what it began with, until something else is paid.
  const isInTrial = before.trialEnd !== null && paid.trial !== undefined && !paid.trial.paidBy
  // A payment that is new, and for what PayPal has, pays for nothing that the row was granted for another, or without one.
  const isOfNow = paid.isOfBilled || (before.trialEnd === null && paid.trial?.paidBy !== undefined)
  const isPaidAnew = isOfNow && !isPaidBefore
  const isWithin = isPaidBefore || isInTrial || (!isPaidAnew && before.periodEnd?.getTime() === periodEnd?.getTime())
  const isUnpaid = paid.cycle !== undefined && !paid.isOfBilled
  if (!isWithin && !isUnpaid && !paid.withholding) return undefined
  const { productCode, userCount, storageCapacity, connectors, term, currency, providerItems } = before
  const price = isForgotten ? null : before.price
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
  if (before.periodEnd.getTime() === period.periodEnd.getTime()) return before.periodStart
  const between = Math.abs(before.periodEnd.getTime() - period.periodStart.getTime())
  return between <= mostDaysBetween * dayMs ? before.periodEnd : period.periodStart
}
