import type Stripe from 'stripe'
import { currencyOf } from '../payment-intents/amounts.rules.ts'
import type { Call } from '../requests/call.ts'
import { find } from '../store/store.ts'
import { invalidRequest, noSuch } from '../wire/refusal.ts'
import type { PriceData } from './prices.parameters.ts'
import { newPrice } from './prices.rules.ts'

/** The price of `price_data`, not stored: nobody else can use it. @throws Refusal for an unknown product or another currency */
export async function inlinePrice(call: Call, given: PriceData, currency: string): Promise<Stripe.Price> {
  if (currencyOf(given.currency) !== currency) {
    throw invalidRequest(`The price specified only supports \`${currencyOf(given.currency)}\`, not \`${currency}\`.`, {
      param: 'price_data[currency]',
    })
  }
  if (!(await find(call.tx, 'product', given.product))) {
    throw noSuch('product', given.product, { param: 'price_data[product]' })
  }
  return { ...newPrice(call, { ...given, recurring: null }), active: false }
}
