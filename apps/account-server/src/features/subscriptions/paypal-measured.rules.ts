import { noLess } from '../../outside/paypal/plan-terms.rules.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import type { SubscriptionRow } from './subscriptions.tables.ts'

type Stored = Pick<SubscriptionRow, 'price' | 'currency' | 'providerItems'>

interface Measured {
  before: (Stored & Pick<SubscriptionRow, 'status'>) | undefined
  /** Whether the vendor's operator has accepted the terms on which it was bought. */
  isAccepted: boolean
  /** How terms that were read before are less than the plan, in words; empty or left out: none were, or they were accepted. */
  readLess?: string
}

/**
 * As PayPal has it, without what of its own terms counts no more against it: everything once they were accepted or measured, since a later
 * change of a plan changes nothing of a subscription that overrides it (PayPal's documentation of its update); the amount of the setup fee
 * once anything was granted, since that is charged with the approval alone. What was less than the plan counts against it until it is accepted,
 * also once its buyer has gone back to the plan: PayPal does not show the terms of then.
 */
export function asMeasured(given: PaypalSubscription, facts: Measured): PaypalSubscription {
  const { readLess } = facts
  const own = { ...given, lessThanPlan: countedLess(given, facts) }
  return readLess && !isLessThanPlan(own)
    ? { ...own, isOverridden: true, lessThanPlan: { fee: '', rest: readLess } }
    : own
}

function countedLess(given: PaypalSubscription, { before, isAccepted }: Measured): PaypalSubscription['lessThanPlan'] {
  if (isAccepted || isMeasuredOn(given, before)) return noLess
  return !before || before.status === 'pending' ? given.lessThanPlan : { ...given.lessThanPlan, fee: '' }
}

export function isLessThanPlan({ lessThanPlan }: Pick<PaypalSubscription, 'lessThanPlan'>): boolean {
  return lessThanPlan.fee !== '' || lessThanPlan.rest !== ''
}

/** How it is less than its plan, in words for the operator; empty: it is not. */
export function lessWords({ lessThanPlan: { fee, rest } }: Pick<PaypalSubscription, 'lessThanPlan'>): string {
  return [fee, rest].filter(Boolean).join(', ')
}

/** What was measured once goes on on the same terms, and only on those. */
function isMeasuredOn(given: PaypalSubscription, before: Stored | undefined): boolean {
  const [item] = before?.providerItems ?? []
  if (!before || !item?.isMeasured) return false
  const { planId, amount, quantity, besidePrice } = given
  const isOfPlan = item.priceId === planId && item.quantity === quantity
  const isSamePrice = before.price === (amount ?? 0) * (quantity ?? 0)
  return isOfPlan && isSamePrice && (item.besidePrice ?? besidePrice) === besidePrice
}

interface StoredFacts {
  before: Stored | undefined
  /** What the catalog asks for one unit of the plan. */
  listPrice: { amount: number; currency: string } | null
  isAccepted: boolean
}

/** Whether the row has a price that its buyer has made of the plan's, or may have made: on other terms than those of now. */
export function isStoredOfBuyer(given: PaypalSubscription, { before, listPrice, isAccepted }: StoredFacts): boolean {
  const [item] = before?.providerItems ?? []
  if (!given.isOverridden || isAccepted || !item || isMeasuredOn(given, before)) return false
  if (isLessThanPlan(given)) return true
  const isOfPlan = item.priceId === given.planId
  if (!isOfPlan || listPrice?.currency !== before?.currency) return item.isMeasured === true
  return (before?.price ?? 0) < (listPrice?.amount ?? 0) * item.quantity
}
