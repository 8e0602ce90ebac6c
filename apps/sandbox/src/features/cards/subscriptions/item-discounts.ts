import type Stripe from 'stripe'
import { activeDiscounts, type WantedDiscount } from '../discounts/discounts.writes.ts'
import type { Call } from '../requests/call.ts'
import { oneByOne } from '../store/one-by-one.ts'
import type { ItemDiscount } from './change.rules.ts'

/** All discounts of a subscription and its items, stored or wanted. */
export async function itemDiscounts(
  call: Pick<Call, 'tx' | 'now'>,
  { discounts, items }: Pick<Stripe.Subscription, 'discounts' | 'items'>,
  wanted: readonly WantedDiscount[],
): Promise<ItemDiscount[]> {
  const unsaved = wanted.filter(({ coupon }) => coupon !== undefined)
  const of = async (ids: readonly (string | { id: string })[], item: string | null) => {
    const names = ids.map((id) => (typeof id === 'string' ? id : id.id))
    const known = unsaved.filter(({ id }) => names.includes(id))
    return [...known, ...(await activeDiscounts(call, ids))].map((discount) => ({ ...discount, item }))
  }
  const own = await oneByOne(items.data, (item) => of(item.discounts, item.id))
  return [...own.flat(), ...(await of(discounts, null))]
}
