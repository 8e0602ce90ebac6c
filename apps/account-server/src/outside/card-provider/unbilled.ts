import type Stripe from 'stripe'
import type { PaidBefore } from './added-lines.ts'
import { minorUnits } from './minor-units.ts'
import { continues } from './moved-subscriptions.ts'
import { dateOf } from './open-invoices.ts'
import { paidShareIn } from './paid-share.ts'
import { monthsOf, paidFromIn, termStart } from './paid-term.ts'
import { taxBehaviorOf } from './prices.ts'

/** An item of a subscription whose new Owner was not charged yet: the one before has paid for it until then. */
export interface UnbilledItem
  extends Pick<PaidBefore, 'priceId' | 'productId' | 'quantity' | 'currency' | 'taxBehavior' | 'taxCode'> {
  /** Of one for a whole term, in minor units. */
  unitAmount: number
  /** What share of that was paid, in millionths: less than all of it after a discount. */
  paidShare: number
  /** The term that was paid; it ends with the first charge. */
  termStart: Date
  termEnd: Date
  /** What a change charges for what becomes of it, in minor units. */
  charged: number
  /** Whether the provider credits it: then the new Owner has paid for it in the meantime. */
  isCredited: boolean
}

/** Before its product was read. */
type Unbilled = Omit<UnbilledItem, 'taxCode'>

/**
 * What was paid before the first charge of a subscription that continues another customer's. The provider knows no debit for it, and
 * so credits nothing (https://docs.stripe.com/billing/subscriptions/prorations, "Credit prorations").
 * @param invoice of a change, with the subscription expanded
 * @returns nothing after the first charge
 */
export function unbilledItems({ parent, lines }: Stripe.Invoice): Unbilled[] {
  const subscription = parent?.subscription_details?.subscription
  if (typeof subscription !== 'object' || subscription.metadata[continues] === undefined) return []
  const { billing_cycle_anchor: anchor, items, metadata } = subscription
  // A charge begins a period that ends later.
  if (items.data.some(({ current_period_end: end }) => end > anchor)) return []
  return items.data.flatMap((item) => unbilledFrom(item, { anchor, lines: lines.data, metadata }) ?? [])
}

interface Billing {
  /** Epoch seconds of the first charge. */
  anchor: number
  lines: readonly Stripe.InvoiceLineItem[]
  /** Of the subscription. */
  metadata: Stripe.Metadata
}

function unbilledFrom(
  { id, price, quantity = 1 }: Stripe.SubscriptionItem,
  { anchor, lines, metadata }: Billing,
): Unbilled | undefined {
  const { unit_amount: unitAmount, product } = price
  if (unitAmount === null || monthsOf(price) === undefined) return undefined
  const own = lines.filter(({ parent }) => parent?.subscription_item_details?.subscription_item === id)
  const charged = own.reduce((sum, { amount }) => sum + Math.max(0, amount), 0)
  const currency = price.currency.toUpperCase()
  const begin = termStart({ price, end: anchor, begins: paidFromIn(metadata) })
  return {
    ...{ priceId: price.id, productId: typeof product === 'string' ? product : product.id, quantity, currency },
    ...{ termStart: dateOf(begin), termEnd: dateOf(anchor), paidShare: paidShareIn(metadata, price.id) },
    unitAmount: minorUnits(unitAmount, currency),
    charged: minorUnits(charged, currency),
    isCredited: own.some(({ amount }) => amount < 0),
    taxBehavior: taxBehaviorOf(price),
  }
}
