import Stripe from 'stripe'
import { newId } from '../wire/ids.rules.ts'

interface NewItem {
  subscription: string
  price: Stripe.Price
  quantity: number
  metadata: Stripe.Metadata
  /** Epoch seconds. */
  now: number
}

/** An item whose period is set by whoever adds it. */
export function newItem({ subscription, price, now, ...given }: NewItem): Stripe.SubscriptionItem {
  return {
    id: newId('si_'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: now,
    current_period_end: now,
    current_period_start: now,
    current_trial: null,
    discounts: [],
    plan: planOf(price),
    price,
    subscription,
    tax_rates: [],
    ...given,
  }
}

/** The old form of a price, which items still have. */
export function planOf(price: Stripe.Price): Stripe.Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: Stripe.Decimal.from(price.unit_amount ?? 0),
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  }
}

/** Minor units for a whole period. */
export function amountOf({ price, quantity }: Pick<Stripe.SubscriptionItem, 'price' | 'quantity'>): number {
  return (price.unit_amount ?? 0) * (quantity ?? 1)
}

export function everyOf({ price }: Pick<Stripe.SubscriptionItem, 'price'>) {
  return { interval: price.recurring?.interval ?? 'month', interval_count: price.recurring?.interval_count ?? 1 }
}

export function isSameInterval(one: Stripe.SubscriptionItem, other: Stripe.SubscriptionItem): boolean {
  const [first, second] = [everyOf(one), everyOf(other)]
  return first.interval === second.interval && first.interval_count === second.interval_count
}
