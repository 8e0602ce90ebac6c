import type Stripe from 'stripe'
import { emitEvent } from '../events/events.writes.ts'
import type { Call } from '../requests/call.ts'
import { findLocked, save } from '../store/store.ts'
import { idOf, type StoredOf } from '../store/stored.ts'
import { epochSeconds } from '../wire/ids.rules.ts'
import type { StoredSubscription } from './invoice-outcome.ts'

export type StoredSchedule = StoredOf<'subscription_schedule'>

/** The schedule that manages a subscription, locked. */
export async function scheduleOf(call: Call, { schedule }: Stripe.Subscription): Promise<StoredSchedule | undefined> {
  const id = idOf(schedule)
  return id === null ? undefined : findLocked(call.tx, 'subscription_schedule', id)
}

/** A subscription that is released from its schedule goes on as it is. */
export function released(stored: StoredSubscription, keepsEnd: boolean): StoredSubscription {
  const end = keepsEnd ? {} : { cancel_at: null, canceled_at: null }
  return {
    ...stored,
    object: { ...stored.object, schedule: null, ...end },
    hidden: { ...stored.hidden, phaseEnd: null },
  }
}

export async function releaseSchedule(call: Call, { object, ...stored }: StoredSchedule) {
  const changed: Stripe.SubscriptionSchedule = {
    ...object,
    current_phase: null,
    released_at: epochSeconds(call.now),
    released_subscription: idOf(object.subscription),
    status: 'released',
    subscription: null,
  }
  await save(call.tx, { ...stored, object: changed })
  await emitEvent(call, { type: 'subscription_schedule.released', object: changed })
  return changed
}

/** What a subscription's end makes of its schedule: it was the schedule's own, or it is canceled with it. */
export async function endSchedule(call: Call, subscription: Stripe.Subscription, at: number): Promise<void> {
  const stored = await scheduleOf(call, subscription)
  if (stored?.object.status !== 'active') return
  const isOwn = stored.object.end_behavior === 'cancel' && stored.object.phases.at(-1)?.end_date === at
  const end = isOwn
    ? ({ status: 'completed', completed_at: at } as const)
    : ({ status: 'canceled', canceled_at: at } as const)
  const object: Stripe.SubscriptionSchedule = { ...stored.object, ...end, current_phase: null }
  await save(call.tx, { ...stored, object })
  await emitEvent(call, { type: `subscription_schedule.${end.status}`, object })
}
