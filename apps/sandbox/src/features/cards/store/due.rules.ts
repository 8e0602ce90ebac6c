import type Stripe from 'stripe'
import type { SubscriptionHidden } from './billing-hidden.ts'
import type { Stored, StoredOf } from './stored.ts'

const day = 24 * 3600

/** How long before it the end of a trial is announced, in seconds. */
const trialNotice = 3 * day

/** How long before it a renewal is announced, in seconds: a setting of the vendor's account. */
const renewalNotice = 7 * day

/** Epoch seconds of what the provider does next of its own accord with an object; null if nothing. */
export function dueAtOf(stored: Stored): number | null {
  if (stored.kind === 'invoice') return invoiceDue(stored.object)
  if (stored.kind !== 'subscription') return null
  const [next] = dueOf(stored)
  return next?.at ?? null
}

function invoiceDue({ status, auto_advance, automatically_finalizes_at, next_payment_attempt }: Stripe.Invoice) {
  if (status === 'draft') return auto_advance ? automatically_finalizes_at : null
  return status === 'open' ? next_payment_attempt : null
}

export type SubscriptionDue =
  | 'expire'
  | 'expire_update'
  | 'cancel'
  | 'enter_phase'
  | 'announce_trial_end'
  | 'end_trial'
  | 'announce_renewal'
  | 'renew'

interface Due {
  what: SubscriptionDue
  at: number
}

/** What happens to a subscription by itself, the next first. At the same moment an end comes before what a schedule plans, and that before a renewal. */
export function dueOf({ object, hidden }: Pick<StoredOf<'subscription'>, 'object' | 'hidden'>): Due[] {
  const { status } = object
  if (status === 'canceled' || status === 'incomplete_expired') return []
  const due = status === 'incomplete' ? firstPaymentDue(hidden) : runningDue(object, hidden)
  return due.sort((one, other) => one.at - other.at)
}

function firstPaymentDue({ incompleteUntil }: SubscriptionHidden): Due[] {
  return incompleteUntil === null ? [] : [{ what: 'expire', at: incompleteUntil }]
}

function runningDue(object: Stripe.Subscription, hidden: SubscriptionHidden): Due[] {
  const { cancel_at, pending_update } = object
  const { phaseEnd = null } = hidden
  return [
    ...(pending_update ? [{ what: 'expire_update' as const, at: pending_update.expires_at }] : []),
    ...(cancel_at === null ? [] : [{ what: 'cancel' as const, at: cancel_at }]),
    ...(phaseEnd === null ? [] : [{ what: 'enter_phase' as const, at: phaseEnd }]),
    ...(object.status === 'trialing' ? trialDue(object, hidden) : []),
    ...(object.status === 'paused' || object.status === 'trialing' ? [] : renewalDue(object, hidden)),
  ]
}

function trialDue({ trial_end: end }: Stripe.Subscription, { announcedTrialEnd }: SubscriptionHidden): Due[] {
  if (end === null) return []
  return [
    ...(announcedTrialEnd === end ? [] : [{ what: 'announce_trial_end' as const, at: end - trialNotice }]),
    { what: 'end_trial', at: end },
  ]
}

function renewalDue(object: Stripe.Subscription, { announcedRenewal }: SubscriptionHidden): Due[] {
  const end = nextPeriodEnd(object)
  if (end === null) return []
  const isLast = object.cancel_at !== null && object.cancel_at <= end
  const isAnnounced = isLast || object.status === 'unpaid' || announcedRenewal === end
  return [
    ...(isAnnounced ? [] : [{ what: 'announce_renewal' as const, at: end - renewalNotice }]),
    { what: 'renew', at: end },
  ]
}

/** The earliest end of its items' periods; null without items. */
export function nextPeriodEnd({ items }: Stripe.Subscription): number | null {
  return items.data.length === 0 ? null : Math.min(...items.data.map(({ current_period_end: end }) => end))
}
