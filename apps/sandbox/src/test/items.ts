import Stripe from 'stripe'
import type { Debit } from '../features/cards/store/billing-hidden.ts'
import { amountOf, planOf } from '../features/cards/subscriptions/items.rules.ts'

export const start = Date.parse('2027-01-31T12:00:00Z') / 1000
export const end = start + 28 * 86_400

function priceOf(amount: number): Stripe.Price {
  return {
    id: `price_${amount}`,
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: start,
    currency: 'usd',
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: {},
    nickname: null,
    product: 'prod_1',
    recurring: { interval: 'month', interval_count: 1, meter: null, trial_period_days: null, usage_type: 'licensed' },
    tax_behavior: 'exclusive',
    tiers_mode: null,
    transform_quantity: null,
    type: 'recurring',
    unit_amount: amount,
    unit_amount_decimal: Stripe.Decimal.from(amount),
  }
}

/** An item that is charged for a period; a February's by default. */
export function itemOf(
  id: string,
  amount: number,
  { quantity = 1, period = { start, end } }: { quantity?: number; period?: { start: number; end: number } } = {},
): Stripe.SubscriptionItem {
  const price = priceOf(amount)
  return {
    id,
    object: 'subscription_item',
    billing_thresholds: null,
    created: start,
    current_period_end: period.end,
    current_period_start: period.start,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(price),
    price,
    quantity,
    subscription: 'sub_1',
    tax_rates: [],
  }
}

/** What the first invoice charged for an item. */
export function debitOf(item: Stripe.SubscriptionItem, amount = amountOf(item)): Debit {
  const { id, price, quantity = 1, current_period_start, current_period_end } = item
  const period = { start: current_period_start, end: current_period_end }
  return { item: id, amount, ...period, price: price.id, quantity, invoiceItem: null, invoice: 'in_1', line: 'il_1' }
}
