import type Stripe from 'stripe'
import { z } from 'zod'
import { shownCoupon } from '../coupons/coupons.rules.ts'
import { emitEvent } from '../events/events.writes.ts'
import { currencyOf } from '../payment-intents/amounts.rules.ts'
import type { Api } from '../requests/api.ts'
import type { Call } from '../requests/call.ts'
import { serveResource } from '../requests/resource.ts'
import { byCreated } from '../store/filters.ts'
import { find, findLocked, isDeleted, markDeleted, save } from '../store/store.ts'
import { epochSeconds, randomText } from '../wire/ids.rules.ts'
import {
  integer,
  list,
  mergedMetadata,
  metadata,
  moment,
  objectId,
  oneOf,
  percent,
  text,
} from '../wire/parameters.rules.ts'
import { invalidRequest, noSuch } from '../wire/refusal.ts'

const made = {
  id: objectId().optional(),
  amount_off: integer({ least: 1, most: 99_999_999 }).optional(),
  applies_to: z.strictObject({ products: list(text()) }).optional(),
  currency: text(3).optional(),
  duration: oneOf(['forever', 'once']).default('once'),
  max_redemptions: integer({ least: 1 }).optional(),
  metadata: metadata.optional(),
  name: text(40).optional(),
  percent_off: percent().optional(),
  redeem_by: moment().optional(),
}

type Made = z.output<z.ZodObject<typeof made>>

export function couponsApi(api: Api): void {
  api.serve({ method: 'POST', path: '/coupons', takes: made, run: createCoupon })

  serveResource(api, {
    kind: 'coupon',
    path: '/coupons',
    param: 'coupon',
    filters: { created: byCreated },
    shown: async ({ now }, coupons) => coupons.map((coupon) => shownCoupon(coupon, epochSeconds(now))),
    async remove(call, id) {
      const found = await findLocked(call.tx, 'coupon', id)
      if (!found) throw noSuch('coupon', id, { param: 'coupon', status: 404 })
      await markDeleted(call.tx, id)
      await emitEvent(call, { type: 'coupon.deleted', object: found.object })
    },
  })
}

async function createCoupon(call: Call, given: Made): Promise<Stripe.Coupon> {
  refuseContradiction(given)
  const id = given.id ?? randomText(8)
  if ((await find(call.tx, 'coupon', id)) || (await isDeleted(call.tx, 'coupon', id))) {
    throw invalidRequest('Coupon already exists.', { code: 'resource_already_exists', param: 'id' })
  }
  const products = given.applies_to?.products ?? null
  for (const product of products ?? []) {
    if (!(await find(call.tx, 'product', product))) {
      throw noSuch('product', product, { param: 'applies_to[products]' })
    }
  }
  const object: Stripe.Coupon = {
    id,
    object: 'coupon',
    amount_off: given.amount_off ?? null,
    created: epochSeconds(call.now),
    currency: given.currency === undefined ? null : currencyOf(given.currency),
    duration: given.duration,
    duration_in_months: null,
    livemode: false,
    max_redemptions: given.max_redemptions ?? null,
    metadata: mergedMetadata({}, given.metadata),
    name: given.name ?? null,
    percent_off: given.percent_off ?? null,
    redeem_by: given.redeem_by ?? null,
    times_redeemed: 0,
    valid: true,
  }
  await save(call.tx, { kind: 'coupon', object, hidden: { products } })
  await emitEvent(call, { type: 'coupon.created', object })
  return object
}

/** @throws Refusal for parameters that exclude or require each other */
function refuseContradiction({ amount_off, currency, percent_off }: Made): void {
  if ((amount_off === undefined) === (percent_off === undefined)) {
    throw invalidRequest('You must pass one of `percent_off` and `amount_off`.', { param: 'percent_off' })
  }
  if (amount_off !== undefined && currency === undefined) {
    throw invalidRequest('You must pass `currency` when passing `amount_off`', {
      code: 'parameter_missing',
      param: 'currency',
    })
  }
}
