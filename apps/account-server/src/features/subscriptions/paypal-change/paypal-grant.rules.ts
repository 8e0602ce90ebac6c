import { billingTerms } from '@atrium/contract/subscriptions.ts'
import { z } from 'zod'
import { nextPlanOf, nextWithoutConfirmation, waitingPlan } from '../next-plan.rules.ts'
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
  /** What PayPal is to bill instead, with the same quantity: the term that was ordered before. Left out: the same as now. */
  next: z
    .object({ productCode: z.string(), term: z.enum(billingTerms), price: z.int(), planId: z.string() })
    .optional(),
})
type Granted = z.output<typeof Granted>

export function grantOf({ plan: { before, after, items, bought, ahead } }: Quotable): Granted {
  const { appCode: productCode, paidType: term, userCount, storageCapacity, price } = after
  const quantity = items[0]?.quantity ?? 1
  const isFromNow = before.paidType === term
  const granted = { isFromNow, productCode, userCount, storageCapacity, term, price, planId: bought.priceId, quantity }
  return ahead ? { ...granted, next: ahead } : granted
}

/** The row with what was granted; PayPal itself knows nothing of it until the customer confirms the next cycle. */
export function grantReading(
  { providerId, granted }: { providerId: string; granted: Granted },
  syncNumber: number,
): Reading {
  const { isFromNow, planId, quantity, next, ...now } = granted
  const pending = { pendingPlanId: next?.planId ?? planId, pendingQuantity: quantity }
  return {
    ...{
      providerId,
      channel: 'paypal',
      owner: undefined,
      customerId: null,
      syncNumber,
      isUnpaidStart: false,
      isGrant: true,
    },
    projection(before) {
      if (!before) return undefined
      const wanted = { ...before, ...now, planId }
      // PayPal bills what it billed, until the customer confirms.
      const billed = nextWithoutConfirmation(before)
      if (!isFromNow) return { ...before, ...pending, nextPlan: waitingPlan(wanted, billed) }
      const [item] = before.providerItems
      const amount = Math.round(now.price / quantity)
      const bought = { isConnector: false, priceId: planId, productCode: now.productCode, quantity, amount }
      return {
        ...{ ...before, ...now, ...pending },
        nextPlan: next
          ? waitingPlan({ ...wanted, ...next }, billed ?? before)
          : nextPlanOf(billed ?? before, 'unconfirmed'),
        providerItems: [{ id: item?.id ?? providerId, ...bought }],
      }
    },
  }
}
