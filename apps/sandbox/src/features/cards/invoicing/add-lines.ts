import type Stripe from 'stripe'
import { lineOfItem } from '../invoice-items/items.rules.ts'
import { attachItems, saveItems } from '../invoice-items/items.writes.ts'
import { lockedInvoice, recalculateDraft } from '../invoices/invoices.writes.ts'
import type { Call } from '../requests/call.ts'
import { idOf } from '../store/stored.ts'
import { invalidRequest } from '../wire/refusal.ts'
import { itemsFrom } from './given-items.ts'
import type { AddedLines } from './invoices.parameters.ts'

/** Adds lines to a draft, with an invoice item for each. */
export async function addLines(call: Call, id: string, { lines }: AddedLines): Promise<Stripe.Invoice> {
  const draft = await lockedInvoice(call, id)
  const { status, customer, currency } = draft.object
  if (status !== 'draft') {
    throw invalidRequest("This invoice is finalized, so its lines can't be changed anymore.", {
      code: 'invoice_not_editable',
    })
  }
  const entries = lines.map(({ pricing, ...line }) => ({ ...line, price: pricing?.price }))
  const holder = { customer: idOf(customer) ?? '', currency, subscription: null, list: 'lines' }
  const items = await itemsFrom(call, entries, holder)
  await saveItems(call, items)
  await attachItems(call, items, id)
  const added = [...draft.hidden.lines, ...items.map(lineOfItem)]
  return (await recalculateDraft(call, { ...draft, hidden: { ...draft.hidden, lines: added } })).object
}
