import type Stripe from 'stripe'
import { newInvoiceItem, type StoredItem } from '../invoice-items/items.rules.ts'
import type { Period } from '../money/proration.rules.ts'
import { inlinePrice } from '../prices/inline-price.ts'
import type { Call } from '../requests/call.ts'
import { oneByOne } from '../store/one-by-one.ts'
import { save } from '../store/store.ts'
import { idOf } from '../store/stored.ts'
import { epochSeconds } from '../wire/ids.rules.ts'
import { invalidRequest } from '../wire/refusal.ts'
import { productName } from './bill.ts'
import { usablePrice } from './items.writes.ts'
import type { AddedItem, PeriodBoundary } from './subscriptions.parameters.ts'

/** The invoice items of `add_invoice_items`, not stored. */
export async function addedItems(
  call: Call,
  { id, customer, currency, items }: Stripe.Subscription,
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
      period: periodOf(entry, items.data, now),
      price,
      quantity,
      taxBehavior: price.tax_behavior,
      metadata: entry.metadata ?? {},
      now,
      discountable: entry.discountable ?? amount >= 0,
      subscription: { id },
    })
  })
}

/** Left out, the time that all items share. */
function periodOf({ period }: AddedItem, items: readonly Stripe.SubscriptionItem[], now: number): Period {
  const shared = {
    start: Math.max(...items.map(({ current_period_start: start }) => start)),
    end: Math.min(...items.map(({ current_period_end: end }) => end)),
  }
  const moments = { max_item_period_start: shared.start, min_item_period_end: shared.end, now }
  const moment = ({ type, timestamp }: PeriodBoundary) => (type === 'timestamp' ? timestamp : moments[type])
  const [start, end] = [
    moment(period?.start ?? { type: 'max_item_period_start' }),
    moment(period?.end ?? { type: 'min_item_period_end' }),
  ]
  if (start === undefined || end === undefined || end < start) {
    throw invalidRequest('The period of an invoice item must end after it starts.', {
      param: 'add_invoice_items[0][period]',
    })
  }
  return { start, end }
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
