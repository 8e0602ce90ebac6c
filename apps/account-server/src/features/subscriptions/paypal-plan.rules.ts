import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import type { KnownPrice } from './known-price.ts'
import type { PaidFacts, StoredPaid } from './paypal-facts.rules.ts'
import { isLessThanPlan } from './paypal-measured.rules.ts'
import type { PaidPlan } from './paypal-payments.tables.ts'
import { isPriceOfBuyer } from './paypal-price.rules.ts'

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

/** The columns that a payment has bought. */
export function planOf(row: PaidPlan): PaidPlan {
  const { productCode, userCount, storageCapacity, connectors, term, price, currency, providerItems } = row
  return { productCode, userCount, storageCapacity, connectors, term, price, currency, providerItems }
}

/** The plan and quantity that PayPal has. A price of the buyer's own is not stored: what is, counts as paid for when it is billed again. */
export function billedNow(
  given: PaypalSubscription,
  facts: Pick<PaidFacts, 'listPrice' | 'isAccepted' | 'price'>,
): PaidPlan {
  return billedByPaypal(isPriceOfBuyer(given, facts) ? { ...given, amount: null } : given, facts.price)
}

/** What a file has brought says how many of what for how much, and not of which plan: of the one that PayPal has, if that costs the same. */
export function planPaidBefore(
  before: StoredPaid,
  given: PaypalSubscription,
  { price }: Pick<PaidFacts, 'price'>,
): PaidPlan {
  const plan = planOf(before)
  const soldSeats = price.isConnector ? plan.connectors : plan.userCount
  const quantity = price.isStorage ? plan.storageCapacity : soldSeats
  const isOfNow = plan.productCode === price.productCode && plan.term === price.term
  const isSame = isOfNow && given.amount !== null && given.amount * quantity === plan.price
  if (plan.providerItems.length > 0 || !isSame) return plan
  return { ...plan, providerItems: billedByPaypal({ ...given, quantity }, price).providerItems }
}
