import type Stripe from 'stripe'
import { customer as storedCustomer } from '../customers/customers.writes.ts'
import { wantedDiscounts } from '../discounts/discounts.writes.ts'
import { lineOfItem, type StoredItem } from '../invoice-items/items.rules.ts'
import { recalculated } from '../invoices/draft.ts'
import { type InvoiceParts, newInvoice } from '../invoices/invoice.rules.ts'
import { currencyOf } from '../payment-intents/amounts.rules.ts'
import type { Call } from '../requests/call.ts'
import { find } from '../store/store.ts'
import { idOf } from '../store/stored.ts'
import { billOf } from '../subscriptions/bill.ts'
import { firstBill, prepare } from '../subscriptions/create.ts'
import { refuseOtherCurrency } from '../subscriptions/items.writes.ts'
import { nextPeriods } from '../subscriptions/next-periods.rules.ts'
import { type PlannedUpdate, planUpdate, type WantedChange } from '../subscriptions/plan-update.ts'
import { epochSeconds, newId } from '../wire/ids.rules.ts'
import { invalidRequest, noSuch, type Refusal } from '../wire/refusal.ts'
import { itemsFrom } from './given-items.ts'
import type { Previewed } from './invoices.parameters.ts'

/** The invoice that would come next, or that a change would cause. Nothing is stored. */
export async function previewInvoice(call: Call, given: Previewed): Promise<Stripe.Invoice> {
  const parts =
    given.subscription === undefined
      ? await previewNew(call, given)
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

/** Of a subscription that does not exist yet, or of an invoice without one. */
async function previewNew(call: Call, given: Previewed): Promise<InvoiceParts> {
  const { subscription_details: details } = given
  if (details?.items === undefined && given.invoice_items !== undefined) return previewOneOff(call, given)
  if (given.customer === undefined || details?.items === undefined) {
    throw invalidRequest(
      'You must provide at least one of: `subscription`, `schedule`, `subscription_details.items`, `schedule_details.phases`, `invoice_items`.',
      { param: 'subscription' },
    )
  }
  const items = details.items.map(({ price, quantity, metadata, discounts }) => {
    if (price === undefined) {
      throw invalidRequest('Missing required param: subscription_details[items][0][price].', {
        code: 'parameter_missing',
        param: 'subscription_details[items][0][price]',
      })
    }
    return { price, quantity, metadata, discounts }
  })
  const wanted = {
    customer: given.customer,
    items,
    automatic_tax: given.automatic_tax,
    currency: given.currency,
    discounts: given.discounts,
    trial_end: details.trial_end,
    proration_behavior: details.proration_behavior,
    billing_cycle_anchor: details.billing_cycle_anchor?.timestamp,
    metadata: details.metadata,
  }
  const { bill } = await firstBill(call, await prepare(call, wanted), wanted)
  return bill
}

/** An invoice of a customer, of nothing but its items. */
async function previewOneOff(call: Call, given: Previewed): Promise<InvoiceParts> {
  if (given.customer === undefined) {
    throw invalidRequest('Missing required param: customer.', { code: 'parameter_missing', param: 'customer' })
  }
  const customer = await storedCustomer(call.tx, given.customer, { param: 'customer' })
  const currency = given.currency === undefined ? (customer.currency ?? 'usd') : currencyOf(given.currency)
  refuseOtherCurrency(customer, currency)
  const holder = { customer: customer.id, currency, subscription: null, param: 'invoice_items' }
  const items = await itemsFrom(call, given.invoice_items ?? [], holder)
  const discounts = await wantedDiscounts(call, given.discounts ?? null, currency)
  const isAutomaticTax = given.automatic_tax?.enabled ?? false
  const draft = newInvoice({ customer, currency, reason: 'upcoming', now: epochSeconds(call.now), isAutomaticTax })
  return recalculated(call, draft, { customer, lines: items.map(lineOfItem), discounts, unsaved: discounts })
}

async function previewExisting(call: Call, id: string, given: Previewed): Promise<InvoiceParts> {
  const stored = await find(call.tx, 'subscription', id)
  if (!stored) throw noSuch('subscription', id, { param: 'subscription' })
  if (given.customer !== undefined && stored.object.customer !== given.customer) {
    throw noSuch('subscription', id, { param: 'subscription' })
  }
  if (stored.object.ended_at !== null) throw nothingUpcoming()
  const { subscription_details: details } = given
  const wanted: WantedChange = {
    items: details?.items,
    proration_behavior: details?.proration_behavior,
    proration_date: details?.proration_date,
    billing_cycle_anchor: details?.billing_cycle_anchor,
    trial_end: details?.trial_end,
    discounts: given.discounts,
    ...(details?.cancel_now === true && { cancels: true }),
  }
  const planned = await planUpdate(call, stored, wanted)
  const after = withTax(planned.after, given)
  const isNow = planned.isInvoiced || wanted.cancels === true
  const ends = details?.cancel_at_period_end === true || stored.object.cancel_at_period_end
  if (!isNow && ends && planned.pending.length + planned.prorations.length === 0) throw nothingUpcoming()
  const currency = stored.object.currency
  const items = [...planned.pending, ...planned.prorations, ...(await previewedItems(call, after, given, currency))]
  return billOf(call, {
    subscription: after,
    customer: await storedCustomer(call.tx, idOf(after.customer) ?? ''),
    reason: 'upcoming',
    items: isNow ? planned.plan.renewed : await upcomingItems(planned, ends),
    invoiceItems: items,
    prorationDate: planned.prorations.length > 0 ? planned.prorationDate : undefined,
    unsaved: [...planned.wanted, ...[...planned.wantedByItem.values()].flat()].filter(({ coupon }) => coupon),
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
  const holder = { customer: idOf(customer) ?? '', currency, subscription: { id }, param: 'invoice_items' }
  return itemsFrom(call, given.invoice_items ?? [], holder)
}
