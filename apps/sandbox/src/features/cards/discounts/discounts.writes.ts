import type Stripe from 'stripe'
import { z } from 'zod'
import { refuseUnredeemable } from '../coupons/coupons.rules.ts'
import { emitEvent } from '../events/events.writes.ts'
import type { Applied } from '../money/lines.rules.ts'
import { boundary } from '../money/periods.rules.ts'
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

export type GivenDiscounts = z.output<typeof discountList>

/** A discount of a request that is not stored yet. */
export interface WantedDiscount extends Applied {
  /** The coupon that is redeemed; missing for a discount that stays. */
  coupon: StoredOf<'coupon'> | undefined
}

/**
 * The discounts that a request names. Nothing is redeemed yet.
 * @throws Refusal for an unknown, expired or used up coupon, or one of another currency
 */
export async function wantedDiscounts(call: Call, given: GivenDiscounts, currency: string): Promise<WantedDiscount[]> {
  const wanted: WantedDiscount[] = []
  for (const { coupon, discount } of given ?? []) {
    if ((coupon === undefined) === (discount === undefined)) {
      throw invalidRequest('Each entry of `discounts` names one of `coupon` and `discount`.', { param: 'discounts' })
    }
    wanted.push(
      coupon === undefined
        ? { ...(await stayingDiscount(call, discount ?? '')), coupon: undefined }
        : await wantedCoupon(call, coupon, currency),
    )
  }
  return wanted
}

async function wantedCoupon(call: Call, id: string, currency: string): Promise<WantedDiscount> {
  const coupon = await find(call.tx, 'coupon', id)
  if (!coupon) throw noSuch('coupon', id, { param: 'discounts[0][coupon]' })
  refuseUnredeemable(coupon.object, currency, epochSeconds(call.now))
  return { id: newId('di_'), coupon, ...reductionOf(coupon) }
}

async function stayingDiscount(call: Call, id: string): Promise<Applied> {
  const found = await find(call.tx, 'discount', id)
  if (!found) throw noSuch('discount', id, { param: 'discounts[0][discount]' })
  return { ...found.hidden, id }
}

function reductionOf({ object, hidden }: StoredOf<'coupon'>): Reduction {
  return { percentOff: object.percent_off, amountOff: object.amount_off, products: hidden.products }
}

interface Holder {
  customer: string
  subscription?: string
  subscription_item?: string
  invoice?: string
  invoice_item?: string
}

/** Redeems the coupons of a request. @returns the ids of all its discounts, also of those that stay */
export async function redeem(call: Call, wanted: readonly WantedDiscount[], holder: Holder): Promise<string[]> {
  for (const { id, coupon } of wanted) {
    if (coupon) await redeemCoupon(call, { id, coupon: coupon.object.id }, holder)
  }
  return wanted.map(({ id }) => id)
}

/** Locks the coupon: of two concurrent redemptions of the last one, the second is refused. */
async function redeemCoupon(call: Call, { id, coupon }: { id: string; coupon: string }, holder: Holder): Promise<void> {
  const found = await findLocked(call.tx, 'coupon', coupon)
  if (!found) throw noSuch('coupon', coupon, { param: 'discounts[0][coupon]' })
  const now = epochSeconds(call.now)
  refuseUnredeemable(found.object, found.object.currency ?? '', now)
  const redeemed: Stripe.Coupon = { ...found.object, times_redeemed: found.object.times_redeemed + 1 }
  await save(call.tx, { ...found, object: redeemed })

  const months = redeemed.duration_in_months
  const object: Stripe.Discount = {
    id,
    object: 'discount',
    checkout_session: null,
    customer: holder.customer,
    customer_account: null,
    end: months === null ? null : boundary(now, { interval: 'month', interval_count: 1 }, months),
    invoice: holder.invoice ?? null,
    invoice_item: holder.invoice_item ?? null,
    promotion_code: null,
    source: { coupon, type: 'coupon' },
    start: now,
    subscription: holder.subscription ?? null,
    subscription_item: holder.subscription_item ?? null,
  }
  await save(call.tx, { kind: 'discount', object, hidden: { ...reductionOf(found), duration: redeemed.duration } })
  await emitEvent(call, { type: 'customer.discount.created', object })
}

/** The stored discounts of a list that still reduce something now. */
export async function activeDiscounts(
  call: Pick<Call, 'tx' | 'now'>,
  ids: readonly (string | { id: string })[],
): Promise<Applied[]> {
  const now = epochSeconds(call.now)
  const active: Applied[] = []
  for (const reference of ids) {
    const found = await find(call.tx, 'discount', idOf(reference) ?? '')
    if (found && (found.object.end === null || found.object.end > now)) {
      active.push({ ...found.hidden, id: found.object.id })
    }
  }
  return active
}

/** Which of these discounts are used up by one invoice. */
export async function onceAmong(call: Call, ids: readonly string[]): Promise<Stripe.Discount[]> {
  const found = await oneByOne(ids, (id) => find(call.tx, 'discount', id))
  return found.flatMap((discount) => (discount?.hidden.duration === 'once' ? [discount.object] : []))
}
