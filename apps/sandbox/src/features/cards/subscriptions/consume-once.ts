import type Stripe from 'stripe'
import { onceAmong } from '../discounts/discounts.writes.ts'
import { emitEvent } from '../events/events.writes.ts'
import type { Call } from '../requests/call.ts'
import { findLocked } from '../store/store.ts'
import { idOf } from '../store/stored.ts'
import { saveSubscription } from './invoice-outcome.ts'

/** The discounts that took something from an invoice. */
export function usedBy({ total_discount_amounts: amounts }: Stripe.Invoice): string[] {
  return (amounts ?? []).flatMap(({ amount, discount }) => (amount > 0 ? [idOf(discount) ?? ''] : []))
}

/** Discounts that count once end with the invoice that used them. */
export async function consumeOnce(call: Call, subscription: string, used: readonly string[]): Promise<void> {
  const once = await onceAmong(call, used)
  if (once.length === 0) return
  const found = await findLocked(call.tx, 'subscription', subscription)
  if (!found) return
  const object = withoutDiscounts(found.object, once)
  await saveSubscription(call, found, { ...found, object })
  for (const discount of once) await emitEvent(call, { type: 'customer.discount.deleted', object: discount })
}

export function withoutDiscounts(
  subscription: Stripe.Subscription,
  ended: readonly Stripe.Discount[],
): Stripe.Subscription {
  const goesOn = (discount: string | { id: string }) => !ended.some(({ id }) => id === idOf(discount))
  return { ...subscription, discounts: subscription.discounts.filter(goesOn) }
}
