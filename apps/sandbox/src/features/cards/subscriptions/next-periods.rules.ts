import type Stripe from 'stripe'
import { periodAround } from '../money/periods.rules.ts'
import { nextPeriodEnd } from '../store/due.rules.ts'
import { everyOf } from './items.rules.ts'

interface Renewal {
  /** All items afterwards. */
  items: Stripe.SubscriptionItem[]
  /** Those whose new period starts. */
  renewed: Stripe.SubscriptionItem[]
}

/** The items after the next renewal: those whose period ends first start another one, from the old end. */
export function nextPeriods(subscription: Stripe.Subscription): Renewal {
  const end = nextPeriodEnd(subscription)
  const items = subscription.items.data.map((item) => {
    if (item.current_period_end !== end) return item
    const next = periodAround(subscription.billing_cycle_anchor, everyOf(item), end)
    return { ...item, current_period_start: end, current_period_end: next.end }
  })
  return { items, renewed: items.filter((item) => item.current_period_start === end) }
}
