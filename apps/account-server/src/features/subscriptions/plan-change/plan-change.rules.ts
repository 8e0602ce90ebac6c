import { createHash } from 'node:crypto'
import type { PlanState } from '@atrium/contract/change-quotes.ts'
import { type BillingTerm, maxConnectors, type Subscription } from '@atrium/contract/subscriptions.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { ItemChange } from '../../../outside/card-provider/plan-changes.ts'
import type { products } from '../../catalog/catalog.tables.ts'
import { plannedToken } from '../planned-change.rules.ts'
import type { ListedSubscription } from '../subscription-list.queries.ts'
import type { ProviderItem } from '../subscriptions.tables.ts'
import type { AskedChange } from './change-quotes.tables.ts'
import { type OrderedTerm, orderedTerm, termAhead } from './ordered-term.rules.ts'

type Product = Pick<typeof products.$inferSelect, 'code' | 'name' | 'flags' | 'cap' | 'upgrades'>

/** A price at which something is sold now. */
interface SoldPrice {
  id: string
  productCode: string
  term: BillingTerm | null
  /** Of one, in minor units; null if it is not per unit. */
  amount: number | null
  currency: string
}

export interface ChangeFacts {
  listed: ListedSubscription
  /** As its Owner sees it. */
  record: Subscription
  asked: AskedChange
  /** The vendor's catalog, in the vendor's order. */
  products: readonly Product[]
  /** Of the provider that bills it, sold now. */
  prices: readonly SoldPrice[]
  /** How many seats the member has of each product, in all their subscriptions. */
  seatsByProduct: ReadonlyMap<string, number>
}

/** A change, as the provider is asked for it. */
export interface PlannedChange {
  items: readonly ItemChange[]
  before: PlanState
  after: PlanState
  /** What is new, for which the customer pays. */
  bought: Pick<ProviderItem, 'productCode' | 'priceId'>
  /** Of one more, for a whole term, in minor units. */
  unitPrice: number
  /** How many more there are after it: seats, TB, connectors; of another plan, all of its units. */
  units: number
  maxIncrease: number
  upgrades: readonly { appCode: string; appName: string }[]
  /** At PayPal, what begins with the next period if that is not the state after it. */
  ahead?: OrderedTerm | undefined
}

type PricedItem = ProviderItem & { amount: number }

/**
 * What a change makes of a subscription. Whoever stays with what they have keeps its price; what is
 * new has the price of now.
 * @throws Problem `change_not_possible`, `quantity_exceeded`, `pooling_required`
 */
export function plannedChange(facts: ChangeFacts): PlannedChange {
  const { type } = facts.asked
  if (type === 'buy-more') return moreOfProduct(facts)
  if (type === 'buy-connector') return moreConnectors(facts)
  return type === 'switch-to-annual-billing' ? annualPlan(facts) : upgradedPlan(facts)
}

function moreOfProduct(facts: ChangeFacts): PlannedChange {
  const { listed, record, asked } = facts
  if (record.purchaseAdditionalSubscription === 0) throw new Problem('change_not_possible')
  const { main, connectors } = itemsOf(listed)
  const room = roomFor(listed, main)
  if (asked.increasingNumber > room) throw new Problem('quantity_exceeded')

  const more = { ...main, quantity: main.quantity + asked.increasingNumber }
  return planned(facts, [more, ...connectors], {
    bought: main,
    unitPrice: main.amount,
    units: asked.increasingNumber,
    maxIncrease: room,
  })
}

function moreConnectors(facts: ChangeFacts): PlannedChange {
  const { listed, record, asked, products } = facts
  if (record.isNeedBindPooling === 1) throw new Problem('pooling_required')
  if (record.isSupportBuyConnector === 0) throw new Problem('change_not_possible')
  const room = maxConnectors - listed.connectors
  if (asked.increasingNumber > room) throw new Problem('quantity_exceeded')

  const { main, connectors } = itemsOf(listed)
  const [first, ...others] = connectors
  const code = products.find(({ flags }) => flags.includes('connector'))?.code ?? ''
  const item = first ?? { ...soldItem(facts, { code, term: listed.term }), quantity: 0, isConnector: true }
  const more = { ...item, quantity: item.quantity + asked.increasingNumber }
  const change = { bought: item, unitPrice: item.amount, units: asked.increasingNumber, maxIncrease: room }
  return planned(facts, [main, more, ...others], change)
}

/** Both items in one update: in flexible mode, periods would otherwise differ by item. */
function annualPlan(facts: ChangeFacts): PlannedChange {
  const { listed, record } = facts
  if (record.switchToAnnualBilling === 0) throw new Problem('change_not_possible')
  const { main, connectors } = itemsOf(listed)
  const yearly = (item: PricedItem) => ({
    ...item,
    ...soldItem(facts, { code: item.productCode, term: 'yearly' }),
    id: item.id,
    quantity: item.quantity,
  })
  const year = yearly(main)
  return planned(facts, [year, ...connectors.map(yearly)], {
    bought: year,
    unitPrice: year.amount,
    units: main.quantity,
    maxIncrease: 0,
    term: 'yearly',
  })
}

function upgradedPlan(facts: ChangeFacts): PlannedChange {
  const { listed, record, asked, products, seatsByProduct } = facts
  const { main, connectors } = itemsOf(listed)
  const ways = products.filter(({ code }) => listed.product.upgrades.includes(code) && isSoldAs(facts, code))
  const chosen = asked.upgradeSelect === '' ? ways[0] : ways.find(({ code }) => code === asked.upgradeSelect)
  if (record.subscriptionUpgrade === 0 || !chosen) throw new Problem('change_not_possible')
  const elsewhere = chosen.cap.scope === 'member' ? (seatsByProduct.get(chosen.code) ?? 0) : 0
  if (elsewhere + main.quantity > chosen.cap.cap) throw new Problem('quantity_exceeded')

  const sold = soldItem(facts, { code: chosen.code, term: listed.term })
  const upgraded = { ...sold, id: main.id, quantity: main.quantity, isConnector: false }
  const upgrades = ways.map(({ code: appCode, name: appName }) => ({ appCode, appName }))
  const change = { bought: sold, unitPrice: sold.amount, units: main.quantity, maxIncrease: 0, upgrades }
  return planned(facts, [upgraded, ...connectors], change)
}

/** In the term of now, and in the one that was ordered for the next period. */
function isSoldAs({ listed, prices }: ChangeFacts, code: string): boolean {
  const { term, currency } = listed
  const terms = [term, termAhead(listed) ?? term]
  return terms.every((one) => prices.some((price) => isPriceOf(price, { code, term: one, currency })))
}

function soldItem({ listed, prices }: ChangeFacts, { code, term }: { code: string; term: BillingTerm | null }) {
  const price = prices.find((one) => isPriceOf(one, { code, term, currency: listed.currency }))
  if (!price || price.amount === null) throw new Problem('change_not_possible')
  return { priceId: price.id, productCode: code, amount: price.amount }
}

interface Sold {
  code: string
  term: BillingTerm | null
  currency: string | null
}

function isPriceOf(price: SoldPrice, { code, term, currency }: Sold): boolean {
  return price.productCode === code && price.term === term && price.currency === currency
}

/** @throws Problem `change_not_possible` for one with prices that are not per unit, or that was not read yet */
function itemsOf({ providerItems }: ListedSubscription): { main: PricedItem; connectors: readonly PricedItem[] } {
  const items = providerItems.flatMap((item) => (item.amount === null ? [] : [{ ...item, amount: item.amount }]))
  const main = items.find(({ isConnector }) => !isConnector)
  if (!main || items.length < providerItems.length) throw new Problem('change_not_possible')
  return { main, connectors: items.filter((item) => item !== main) }
}

/** Seats or TB that the product's cap leaves. */
function roomFor({ product, countOfCap, userCount }: ListedSubscription, main: PricedItem): number {
  const { cap, scope } = product.cap
  const elsewhere = scope === 'member' ? countOfCap - userCount : 0
  return Math.max(0, cap - elsewhere - main.quantity)
}

interface Change extends Pick<PlannedChange, 'bought' | 'unitPrice' | 'units' | 'maxIncrease'> {
  term?: BillingTerm
  upgrades?: PlannedChange['upgrades']
}

type WantedItem = Omit<PricedItem, 'id'> & { id?: string }

function planned(facts: ChangeFacts, items: readonly WantedItem[], { term, upgrades = [], ...change }: Change) {
  const { listed } = facts
  const { main, connectors } = itemsOf(listed)
  // A change of the term is itself what begins next.
  const [first = main] = items
  const ahead = term === undefined ? orderedTerm(facts, first) : undefined
  const wanted = items.map(({ id, priceId, quantity }) => ({ ...(id !== undefined && { id }), priceId, quantity }))
  return {
    ...change,
    ...{ upgrades, ahead },
    items: wanted,
    before: stateOf(facts, [main, ...connectors], listed.term),
    after: stateOf(facts, items, term ?? listed.term),
  }
}

function stateOf({ listed, products }: ChangeFacts, items: readonly WantedItem[], term: BillingTerm | null): PlanState {
  const main = items.find(({ isConnector }) => !isConnector)
  if (!main || term === null) throw new Problem('change_not_possible')
  const isStorage = listed.product.flags.includes('storage')
  const name = products.find(({ code }) => code === main.productCode)?.name
  return {
    appCode: main.productCode,
    appName: name ?? listed.product.name,
    paidType: term,
    userCount: isStorage ? 1 : main.quantity,
    storageCapacity: isStorage ? main.quantity : 0,
    esignConnectors: items.reduce((sum, { isConnector, quantity }) => sum + (isConnector ? quantity : 0), 0),
    price: items.reduce((sum, { amount, quantity }) => sum + amount * quantity, 0),
  }
}

/** Another state than when it was quoted makes a quote stale. */
export function versionOf(listed: ListedSubscription): string {
  const { productCode, term, providerItems, currentStatus, autoRenew, cancelAt, periodStart, periodEnd, isPooled } =
    listed
  const planned = plannedToken([listed])
  const facts = {
    ...{ productCode, term, providerItems, currentStatus },
    ...{ autoRenew, cancelAt, periodStart, periodEnd, isPooled, planned },
  }
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url')
}
