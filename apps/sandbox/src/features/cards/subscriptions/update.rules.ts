import type Stripe from 'stripe'
import { idOf } from '../store/stored.ts'
import { invalidRequest } from '../wire/refusal.ts'
import type { Updated } from './subscriptions.parameters.ts'

/** What may change while the first invoice is unpaid. */
const changeableIncomplete: readonly string[] = [
  'metadata',
  'default_payment_method',
  'description',
  'payment_settings',
]

/** What may change after the end. */
const changeableEnded: readonly string[] = ['metadata']

/** @throws Refusal for what the state of the subscription, or its schedule, does not allow */
export function refuseInState({ id, status, schedule }: Stripe.Subscription, given: Updated): void {
  refuseEndOfSchedule(idOf(schedule), given)
  const names = Object.keys(given)
  if (status === 'canceled' || status === 'incomplete_expired') {
    if (names.every((name) => changeableEnded.includes(name))) return
    throw invalidRequest('A canceled subscription can only update its cancellation_details and metadata.', {
      code: 'invalid_canceled_subscription_fields',
    })
  }
  if (status !== 'incomplete' || names.every((name) => changeableIncomplete.includes(name))) return
  throw invalidRequest(
    `The subscription ${id} cannot be updated in its current form while its first invoice is unpaid. Pay the invoice first, or cancel the subscription.`,
  )
}

/** A schedule alone says when its subscription ends. @throws Refusal, also for an end that is there already */
function refuseEndOfSchedule(schedule: string | null, given: Updated): void {
  if (schedule === null || (given.cancel_at === undefined && given.cancel_at_period_end === undefined)) return
  throw invalidRequest(
    `The subscription is managed by the subscription schedule \`${schedule}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
  )
}

/** What a change may contain that is applied only once it is paid. */
const changeablePending: readonly string[] = [
  'add_invoice_items',
  'billing_cycle_anchor',
  'cancel_at_period_end',
  'discounts',
  'items',
  'metadata',
  'off_session',
  'payment_behavior',
  'proration_behavior',
  'proration_date',
  'trial_end',
]

/** @throws Refusal for a parameter that cannot wait for a payment */
export function refuseUnsupportedPending(given: Updated): void {
  const param = Object.keys(given).find((name) => !changeablePending.includes(name))
  if (param === undefined) return
  throw invalidRequest(`When \`payment_behavior\` is \`pending_if_incomplete\` you cannot pass \`${param}\`.`, {
    param,
  })
}
