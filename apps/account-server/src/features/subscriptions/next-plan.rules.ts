import type { SubscriptionStatus } from '@atrium/contract/subscriptions.ts'
import { hasEnded } from './subscription-flags.rules.ts'
import type { NextPlan, PlanAhead, SubscriptionRow } from './subscriptions.tables.ts'

/** A plan on its own, without what else the object says. */
function planAhead(plan: PlanAhead): PlanAhead {
  const { productCode, term, userCount, storageCapacity, connectors, price, currency, planId } = plan
  const state = { productCode, term, userCount, storageCapacity, connectors, price, currency }
  return planId === undefined ? state : { ...state, planId }
}

/** A plan that begins with the next period. */
export function nextPlanOf(plan: PlanAhead, when: NextPlan['when']): NextPlan {
  return { when, ...planAhead(plan) }
}

/** A plan that begins once the customer has confirmed it. @param otherwise undefined: the row's goes on without that */
export function waitingPlan(plan: PlanAhead, otherwise: PlanAhead | undefined): NextPlan {
  const waiting = nextPlanOf(plan, 'confirmed')
  return otherwise ? { ...waiting, otherwise: planAhead(otherwise) } : waiting
}

/** What is billed next as things are now; undefined: what the row says. */
export function nextWithoutConfirmation({ nextPlan }: Pick<SubscriptionRow, 'nextPlan'>): PlanAhead | undefined {
  if (!nextPlan || nextPlan.from !== undefined) return undefined
  return nextPlan.when === 'confirmed' ? nextPlan.otherwise : nextPlan
}

/** What the next period costs, in minor units, as things are now. */
export function renewalOf(row: PlanAhead & Pick<SubscriptionRow, 'nextPlan'>): Pick<PlanAhead, 'price' | 'currency'> {
  const { price, currency } = nextWithoutConfirmation(row) ?? row
  return { price, currency }
}

interface Standing extends Pick<SubscriptionRow, 'nextPlan' | 'cancelAt' | 'periodEnd'> {
  currentStatus: SubscriptionStatus
}

/** What follows, as its Owner sees it; null: what it is now, or nothing, because it ends. */
export function followingPlan({ nextPlan, cancelAt, periodEnd, currentStatus }: Standing): NextPlan | null {
  if (!nextPlan || hasEnded(currentStatus)) return null
  const begins = nextPlan.from === undefined ? periodEnd : new Date(nextPlan.from)
  if (cancelAt && (!begins || cancelAt <= begins)) return null
  if (currentStatus !== 'past_due') return nextPlan
  // Its renewal has failed: what was not confirmed before that does not begin, and what PayPal had is due.
  const due = nextWithoutConfirmation({ nextPlan })
  return due ? nextPlanOf(due, 'certain') : null
}
