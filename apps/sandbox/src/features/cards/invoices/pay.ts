import type Stripe from 'stripe'
import { customer } from '../customers/customers.writes.ts'
import { refuseForeignMethod } from '../intents/intents.rules.ts'
import { confirmPayment } from '../payment-intents/payment-intents.writes.ts'
import { paymentMethod } from '../payment-methods/payment-methods.writes.ts'
import type { Call } from '../requests/call.ts'
import { find, findLocked, save } from '../store/store.ts'
import { idOf, type StoredOf } from '../store/stored.ts'
import { invalidRequest, Refusal } from '../wire/refusal.ts'
import { openPaymentOf } from './invoice-payments.writes.ts'
import type { StoredInvoice } from './invoices.writes.ts'

interface Attempt {
  /** Missing: the one that the invoice, its subscription or its customer names. */
  paymentMethod?: string | undefined
  isOffSession: boolean
  /** Where the bank sends the cardholder back to; missing for the page of the merchant, which shows the question itself. */
  returnUrl?: string
}

/**
 * The card that an invoice is charged to: its own, its subscription's, or its customer's.
 * @returns null if there is none
 */
export async function defaultMethodOf(call: Call, invoice: Stripe.Invoice): Promise<string | null> {
  const holder = await customer(call.tx, idOf(invoice.customer) ?? '')
  const id = idOf(invoice.parent?.subscription_details?.subscription)
  const subscription = id === null ? undefined : await find(call.tx, 'subscription', id)
  const named = [
    idOf(invoice.default_payment_method),
    idOf(subscription?.object.default_payment_method),
    idOf(holder.invoice_settings.default_payment_method),
  ]
  for (const method of named) {
    // A card that was detached since cannot be charged any more.
    const found = method === null ? undefined : await find(call.tx, 'payment_method', method)
    if (found && idOf(found.object.customer) === holder.id) return found.object.id
  }
  return null
}

/** @throws Refusal for an invoice without any card to charge */
export function missingMethod(): Refusal {
  return invalidRequest(
    'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
    { code: 'resource_missing' },
  )
}

/**
 * Charges an open invoice to a card. How it went is stored on the invoice, its payment and its subscription.
 * @returns the intent, also one that waits for the cardholder, or the refusal of a declined card
 */
export async function chargeInvoice(
  call: Call,
  invoice: StoredInvoice,
  { paymentMethod: given, isOffSession, returnUrl }: Attempt,
): Promise<Stripe.PaymentIntent | Refusal> {
  const intent = await openPaymentOf(call, invoice.object.id)
  if (!intent) throw invalidRequest('This invoice has no payment to confirm.', { code: 'status_transition_invalid' })
  const id = given ?? (await defaultMethodOf(call, invoice.object))
  if (id === null) throw missingMethod()

  const method = await heldMethod(call, id, intent.object)
  const object: Stripe.PaymentIntent = {
    ...intent.object,
    next_action: null,
    payment_method: method.object.id,
    status: 'requires_confirmation',
  }
  const ready = { ...intent, object, hidden: { ...intent.hidden, challenge: null } }
  await save(call.tx, ready)
  return confirmPayment(call, ready, {
    off_session: isOffSession,
    asksLater: isOffSession,
    return_url: returnUrl,
    use_stripe_sdk: returnUrl === undefined,
  })
}

async function heldMethod(call: Call, id: string, intent: Stripe.PaymentIntent): Promise<StoredOf<'payment_method'>> {
  const method = await paymentMethod(call, id)
  refuseForeignMethod({ method: method.object, isSpent: method.hidden.isSpent, customer: idOf(intent.customer) })
  return method
}

/** The invoice as it is stored now. */
export async function freshInvoice(call: Call, { object }: StoredInvoice): Promise<StoredInvoice> {
  const found = await findLocked(call.tx, 'invoice', object.id)
  if (!found) throw invalidRequest(`No such invoice: '${object.id}'`)
  return found
}

/** What a request is answered with if the cardholder must authenticate but is not there. */
export function authenticationMissing(intent: Stripe.PaymentIntent): Refusal {
  return new Refusal(402, {
    type: 'card_error',
    code: 'invoice_payment_intent_requires_action',
    message: 'This payment requires additional user action before it can be completed successfully.',
    payment_intent: intent,
  })
}
