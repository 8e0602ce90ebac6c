import type { SubscriptionStatus } from '@atrium/contract/subscriptions.ts'
import { hasEnded } from './subscription-flags.rules.ts'
import type { NextPlan, SubscriptionRow } from './subscriptions.tables.ts'

type Plan = Pick<
  SubscriptionRow,
  'productCode' | 'term' | 'userCount' | 'storageCapacity' | 'connectors' | 'price' | 'currency'
>

/** A plan that begins with the next period. */
export function nextPlanOf(plan: Plan, when: NextPlan['when']): NextPlan {
  const { productCode, term, userCount, storageCapacity, connectors, price, currency } = plan
  return { when, productCode, term, userCount, storageCapacity, connectors, price, currency }
}

/** What the next period costs, in minor units, as things are now. */
export function renewalOf({
  nextPlan,
  ...now
}: Plan & Pick<SubscriptionRow, 'nextPlan'>): Pick<Plan, 'price' | 'currency'> {
  const { price, currency } = nextPlan?.when === 'certain' ? nextPlan : now
  return { price, currency }
}

interface Standing extends Pick<SubscriptionRow, 'nextPlan' | 'cancelAt'> {
  currentStatus: SubscriptionStatus
}

/** What follows, as its Owner sees it; null: what it is now, or nothing, because it ends. */
export function followingPlan({ nextPlan, cancelAt, currentStatus }: Standing): NextPlan | null {
  if (!nextPlan || cancelAt || hasEnded(currentStatus)) return null
  if (currentStatus !== 'past_due') return nextPlan
  // Its renewal has failed: what was not confirmed before that does not begin, and the old plan is due.
  return nextPlan.when === 'confirmed' ? null : { ...nextPlan, when: 'certain' }
}
