import type Stripe from 'stripe'
import { emitEvent } from '../events/events.writes.ts'
import type { Call } from '../requests/call.ts'
import { epochSeconds } from '../wire/ids.rules.ts'
import { invalidRequest } from '../wire/refusal.ts'
import { type StoredSubscription, saveSubscription } from './invoice-outcome.ts'
import { lockedSubscription } from './locked.ts'

/** Nothing is billed, nor begins another period, until it is resumed. */
export async function pauseSubscription(
  call: Call,
  stored: StoredSubscription,
  type: 'trial_end_without_payment_method' | 'final_payment_failure',
): Promise<void> {
  const paused = { subscription: { type }, transitioned_at: epochSeconds(call.now), type: 'subscription' }
  const object: Stripe.Subscription = { ...stored.object, status: 'paused', status_details: { paused } }
  await saveSubscription(call, stored, { ...stored, object })
  await emitEvent(call, { type: 'customer.subscription.paused', object })
}

/** It goes on in the period that it was paused in. */
export async function resumeSubscription(call: Call, id: string): Promise<Stripe.Subscription> {
  const stored = await lockedSubscription(call, id)
  if (stored.object.status !== 'paused') {
    throw invalidRequest('Only a subscription that is paused can be resumed.', { param: 'id' })
  }
  const { status_details: _paused, ...running } = stored.object
  const object: Stripe.Subscription = { ...running, status: 'active' }
  await saveSubscription(call, stored, { ...stored, object })
  await emitEvent(call, { type: 'customer.subscription.resumed', object })
  return object
}
