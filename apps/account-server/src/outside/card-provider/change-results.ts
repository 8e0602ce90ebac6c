import type Stripe from 'stripe'
import { type Decline, noDecline, ProviderFailure } from '../provider-failure.ts'
import { callProvider, declineFrom } from './failure.ts'
import { isOfChange } from './invoices.ts'
import { wholeList } from './lists.ts'
import { minorUnits } from './minor-units.ts'
import { type BilledSubscription, operationMark, subscriptionFrom } from './subscriptions.ts'

/** What is known of a change that was asked for. */
export interface MadeChange {
  /** Of the subscription. */
  id: string
  operationId: string
  prorationDate: Date
  /** Its invoice; empty: the provider's answer was lost. */
  invoiceId: string
}

/** How a change ended: paid at once, waiting for the customer, or refused by the bank. */
export interface ChangeResult extends Decline {
  subscription: BilledSubscription
  state: 'paid' | 'requires_action' | 'declined'
  /** The invoice of the change; empty: it has none, since nothing was to be charged. */
  invoiceId: string
  /** What it asks for, in minor units of `currency`. */
  charged: number
  currency: string
  /** For the provider's browser SDK; empty unless the customer has something to do. */
  clientSecret: string
  /** Its page at the provider; empty if there is none. */
  invoiceUrl: string
  /** Until when it can be paid. */
  expiresAt: Date | null
}

/** What became of changes. */
export function changeResultCalls(stripe: Stripe) {
  return { invoiceOfMade, resultOf }

  /** The latest invoice may be a later one: a renewal's, or that of another change. */
  async function invoiceOfMade({
    id: subscription,
    invoiceId,
    prorationDate,
  }: Omit<MadeChange, 'operationId'>): Promise<Stripe.Invoice | null> {
    if (invoiceId !== '') return callProvider(() => stripe.invoices.retrieve(invoiceId))
    const created = { gte: secondsOf(prorationDate) }
    const since = await wholeList((page) => stripe.invoices.list({ subscription, created, ...page }))
    return since.findLast((invoice) => isOfChange(invoice) && invoice.status !== 'void') ?? null
  }

  async function resultOf(
    subscription: Stripe.Subscription,
    latest: Stripe.Invoice | string | null,
    operationId: string,
  ): Promise<ChangeResult> {
    if (typeof latest === 'string') throw new Error('the provider did not expand the invoice')
    const invoice = latest && isOfChange(latest) ? latest : null
    const currency = (invoice?.currency ?? subscription.currency).toUpperCase()
    const result = {
      subscription: subscriptionFrom(subscription),
      invoiceId: invoice?.id ?? '',
      charged: minorUnits(invoice?.amount_due ?? 0, currency),
      currency,
      clientSecret: '',
      invoiceUrl: '',
      expiresAt: null,
      ...noDecline,
    }
    const waiting = subscription.metadata[operationMark] === operationId ? null : subscription.pending_update
    if (waiting === null) return { ...result, state: 'paid' }
    if (!invoice) throw new ProviderFailure('unknown', new Error('a change waits that has no invoice'))
    const intent = await intentOf(stripe, invoice.id)
    return {
      ...result,
      state: intent?.status === 'requires_action' ? 'requires_action' : 'declined',
      clientSecret: intent?.client_secret ?? '',
      invoiceUrl: invoice.hosted_invoice_url ?? '',
      expiresAt: new Date(waiting.expires_at * 1000),
      ...declineFrom(intent?.last_payment_error),
    }
  }
}

/** The payment of an open invoice. */
export async function intentOf(stripe: Stripe, invoice: string): Promise<Stripe.PaymentIntent | undefined> {
  const page = { invoice, limit: 100, expand: ['data.payment.payment_intent'] }
  const { data } = await callProvider(() => stripe.invoicePayments.list(page))
  for (const { payment } of data) {
    const { payment_intent: intent } = payment
    if (typeof intent === 'object' && intent !== null) return intent
  }
  return undefined
}

export function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
