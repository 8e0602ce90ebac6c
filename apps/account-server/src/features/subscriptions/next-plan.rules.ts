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
