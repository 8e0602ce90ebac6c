import type Stripe from 'stripe'
import { customer as storedCustomer } from '../customers/customers.writes.ts'
import { newInvoiceItem, type StoredItem } from '../invoice-items/items.rules.ts'
import { currencyOf } from '../payment-intents/amounts.rules.ts'
import { inlinePrice } from '../prices/inline-price.ts'
import { oneByOne } from '../store/one-by-one.ts'
import { find } from '../store/store.ts'
import { idOf } from '../store/stored.ts'
import { billOf, productName } from '../subscriptions/bill.ts'
import { firstBill, prepare } from '../subscriptions/create.ts'
import { usablePrice } from '../subscriptions/items.writes.ts'
import { nextPeriods } from '../subscriptions/next-periods.rules.ts'
import { type PlannedUpdate, planUpdate, type WantedChange } from '../subscriptions/plan-update.ts'
import type { Call } from '../wire/call.ts'
import { epochSeconds, newId } from '../wire/ids.rules.ts'
import { invalidRequest, noSuch, type Refusal } from '../wire/refusal.ts'
import type { InvoiceParts } from './invoice.rules.ts'
import type { Previewed, PreviewedItem } from './invoices.parameters.ts'

/** The invoice that would come next, or that a change would cause. Nothing is stored. */
export async function previewInvoice(call: Call, given: Previewed): Promise<Stripe.Invoice> {
  const parts =
    given.subscription === undefined
      ? await previewNew(call, given)
      : await previewExisting(call, given.subscription, given)
  return {
    ...parts.object,
    id: newId('upcoming_in_'),
    auto_advance: false,
    billing_reason: 'upcoming',
  }
}

function nothingUpcoming(): Refusal {
  return invalidRequest('No upcoming invoices for customer', { code: 'invoice_upcoming_none', status: 404 })
}

/** Of a subscription that does not exist yet. */
async function previewNew(call: Call, given: Previewed): Promise<InvoiceParts> {
  const { subscription_details: details } = given
  if (given.customer === undefined || details?.items === undefined) {
    throw invalidRequest('You must pass `subscription`, or `customer` with `subscription_details[items]`.', {
      param: 'subscription',
    })
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

async function previewedPrice(
  call: Call,
  { price: id, price_data: data }: PreviewedItem,
  currency: string,
): Promise<Stripe.Price | null> {
  if (data) return inlinePrice(call, data, currency)
  return id === undefined ? null : usablePrice(call, id, { type: 'one_time', currency })
}

/** `invoice_items`: as if they were pending. */
async function previewedItems(
  call: Call,
  { id, customer }: Stripe.Subscription,
  given: Previewed,
  currency: string,
): Promise<StoredItem[]> {
  const now = epochSeconds(call.now)
  return oneByOne(given.invoice_items ?? [], async (entry) => {
    const price = await previewedPrice(call, entry, currency)
    const quantity = entry.quantity ?? 1
    const unit = price?.unit_amount ?? entry.unit_amount
    if (unit === undefined && entry.amount === undefined) {
      throw invalidRequest('Missing required param: invoice_items[0][amount].', {
        code: 'parameter_missing',
        param: 'invoice_items[0][amount]',
      })
    }
    if (entry.currency !== undefined && currencyOf(entry.currency) !== currency) {
      throw invalidRequest('The currency of the invoice item must match the currency of the invoice.', {
        param: 'invoice_items[0][currency]',
      })
    }
    const amount = entry.amount ?? (unit ?? 0) * quantity
    return newInvoiceItem({
      customer: idOf(customer) ?? '',
      amount,
      currency,
      description: entry.description ?? (price ? await productName(call, { price }) : null),
      period: entry.period ?? { start: now, end: now },
      price,
      quantity,
      taxBehavior: entry.tax_behavior ?? price?.tax_behavior ?? null,
      metadata: entry.metadata ?? {},
      now,
      discounts: [],
      discountable: entry.discountable ?? amount >= 0,
      subscription: { id },
    })
  })
}
