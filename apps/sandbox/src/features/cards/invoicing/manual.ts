import type Stripe from 'stripe'
import { lockedCustomer } from '../customers/customers.writes.ts'
import { emitEvent } from '../events/events.writes.ts'
import { lineOfItem } from '../invoice-items/items.rules.ts'
import { attachItems, itemsOfLines } from '../invoice-items/items.writes.ts'
import { recalculated } from '../invoices/draft.ts'
import { newInvoice } from '../invoices/invoice.rules.ts'
import { automaticCollection, lockedInvoice, saveDraft } from '../invoices/invoices.writes.ts'
import { currencyOf } from '../payment-intents/amounts.rules.ts'
import type { Call } from '../requests/call.ts'
import { pendingOfCustomer, pendingOfSubscription } from '../store/invoices.queries.ts'
import { find, markDeleted } from '../store/store.ts'
import { idOf } from '../store/stored.ts'
import { refuseForeignCard } from '../subscriptions/items.writes.ts'
import { epochSeconds } from '../wire/ids.rules.ts'
import { mergedMetadata, present } from '../wire/parameters.rules.ts'
import { invalidRequest, noSuch } from '../wire/refusal.ts'
import type { CreatedInvoice } from './invoices.parameters.ts'

/** Creates a draft of the vendor's own, such as one for a prepaid term. */
export async function createInvoice(call: Call, given: CreatedInvoice): Promise<Stripe.Invoice> {
  const subscription = await subscriptionFor(call, given)
  const holder = idOf(subscription?.customer) ?? given.customer
  if (holder === undefined) {
    throw invalidRequest('Missing required param: customer.', { code: 'parameter_missing', param: 'customer' })
  }
  const customer = await lockedCustomer(call.tx, holder, { param: 'customer' })
  if (given.default_payment_method) await refuseForeignCard(call, given.default_payment_method, holder)
  const items = subscription
    ? await pendingOfSubscription(call.tx, subscription.id)
    : await itemsFor(call, given, holder)
  if (subscription && items.length === 0) throw nothingToInvoice()
  const asked = given.currency === undefined ? undefined : currencyOf(given.currency)
  const currency = asked ?? items[0]?.object.currency ?? customer.currency ?? 'usd'
  const draft = newInvoice({
    customer,
    currency,
    reason: 'manual',
    now: epochSeconds(call.now),
    subscription: subscription && { id: subscription.id, metadata: subscription.metadata },
    isAutomaticTax: given.automatic_tax?.enabled ?? subscription?.automatic_tax.enabled ?? false,
  })
  const object = { ...draft.object, ...automaticCollection(given.auto_advance ?? false, epochSeconds(call.now)) }
  const parts = await recalculated(
    call,
    { ...draft, object },
    { customer, lines: items.map(lineOfItem), discounts: subscription?.discounts ?? [] },
  )
  await attachItems(call, items, draft.object.id)
  return (await saveDraft(call, { ...parts, object: withDetails(parts.object, given) })).object
}

function nothingToInvoice() {
  return invalidRequest('Nothing to invoice for subscription', { code: 'invoice_no_subscription_line_items' })
}

async function subscriptionFor(call: Call, { subscription: id, customer }: CreatedInvoice) {
  if (id === undefined) return null
  const found = await find(call.tx, 'subscription', id)
  if (!found) throw noSuch('subscription', id, { param: 'subscription' })
  if (customer !== undefined && found.object.customer !== customer) {
    throw noSuch('subscription', id, { param: 'subscription' })
  }
  return found.object
}

async function itemsFor(call: Call, given: CreatedInvoice, customer: string) {
  if (given.pending_invoice_items_behavior === 'exclude') return []
  const pending = await pendingOfCustomer(call.tx, customer)
  const currency = given.currency?.toLowerCase() ?? pending[0]?.object.currency
  return pending.filter(({ object }) => object.currency === currency)
}

function withDetails(before: Stripe.Invoice, given: CreatedInvoice): Stripe.Invoice {
  const { default_payment_method, description } = given
  const metadata = mergedMetadata(before.metadata ?? {}, given.metadata)
  return { ...before, ...present({ default_payment_method, description }), metadata }
}

/** Only a draft of the vendor's own can be deleted. What is on it is not: it waits for the customer's next invoice. */
export async function deleteInvoice(call: Call, id: string): Promise<void> {
  const { object, hidden } = await lockedInvoice(call, id)
  if (object.status !== 'draft' || object.parent !== null) {
    throw invalidRequest('You can only delete draft invoices that do not belong to a subscription.', {
      code: 'invoice_not_editable',
    })
  }
  await attachItems(call, await itemsOfLines(call, hidden.lines), null)
  await markDeleted(call.tx, id)
  await emitEvent(call, { type: 'invoice.deleted', object })
}
