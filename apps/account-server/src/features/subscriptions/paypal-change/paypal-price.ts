import type { Member } from '@atrium/server-kit/caller.ts'
import type { Deps } from '../../../deps.ts'
import { type ChangePrice, discountOn, type Pricing } from '../plan-change/change-price.ts'
import { amountsAtPaypal, linesAtPaypal, renewalAtPaypal } from './paypal-amounts.rules.ts'

/** Computed here, since PayPal has no previews. @throws Problem `change_not_possible`; those of `discountOn` */
export async function priceAtPaypal(deps: Deps, member: Member, pricing: Pricing): Promise<ChangePrice> {
  const currency = pricing.listed.currency ?? ''
  const lines = linesAtPaypal(pricing)
  const discount = await discountOn(deps, member, { ...pricing, invoice: { lines, discount: 0, currency } })
  return {
    lines,
    amounts: { ...amountsAtPaypal(lines, discount?.amount ?? 0), currency },
    discount,
    paidBefore: [],
    nextRenewal: renewalAtPaypal(pricing),
    card: null,
  }
}
