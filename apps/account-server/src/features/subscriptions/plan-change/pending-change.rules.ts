import type { BilledItem } from '../../../outside/card-provider/billed-item.ts'
import type { BilledSubscription } from '../../../outside/card-provider/subscriptions.ts'
import type { KnownPrice } from '../known-price.ts'
import type { PendingChange } from '../subscriptions.tables.ts'

type Prices = ReadonlyMap<string, KnownPrice>

interface Size {
  main: KnownPrice
  quantity: number
  connectors: number
}

/**
 * A change that was begun at the card provider and waits for its payment, named by what it does first of: another product, annual billing, more
 * seats or storage, more connectors.
 * @param prices complete for the items of before and after
 * @returns null if none waits, or nothing is open to be paid
 */
export function pendingChangeOf(billed: BilledSubscription, prices: Prices): PendingChange | null {
  const { pendingChange: pending, openInvoice } = billed
  if (!pending || pending.isOurs || !openInvoice) return null
  const before = sizeOf(billed.items, prices)
  const after = pending.items.length === 0 ? before : sizeOf(pending.items, prices)
  const currency = billed.items[0]?.currency
  if (!before || !after || currency === undefined) return null
  return {
    ...kindOf(before, after),
    isStorage: after.main.isStorage ? 1 : 0,
    productCode: after.main.productCode,
    chargeAmount: openInvoice.amount,
    currency,
    invoiceId: pending.invoiceId,
    expiresAt: pending.expiresAt.toISOString(),
  }
}

function kindOf(before: Size, after: Size): Pick<PendingChange, 'type' | 'increasedNumber'> {
  const [units, connectors] = [after.quantity - before.quantity, after.connectors - before.connectors]
  if (after.main.productCode !== before.main.productCode)
    return { type: 'switch-to-business-billing', increasedNumber: 0 }
  if (after.main.term !== before.main.term) {
    return { type: after.main.term === 'yearly' ? 'switch-to-annual-billing' : 'other', increasedNumber: 0 }
  }
  if (units > 0) return { type: 'buy-more', increasedNumber: units }
  if (units === 0 && connectors > 0) return { type: 'buy-connector', increasedNumber: connectors }
  return { type: 'other', increasedNumber: 0 }
}

function sizeOf(items: readonly BilledItem[], prices: Prices): Size | undefined {
  const known = items.flatMap(({ priceId, quantity }) => {
    const price = prices.get(priceId)
    return price ? [{ price, quantity }] : []
  })
  const main = known.find(({ price }) => !price.isConnector) ?? known[0]
  if (!main) return undefined
  const connectors = known.filter((item) => item !== main && item.price.isConnector)
  return {
    main: main.price,
    quantity: main.quantity,
    connectors: connectors.reduce((sum, { quantity }) => sum + quantity, 0),
  }
}
