import type Stripe from 'stripe'
import { newId } from '../wire/ids.rules.ts'
import { mergedMetadata } from '../wire/parameters.rules.ts'
import { invalidRequest } from '../wire/refusal.ts'
import type { Created, Updated } from './subscriptions.parameters.ts'

/** A subscription whose first invoice is not paid has this long, in seconds. */
export const incompleteSeconds = 23 * 3600

interface NewSubscription {
  given: Omit<Created, 'customer'>
  customer: string
  currency: string
  anchor: number
  trialEnd: number | null
  /** Epoch seconds. */
  now: number
}

/** A subscription without items, before its first invoice. */
export function newSubscription({ given, customer, currency, anchor, trialEnd, now }: NewSubscription) {
  const id = newId('sub_')
  const object: Stripe.Subscription = {
    id,
    object: 'subscription',
    ...absent,
    automatic_tax: automaticTax(given.automatic_tax?.enabled ?? false),
    billing_cycle_anchor: anchor,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    cancel_at_period_end: false,
    collection_method: 'charge_automatically',
    created: now,
    currency,
    customer,
    default_payment_method: given.default_payment_method ?? null,
    description: given.description ?? null,
    discounts: [],
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: { object: 'list', data: [], has_more: false, url: `/v1/subscription_items?subscription=${id}` },
    livemode: false,
    metadata: mergedMetadata({}, given.metadata),
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: given.payment_settings?.save_default_payment_method ?? 'off',
    },
    start_date: now,
    status: trialEnd === null ? 'active' : 'trialing',
    trial_end: trialEnd,
    trial_settings: trialSettings(given.trial_settings),
    trial_start: trialEnd === null ? null : now,
  }
  return object
}

export const noDetails = { comment: null, feedback: null, feedback_option: null, reason: null }

const absent = {
  application: null,
  application_fee_percent: null,
  billing_cycle_anchor_config: null,
  billing_thresholds: null,
  cancel_at: null,
  canceled_at: null,
  cancellation_details: noDetails,
  customer_account: null,
  days_until_due: null,
  default_source: null,
  default_tax_rates: [],
  ended_at: null,
  latest_invoice: null,
  managed_payments: null,
  next_pending_invoice_item_invoice: null,
  on_behalf_of: null,
  pause_collection: null,
  pending_invoice_item_interval: null,
  pending_setup_intent: null,
  pending_update: null,
  schedule: null,
  test_clock: null,
  transfer_data: null,
} satisfies Partial<Stripe.Subscription>

export function automaticTax(enabled: boolean): Stripe.Subscription.AutomaticTax {
  return { disabled_reason: null, enabled, liability: enabled ? { type: 'self' } : null }
}

export function trialSettings(given: Created['trial_settings']): Stripe.Subscription.TrialSettings {
  return {
    end_behavior: {
      billing_cycle_anchor: null,
      missing_payment_method: given?.end_behavior.missing_payment_method ?? 'create_invoice',
    },
  }
}

type Ending = Pick<
  Stripe.Subscription,
  'cancel_at' | 'cancel_at_period_end' | 'canceled_at' | 'cancellation_details' | 'items'
>

interface GivenEnd extends Pick<Updated, 'cancel_at' | 'cancel_at_period_end'> {}

/**
 * When a subscription ends, after a request.
 * @param now epoch seconds
 * @throws Refusal for two contradicting ends, and for one in the past
 */
export function changedEnd(before: Ending, given: GivenEnd, now: number): Partial<Ending> {
  const { cancel_at: at, cancel_at_period_end: atPeriodEnd } = given
  if (atPeriodEnd === true && at) {
    throw invalidRequest('You cannot set `cancel_at` while `cancel_at_period_end` is `true`.', { param: 'cancel_at' })
  }
  if (atPeriodEnd === true) {
    const end = Math.min(...before.items.data.map(({ current_period_end }) => current_period_end))
    return ending(before, { at: end, now, isPeriodEnd: true })
  }
  if (at && at <= now) throw invalidRequest('`cancel_at` must be in the future.', { param: 'cancel_at' })
  if (at) return ending(before, { at, now, isPeriodEnd: false })
  if (atPeriodEnd === false || at === null) {
    return { cancel_at: null, cancel_at_period_end: false, canceled_at: null, cancellation_details: noDetails }
  }
  return {}
}

interface End {
  at: number
  now: number
  isPeriodEnd: boolean
}

function ending(before: Ending, { at, now, isPeriodEnd }: End): Partial<Ending> {
  return {
    cancel_at: at,
    cancel_at_period_end: isPeriodEnd,
    canceled_at: before.cancel_at === at ? before.canceled_at : now,
    cancellation_details: { ...(before.cancellation_details ?? noDetails), reason: 'cancellation_requested' },
  }
}
