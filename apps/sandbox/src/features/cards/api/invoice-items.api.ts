import { isNotNull, isNull } from 'drizzle-orm'
import type Stripe from 'stripe'
import { z } from 'zod'
import { lockedCustomer } from '../customers/customers.writes.ts'
import { discountList, redeem, wantedDiscounts } from '../discounts/discounts.writes.ts'
import { emitEvent } from '../events/events.writes.ts'
import { lineOfItem, newInvoiceItem, type StoredItem } from '../invoice-items/items.rules.ts'
import { lockedInvoice, recalculateDraft } from '../invoices/invoices.writes.ts'
import { servicePeriod } from '../invoicing/invoices.parameters.ts'
import { currencyOf } from '../payment-intents/amounts.rules.ts'
import { signedAmount, taxBehavior, taxCode } from '../prices/prices.parameters.ts'
import type { Api } from '../requests/api.ts'
import type { Call } from '../requests/call.ts'
import { serveResource } from '../requests/resource.ts'
import { cardObjects } from '../store/cards.tables.ts'
import { byColumn, byCreated, byCustomer } from '../store/filters.ts'
import { find, findLocked, markDeleted, save } from '../store/store.ts'
import { idOf } from '../store/stored.ts'
import { productName } from '../subscriptions/bill.ts'
import { refuseOtherCurrency, usablePrice } from '../subscriptions/items.writes.ts'
import { epochSeconds } from '../wire/ids.rules.ts'
import { boolean, integer, mergedMetadata, metadata, text, unsettable } from '../wire/parameters.rules.ts'
import { invalidRequest, noSuch } from '../wire/refusal.ts'

const made = {
  amount: signedAmount.optional(),
  currency: text(3).optional(),
  customer: text().optional(),
  description: unsettable(text()).optional(),
  discountable: boolean().optional(),
  discounts: discountList.optional(),
  invoice: text().optional(),
  metadata: metadata.optional(),
  period: servicePeriod.optional(),
  pricing: z.strictObject({ price: text() }).optional(),
  quantity: integer({ most: 1_000_000 }).optional(),
  subscription: text().optional(),
  tax_behavior: taxBehavior.optional(),
  tax_code: taxCode.optional(),
}

type Made = z.output<z.ZodObject<typeof made>>

export function invoiceItemsApi(api: Api): void {
  api.serve({ method: 'POST', path: '/invoiceitems', takes: made, run: createItem })

  serveResource(api, {
    kind: 'invoiceitem',
    path: '/invoiceitems',
    param: 'invoiceitem',
    filters: {
      created: byCreated,
      customer: byCustomer,
      invoice: byColumn(cardObjects.invoice),
      pending: boolean()
        .transform((isPending) => (isPending ? isNull(cardObjects.invoice) : isNotNull(cardObjects.invoice)))
        .optional(),
    },
    remove: deleteItem,
  })
}

async function createItem(call: Call, given: Made): Promise<Stripe.InvoiceItem> {
  const draft = given.invoice === undefined ? undefined : await lockedInvoice(call, given.invoice)
  if (draft && draft.object.status !== 'draft') throw notEditable()
  const holder = given.customer ?? idOf(draft?.object.customer)
  if (holder === undefined || holder === null) {
    throw invalidRequest('Missing required param: customer.', { code: 'parameter_missing', param: 'customer' })
  }
  const customer = await lockedCustomer(call.tx, holder, { param: 'customer' })
  if (given.subscription !== undefined) await refuseForeignSubscription(call, given.subscription, holder)
  const priced = await pricedItem(call, given, draft?.object.currency)
  refuseOtherCurrency(customer, priced.currency)
  if (draft && draft.object.currency !== priced.currency) {
    throw invalidRequest('The currency of the invoice item must match the currency of the invoice.', {
      param: 'currency',
    })
  }
  const now = epochSeconds(call.now)
  const wanted = await wantedDiscounts(call, given.discounts ?? null, priced.currency)
  const item = newInvoiceItem({
    ...priced,
    customer: holder,
    description: given.description ?? priced.description,
    period: given.period ?? { start: now, end: now },
    taxBehavior: given.tax_behavior ?? priced.price?.tax_behavior ?? null,
    taxCode: given.tax_code,
    metadata: mergedMetadata({}, given.metadata),
    now,
    discounts: wanted.map(({ id }) => id),
    discountable: given.discountable ?? priced.amount >= 0,
    subscription: given.subscription === undefined ? null : { id: given.subscription },
  })
  await redeem(call, wanted, { customer: holder, invoice_item: item.object.id })
  const stored: StoredItem = { ...item, object: { ...item.object, invoice: draft?.object.id ?? null } }
  await save(call.tx, stored)
  await emitEvent(call, { type: 'invoiceitem.created', object: stored.object })
  if (draft) {
    await recalculateDraft(call, {
      ...draft,
      hidden: { ...draft.hidden, lines: [...draft.hidden.lines, lineOfItem(stored)] },
    })
  }
  return stored.object
}

async function refuseForeignSubscription(call: Call, id: string, customer: string): Promise<void> {
  const found = await find(call.tx, 'subscription', id)
  if (found?.object.customer !== customer) throw noSuch('subscription', id, { param: 'subscription' })
}

interface Priced {
  amount: number
  currency: string
  description: string | null
  price: Stripe.Price | null
  quantity: number
}

/** @throws Refusal unless it has exactly one of an amount and a price */
async function pricedItem(call: Call, given: Made, currency: string | undefined): Promise<Priced> {
  const { amount, pricing } = given
  if ((amount === undefined) === (pricing === undefined)) {
    throw invalidRequest('You must pass one of `amount` and `pricing`.', { param: 'amount' })
  }
  if (pricing) {
    const price = await usablePrice(call, pricing.price, { type: 'one_time' })
    const quantity = given.quantity ?? 1
    const description = await productName(call, { price })
    return { amount: (price.unit_amount ?? 0) * quantity, currency: price.currency, description, price, quantity }
  }
  const named = given.currency ?? currency
  if (named === undefined) {
    throw invalidRequest('Missing required param: currency.', { code: 'parameter_missing', param: 'currency' })
  }
  return { amount: amount ?? 0, currency: currencyOf(named), description: null, price: null, quantity: 1 }
}

async function deleteItem(call: Call, id: string): Promise<void> {
  const seen = await find(call.tx, 'invoiceitem', id)
  const on = idOf(seen?.object.invoice)
  const draft = on === null ? undefined : await lockedInvoice(call, on)
  const { object } = await lockedItem(call, id)
  if (draft && draft.object.status !== 'draft') throw notEditable()
  await markDeleted(call.tx, id)
  await emitEvent(call, { type: 'invoiceitem.deleted', object })
  if (draft) await recalculateDraft(call, draft)
}

async function lockedItem(call: Call, id: string): Promise<StoredItem> {
  const found = await findLocked(call.tx, 'invoiceitem', id)
  if (!found) throw noSuch('invoiceitem', id, { param: 'invoiceitem', status: 404 })
  return found
}

function notEditable() {
  return invalidRequest('The invoice of this item is finalized, so its items cannot change anymore.', {
    code: 'invoice_not_editable',
  })
}
