import type { PlanState } from '@atrium/contract/change-quotes.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { monthsLater } from '../../../db/calendar.rules.ts'
import type { ChangeFacts, PlannedChange } from '../plan-change/plan-change.rules.ts'
import { isPrepaid } from '../subscription-flags.rules.ts'
import type { ListedSubscription } from '../subscription-list.queries.ts'
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

/** Online, paid by card, and nothing at the provider renews it: its end is ours. */
function isRenewable({ listed, now }: RenewalFacts): boolean {
  const { origin, channel, providerId, currentStatus, periodEnd, isPriceHidden } = listed
  const isOurs = origin === 'online' && channel === 'card' && providerId === null && isPrepaid(listed)
  const isLive = currentStatus === 'active' || currentStatus === 'prepayment-expired'
  return isOurs && isLive && !isPriceHidden && isInRenewalWindow(periodEnd, now)
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

/** The year that a renewal pays: it follows the end of now, also if that has passed. */
export function renewedPeriod({ periodEnd }: Pick<ListedSubscription, 'periodEnd'>): {
  periodStart: Date
  periodEnd: Date
} {
  if (periodEnd === null) throw new Problem('change_not_possible')
  return { periodStart: periodEnd, periodEnd: yearLater(periodEnd) }
}

export function yearLater(date: Date): Date {
  return monthsLater(date, 12)
}
