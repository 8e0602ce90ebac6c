import type Stripe from 'stripe'
import { newInvoiceItem, type StoredItem } from '../invoice-items/items.rules.ts'
import { currencyOf } from '../payment-intents/amounts.rules.ts'
import { inlinePrice } from '../prices/inline-price.ts'
import type { PriceData } from '../prices/prices.parameters.ts'
import type { Call } from '../requests/call.ts'
import { oneByOne } from '../store/one-by-one.ts'
import { productName } from '../subscriptions/bill.ts'
import { usablePrice } from '../subscriptions/items.writes.ts'
import { epochSeconds } from '../wire/ids.rules.ts'
import { mergedMetadata } from '../wire/parameters.rules.ts'
import { invalidRequest } from '../wire/refusal.ts'

/** An invoice item as a request describes it. */
interface GivenItem {
  amount?: number | undefined
  currency?: string | undefined
  description?: string | null | undefined
  discountable?: boolean | undefined
  metadata?: Parameters<typeof mergedMetadata>[1]
  period?: { start: number; end: number } | undefined
  price?: string | undefined
  price_data?: PriceData | undefined
  quantity?: number | undefined
  tax_behavior?: string | undefined
  tax_code?: string | undefined
  unit_amount?: number | undefined
}

interface Holder {
  customer: string
  currency: string
  subscription: { id: string } | null
  /** The list in the request, for the sentence of a refusal; missing for a request about one item. */
  list?: string
}

/** Invoice items of a request, not stored. @throws Refusal for one without an amount, or of another currency */
export function itemsFrom(call: Call, entries: readonly GivenItem[], holder: Holder): Promise<StoredItem[]> {
  return oneByOne(entries, (entry) => itemFrom(call, entry, holder))
}

/** @throws Refusal, as above */
export async function itemFrom(call: Call, entry: GivenItem, holder: Holder): Promise<StoredItem> {
  const { customer, currency, subscription, list } = holder
  const nameOf = (name: string) => (list === undefined ? name : `${list}[0][${name}]`)
  const now = epochSeconds(call.now)
  const price = await priceOf(call, entry, currency)
  const quantity = entry.quantity ?? 1
  const unit = price?.unit_amount ?? entry.unit_amount
  if (unit === undefined && entry.amount === undefined) {
    const param = nameOf('amount')
    throw invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  }
  if (entry.currency !== undefined && currencyOf(entry.currency) !== currency) {
    throw invalidRequest('The currency of the invoice item must match the currency of the invoice.', {
      param: nameOf('currency'),
    })
  }
  const amount = entry.amount ?? (unit ?? 0) * quantity
  return newInvoiceItem({
    customer,
    amount,
    currency,
    description: entry.description ?? (price ? await productName(call, { price }) : null),
    period: entry.period ?? { start: now, end: now },
    price,
    quantity,
    taxBehavior: entry.tax_behavior ?? price?.tax_behavior ?? null,
    taxCode: entry.tax_code,
    metadata: mergedMetadata({}, entry.metadata),
    now,
    discountable: entry.discountable ?? amount >= 0,
    subscription,
  })
}

async function priceOf(
  call: Call,
  { price: id, price_data: data }: GivenItem,
  currency: string,
): Promise<Stripe.Price | null> {
  if (data) return inlinePrice(call, data, currency)
  return id === undefined ? null : usablePrice(call, id, { type: 'one_time', currency })
}
