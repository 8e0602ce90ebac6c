import type Stripe from 'stripe'
import { emitEvent } from '../events/events.writes.ts'
import { markPaymentPaid } from '../invoices/invoice-payments.writes.ts'
import { markPaid, type StoredInvoice } from '../invoices/invoices.writes.ts'
import type { StoredPayment } from '../payment-intents/payment-intents.writes.ts'
import type { Call } from '../requests/call.ts'
import { paymentsOf } from '../store/invoices.queries.ts'
import { findLocked, save } from '../store/store.ts'
import { idOf } from '../store/stored.ts'
import { afterFailure, afterPayment } from '../subscriptions/invoice-outcome.ts'
import { declines } from '../test-cards/behavior.rules.ts'

/** After such a decline the bank will never approve this card. */
const hardDeclines: readonly (string | undefined)[] = [
  declines.lost.declineCode,
  declines.stolen.declineCode,
  declines.expired.declineCode,
  declines.incorrectCvc.declineCode,
  'fraudulent',
]

/** Stores on the invoice, and on its subscription, how an attempt to pay it went. */
export async function notePayment(call: Call, payment: StoredPayment): Promise<void> {
  const { invoice: id } = payment.hidden
  const invoice = id ? await findLocked(call.tx, 'invoice', id) : undefined
  if (!invoice || (invoice.object.status !== 'open' && invoice.object.status !== 'uncollectible')) return
  const { status } = payment.object
  if (status === 'succeeded') return notePaid(call, invoice, payment.object)
  if (status === 'requires_action') return noteQuestion(call, invoice)
  if (status === 'requires_payment_method') return noteDecline(call, invoice, payment.object)
}

async function notePaid(call: Call, open: StoredInvoice, intent: Stripe.PaymentIntent): Promise<void> {
  const paid = await markPaid(call, open, intent.amount_received)
  const payment = (await paymentsOf(call.tx, open.object.id)).find(
    ({ object }) => idOf(object.payment.payment_intent) === intent.id,
  )
  if (payment) await markPaymentPaid(call, payment, intent.amount_received)
  await afterPayment(call, paid.object, idOf(intent.payment_method))
}

/** The cardholder must authenticate. The page that asked for it learns so at once; otherwise the payment has failed so far. */
async function noteQuestion(call: Call, open: StoredInvoice): Promise<void> {
  const object: Stripe.Invoice = { ...open.object, attempted: true }
  await save(call.tx, { ...open, object })
  await emitEvent(call, { type: 'invoice.payment_action_required', object })
  if (call.access === 'publishable') return
  await emitEvent(call, { type: 'invoice.payment_failed', object })
  await afterFailure(call, object)
}

async function noteDecline(call: Call, open: StoredInvoice, intent: Stripe.PaymentIntent): Promise<void> {
  const error = intent.last_payment_error
  const isHard = hardDeclines.includes(error?.decline_code)
  const object: Stripe.Invoice = { ...open.object, attempted: true }
  const declinedMethod = isHard ? (error?.payment_method?.id ?? null) : null
  await save(call.tx, { ...open, object, hidden: { ...open.hidden, declinedMethod } })
  await emitEvent(call, { type: 'invoice.payment_failed', object })
  await afterFailure(call, object)
}
