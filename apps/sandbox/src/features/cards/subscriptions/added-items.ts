import type Stripe from 'stripe'
import { newInvoiceItem, type StoredItem } from '../invoice-items/items.rules.ts'
import { oneByOne } from '../store/one-by-one.ts'
import { idOf } from '../store/stored.ts'
import type { Call } from '../wire/call.ts'
import { epochSeconds } from '../wire/ids.rules.ts'
import { productName } from './bill.ts'
import { usablePrice } from './items.writes.ts'
import type { AddedItem } from './subscriptions.parameters.ts'

/** The invoice items of `add_invoice_items`, not stored. */
export async function addedItems(
  call: Call,
  { id, customer, currency }: Stripe.Subscription,
  given: readonly AddedItem[],
): Promise<StoredItem[]> {
  const now = epochSeconds(call.now)
  return oneByOne(given, async (entry) => {
    const price = await usablePrice(call, entry.price, { type: 'one_time', currency })
    const quantity = entry.quantity ?? 1
    return newInvoiceItem({
      customer: idOf(customer) ?? '',
      amount: (price.unit_amount ?? 0) * quantity,
      currency,
      description: await productName(call, { price }),
      period: { start: now, end: now },
      price,
      quantity,
      taxBehavior: price.tax_behavior,
      metadata: entry.metadata ?? {},
      now,
      discounts: [],
      discountable: entry.discountable ?? true,
      subscription: { id },
    })
  })
}
