import type { BilledSubscription } from '../../outside/card-provider/subscriptions.ts'
import type { KnownPrice } from './known-price.ts'
import type { SubscriptionRow } from './subscriptions.tables.ts'

/** By price id; complete for the subscription's items. */
type Prices = ReadonlyMap<string, KnownPrice>

/** The items with what is known of their prices. */
export function withKnown({ items }: Pick<BilledSubscription, 'items'>, prices: Prices) {
  return items.map((item) => ({ ...item, known: prices.get(item.priceId) }))
}

/** What is subscribed to. */
export function mainOf(items: ReturnType<typeof withKnown>) {
  return items.find(({ known }) => known && !known.isConnector) ?? items[0]
}

/** The largest number that the column takes. */
const mostSeats = 2_147_483_647

/**
 * Whether so many of what is subscribed to can have been sold: only the vendor's key says how many, but none is a mistake. As long as it
 * is not corrected, nothing is granted.
 */
export function hasSoldQuantity(billed: Pick<BilledSubscription, 'items'>, prices: Prices): boolean {
  const items = withKnown(billed, prices)
  const isCountable = items.reduce((sum, { quantity }) => sum + quantity, 0) <= mostSeats
  return isCountable && (mainOf(items)?.quantity ?? 1) >= 1
}

interface PricedItem {
  quantity: number
  /** Of one, in minor units; null: unknown. */
  amount: number | null
  known: KnownPrice | undefined
}

/** What all items cost for a term of what is subscribed to: one may be billed more often than another. Null: unknown. */
export function priceOfTerm(items: readonly PricedItem[], { term }: Pick<KnownPrice, 'term'>): number | null {
  const costs = items.map(({ amount, quantity, known }) => {
    const times = term && known?.term ? monthsBilled(term) / monthsBilled(known.term) : 1
    return amount === null ? null : Math.round(amount * quantity * times)
  })
  return costs.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0)
}

/** Months that are billed at once. */
function monthsBilled(term: NonNullable<KnownPrice['term']>): number {
  return term === 'yearly' ? 12 : 1
}

type CountedItem = ReturnType<typeof withKnown>[number]

/** What is granted. @param main undefined: so many of it cannot have been sold */
export function soldCounts(
  main: CountedItem | undefined,
  connectors: readonly CountedItem[],
): Pick<SubscriptionRow, 'userCount' | 'storageCapacity' | 'connectors'> {
  if (!main) return { userCount: 0, storageCapacity: 0, connectors: 0 }
  const isStorage = main.known?.isStorage === true
  return {
    userCount: isStorage ? 1 : main.quantity,
    storageCapacity: isStorage ? main.quantity : 0,
    connectors: connectors.reduce((sum, { quantity }) => sum + quantity, 0),
  }
}
