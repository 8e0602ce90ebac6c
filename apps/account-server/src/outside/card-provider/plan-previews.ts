import type Stripe from 'stripe'
import type { BilledInvoice } from '../billed-invoice.ts'
import { callProvider } from './failure.ts'
import { invoiceFrom } from './invoices.ts'
import { discountParams, itemParams, type PlanChange, secondsOf } from './plan-changes.ts'

/** The card that an invoice would be charged to. */
export interface PayingCard {
  id: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
}

/** The subscription's own card, or the customer's default. */
const payers = [
  'parent.subscription_details.subscription.default_payment_method',
  'customer.invoice_settings.default_payment_method',
]

/** What a change of a subscription would charge; nothing is stored. An invoice of a change has few lines: they stand in the preview. */
export function planPreviewCalls(stripe: Stripe) {
  return {
    /** The invoice that a change would cause now, and the card that would pay it. */
    async previewChange(change: PlanChange): Promise<{ invoice: BilledInvoice; card: PayingCard | null }> {
      const { id: subscription, items, prorationDate, discount } = change
      const subscription_details: Stripe.InvoiceCreatePreviewParams.SubscriptionDetails = {
        items: items.map(itemParams),
        proration_behavior: 'always_invoice',
        proration_date: secondsOf(prorationDate),
      }
      const invoice_items = discount && [discountParams(discount)]
      const asked = { subscription, subscription_details, ...(invoice_items && { invoice_items }), expand: payers }
      const invoice = await callProvider(() => stripe.invoices.createPreview(asked))
      return { invoice: invoiceFrom(invoice, invoice.lines.data), card: payingCard(invoice) }
    },

    /** The invoice of a whole term after a change: of the next renewal, or of a term that begins now. */
    async previewRenewal({ id: subscription, items }: PlanChange): Promise<BilledInvoice> {
      const subscription_details = { items: items.map(itemParams), proration_behavior: 'none' as const }
      const invoice = await callProvider(() => stripe.invoices.createPreview({ subscription, subscription_details }))
      return invoiceFrom(invoice, invoice.lines.data)
    },
  }
}

function payingCard({ customer, parent }: Stripe.Invoice): PayingCard | null {
  const subscription = parent?.subscription_details?.subscription
  const own = typeof subscription === 'object' ? subscription.default_payment_method : null
  const isCustomer = typeof customer === 'object' && customer !== null && !customer.deleted
  const usual = isCustomer ? customer.invoice_settings.default_payment_method : null
  return cardFrom(own) ?? cardFrom(usual)
}

function cardFrom(method: string | Stripe.PaymentMethod | null): PayingCard | null {
  if (typeof method !== 'object' || !method?.card) return null
  const { id, card } = method
  return { id, brand: card.brand, last4: card.last4, expMonth: card.exp_month, expYear: card.exp_year }
}
