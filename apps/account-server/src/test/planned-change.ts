import type Stripe from 'stripe'
import type { Sandbox } from './sandbox.ts'

interface Planned {
  /** Of the first item, from the end of its period on; left out: as it is. */
  quantity?: number
  /** In how many months from then the plan ends, or its subscription. */
  months?: number
  endBehavior?: 'cancel' | 'release'
}

/** Plans a subscription's future at the card provider, as its vendor does. @returns the schedule's id */
export async function planAhead(
  { stripe }: Pick<Sandbox, 'stripe'>,
  id: string,
  { quantity, months = 1, endBehavior = 'release' }: Planned = {},
): Promise<string> {
  const { id: schedule, phases } = await stripe.subscriptionSchedules.create({ from_subscription: id })
  const [now] = phases
  if (!now) throw new Error('the schedule has no phase')
  const items = now.items.map(({ price, quantity: seats = 1 }) => ({ price: idOf(price), quantity: seats }))
  const later = items.map((item, place) => (place === 0 && quantity !== undefined ? { ...item, quantity } : item))
  await stripe.subscriptionSchedules.update(schedule, {
    end_behavior: endBehavior,
    phases: [
      { items, start_date: now.start_date, end_date: now.end_date },
      { items: later, proration_behavior: 'none', duration: { interval: 'month', interval_count: months } },
    ],
  })
  return schedule
}

function idOf(price: string | Stripe.Price | Stripe.DeletedPrice): string {
  return typeof price === 'string' ? price : price.id
}
