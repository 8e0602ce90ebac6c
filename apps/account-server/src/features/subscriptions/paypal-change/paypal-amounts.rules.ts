import type { ChangeQuote, PlanState } from '@atrium/contract/change-quotes.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { BilledLine } from '../../../outside/billed-invoice.ts'
import { paypalStep } from '../../../outside/paypal/money.rules.ts'
import type { PlannedChange } from '../plan-change/plan-change.rules.ts'
import { remaining, seconds } from '../plan-change/proration.rules.ts'
import type { ListedSubscription } from '../subscription-list.queries.ts'

interface Changing {
  listed: Pick<ListedSubscription, 'providerItems' | 'periodStart' | 'periodEnd' | 'currency' | 'term'>
  plan: Pick<PlannedChange, 'items' | 'before' | 'after' | 'bought' | 'ahead'>
  /** From when the new is paid; whole seconds. */
  prorationDate: Date
}

/**
 * What a change costs at PayPal, which neither previews nor prorates: the same as at the card
 * provider. To the second, what is left of the period is taken back for the old and charged for the new, each line rounded, halves
 * away from zero. Another term begins when PayPal bills next: nothing is charged before.
 * @throws Problem `change_not_possible` for a subscription without a period or a price
 */
export function linesAtPaypal({ listed, plan, prorationDate }: Changing): BilledLine[] {
  const { periodStart, periodEnd, currency } = listed
  const [old] = listed.providerItems
  if (periodEnd === null || currency === null || !old) throw new Problem('change_not_possible')
  // PayPal bills some hours later; until then nothing says what the next period is.
  if (prorationDate >= periodEnd) throw new Problem('change_not_possible')
  if (plan.after.paidType !== plan.before.paidType) return []
  const rest = { begin: seconds(periodStart), from: seconds(prorationDate), end: seconds(periodEnd) }
  const part = (state: PlanState) => remaining(state.price, rest, paypalStep(currency))
  const time = { periodStart: prorationDate, periodEnd, isProration: true, productId: '', text: '' }
  const [bought] = plan.items
  return [
    { ...time, priceId: old.priceId, quantity: old.quantity, amount: -part(plan.before) },
    { ...time, priceId: plan.bought.priceId, quantity: bought?.quantity ?? 1, amount: part(plan.after) },
  ]
}

/** The amounts of a change; what a credit leaves over is not paid out. PayPal charges no tax beside its price. */
export function amountsAtPaypal(lines: readonly BilledLine[], discount: number) {
  const sum = lines.reduce((all, { amount }) => all + amount, 0) - discount
  const balance = { creditUsed: 0, owedBefore: 0, movedToNext: 0, creditAdded: 0 }
  return { discount, subAmount: sum, taxAmount: 0, ...balance, chargeAmount: Math.max(0, sum) }
}

/** When PayPal bills the changed plan first: in the term that was ordered before, if it was another. */
export function renewalAtPaypal({ listed: { periodEnd }, plan }: Changing): NonNullable<ChangeQuote['nextRenewal']> {
  if (periodEnd === null) throw new Problem('change_not_possible')
  const date = periodEnd.toISOString()
  const { ahead } = plan
  return ahead ? { date, amount: ahead.price, paidType: ahead.term } : { date, amount: plan.after.price }
}
