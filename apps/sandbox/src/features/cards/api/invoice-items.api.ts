import { isNotNull, isNull } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { z } from 'zod'
import { lockedCustomer } from '../customers/customers.writes.ts'
import { lineOfItem, type StoredItem } from '../invoice-items/items.rules.ts'
import { saveItems } from '../invoice-items/items.writes.ts'
import { lockedInvoice, recalculateDraft } from '../invoices/invoices.writes.ts'
import { itemFrom } from '../invoicing/given-items.ts'
import { servicePeriod } from '../invoicing/invoices.parameters.ts'
import { currencyOf } from '../payment-intents/amounts.rules.ts'
import { signedAmount, taxBehavior, taxCode } from '../prices/prices.parameters.ts'
import type { Api } from '../requests/api.ts'
import type { Call } from '../requests/call.ts'
import { serveResource } from '../requests/resource.ts'
import { cardObjects } from '../store/cards.tables.ts'
import { byColumn, byCreated, byCustomer } from '../store/filters.ts'
import { find } from '../store/store.ts'
import { idOf } from '../store/stored.ts'
import { refuseOtherCurrency } from '../subscriptions/items.writes.ts'
import { boolean, metadata, text, unsettable } from '../wire/parameters.rules.ts'
import { invalidRequest, noSuch } from '../wire/refusal.ts'

const made = {
  amount: signedAmount,
  currency: text(3),
  customer: text().optional(),
  description: unsettable(text()).optional(),
  discountable: boolean().optional(),
  invoice: text().optional(),
  metadata: metadata.optional(),
  period: servicePeriod.optional(),
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
  })
}

/** Adds an item to a draft, or to whatever invoice comes next. */
async function createItem(call: Call, given: Made): Promise<Stripe.InvoiceItem> {
  const draft = given.invoice === undefined ? undefined : await lockedInvoice(call, given.invoice)
  if (draft && draft.object.status !== 'draft') {
    throw invalidRequest('The invoice of this item is finalized, so its items cannot change anymore.', {
      code: 'invoice_not_editable',
    })
  }
  const customer = given.customer ?? idOf(draft?.object.customer)
  if (customer === null) {
    throw invalidRequest('Missing required param: customer.', { code: 'parameter_missing', param: 'customer' })
  }
  const currency = draft?.object.currency ?? currencyOf(given.currency)
  refuseOtherCurrency(await lockedCustomer(call.tx, customer, { param: 'customer' }), currency)
  const subscription = given.subscription === undefined ? null : { id: given.subscription }
  if (subscription) await refuseForeignSubscription(call, subscription.id, customer)
  const item = await itemFrom(call, given, { customer, currency, subscription })
  const stored: StoredItem = { ...item, object: { ...item.object, invoice: draft?.object.id ?? null } }
  await saveItems(call, [stored])
  if (draft) {
    const lines = [...draft.hidden.lines, lineOfItem(stored)]
    await recalculateDraft(call, { ...draft, hidden: { ...draft.hidden, lines } })
  }
  return stored.object
}

async function refuseForeignSubscription(call: Call, id: string, customer: string): Promise<void> {
  const found = await find(call.tx, 'subscription', id)
  if (found?.object.customer !== customer) throw noSuch('subscription', id, { param: 'subscription' })
}
