import { plainLine } from '@atrium/contract/text.ts'
import type Stripe from 'stripe'
import type { ObjectClaim } from '../billed-invoice.ts'
import { type BilledItem, itemFrom } from './billed-item.ts'
import { claimFrom } from './claims.ts'
import { callProvider } from './failure.ts'
import { isOfChange } from './invoices.ts'
import { wholeList } from './lists.ts'
import { dateOf, dateOrNull, lastPaymentOf, type OpenInvoice, openInvoiceFrom, owedFrom } from './open-invoices.ts'
import { isOfPeriod, latestInvoiceOf, owedInvoices } from './owed-invoices.ts'
import { statusOf, statusOfSettled } from './paused-status.ts'
import { type Payer, payerFrom } from './payer.ts'
import { type Schedule, scheduleFrom } from './schedules.ts'

/** The metadata of a change that was made here: the id of its operation. */
export const operationMark = 'operation'

/** What a subscription becomes once its last invoice is paid (`pending_update`). */
interface PendingChange {
  /** Whether it was begun here: then its operation knows more. */
  isOurs: boolean

  /** Empty: it has no invoice. */
  invoiceId: string
  /** All items after it; empty: they stay as they are. */
  items: readonly BilledItem[]
  /** When the provider drops it unless it is paid. */
  expiresAt: Date
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
  /** What it says about whose it is. */
  claim: ObjectClaim
  /** The card that pays for it; empty: the customer's default. */
  ownCard: string
  /** Whether the period that has begun is not paid: not tried yet, for about an hour, or the vendor asks for nothing. */
  isRenewing: boolean
  /** The change that waits for its payment, until which everything stays as it was. */
  pendingChange: PendingChange | null
  /** What is planned for it; null: nothing. */
  schedule: Schedule | null
  /** What its invoices are charged to; left out: it was not read. */
  payer?: Payer
  /** The last invoice, while it is not paid. */
  openInvoice: OpenInvoice | null
}

export const expand = ['latest_invoice', 'schedule']
/** What pays for it as well. */
const expandPayer = ['default_payment_method', 'customer.invoice_settings.default_payment_method']

const unbegun: ReadonlySet<string> = new Set(['incomplete', 'incomplete_expired'])

/** Subscriptions of the card provider. */
export function subscriptionCalls(stripe: Stripe) {
  async function whole(subscription: Stripe.Subscription): Promise<BilledSubscription> {
    const billed = await withItsPeriod(stripe, subscription)
    if (billed.status !== 'past_due' && billed.status !== 'unpaid') return billed
    const owed = await owedInvoices(stripe, subscription)
    const oldest = owed.at(-1)
    if (!oldest) return subscription.status === 'paused' ? { ...billed, status: statusOfSettled(subscription) } : billed
    const last = await lastPaymentOf(stripe, { invoice: oldest.id, status: billed.status })
    return { ...billed, openInvoice: { ...owedFrom(owed, oldest), ...last } }
  }

  return {
    async readSubscription(id: string): Promise<BilledSubscription> {
      const asked = { expand: [...expand, ...expandPayer] }
      return whole(await callProvider(() => stripe.subscriptions.retrieve(id, asked)))
    },

    /** A page of all subscriptions, newest first, ended ones too. @param after id of the last one of the page before */
    async subscriptionsAfter(after?: string): Promise<{ subscriptions: BilledSubscription[]; hasMore: boolean }> {
      const page = {
        status: 'all',
        limit: 100,
        expand: [...expand, ...expandPayer].map((field) => `data.${field}`),
        ...(after && { starting_after: after }),
      } satisfies Stripe.SubscriptionListParams
      const { data, has_more: hasMore } = await callProvider(() => stripe.subscriptions.list(page))
      const subscriptions: BilledSubscription[] = []
      for (const subscription of data) subscriptions.push(await whole(subscription))
      return { subscriptions, hasMore }
    },

    /** Lets one go on, within its period, that was paused until its invoice was paid. */
    async resumePaid(id: string): Promise<void> {
      const { latest_invoice: latest } = await callProvider(() => stripe.subscriptions.retrieve(id))
      const invoice = typeof latest === 'string' ? latest : latest?.id
      const asked = { billing_cycle_anchor: { type: 'unchanged' as const }, proration_behavior: 'none' as const }
      // Whoever hears of the payment, it resumes once.
      const key = { idempotencyKey: `${id}-resume-${invoice}` }
      await callProvider(() => stripe.subscriptions.resume(id, asked, key))
    },

    /** Whether there is anything that a subscription's invoices can be charged to. */
    async hasPaymentMethod(id: string): Promise<boolean> {
      const found = await callProvider(() => stripe.subscriptions.retrieve(id, { expand: ['customer'] }))
      if (found.default_payment_method !== null || found.default_source !== null) return true
      const { customer } = found
      if (typeof customer === 'string' || customer.deleted) return false
      return customer.invoice_settings.default_payment_method !== null || customer.default_source !== null
    },

    /** What a subscription's invoices are charged to. */
    async payerOf(id: string): Promise<Payer> {
      return payerFrom(await callProvider(() => stripe.subscriptions.retrieve(id, { expand: expandPayer })))
    },

    /** Ids of all subscriptions of a customer, ended ones too. */
    async subscriptionIdsOf(customer: string): Promise<string[]> {
      const all = await wholeList((page) => stripe.subscriptions.list({ customer, status: 'all', ...page }))
      return all.map(({ id }) => id)
    },

    /** Ids of those of a customer that go on until they end, paid or not; not of one whose first payment has failed. */
    async runningSubscriptionsOf(customer: string): Promise<string[]> {
      const all = await wholeList((page) => stripe.subscriptions.list({ customer, ...page }))
      return all.filter(({ status }) => !unbegun.has(status) && status !== 'canceled').map(({ id }) => id)
    },

    /** Lets it end: with the period that is paid, or at a later moment, to which the customer is bound. */
    async turnOffRenewal({ id, cancelAt, operationId: idempotencyKey }: RenewalOff): Promise<BilledSubscription> {
      const end: Stripe.SubscriptionUpdateParams =
        cancelAt === null
          ? { cancel_at_period_end: true }
          : { cancel_at: cancelAt.getTime() / 1000, proration_behavior: 'none' }
      const asked = { ...end, expand }
      return subscriptionFrom(await callProvider(() => stripe.subscriptions.update(id, asked, { idempotencyKey })))
    },

    /** Lets it renew again. The provider takes back only the kind of end that it has, which is read first. */
    async turnOnRenewal({ id, operationId: idempotencyKey }: RenewalOn): Promise<BilledSubscription> {
      const before = await callProvider(() => stripe.subscriptions.retrieve(id))
      const end: Stripe.SubscriptionUpdateParams = before.cancel_at_period_end
        ? { cancel_at_period_end: false }
        : { cancel_at: '' }
      const asked = { ...end, expand }
      return subscriptionFrom(await callProvider(() => stripe.subscriptions.update(id, asked, { idempotencyKey })))
    },

    /** What a product is called, for one that the vendor's catalog does not have. */
    async productName(id: string): Promise<string> {
      return plainLine((await callProvider(() => stripe.products.retrieve(id))).name)
    },
  }
}

/**
 * The invoice of a change, once it is paid, lets the provider call active what has not paid for its period, as that of an item does that is
 * billed more often than another: the periods' own invoices say how it stands.
 */
async function withItsPeriod(stripe: Stripe, subscription: Stripe.Subscription): Promise<BilledSubscription> {
  const billed = subscriptionFrom(subscription)
  const latest = latestInvoiceOf(subscription)
  const starts = new Set(subscription.items.data.map(({ current_period_start: start }) => start))
  if (billed.status !== 'active' || !latest || (starts.size === 1 && isOfPeriod(latest))) return billed
  const asked = { subscription: subscription.id, created: { gte: Math.min(...starts) } }
  const since = await wholeList((page) => stripe.invoices.list({ ...asked, ...page }))
  const ofPeriods = [...starts].flatMap((start) => invoiceOfPeriod(since, start) ?? [])
  // What the vendor has given up is owed no more: the provider calls its subscription active again.
  const isDue = ofPeriods.some((one) => one.status === 'open' && openInvoiceFrom(one) && one.attempted)
  return isDue ? { ...billed, status: 'past_due' } : { ...billed, isRenewing: ofPeriods.some(isRenewalUnpaid) }
}

/** Of items that are billed in different intervals, each has its own. @param start of the period, in epoch seconds */
function invoiceOfPeriod(invoices: readonly Stripe.Invoice[], start: number): Stripe.Invoice | undefined {
  const renewals = invoices.filter((invoice) => isOfPeriod(invoice) && invoice.created >= start)
  return renewals.find(({ lines }) => lines.data.some(({ period }) => period.start === start)) ?? renewals[0]
}

interface RenewalOff {
  id: string
  /** Whole seconds; null: with the period. */
  cancelAt: Date | null
  operationId: string
}

interface RenewalOn {
  id: string
  operationId: string
}

export function subscriptionFrom(subscription: Stripe.Subscription): BilledSubscription {
  const { id, customer, metadata, default_payment_method: card } = subscription
  const invoice = latestInvoiceOf(subscription)
  const schedule = scheduleFrom(subscription.schedule)
  const items = subscription.items.data.map(itemFrom)
  const ends = items.map(({ periodEnd }) => periodEnd.getTime())
  const periodEnd = subscription.cancel_at_period_end && ends.length > 0 ? new Date(Math.max(...ends)) : null
  return {
    id,
    customerId: typeof customer === 'string' ? customer : customer.id,
    status: statusOf(subscription),
    createdAt: dateOf(subscription.created),
    items,
    cancelAt: dateOrNull(subscription.cancel_at) ?? periodEnd ?? schedule?.endsAt ?? null,
    schedule,
    trialEnd: dateOrNull(subscription.trial_end),
    endedAt: dateOrNull(subscription.ended_at),
    ...{ metadata, claim: claimFrom(subscription) },
    ...(typeof customer !== 'string' && { payer: payerFrom(subscription) }),
    ownCard: (typeof card === 'string' ? card : card?.id) ?? '',
    pendingChange: subscription.pending_update && {
      isOurs: isOurs(subscription.pending_update, metadata),
      invoiceId: invoice && isOfChange(invoice) ? invoice.id : '',
      items: (subscription.pending_update.subscription_items ?? []).map(itemFrom),
      expiresAt: dateOf(subscription.pending_update.expires_at),
    },
    isRenewing: invoice !== null && isRenewalUnpaid(invoice),
    openInvoice: invoice && openInvoiceFrom(invoice),
  }
}

/** The provider repeats the metadata of before if it changes some of it. */
function isOurs({ metadata }: Stripe.Subscription.PendingUpdate, before: Stripe.Metadata): boolean {
  const operation = metadata?.[operationMark]
  return operation !== undefined && operation !== before[operationMark]
}

function isRenewalUnpaid(invoice: Stripe.Invoice): boolean {
  const { status, attempted } = invoice
  const isUntried = status === 'draft' || (status === 'open' && !attempted)
  return isOfPeriod(invoice) && (isUntried || status === 'void')
}
