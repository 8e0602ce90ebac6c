import type { Tx } from '@atrium/server-kit/database.ts'
import type Stripe from 'stripe'
import { lockedCustomer } from '../customers/customers.writes.ts'
import type { Call } from '../requests/call.ts'
import { idOf } from '../store/stored.ts'
import { invalidRequest } from '../wire/refusal.ts'
import { cancelPayment, type StoredPayment } from './payment-intents.writes.ts'

/** Locks the customer of an invoice's payment: everything of billing locks the customer first. */
export async function lockBilledCustomer(tx: Tx, payment: StoredPayment | undefined): Promise<void> {
  const customer = idOf(payment?.object.customer)
  if (payment?.hidden.invoice && customer !== null) await lockedCustomer(tx, customer)
}

/** @throws Refusal for the payment of an invoice: the invoice is voided instead */
export function cancelOwnPayment(
  call: Call,
  stored: StoredPayment,
  reason: Stripe.PaymentIntent.CancellationReason | null,
): Promise<Stripe.PaymentIntent> {
  if (stored.hidden.invoice) {
    throw invalidRequest(
      'You cannot cancel this PaymentIntent because it belongs to an invoice. Void the invoice instead.',
      { code: 'payment_intent_unexpected_state' },
    )
  }
  return cancelPayment(call, stored, reason)
}
