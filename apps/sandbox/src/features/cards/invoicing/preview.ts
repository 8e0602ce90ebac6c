import type Stripe from 'stripe'
import { customer as storedCustomer } from '../customers/customers.writes.ts'
import { lineOfItem, type StoredItem } from '../invoice-items/items.rules.ts'
import { recalculated } from '../invoices/draft.ts'
import { type InvoiceParts, newInvoice } from '../invoices/invoice.rules.ts'
import { currencyOf } from '../payment-intents/amounts.rules.ts'
import type { Call } from '../requests/call.ts'
import { find } from '../store/store.ts'
import { idOf } from '../store/stored.ts'
import { billOf } from '../subscriptions/bill.ts'
import { refuseOtherCurrency } from '../subscriptions/items.writes.ts'
import { nextPeriods } from '../subscriptions/next-periods.rules.ts'
import { type PlannedUpdate, planUpdate } from '../subscriptions/plan-update.ts'
import { epochSeconds, newId } from '../wire/ids.rules.ts'
import { invalidRequest, noSuch, type Refusal } from '../wire/refusal.ts'
import { itemsFrom } from './given-items.ts'
import type { Previewed } from './invoices.parameters.ts'

/** The invoice that would come next, or that a change would cause. Nothing is stored. */
export async function previewInvoice(call: Call, given: Previewed): Promise<Stripe.Invoice> {
  const parts =
    given.subscription === undefined
      ? await previewOneOff(call, given)
      : await previewExisting(call, given.subscription, given)
  return { ...underId(parts.object, newId('upcoming_in_')), auto_advance: false, billing_reason: 'upcoming' }
}

function underId(invoice: Stripe.Invoice, id: string): Stripe.Invoice {
  const data = invoice.lines.data.map((line) => ({ ...line, invoice: id }))
  return { ...invoice, id, lines: { ...invoice.lines, data, url: `/v1/invoices/${id}/lines` } }
}

function nothingUpcoming(): Refusal {
  return invalidRequest('No upcoming invoices for customer', { code: 'invoice_upcoming_none', status: 404 })
}

/** An invoice of a customer, of nothing but its items. */
async function previewOneOff(call: Call, given: Previewed): Promise<InvoiceParts> {
  if (given.invoice_items === undefined) {
    throw invalidRequest('You must provide at least one of: `subscription`, `invoice_items`.', {
      param: 'subscription',
    })
  }
  if (given.customer === undefined) {
    throw invalidRequest('Missing required param: customer.', { code: 'parameter_missing', param: 'customer' })
  }
  const customer = await storedCustomer(call.tx, given.customer, { param: 'customer' })
  const currency = given.currency === undefined ? (customer.currency ?? 'usd') : currencyOf(given.currency)
  refuseOtherCurrency(customer, currency)
  const holder = { customer: customer.id, currency, subscription: null, list: 'invoice_items' }
  const items = await itemsFrom(call, given.invoice_items, holder)
  const isAutomaticTax = given.automatic_tax?.enabled ?? false
  const draft = newInvoice({ customer, currency, reason: 'upcoming', now: epochSeconds(call.now), isAutomaticTax })
  return recalculated(call, draft, { customer, lines: items.map(lineOfItem), discounts: [] })
}

async function previewExisting(call: Call, id: string, given: Previewed): Promise<InvoiceParts> {
  const stored = await find(call.tx, 'subscription', id)
  if (!stored) throw noSuch('subscription', id, { param: 'subscription' })
  if (given.customer !== undefined && stored.object.customer !== given.customer) {
    throw noSuch('subscription', id, { param: 'subscription' })
  }
  if (stored.object.ended_at !== null) throw nothingUpcoming()
  const planned = await planUpdate(call, stored, given.subscription_details ?? {})
  const after = withTax(planned.after, given)
  const ends = stored.object.cancel_at_period_end
  const hasItems = planned.pending.length + planned.prorations.length > 0
  if (!planned.isInvoiced && ends && !hasItems) throw nothingUpcoming()
  const currency = stored.object.currency
  const items = [...planned.pending, ...planned.prorations, ...(await previewedItems(call, after, given, currency))]
  return billOf(call, {
    subscription: after,
    customer: await storedCustomer(call.tx, idOf(after.customer) ?? ''),
    reason: 'upcoming',
    items: planned.isInvoiced ? planned.plan.renewed : upcomingItems(planned, ends),
    invoiceItems: items,
    prorationDate: planned.prorations.length > 0 ? planned.prorationDate : undefined,
  })
}

/** Without an invoice now, the next one renews the items too. */
function upcomingItems({ after }: PlannedUpdate, ends: boolean): Stripe.SubscriptionItem[] {
  return ends ? [] : nextPeriods(after).renewed
}

function withTax(after: Stripe.Subscription, { automatic_tax }: Previewed): Stripe.Subscription {
  if (!automatic_tax) return after
  return { ...after, automatic_tax: { ...after.automatic_tax, enabled: automatic_tax.enabled } }
}

/** `invoice_items`: as if they were pending. */
function previewedItems(
  call: Call,
  { id, customer }: Stripe.Subscription,
  given: Previewed,
  currency: string,
): Promise<StoredItem[]> {
  const holder = { customer: idOf(customer) ?? '', currency, subscription: { id }, list: 'invoice_items' }
  return itemsFrom(call, given.invoice_items ?? [], holder)
}
