import type Stripe from 'stripe'
import type { Applied } from '../money/lines.rules.ts'
import { boundary, periodAround } from '../money/periods.rules.ts'
import { remaining } from '../money/proration.rules.ts'
import { netAmounts, type Proration } from './change.rules.ts'
import { everyOf } from './items.rules.ts'

interface Start {
  anchor: number
  trialEnd: number | null
  now: number
}

/** The first period of each item: its trial, the time until a later anchor, or a whole interval. */
export function firstPeriods(
  items: readonly Stripe.SubscriptionItem[],
  { anchor, trialEnd, now }: Start,
): Stripe.SubscriptionItem[] {
  return items.map((item) => {
    const end = anchor > now ? periodAround(anchor, everyOf(item), now).end : boundary(now, everyOf(item), 1)
    return { ...item, current_period_start: now, current_period_end: trialEnd ?? end }
  })
}

/** The latest anchor that the provider accepts: where the first period of the shortest interval ends by itself. */
export function latestAnchor(items: readonly Stripe.SubscriptionItem[], now: number): number {
  return Math.min(...items.map((item) => boundary(now, everyOf(item), 1)))
}

/** Whether the first whole period starts later, with the time until then charged in part or not at all. */
export function startsLater({ billing_cycle_anchor: anchor, trial_end }: Stripe.Subscription, now: number): boolean {
  return trial_end === null && anchor > now
}

/** The charges for the time until a later anchor. */
export function firstProrations(
  { billing_cycle_anchor: anchor, items }: Stripe.Subscription,
  discounts: readonly Applied[],
  now: number,
): Proration[] {
  const nets = netAmounts(items.data, discounts)
  return items.data.map((item) => {
    const whole = periodAround(anchor, everyOf(item), now)
    return {
      item,
      amount: remaining(nets.get(item.id) ?? 0, whole, now),
      period: { start: now, end: whole.end },
      quantity: item.quantity ?? 1,
      credited: null,
    }
  })
}
