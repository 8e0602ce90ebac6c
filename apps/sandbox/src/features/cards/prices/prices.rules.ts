import Stripe from 'stripe'
import { currencyOf } from '../payment-intents/amounts.rules.ts'
import type { Call } from '../requests/call.ts'
import { epochSeconds, newId } from '../wire/ids.rules.ts'

interface Given {
  currency: string
  product: string
  unit_amount: number
  tax_behavior?: Stripe.Price.TaxBehavior | undefined
  recurring: Pick<Stripe.Price.Recurring, 'interval' | 'interval_count' | 'usage_type'> | null
}

/** An active price per unit. */
export function newPrice({ now }: Pick<Call, 'now'>, given: Given): Stripe.Price {
  const { recurring, product, unit_amount } = given
  return {
    id: newId('price_'),
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: epochSeconds(now),
    currency: currencyOf(given.currency),
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: {},
    nickname: null,
    product,
    recurring: recurring && { ...recurring, meter: null, trial_period_days: null },
    tax_behavior: given.tax_behavior ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: recurring ? 'recurring' : 'one_time',
    unit_amount,
    unit_amount_decimal: Stripe.Decimal.from(unit_amount),
  }
}
