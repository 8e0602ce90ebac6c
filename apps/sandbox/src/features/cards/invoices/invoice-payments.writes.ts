import type Stripe from 'stripe'
import { emitEvent } from '../events/events.writes.ts'
import { isOpen } from '../intents/intents.rules.ts'
import { newPayment } from '../payment-intents/payment-intents.rules.ts'
import { cancelPayment, type StoredPayment } from '../payment-intents/payment-intents.writes.ts'
import type { Call } from '../requests/call.ts'
import { paymentsOf } from '../store/invoices.queries.ts'
import { findLocked, save } from '../store/store.ts'
import { idOf, type StoredOf } from '../store/stored.ts'
import { epochSeconds, newId } from '../wire/ids.rules.ts'

const descriptions: Readonly<Record<string, string>> = {
  subscription_create: 'Subscription creation',
  subscription_cycle: 'Subscription update',
  subscription_update: 'Subscription update',
}

/** The payment intent of a finalized invoice, and what ties it to the invoice. */
export async function createPaymentOf(call: Call, invoice: Stripe.Invoice): Promise<void> {
  const made = newPayment(
    {
      allowed_payment_method_types: null,
      amount: invoice.amount_due,
      automatic_payment_methods: { allow_redirects: 'always', enabled: true },
      capture_method: 'automatic',
      confirmation_method: 'automatic',
      currency: invoice.currency,
      payment_method_types: ['card'],
    },
    call.now,
  )
  const intent: Stripe.PaymentIntent = {
    ...made,
    customer: idOf(invoice.customer),
    description: descriptions[invoice.billing_reason ?? ''] ?? null,
    receipt_email: null,
    setup_future_usage: invoice.parent ? 'off_session' : null,
  }
  const hidden = { returnUrl: null, challenge: null, invoice: invoice.id }
  await save(call.tx, { kind: 'payment_intent', object: intent, hidden })
  await emitEvent(call, { type: 'payment_intent.created', object: intent })
  const object: Stripe.InvoicePayment = {
    id: newId('inpay_'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: epochSeconds(call.now),
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: intent.id, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  }
  await save(call.tx, { kind: 'invoice_payment', object, hidden: null })
}

/** The open payment of an invoice, with its payment intent locked. */
export async function openPaymentOf(call: Pick<Call, 'tx'>, invoice: string): Promise<StoredPayment | undefined> {
  const open = (await paymentsOf(call.tx, invoice)).find(({ object }) => object.status === 'open')
  const intent = idOf(open?.object.payment.payment_intent)
  return intent === null ? undefined : findLocked(call.tx, 'payment_intent', intent)
}

/** An invoice that is void, or paid in another way, is not paid by card any more. */
export async function cancelPayments(call: Call, invoice: string): Promise<void> {
  for (const stored of await paymentsOf(call.tx, invoice)) {
    if (stored.object.status !== 'open') continue
    const intent = await findLocked(call.tx, 'payment_intent', idOf(stored.object.payment.payment_intent) ?? '')
    if (intent && isOpen(intent.object)) await cancelPayment(call, intent, 'void_invoice')
    const status_transitions = { canceled_at: epochSeconds(call.now), paid_at: null }
    const object: Stripe.InvoicePayment = { ...stored.object, status: 'canceled', status_transitions }
    await save(call.tx, { ...stored, object })
  }
}

export async function markPaymentPaid(call: Call, stored: StoredOf<'invoice_payment'>, amount: number): Promise<void> {
  const object: Stripe.InvoicePayment = {
    ...stored.object,
    amount_paid: amount,
    status: 'paid',
    status_transitions: { canceled_at: null, paid_at: epochSeconds(call.now) },
  }
  await save(call.tx, { ...stored, object })
  await emitEvent(call, { type: 'invoice_payment.paid', object })
}
