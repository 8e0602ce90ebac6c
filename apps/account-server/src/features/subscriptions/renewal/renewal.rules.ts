import { isDeepStrictEqual } from 'node:util'
import type { PlanState } from '@atrium/contract/change-quotes.ts'
import type { SubscriptionStatus } from '@atrium/contract/subscriptions.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { monthsLater } from '../../../db/calendar.rules.ts'
import type { ChangeFacts, PlannedChange } from '../plan-change/plan-change.rules.ts'
import { isPrepaid } from '../subscription-flags.rules.ts'
import type { ListedSubscription } from '../subscription-list.queries.ts'
import type { SubscriptionRow } from '../subscriptions.tables.ts'
import type { Extended, Renewal } from './renewal.input.ts'
import { isInRenewalWindow, renewedTerm } from './renewal-window.rules.ts'

interface RenewalFacts extends Pick<ChangeFacts, 'listed' | 'products' | 'prices'> {
  now: Date
}

/**
 * The renewal of a prepaid term: a year at the prices of now, for what it has.
 * @throws Problem `change_not_possible` for another subscription, outside of the window, or if a year is not sold
 */
export function plannedRenewal(facts: RenewalFacts): PlannedChange {
  const { listed } = facts
  if (listed.isOtherCurrency) throw new Problem('other_currency')
  if (!isRenewable(facts)) throw new Problem('change_not_possible')
  const { term, productCode, connectors } = listed
  const main = { ...soldYear(facts, productCode), quantity: unitsOf(listed) }
  const others = connectors > 0 ? [{ ...soldYear(facts, connectorOf(facts)), quantity: connectors }] : []
  const items = [main, ...others]
  const price = items.reduce((sum, { amount, quantity }) => sum + amount * quantity, 0)
  const state = (paidType: PlanState['paidType'], of: number): PlanState => ({
    ...{ appCode: productCode, appName: listed.product.name, paidType, price: of },
    ...{ userCount: listed.userCount, storageCapacity: listed.storageCapacity, esignConnectors: connectors },
  })
  return {
    items: items.map(({ priceId, quantity }) => ({ priceId, quantity })),
    before: state(term ?? renewedTerm, listed.price ?? price),
    after: state(renewedTerm, price),
    bought: { productCode, priceId: main.priceId },
    unitPrice: main.amount,
    units: main.quantity,
    maxIncrease: 0,
    upgrades: [],
  }
}

function isRenewable({ listed, now }: RenewalFacts): boolean {
  return isOurs(listed) && isLive(listed.currentStatus) && isInRenewalWindow(listed.periodEnd, now)
}

type Payable = Pick<SubscriptionRow, 'origin' | 'channel' | 'providerId' | 'term' | 'isPriceHidden'>

/** Online, paid by card at a price that is shown, and nothing at the provider renews it: its end is ours. */
function isOurs(row: Payable): boolean {
  const { origin, channel, providerId, isPriceHidden } = row
  return origin === 'online' && channel === 'card' && providerId === null && isPrepaid(row) && !isPriceHidden
}

/** Not canceled; it may have expired. */
function isLive(status: SubscriptionStatus): boolean {
  return status === 'active' || status === 'prepayment-expired'
}

function soldYear({ listed, prices }: RenewalFacts, code: string) {
  const price = prices.find(
    (one) => one.productCode === code && one.term === renewedTerm && one.currency === listed.currency,
  )
  if (!price || price.amount === null) throw new Problem('change_not_possible')
  return { priceId: price.id, amount: price.amount }
}

function unitsOf({ product, storageCapacity, userCount }: ListedSubscription): number {
  return product.flags.includes('storage') ? storageCapacity : userCount
}

function connectorOf({ products }: RenewalFacts): string {
  return products.find(({ flags }) => flags.includes('connector'))?.code ?? ''
}

type Quantities = Pick<SubscriptionRow, 'productCode' | 'userCount' | 'storageCapacity' | 'connectors'>
type Renewed = Quantities & Pick<SubscriptionRow, 'price'>

interface Paid {
  /** Who pays. */
  memberId: string
  input: Pick<Renewal, 'paidFor' | 'endsBefore' | 'periodStart' | 'currency'>
}

/** Whether a subscription is what its renewal pays for: a file may have changed it since the renewal was begun. */
export function isAsPaid(
  row: Quantities & Payable & Canceled & Pick<SubscriptionRow, 'memberId' | 'periodEnd' | 'currency' | 'status'>,
  { memberId, input: { paidFor, endsBefore, periodStart, currency } }: Paid,
): boolean {
  if (!isOurs(row) || !isLive(row.status) || row.currency !== currency) return false
  if (endsBefore && isCanceledSince(row, { endsBefore, periodStart })) return false
  if (!paidFor) return true
  const { productCode, userCount, storageCapacity, connectors, periodEnd } = row
  const isSameTime = periodEnd?.getTime() === periodStart.getTime()
  const isSame = isDeepStrictEqual({ productCode, userCount, storageCapacity, connectors }, paidFor)
  return isSameTime && isSame && row.memberId === memberId
}

type Canceled = Pick<SubscriptionRow, 'cancelAt' | 'endedAt'>

/** Whether a file has told it not to renew, or to end before its time, without another status. One that runs out has ended then. */
function isCanceledSince(
  { cancelAt, endedAt }: Canceled,
  { endsBefore, periodStart }: { endsBefore: Canceled; periodStart: Date },
): boolean {
  const isToldNow = cancelAt !== null && cancelAt.getTime() !== endsBefore.cancelAt?.getTime()
  const isEndedNow = endedAt !== null && endedAt.getTime() !== endsBefore.endedAt?.getTime()
  return isToldNow || (isEndedNow && endedAt < periodStart)
}

/** What there is once a renewal is paid: what it pays for, and what a file has brought beside that, which is nothing to take away. */
export function renewedQuantities(
  row: Renewed & Pick<SubscriptionRow, 'term' | 'currency'>,
  { paidFor, price, currency }: Pick<Renewal, 'paidFor' | 'price' | 'currency'>,
): Renewed {
  const isSamePrice = isPrepaid(row) && row.currency === currency
  if (!paidFor) return { ...row, price: isSamePrice ? price : row.price }
  // A file's product stays: the quantities of another are not those of this one.
  if (paidFor.productCode !== row.productCode) return row
  const quantities = {
    userCount: Math.max(row.userCount, paidFor.userCount),
    storageCapacity: Math.max(row.storageCapacity, paidFor.storageCapacity),
    connectors: Math.max(row.connectors, paidFor.connectors),
  }
  const isAll = isDeepStrictEqual({ productCode: row.productCode, ...quantities }, paidFor)
  return { productCode: row.productCode, ...quantities, price: isAll && isSamePrice ? price : row.price }
}

type Ended = Pick<SubscriptionRow, 'status' | 'term' | 'autoRenew' | 'periodEnd' | 'cancelAt' | 'endedAt'>

/**
 * The term and its end once a renewal is paid: a year more than by now. A term that is no longer prepaid stays, and so does one that a file
 * has made endless. What a file has ended is active again, since the year was paid for.
 */
export function renewedTime(row: Ended, { periodStart }: Pick<Renewal, 'periodStart'>): Ended {
  const { status, periodEnd, cancelAt, endedAt } = row
  const isOpen = status === 'active' || status === 'offline-purchase' || status === 'given'
  const end = periodEnd ?? cancelAt
  const isEndless = isOpen && end === null && endedAt === null
  const { term, autoRenew } = isPrepaid(row) && !isEndless ? { term: renewedTerm, autoRenew: false } : row
  return {
    ...{ status: isOpen ? status : 'active', term, autoRenew, cancelAt: null, endedAt: null },
    periodEnd: isEndless ? null : yearLater(end ?? periodStart),
  }
}

/** The year that a renewal pays: it follows the end of now, also if that has passed. */
export function renewedPeriod({ periodEnd }: Pick<ListedSubscription, 'periodEnd'>): {
  periodStart: Date
  periodEnd: Date
} {
  if (periodEnd === null) throw new Problem('change_not_possible')
  return { periodStart: periodEnd, periodEnd: yearLater(periodEnd) }
}

/** The ends that renewals can have left, of whose years some are gone, and some have come back: a file has brought any other. */
export function endsOfRenewals(ends: readonly Date[], { gone, back }: { gone: number; back: number }): number[] {
  const years = Array.from({ length: gone + back + 1 }, (_, count) => back - count)
  return ends.flatMap((end) => years.map((count) => monthsLater(end, 12 * count).getTime()))
}

type Change = Record<'before' | 'after', Extended>

/** Without the year of a renewal: all that it has changed, or, with a later one on top, the year alone. */
export function withoutRenewal(row: Extended, { before, after }: Change): Extended {
  return changedLike(row, { from: after, to: before, months: -12 })
}

/** With the year of a renewal that was taken back before. What has run out meanwhile goes on. */
export function withRenewal(row: Extended, { before, after }: Change): Extended {
  const { status, endedAt } = row.status === 'prepayment-expired' ? after : row
  return changedLike({ ...row, status, endedAt }, { from: before, to: after, months: 12 })
}

interface Step {
  from: Extended
  to: Extended
  /** By how much its end moves, if it is not the one from which it did. */
  months: number
}

/** What has changed otherwise since stays. */
function changedLike(row: Extended, { from, to, months }: Step): Extended {
  const { periodEnd: end } = row
  if (end?.getTime() !== from.periodEnd?.getTime()) return { ...row, periodEnd: end && monthsLater(end, months) }
  const isAsBefore = (name: keyof Extended) => isDeepStrictEqual(row[name], from[name])
  return {
    ...{ userCount: isAsBefore('userCount') ? to.userCount : row.userCount },
    ...{ storageCapacity: isAsBefore('storageCapacity') ? to.storageCapacity : row.storageCapacity },
    ...{ connectors: isAsBefore('connectors') ? to.connectors : row.connectors },
    ...{ price: isAsBefore('price') ? to.price : row.price },
    ...{ status: isAsBefore('status') ? to.status : row.status },
    ...{ term: isAsBefore('term') ? to.term : row.term },
    ...{ autoRenew: isAsBefore('autoRenew') ? to.autoRenew : row.autoRenew },
    ...{ cancelAt: isAsBefore('cancelAt') ? to.cancelAt : row.cancelAt },
    ...{ endedAt: isAsBefore('endedAt') ? to.endedAt : row.endedAt },
    periodEnd: to.periodEnd,
  }
}

function yearLater(date: Date): Date {
  return monthsLater(date, 12)
}
