import type Stripe from 'stripe'
import { z } from 'zod'
import { refuseUnredeemable } from '../coupons/coupons.rules.ts'
import { emitEvent } from '../events/events.writes.ts'
import type { Applied } from '../money/lines.rules.ts'
import type { Call } from '../requests/call.ts'
import type { Reduction } from '../store/billing-hidden.ts'
import { oneByOne } from '../store/one-by-one.ts'
import { find, findLocked, save } from '../store/store.ts'
import { idOf, type StoredOf } from '../store/stored.ts'
import { epochSeconds, newId } from '../wire/ids.rules.ts'
import { list, text, unsettable } from '../wire/parameters.rules.ts'
import { invalidRequest, noSuch } from '../wire/refusal.ts'

/** `discounts` of a request: coupons to redeem, and discounts that stay. */
export const discountList = unsettable(list(z.strictObject({ coupon: text().optional(), discount: text().optional() })))

type GivenDiscounts = z.output<typeof discountList>

interface Holder {
  customer: string
  subscription: string
  /** What the subscription is paid in. */
  currency: string
}

/**
 * Redeems the coupons that a request names.
 * @returns the ids of all its discounts, also of those that stay
 * @throws Refusal for an unknown, expired or used up coupon, or one of another currency
 */
export function redeem(call: Call, given: GivenDiscounts, holder: Holder): Promise<string[]> {
  return oneByOne(given ?? [], ({ coupon, discount }) => {
    if ((coupon === undefined) === (discount === undefined)) {
      throw invalidRequest('Each entry of `discounts` names one of `coupon` and `discount`.', { param: 'discounts' })
    }
    return coupon === undefined ? stayingDiscount(call, discount ?? '') : redeemCoupon(call, coupon, holder)
  })
}

async function stayingDiscount(call: Call, id: string): Promise<string> {
  if (!(await find(call.tx, 'discount', id))) throw noSuch('discount', id, { param: 'discounts[0][discount]' })
  return id
}

function reductionOf({ object, hidden }: StoredOf<'coupon'>): Reduction {
  return { percentOff: object.percent_off, amountOff: object.amount_off, products: hidden.products }
}

/** Locks the coupon: of two concurrent redemptions of the last one, the second is refused. */
async function redeemCoupon(call: Call, coupon: string, holder: Holder): Promise<string> {
  const found = await findLocked(call.tx, 'coupon', coupon)
  if (!found) throw noSuch('coupon', coupon, { param: 'discounts[0][coupon]' })
  const { customer, subscription, currency } = holder
  const now = epochSeconds(call.now)
  refuseUnredeemable(found.object, currency, now)
  const redeemed: Stripe.Coupon = { ...found.object, times_redeemed: found.object.times_redeemed + 1 }
  await save(call.tx, { ...found, object: redeemed })

  const object: Stripe.Discount = {
    id: newId('di_'),
    object: 'discount',
    checkout_session: null,
    customer,
    customer_account: null,
    end: null,
    invoice: null,
    invoice_item: null,
    promotion_code: null,
    source: { coupon, type: 'coupon' },
    start: now,
    subscription,
    subscription_item: null,
  }
  await save(call.tx, { kind: 'discount', object, hidden: { ...reductionOf(found), duration: redeemed.duration } })
  await emitEvent(call, { type: 'customer.discount.created', object })
  return object.id
}

/** The stored discounts of a list. */
export async function storedDiscounts(
  call: Pick<Call, 'tx'>,
  ids: readonly (string | { id: string })[],
): Promise<Applied[]> {
  const found = await oneByOne(ids, (reference) => find(call.tx, 'discount', idOf(reference) ?? ''))
  return found.flatMap((one) => (one ? [{ ...one.hidden, id: one.object.id }] : []))
}

/** Which of these discounts are used up by one invoice. */
export async function onceAmong(call: Call, ids: readonly string[]): Promise<Stripe.Discount[]> {
  const found = await oneByOne(ids, (id) => find(call.tx, 'discount', id))
  return found.flatMap((discount) => (discount?.hidden.duration === 'once' ? [discount.object] : []))
}
