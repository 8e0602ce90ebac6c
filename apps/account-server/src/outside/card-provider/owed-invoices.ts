import type Stripe from 'stripe'
import { callProvider } from './failure.ts'
import { wholeList } from './lists.ts'

/**
 * What has to be paid for a subscription to go on, newest first: what is open, and the latest invoice, without which the provider does not
 * call it active. After the last retry that one may be written off; of an `unpaid` subscription it is a draft. What was billed in between
 * and has stayed a draft is not owed, since nothing was had for it.
 * @param subscription with its `latest_invoice`
 */
export async function owedInvoices(stripe: Stripe, subscription: Stripe.Subscription): Promise<Stripe.Invoice[]> {
  const { id } = subscription
  const open = await wholeList((page) => stripe.invoices.list({ subscription: id, status: 'open', ...page }))
  const latest = latestInvoiceOf(subscription)
  const all = latest && isOwedBeside(open, latest, subscription) ? [latest, ...open] : open
  return all.filter(({ amount_remaining: left, status }) => left > 0 || status === 'draft')
}

function isOwedBeside(open: readonly Stripe.Invoice[], latest: Stripe.Invoice, { status }: Stripe.Subscription) {
  if (latest.status === 'draft') return status === 'unpaid'
  // A change that was written off is not made; it is owed only if the subscription waits for nothing else.
  return latest.status === 'uncollectible' && status !== 'active' && (open.length === 0 || isOfPeriod(latest))
}

/** Has the provider ask for what an `unpaid` subscription is billed now, which it leaves a draft. Without an amount it is paid by that. */
export async function finalizeOwed(stripe: Stripe, subscription: Stripe.Subscription): Promise<void> {
  const latest = latestInvoiceOf(subscription)
  if (subscription.status !== 'unpaid' || latest?.status !== 'draft') return
  try {
    await callProvider(() => stripe.invoices.finalizeInvoice(latest.id, { auto_advance: false }))
  } catch (error) {
    const now = await callProvider(() => stripe.invoices.retrieve(latest.id))
    // Another request was first.
    if (now.status === 'draft') throw error
  }
}

export function latestInvoiceOf({ latest_invoice: invoice }: Stripe.Subscription): Stripe.Invoice | null {
  return typeof invoice === 'object' ? invoice : null
}

export function isOfPeriod({ billing_reason: reason }: Stripe.Invoice): boolean {
  return reason === 'subscription_cycle'
}
