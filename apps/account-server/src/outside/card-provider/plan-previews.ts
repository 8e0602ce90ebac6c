import type Stripe from 'stripe'
import type { BilledInvoice } from '../billed-invoice.ts'
import { ProviderFailure } from '../provider-failure.ts'
import { previewedParams } from './added-lines.ts'
import { secondsOf } from './change-results.ts'
import { callProvider } from './failure.ts'
import { invoiceFrom } from './invoices.ts'
import { itemParams, type PlanChange } from './plan-changes.ts'
import { taxCodeOf } from './prices.ts'
import { type UnbilledItem, unbilledItems } from './unbilled.ts'

/** The card that an invoice would be charged to. */
export interface PayingCard {
  id: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
}

export interface ChangePreview {
  invoice: BilledInvoice
  /** The card that would pay it; null: none. */
  card: PayingCard | null
  /** The subscription's own card; empty: the customer's default pays. */
  ownCard: string
  /** Whether an earlier change waits for its payment: this one would replace it. */
  isChangeWaiting: boolean
  /** What plans its future; empty: nothing. */
  scheduleId: string
  /** Its items, as long as its new Owner was not charged after a transfer. */
  unbilled: readonly UnbilledItem[]
}

/** The subscription's own card, or the customer's default. */
const payers = [
  'parent.subscription_details.subscription.default_payment_method',
  'customer.invoice_settings.default_payment_method',
]

/** What a change of a subscription would charge; nothing is stored. An invoice of a change has few lines: they stand in the preview. */
export function planPreviewCalls(stripe: Stripe) {
  const withTaxCode = async <Item extends { productId: string }>(item: Item) => ({
    ...item,
    taxCode: taxCodeOf(await callProvider(() => stripe.products.retrieve(item.productId))),
  })

  return {
    /** The invoice that a change would cause now, and the card that would pay it. */
    async previewChange(change: PlanChange): Promise<ChangePreview> {
      const { id: subscription, items, prorationDate } = change
      const subscription_details: Stripe.InvoiceCreatePreviewParams.SubscriptionDetails = {
        items: items.map(itemParams),
        proration_behavior: 'always_invoice',
        proration_date: secondsOf(prorationDate),
      }
      const asked = { subscription, subscription_details, ...previewedParams(change), expand: payers }
      const invoice = await callProvider(() => stripe.invoices.createPreview(asked))
      // What is sent and paid later cannot be charged now.
      if (invoice.collection_method === 'send_invoice') throw notCharged()
      const now = subscriptionOf(invoice)
      refuseUncharged(now)
      const own = cardFrom(now.default_payment_method)
      return {
        invoice: invoiceFrom(invoice, invoice.lines.data),
        ...{ card: own ?? usualCard(invoice), ownCard: own?.id ?? '' },
        isChangeWaiting: now.pending_update !== null,
        scheduleId: (typeof now.schedule === 'object' ? now.schedule?.id : now.schedule) ?? '',
        unbilled: await Promise.all(unbilledItems(invoice).map(withTaxCode)),
      }
    },

    /** The invoice of a whole term after a change: of the next renewal, or of a term that begins now. */
    async previewRenewal({ id: subscription, items }: PlanChange): Promise<BilledInvoice> {
      const subscription_details = { items: items.map(itemParams), proration_behavior: 'none' as const }
      const invoice = await callProvider(() => stripe.invoices.createPreview({ subscription, subscription_details }))
      return invoiceFrom(invoice, invoice.lines.data)
    },
  }
}

/** The subscription as it is now. */
function subscriptionOf({ parent }: Stripe.Invoice): Stripe.Subscription {
  const subscription = parent?.subscription_details?.subscription
  if (typeof subscription !== 'object') throw new Error('the provider did not expand the subscription')
  return subscription
}

/** @throws ProviderFailure `invalid` where nothing would be charged now, although the preview has an amount */
function refuseUncharged({ status, pause_collection: pause }: Stripe.Subscription): void {
  // The preview of a trial is of the invoice after it; what is invoiced while collection is paused is void, uncollectible or a draft.
  if (status === 'trialing' || pause !== null) throw notCharged()
}

function notCharged(): ProviderFailure {
  return new ProviderFailure('invalid', new Error('not charged now'))
}

/** The customer's default. */
export function usualCard({ customer }: Stripe.Invoice): PayingCard | null {
  const isCustomer = typeof customer === 'object' && customer !== null && !customer.deleted
  return isCustomer ? cardFrom(customer.invoice_settings.default_payment_method) : null
}

function cardFrom(method: string | Stripe.PaymentMethod | null): PayingCard | null {
  if (typeof method !== 'object' || !method?.card) return null
  const { id, card } = method
  return { id, brand: card.brand, last4: card.last4, expMonth: card.exp_month, expYear: card.exp_year }
}
