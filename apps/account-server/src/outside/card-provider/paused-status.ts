import type Stripe from 'stripe'
import { latestInvoiceOf } from './owed-invoices.ts'

/** Our word for what stays paused although the invoice that it was paused for is paid. */
export const pausedPaid = 'paused_paid'

/** A pause is for a trial that ended without a card, for a payment that failed, or on request; old versions of the API know only the first. */
export function statusOf({ status, status_details: details }: Stripe.Subscription): string {
  const pausedFor = details?.paused.subscription.type ?? 'trial_end_without_payment_method'
  if (status !== 'paused' || pausedFor === 'trial_end_without_payment_method') return status
  // Its invoice can still be paid, as of what the provider calls unpaid.
  return pausedFor === 'first_payment_failure' || pausedFor === 'final_payment_failure' ? 'unpaid' : 'pause_requested'
}

/** Of one that was paused since a payment failed, and owes nothing any more: what was voided is not paid. */
export function statusOfSettled(subscription: Stripe.Subscription): string {
  return latestInvoiceOf(subscription)?.status === 'paid' ? pausedPaid : 'pause_requested'
}
