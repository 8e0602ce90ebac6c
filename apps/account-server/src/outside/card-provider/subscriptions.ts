import type Stripe from 'stripe'
import { callProvider } from './failure.ts'

interface BilledItem {
  priceId: string
  lookupKey: string
  productId: string
  quantity: number
  /** Of one unit, in minor units; null if it is not per unit. */
  amount: number | null
  /** ISO 4217, upper case. */
  currency: string
  periodStart: Date
  periodEnd: Date
}

interface OpenInvoice {
  /** What is left to pay, in minor units. */
  amount: number
  /** Where the customer pays it. */
  url: string
  /** When it was asked for first. */
  since: Date
  nextAttemptAt: Date | null
}

/** A subscription as the card provider has it. */
export interface BilledSubscription {
  id: string
  customerId: string
  /** The provider's; a later version of its API may have others. */
  status: string
  createdAt: Date
  /** The first one is what is subscribed to. */
  items: readonly BilledItem[]
  /** Whether it ends instead of renewing, and when. */
  cancelAt: Date | null
  trialEnd: Date | null
  endedAt: Date | null
  metadata: Readonly<Record<string, string>>
  /** The last invoice, while it is not paid. */
  openInvoice: OpenInvoice | null
}

const expand = ['latest_invoice']

/** Of one customer. */
const most = 1000

/** Subscriptions of the card provider. */
export function subscriptionCalls(stripe: Stripe) {
  return {
    async readSubscription(id: string): Promise<BilledSubscription> {
      return subscriptionFrom(await callProvider(() => stripe.subscriptions.retrieve(id, { expand })))
    },

    /** A page of all subscriptions, newest first, ended ones too. @param after id of the last one of the page before */
    async subscriptionsAfter(after?: string): Promise<{ subscriptions: BilledSubscription[]; hasMore: boolean }> {
      const page = {
        status: 'all',
        limit: 100,
        expand: expand.map((field) => `data.${field}`),
        ...(after && { starting_after: after }),
      } satisfies Stripe.SubscriptionListParams
      const { data, has_more: hasMore } = await callProvider(() => stripe.subscriptions.list(page))
      return { subscriptions: data.map(subscriptionFrom), hasMore }
    },

    /** Ids of all subscriptions of a customer, ended ones too. */
    async subscriptionIdsOf(customer: string): Promise<string[]> {
      const all = () =>
        stripe.subscriptions.list({ customer, status: 'all', limit: 100 }).autoPagingToArray({ limit: most })
      return (await callProvider(all)).map(({ id }) => id)
    },

    /** What a product is called, for one that the vendor's catalog does not have. */
    async productName(id: string): Promise<string> {
      return (await callProvider(() => stripe.products.retrieve(id))).name
    },
  }
}

function subscriptionFrom(subscription: Stripe.Subscription): BilledSubscription {
  const { id, customer, status, metadata, latest_invoice: invoice } = subscription
  const items = subscription.items.data.map(itemFrom)
  const ends = items.map(({ periodEnd }) => periodEnd.getTime())
  const periodEnd = subscription.cancel_at_period_end && ends.length > 0 ? new Date(Math.max(...ends)) : null
  return {
    id,
    customerId: typeof customer === 'string' ? customer : customer.id,
    status,
    createdAt: dateOf(subscription.created),
    items,
    cancelAt: dateOrNull(subscription.cancel_at) ?? periodEnd,
    trialEnd: dateOrNull(subscription.trial_end),
    endedAt: dateOrNull(subscription.ended_at),
    metadata,
    openInvoice: typeof invoice === 'object' && invoice !== null ? openInvoiceFrom(invoice) : null,
  }
}

function itemFrom({ price, quantity, ...item }: Stripe.SubscriptionItem): BilledItem {
  return {
    priceId: price.id,
    lookupKey: price.lookup_key ?? '',
    productId: typeof price.product === 'string' ? price.product : price.product.id,
    quantity: quantity ?? 1,
    amount: price.unit_amount,
    currency: price.currency.toUpperCase(),
    periodStart: dateOf(item.current_period_start),
    periodEnd: dateOf(item.current_period_end),
  }
}

function openInvoiceFrom(invoice: Stripe.Invoice): OpenInvoice | null {
  const isOpen = invoice.status === 'open' || invoice.status === 'uncollectible'
  if (!isOpen || invoice.amount_remaining === 0) return null
  return {
    amount: invoice.amount_remaining,
    url: invoice.hosted_invoice_url ?? '',
    since: dateOf(invoice.status_transitions.finalized_at ?? invoice.created),
    nextAttemptAt: dateOrNull(invoice.next_payment_attempt),
  }
}

function dateOf(seconds: number): Date {
  return new Date(seconds * 1000)
}

function dateOrNull(seconds: number | null): Date | null {
  return seconds === null ? null : dateOf(seconds)
}
