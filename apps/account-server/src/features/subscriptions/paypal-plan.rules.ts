import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import type { KnownPrice } from './known-price.ts'
import { isLessThanPlan } from './paypal-measured.rules.ts'
import type { PaidPlan } from './paypal-payments.tables.ts'

/** A number that the database takes; null: it is too large. */
export function storable(amount: number): number | null {
  return Number.isSafeInteger(amount) ? amount : null
}

/** The plan and quantity that PayPal bills. */
export function billedByPaypal(given: PaypalSubscription, price: KnownPrice): PaidPlan {
  const { id, planId, amount, currency, interval, taxOnTop, isOverridden, besidePrice } = given
  // What has no quantity that can be sold is not granted.
  const quantity = given.quantity ?? 1
  const { productCode, term, isStorage, isConnector } = price
  return {
    ...{ productCode, term },
    userCount: isStorage ? 1 : quantity,
    price: amount === null ? null : storable(amount * quantity),
    currency: currency === '' ? null : currency,
    storageCapacity: isStorage ? quantity : 0,
    connectors: isConnector ? quantity : 0,
    // What it costs with a tax is not computed here: it cannot be changed here either.
    providerItems: [
      {
        id,
        priceId: planId,
        productCode,
        isConnector: false,
        quantity,
        amount: taxOnTop > 0 || amount === null ? null : storable(amount),
        ...(isOverridden && amount !== null && !isLessThanPlan(given) && { isMeasured: true, besidePrice }),
        ...(interval && { interval }),
      },
    ],
  }
}
