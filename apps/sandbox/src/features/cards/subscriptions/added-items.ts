import type Stripe from 'stripe'
import { newInvoiceItem, type StoredItem } from '../invoice-items/items.rules.ts'
import { inlinePrice } from '../prices/inline-price.ts'
import { oneByOne } from '../store/one-by-one.ts'
import { save } from '../store/store.ts'
import { idOf } from '../store/stored.ts'
import type { Call } from '../wire/call.ts'
import { epochSeconds } from '../wire/ids.rules.ts'
import { invalidRequest } from '../wire/refusal.ts'
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
    const price = await addedPrice(call, entry, currency)
    const quantity = entry.quantity ?? 1
    const amount = (price.unit_amount ?? 0) * quantity
    return newInvoiceItem({
      customer: idOf(customer) ?? '',
      amount,
      currency,
      description: await productName(call, { price }),
      period: { start: now, end: now },
      price,
      quantity,
      taxBehavior: price.tax_behavior,
      metadata: entry.metadata ?? {},
      now,
      discounts: [],
      discountable: entry.discountable ?? amount >= 0,
      subscription: { id },
    })
  })
}

async function addedPrice(
  call: Call,
  { price: id, price_data: data }: AddedItem,
  currency: string,
): Promise<Stripe.Price> {
  if (data) {
    const object = await inlinePrice(call, data, currency)
    await save(call.tx, { kind: 'price', object, hidden: null })
    return object
  }
  if (id !== undefined) return usablePrice(call, id, { type: 'one_time', currency })
  throw invalidRequest('Missing required param: add_invoice_items[0][price].', {
    code: 'parameter_missing',
    param: 'add_invoice_items[0][price]',
  })
}
