import { billingTerms } from '@atrium/contract/subscriptions.ts'
import { z } from 'zod'
import { nextPlanOf } from '../next-plan.rules.ts'
import type { Quotable } from '../plan-change/change-price.ts'
import type { Reading } from '../projection.writes.ts'

/** What a paid change makes of a subscription, and what PayPal is to bill from the next cycle on. */
export const Granted = z.object({
  /** Another term begins with the next cycle: nothing is granted before. */
  isFromNow: z.boolean(),
  productCode: z.string(),
  userCount: z.int(),
  storageCapacity: z.int(),
  term: z.enum(billingTerms),
  /** For a whole term, in minor units. */
  price: z.int(),
  planId: z.string(),
  quantity: z.int(),
})
type Granted = z.output<typeof Granted>

export function grantOf({ plan: { before, after, items, bought } }: Quotable): Granted {
  const { appCode: productCode, paidType: term, userCount, storageCapacity, price } = after
  const quantity = items[0]?.quantity ?? 1
  const isFromNow = before.paidType === term
  return { isFromNow, productCode, userCount, storageCapacity, term, price, planId: bought.priceId, quantity }
}

/** The row with what was granted; PayPal itself knows nothing of it until the customer confirms the next cycle. */
export function grantReading(
  { providerId, granted }: { providerId: string; granted: Granted },
  syncNumber: number,
): Reading {
  const { isFromNow, planId, quantity, ...now } = granted
  const pending = { pendingPlanId: planId, pendingQuantity: quantity }
  return {
    ...{ providerId, channel: 'paypal', memberId: undefined, syncNumber, isUnpaidStart: false, isGrant: true },
    projection(before) {
      if (!before) return undefined
      const wanted = { ...before, ...now }
      if (!isFromNow) return { ...before, ...pending, nextPlan: nextPlanOf(wanted, 'confirmed') }
      // PayPal bills what it billed, until the customer confirms.
      const billed = before.nextPlan && before.nextPlan.when !== 'confirmed' ? before.nextPlan : before
      const [item] = before.providerItems
      const amount = Math.round(now.price / quantity)
      const bought = { isConnector: false, priceId: planId, productCode: now.productCode, quantity, amount }
      return {
        ...{ ...wanted, ...pending },
        nextPlan: nextPlanOf(billed, 'unconfirmed'),
        providerItems: [{ id: item?.id ?? providerId, ...bought }],
      }
    },
  }
}
