import { type SeatType, seatTypes } from '@atrium/contract/seat-types.ts'
import { maxConnectors, type Subscription, type SubscriptionStatus } from '@atrium/contract/subscriptions.ts'
import type { products } from '../catalog/catalog.tables.ts'
import { isInRenewalWindow, renewedTerm } from './renewal/renewal-window.rules.ts'
import type { SubscriptionRow } from './subscriptions.tables.ts'

type Product = Pick<typeof products.$inferSelect, 'flags' | 'prices' | 'cap' | 'upgrades'>

export interface FlagFacts {
  row: SubscriptionRow
  product: Product
  role: SeatType
  status: SubscriptionStatus
  /** Seats that count against the product's cap. */
  countOfCap: number
  now: Date
}

type Flags = Pick<
  Subscription,
  | 'autoRenewal'
  | 'hideResume'
  | 'subscriptionUpgrade'
  | 'purchaseAdditionalSubscription'
  | 'switchToAnnualBilling'
  | 'isSupportBuyConnector'
  | 'isNeedBindPooling'
  | 'manualRenew'
  | 'paypalRenewConfirm'
>

/** What may be done with a subscription; all of it is the Owner's alone, and the server checks again when it is done. */
export function subscriptionFlags(facts: FlagFacts): Flags {
  const { row, product, status } = facts
  const isOpen = isBilled(row) && status === 'active' && facts.role === seatTypes.owner
  // A change would collide with the end, or with the open invoice.
  const isRunning = isOpen && row.cancelAt === null && !isPrepaid(row)
  const isChangeable = isRunning && isChargeable(row) && isBetweenRenewals(facts)
  const isAtCard = isChangeable && row.channel === 'card'
  const has = (flag: Product['flags'][number]) => product.flags.includes(flag)

  return {
    autoRenewal: flag(row.autoRenew && row.cancelAt === null && !hasEnded(status)),
    hideResume: flag(
      !isBilled(row) ||
        isPrepaid(row) ||
        hasEnded(status) ||
        row.endedAt !== null ||
        isStrangersPaypal(row) ||
        (status === 'pending' && !isBilledOn(row)),
    ),
    subscriptionUpgrade: flag(isChangeable && product.upgrades.length > 0),
    purchaseAdditionalSubscription: flag(isChangeable && facts.countOfCap < product.cap.cap && isSold(facts, row.term)),
    switchToAnnualBilling: flag(isChangeable && isMonthly(row) && isSold(facts, 'yearly')),
    // PayPal bills one plan a subscription: connectors would be another one.
    isSupportBuyConnector: flag(isAtCard && has('connectable') && row.connectors < maxConnectors),
    isNeedBindPooling: flag(isRunning && has('envelopeSharing') && !row.isPooled),
    manualRenew: flag(isOpen && isRenewable(facts)),
    // PayPal revises only what renews.
    paypalRenewConfirm: flag(isOpen && isConfirmable(row)),
  }
}

/**
 * Whether its provider can charge a change of it now. Who bought through a partner pays there, and sees no prices here; without the
 * provider's object there is nothing to change, and a trial charges nothing before its end.
 */
function isChargeable({ providerId, isPriceHidden, isProviderTrial }: SubscriptionRow): boolean {
  return providerId !== null && !isPriceHidden && !isProviderTrial
}

/**
 * Whether its period is paid, and longer than an hour. In the last hour an upgrade costs next to nothing, and would be there in the
 * days of retries. Of a period that is not paid nothing can be credited, and a provider that gets the payment of a change then forgets the
 * period's.
 */
function isBetweenRenewals({ row: { isRenewing, periodEnd }, now }: FlagFacts): boolean {
  return !isRenewing && (periodEnd === null || periodEnd.getTime() - now.getTime() > hourMs)
}

const hourMs = 3_600_000

/**
 * Turned off, and paid by a PayPal account that only an address says is the member's: turned on, it would be charged to somebody else.
 */
function isStrangersPaypal({ channel, proof, cancelAt }: SubscriptionRow): boolean {
  return channel === 'paypal' && proof === 'address' && cancelAt !== null
}

/**
 * Whether PayPal goes on to bill what is pending: it begins later, or its last payment was not made, or waits. A quantity that is none is
 * corrected there, and what the card provider's state means is not known here.
 */
function isBilledOn({ channel, userCount }: SubscriptionRow): boolean {
  return channel === 'paypal' && userCount > 0
}

/** Now and from the next period on, as far as the customer has decided. */
function isMonthly({ term, nextPlan }: SubscriptionRow): boolean {
  const isYearNext = nextPlan?.term === 'yearly' && nextPlan.when !== 'unconfirmed'
  return term === 'monthly' && !isYearNext
}

/** Whether a change at PayPal waits for the customer's confirmation, and can be confirmed now. */
export function isConfirmable({ channel, pendingPlanId, cancelAt }: SubscriptionRow): boolean {
  return channel === 'paypal' && pendingPlanId !== null && cancelAt === null
}

export function isPrepaid({ term }: Pick<SubscriptionRow, 'term'>): boolean {
  return term === 'paid_monthly' || term === 'paid_yearly'
}

/** Whether it is paid through a provider: not given, not offline, not by the vendor's invoice. */
function isBilled({ origin, channel }: Pick<SubscriptionRow, 'origin' | 'channel'>): boolean {
  return origin === 'online' && channel !== 'invoice'
}

/** Whether it begins later: nothing is paid before. */
export function isUnbegun(
  { currentStatus, periodStart }: { currentStatus: SubscriptionStatus; periodStart: Date },
  now: Date,
): boolean {
  return currentStatus === 'pending' && periodStart > now
}

export function hasEnded(status: SubscriptionStatus): boolean {
  return status === 'canceled' || status === 'prepayment-expired'
}

function isSold({ row, product }: FlagFacts, term: SubscriptionRow['term']): boolean {
  return product.prices.some((price) => price.term === term && price.currency === row.currency)
}

/** A prepaid term is renewed by card, as long as a year of it is sold. */
function isRenewable(facts: FlagFacts): boolean {
  const { row, now } = facts
  if (!isPrepaid(row) || row.isPriceHidden || row.channel !== 'card' || row.providerId !== null) return false
  if (row.isOtherCurrency) return false
  return isInRenewalWindow(row.periodEnd, now) && isSold(facts, renewedTerm)
}

function flag(holds: boolean): 0 | 1 {
  return holds ? 1 : 0
}

/** Whether it has ended because a payment was not received. */
export function hasEndedUnpaid({
  status,
  pastDueSince,
  cancelAt,
}: Pick<SubscriptionRow, 'status' | 'pastDueSince' | 'cancelAt'>): boolean {
  return status === 'canceled' && pastDueSince !== null && cancelAt === null
}

export function isInUse({ status }: Pick<SubscriptionRow, 'status'>): boolean {
  return status === 'active' || status === 'trialing'
}

/** A provider may also stop what is paid. */
export function isDue({ status, dueAmount }: Pick<SubscriptionRow, 'status' | 'dueAmount'>): boolean {
  return status === 'past_due' && dueAmount !== null
}

/** Whether something was due of which the Owner was not told yet that it is settled: an older invoice may have been open. */
export function wasDue(before: Pick<SubscriptionRow, 'status' | 'dueAmount' | 'pastDueSince'>): boolean {
  return isDue(before) || (isInUse(before) && before.pastDueSince !== null)
}
