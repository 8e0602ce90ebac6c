import type Stripe from 'stripe'
import { type Decline, noDecline, ProviderFailure } from '../provider-failure.ts'
import { callProvider, declineFrom } from './failure.ts'
import { minorUnits } from './minor-units.ts'
import { finalizeOwed, owedInvoices } from './owed-invoices.ts'
import { payingCardCalls } from './paying-cards.ts'

/** An invoice that the customer owes. */
export interface OverdueInvoice {
  id: string
  /** What is left to pay, in minor units of `currency`. */
  amount: number
  currency: string
  /** Whether the provider does not ask for it yet. */
  isDraft: boolean
}

/** How a payment of invoices stands. */
export interface OverduePayment extends Decline {
  state: 'paid' | 'requires_action' | 'declined'
  /** How many of the invoices are paid, from the first on. */
  paidCount: number
  /** For the provider's browser SDK; empty unless the bank asks. */
  clientSecret: string
}

/** Of one invoice. */
type Outcome = Omit<OverduePayment, 'paidCount'>

interface Paying {
  subscriptionId: string
  invoiceIds: readonly string[]
  /** Empty: the card that pays for the subscription. */
  paymentMethodId: string
  operationId: string
}

/** Payments of invoices whose collection has failed. */
export function overdueInvoiceCalls(stripe: Stripe) {
  return {
    /** What has to be paid for a subscription to go on, oldest first. */
    async overdueInvoices(subscription: string): Promise<OverdueInvoice[]> {
      const owed = await owedInvoices(stripe, await withLatest(subscription))
      return owed.reverse().map(({ id, amount_remaining: left, currency, status }) => {
        const code = currency.toUpperCase()
        return { id, amount: minorUnits(left, code), currency: code, isDraft: status === 'draft' }
      })
    },

    /** Has a subscription's draft asked for, so that it can be paid. Its amount may be another one then: the balance counts. */
    async finalizeOverdue(subscription: string): Promise<void> {
      await finalizeOwed(stripe, await withLatest(subscription))
    },

    /**
     * Pays them one after the other, until one is not paid. The card pays for the subscription from now on, if that has one of its
     * own: otherwise the next renewal would fail again.
     */
    async payInvoices({ subscriptionId, invoiceIds, paymentMethodId, operationId }: Paying): Promise<OverduePayment> {
      if (paymentMethodId !== '') await replaceOwnCard(subscriptionId, paymentMethodId)
      for (const [paidCount, invoice] of invoiceIds.entries()) {
        const idempotencyKey = `${operationId}-${invoice}`
        const outcome = await payInvoice(invoice, { paymentMethodId, idempotencyKey })
        if (outcome.state !== 'paid') return { ...outcome, paidCount }
      }
      return { ...paid, paidCount: invoiceIds.length }
    },

    /** How their payment stands. What the bank neither asks about nor has paid counts as declined: it was not tried, say. */
    async readPayment(invoiceIds: readonly string[]): Promise<OverduePayment> {
      for (const [paidCount, id] of invoiceIds.entries()) {
        if (!(await isPaid(id))) return { ...(await outcomeOf(id)), paidCount }
      }
      return { ...paid, paidCount: invoiceIds.length }
    },
  }

  function withLatest(id: string): Promise<Stripe.Subscription> {
    return callProvider(() => stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] }))
  }

  async function replaceOwnCard(id: string, card: string): Promise<void> {
    const { default_payment_method: own } = await callProvider(() => stripe.subscriptions.retrieve(id))
    if (own === null || own === card) return
    await payingCardCalls(stripe).payBy(id, card)
  }

  async function payInvoice(
    id: string,
    { paymentMethodId, idempotencyKey }: { paymentMethodId: string; idempotencyKey: string },
  ): Promise<Outcome> {
    const asked = { off_session: false, ...(paymentMethodId !== '' && { payment_method: paymentMethodId }) }
    try {
      await callProvider(() => stripe.invoices.pay(id, asked, { idempotencyKey }))
      return paid
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      // Also what the bank asks is an error here; and it may have been paid in the meantime.
      if (error.kind === 'invalid' && (await isPaid(id))) return paid
      if (error.kind !== 'refused' && error.kind !== 'action_required') throw error
      const outcome = await outcomeOf(id)
      const { sentence, declineCode } = error
      return outcome.state === 'requires_action' ? outcome : { ...outcome, sentence, declineCode }
    }
  }

  async function isPaid(id: string): Promise<boolean> {
    return (await callProvider(() => stripe.invoices.retrieve(id))).status === 'paid'
  }

  /** Of an invoice that is not paid. */
  async function outcomeOf(invoice: string): Promise<Outcome> {
    const page = { invoice, limit: 100, expand: ['data.payment.payment_intent'] }
    const { data } = await callProvider(() => stripe.invoicePayments.list(page))
    const intents = data.flatMap(({ payment: { payment_intent: intent } }) =>
      typeof intent === 'object' ? [intent] : [],
    )
    const asking = intents.find((intent) => intent?.status === 'requires_action')
    if (asking) return { state: 'requires_action', clientSecret: asking.client_secret ?? '', ...noDecline }
    const refused = intents.find((intent) => intent?.last_payment_error)
    return { state: 'declined', clientSecret: '', ...declineFrom(refused?.last_payment_error) }
  }
}

const paid: Outcome = { state: 'paid', clientSecret: '', ...noDecline }
