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
export type Granted = z.output<typeof Granted>

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

/** What was bought within a period, beside what PayPal's own payment of it was for. */
export interface Bought {
  base: Replaced
  /** By orders whose payments were not given or taken back, oldest first. */
  kept: readonly Granted[]
}

/**
 * What is paid of a period: what PayPal's own payment was for, and the orders that are kept on top. The product that was bought last is there
 * for as many units as are paid at its price, also if an upgrade before it was given back; if not one is, the product before that.
 * @returns undefined: at a price that is not known
 */
export function keptPlan({ base, kept }: Bought): Replaced | undefined {
  const plans = [base]
  let paid = worthOf(base)
  let most = base.quantity
  for (const { isFromNow, replaced, ...bought } of kept) {
    if (!isFromNow) continue
    if (!replaced) return undefined
    paid += bought.price - worthOf(replaced)
    most += bought.quantity - replaced.quantity
    plans.push(replaced, { ...bought, amount: Math.round(bought.price / bought.quantity) })
  }
  if (plans.some(({ amount }) => amount === null)) return undefined
  const affordable = plans
    .map((plan) => ({ ...plan, quantity: unitsFor(paid, { amount: plan.amount ?? 0, most }) }))
    .filter(({ quantity }) => quantity > 0)
  const last = affordable.at(-1)
  const ofLast = affordable.filter(({ productCode }) => productCode === last?.productCode)
  const { productCode, planId, quantity, amount } = ofLast.reduce(
    (found, plan) => (plan.quantity >= found.quantity ? plan : found),
    ofLast[0] ?? base,
  )
  return { productCode, planId, quantity, amount }
}

function worthOf({ amount, quantity }: Replaced): number {
  return (amount ?? 0) * quantity
}

function unitsFor(paid: number, { amount, most }: { amount: number; most: number }): number {
  return amount > 0 ? Math.min(most, Math.floor(paid / amount)) : most
}

/** What PayPal is to bill from the next cycle on, once that is confirmed: what is kept. Undefined: what it bills by itself. */
function aheadOf({ base, kept }: Bought, plan: Replaced) {
  const last = kept.at(-1)
  const ordered = last?.isFromNow ? last.next : last
  const isOtherTerm = last && ordered?.productCode === plan.productCode
  if (isOtherTerm) {
    const { productCode, term, planId } = ordered
    const price = Math.round((ordered.price / last.quantity) * plan.quantity)
    return { planId, next: { productCode, term, planId, price } }
  }
  const isAsBilled = plan.planId === base.planId && plan.quantity === base.quantity
  return isAsBilled ? undefined : { planId: plan.planId, next: undefined }
}

interface Rebuilt {
  providerId: string
  bought: Bought
  /** Something is kept since which was not before: the customer is asked to confirm it. */
  isMore: boolean
}

/** The row with what is kept, once the payment of a change was given or taken back, or was not, after all. */
export function keptReading({ providerId, bought, isMore }: Rebuilt, syncNumber: number): Reading {
  return {
    ...ofOurs(providerId, syncNumber),
    projection(before) {
      const plan = keptPlan(bought)
      if (!before || !plan) return undefined
      const now = { ...before, ...planFrom(plan, before) }
      // What the customer has confirmed already stays planned.
      if (!isMore && before.pendingPlanId === null) return now
      const ahead = aheadOf(bought, plan)
      // What was given back is not asked for any more.
      if (!ahead) return { ...now, pendingPlanId: null, pendingQuantity: null, nextPlan: null }
      const billed = nextWithoutConfirmation(before) ?? before
      const { next } = ahead
      return {
        ...{ ...now, pendingPlanId: ahead.planId, pendingQuantity: plan.quantity },
        nextPlan: next ? waitingPlan({ ...now, ...next }, billed) : nextPlanOf(billed, 'unconfirmed'),
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

/** What a transfer has moved, with what is kept of it; undefined: that is what there is. */
export function movedWith(row: MovedRow, { productCode, quantity, amount }: Replaced): Partial<MovedRow> | undefined {
  const isStorage = row.storageCapacity > 0
  const units = isStorage ? { storageCapacity: quantity } : { userCount: quantity }
  const price = amount === null || row.price === null ? null : amount * quantity
  if (row.productCode === productCode) {
    const isSame = quantity === (isStorage ? row.storageCapacity : row.userCount)
    return isSame
      ? undefined
      : { ...units, price, providerItems: row.providerItems.map((item) => ({ ...item, quantity })) }
  }
  // What a card would go on with is not what there is now.
  const ends = { providerItems: [], endedAt: row.endedAt ?? row.cancelAt ?? row.periodEnd }
  return { ...units, productCode, price, ...ends }
}

/** PayPal itself does not know of it. */
function ofOurs(providerId: string, syncNumber: number) {
  const owner = undefined
  return { providerId, channel: 'paypal', owner, customerId: null, syncNumber, isUnpaidStart: false } as const
}
