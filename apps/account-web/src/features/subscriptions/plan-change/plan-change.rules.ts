import type { PlanState } from '@atrium/contract/change-quotes.ts'
import type { PlanChangeType } from '@atrium/contract/plan-change-types.ts'
import type { Subscription } from '@atrium/contract/subscriptions.ts'

/** The dialogs of changes, as they stand in the address, and the specification's type code (001 §4). */
export const changeTypes = {
  more: 'buy-more',
  connectors: 'buy-connector',
  upgrade: 'switch-to-business-billing',
  annual: 'switch-to-annual-billing',
  renew: 'techsoup-renew',
} as const satisfies Record<string, PlanChangeType>

export type ChangeName = keyof typeof changeTypes

/** The dialog of a type of change. */
export const changeNames = {
  'buy-more': 'more',
  'buy-connector': 'connectors',
  'switch-to-business-billing': 'upgrade',
  'switch-to-annual-billing': 'annual',
  'techsoup-renew': 'renew',
} as const satisfies Record<PlanChangeType, ChangeName>

/** What the Owner can change here: what the catalog has a way to, paid through a provider. */
export function changesOf(subscription: Subscription): ChangeName[] {
  if (subscription.payType === '') return []
  const { subscriptionUpgrade, purchaseAdditionalSubscription, switchToAnnualBilling } = subscription
  return [
    ...(subscription.manualRenew === 1 ? (['renew'] as const) : []),
    ...(purchaseAdditionalSubscription === 1 ? (['more'] as const) : []),
    ...(subscription.isSupportBuyConnector === 1 ? (['connectors'] as const) : []),
    ...(subscriptionUpgrade === 1 ? (['upgrade'] as const) : []),
    ...(switchToAnnualBilling === 1 ? (['annual'] as const) : []),
  ]
}

/** What was typed or pasted as a quantity (001 §5): below 1, empty or letters is 1, and a fraction is cut off. */
export function wholeQuantity(typed: string): number {
  const [digits] = /^\d+/.exec(typed.normalize('NFKC').trim()) ?? []
  return Math.max(1, Number(digits ?? 1))
}

/**
 * A typed quantity, which is capped above the most (001 §5).
 * @returns `isCapped` if more was wanted than can be bought here
 */
export function quantityOf(typed: string, most: number): { quantity: number; isCapped: boolean } {
  const wanted = wholeQuantity(typed)
  return { quantity: Math.min(wanted, Math.max(1, most)), isCapped: wanted > Math.max(1, most) }
}

/** What a year costs less than twelve months, in minor units; 0: nothing is saved. */
export function yearlySaving(before: PlanState, after: PlanState): number {
  return before.paidType === 'monthly' && after.paidType === 'yearly' ? Math.max(0, before.price * 12 - after.price) : 0
}
