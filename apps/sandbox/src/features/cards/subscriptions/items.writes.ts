import type Stripe from 'stripe'
import type { Call } from '../requests/call.ts'
import { find } from '../store/store.ts'
import { idOf } from '../store/stored.ts'
import { invalidRequest, noSuch } from '../wire/refusal.ts'

const mostItems = 20

/** @throws Refusal for a price that does not exist, is not active, or is of the wrong type or currency */
export async function usablePrice(
  call: Call,
  id: string,
  { type, currency }: { type: 'recurring' | 'one_time'; currency?: string | undefined },
): Promise<Stripe.Price> {
  const found = await find(call.tx, 'price', id)
  if (!found) throw noSuch('price', id, { param: 'items[0][price]' })
  const { object } = found
  if (!object.active) {
    throw invalidRequest('The price specified is inactive. This field only accepts active prices.', {
      param: 'items[0][price]',
    })
  }
  if (object.type !== type) {
    throw invalidRequest(
      `The price specified is set to \`type=${object.type}\` but this field only accepts prices with \`type=${type}\`.`,
      { param: 'items[0][price]' },
    )
  }
  if (currency !== undefined && object.currency !== currency) {
    throw invalidRequest(
      `The price specified is in \`${object.currency}\`; everything on one subscription is in the same currency, here \`${currency}\`.`,
      { param: 'items[0][price]' },
    )
  }
  return object
}

/** @throws Refusal for too many items, none, or the same price twice */
export function refuseImpossibleItems(items: readonly Stripe.SubscriptionItem[]): void {
  if (items.length === 0) {
    throw invalidRequest('A subscription must have at least one active plan. To end it, cancel it instead.', {
      param: 'items',
    })
  }
  if (items.length > mostItems) {
    throw invalidRequest(`Subscriptions can have at most ${mostItems} items.`, { param: 'items' })
  }
  if (new Set(items.map(({ price }) => price.id)).size < items.length) {
    throw invalidRequest('Cannot add multiple subscription items with the same price.', { param: 'items' })
  }
}

/** @throws Refusal for a card that is not attached to the customer */
export async function refuseForeignCard(call: Call, paymentMethod: string, customer: string): Promise<void> {
  const found = await find(call.tx, 'payment_method', paymentMethod)
  if (!found) throw noSuch('PaymentMethod', paymentMethod, { param: 'default_payment_method' })
  if (idOf(found.object.customer) === customer) return
  throw invalidRequest(
    `The customer does not have a payment method with the ID ${paymentMethod}. The payment method must be attached to the customer.`,
    { code: 'resource_missing', param: 'default_payment_method' },
  )
}

/** @throws Refusal for another currency than the customer has paid in before */
export function refuseOtherCurrency({ currency: known }: Stripe.Customer, currency: string): void {
  if (!known || known === currency) return
  throw invalidRequest(
    `You cannot combine currencies on a single customer. This customer has had a subscription, coupon, or invoice item with currency ${known}`,
    { param: 'currency' },
  )
}
