import { billingTerms } from '@atrium/contract/subscriptions.ts'
import { z } from 'zod'
import { nextPlanOf, nextWithoutConfirmation, waitingPlan } from '../next-plan.rules.ts'
import type { Quotable } from '../plan-change/change-price.ts'
import type { Reading } from '../reading.ts'
import type { SubscriptionRow } from '../subscriptions.tables.ts'

/** What a change took the place of; the amount is of one, for a whole term, in minor units. */
const Replaced = z.object({
  productCode: z.string(),
  planId: z.string(),
  quantity: z.int(),
  amount: z.int().nullable(),
})
export type Replaced = z.output<typeof Replaced>

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
  /** Left out: a version of this program that did not store it has granted it. */
  replaced: Replaced.optional(),
  /** What PayPal is to bill instead, with the same quantity: the term that was ordered before. Left out: the same as now. */
  next: z
    .object({ productCode: z.string(), term: z.enum(billingTerms), price: z.int(), planId: z.string() })
    .optional(),
})
type Granted = z.output<typeof Granted>

export function grantOf({ listed, plan: { before, after, items, bought, ahead } }: Quotable): Granted {
  const { appCode: productCode, paidType: term, userCount, storageCapacity, price } = after
  const quantity = items[0]?.quantity ?? 1
  const isFromNow = before.paidType === term
  const [old] = listed.providerItems
  return {
    ...{ isFromNow, productCode, userCount, storageCapacity, term, price, planId: bought.priceId, quantity },
    ...(old && {
      replaced: { productCode: old.productCode, planId: old.priceId, quantity: old.quantity, amount: old.amount },
    }),
    ...(ahead && { next: ahead }),
  }
}

/** The row with what was granted; PayPal itself knows nothing of it until the customer confirms the next cycle. */
export function grantReading(
  { providerId, granted }: { providerId: string; granted: Granted },
  syncNumber: number,
): Reading {
  const { isFromNow, planId, quantity, next, replaced: _, ...now } = granted
  const pending = { pendingPlanId: next?.planId ?? planId, pendingQuantity: quantity }
  return {
    ...ofOurs(providerId, syncNumber),
    isGrant: true,
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

/**
 * The row without what was granted, once its payment was given back: fewer by what it had added, and the plan of before, unless a later
 * change has bought another one.
 */
export function takeBackReading(
  { providerId, granted }: { providerId: string; granted: Granted },
  syncNumber: number,
): Reading {
  return {
    ...ofOurs(providerId, syncNumber),
    projection(before) {
      const { replaced } = granted
      const [item] = before?.providerItems ?? []
      if (!before || !item || !replaced) return undefined
      const isLast = item.priceId === granted.planId && item.quantity === granted.quantity
      const isOfItsPlan = item.productCode === granted.productCode
      const { productCode, priceId, amount } = isOfItsPlan ? { ...replaced, priceId: replaced.planId } : item
      const quantity = Math.max(1, item.quantity - (granted.quantity - replaced.quantity))
      return {
        ...before,
        ...planFrom({ productCode, planId: priceId, quantity, amount }, before),
        // The customer is not asked any more to confirm what was given back.
        ...(isLast
          ? { pendingPlanId: null, pendingQuantity: null, nextPlan: null }
          : { pendingPlanId: priceId, pendingQuantity: quantity }),
      }
    },
  }
}

type Row = Pick<SubscriptionRow, 'storageCapacity' | 'providerItems'>

/** The columns of what a change took the place of. */
export function planFrom({ productCode, planId: priceId, quantity, amount }: Replaced, row: Row) {
  const isStorage = row.storageCapacity > 0
  const id = row.providerItems[0]?.id ?? ''
  return {
    ...{ productCode, userCount: isStorage ? 1 : quantity, storageCapacity: isStorage ? quantity : 0 },
    price: amount === null ? null : amount * quantity,
    providerItems: [{ id, isConnector: false, priceId, productCode, quantity, amount }],
  }
}

type MovedRow = Pick<
  SubscriptionRow,
  'productCode' | 'userCount' | 'storageCapacity' | 'price' | 'providerItems' | 'cancelAt' | 'periodEnd' | 'endedAt'
>

/** What a transfer has moved, without what was granted before; undefined: an earlier version of this program did not store what that replaced. */
export function movedWithout(
  row: MovedRow,
  { productCode, quantity, replaced }: Granted,
): Partial<MovedRow> | undefined {
  if (!replaced) return undefined
  const isUpgrade = row.productCode === productCode && replaced.productCode !== productCode
  const isStorage = row.storageCapacity > 0
  const before = isStorage ? row.storageCapacity : row.userCount
  const units = Math.max(1, before - (quantity - replaced.quantity))
  const kept = { ...(isStorage ? { storageCapacity: units } : { userCount: units }) }
  if (!isUpgrade) {
    const price = row.price === null ? null : Math.round((row.price / before) * units)
    return { ...kept, price, providerItems: row.providerItems.map((item) => ({ ...item, quantity: units })) }
  }
  return {
    ...{ ...kept, productCode: replaced.productCode },
    price: replaced.amount === null ? null : replaced.amount * units,
    // What a card would go on with is not what there is now.
    ...{ providerItems: [], endedAt: row.endedAt ?? row.cancelAt ?? row.periodEnd },
  }
}

/** PayPal itself does not know of it. */
function ofOurs(providerId: string, syncNumber: number) {
  const owner = undefined
  return { providerId, channel: 'paypal', owner, customerId: null, syncNumber, isUnpaidStart: false } as const
}
