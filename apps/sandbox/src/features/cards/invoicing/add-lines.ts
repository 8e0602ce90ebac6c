import type Stripe from 'stripe'
import { lineOfItem } from '../invoice-items/items.rules.ts'
import { attachItems, itemsOfLines, saveItems } from '../invoice-items/items.writes.ts'
import { lockedInvoice, recalculateDraft, type StoredInvoice } from '../invoices/invoices.writes.ts'
import type { Call } from '../requests/call.ts'
import { markDeleted } from '../store/store.ts'
import { idOf } from '../store/stored.ts'
import { invalidRequest, noSuch } from '../wire/refusal.ts'
import { itemsFrom } from './given-items.ts'
import type { AddedLines, RemovedLines } from './invoices.parameters.ts'

/** Adds lines to a draft, with an invoice item for each. */
export async function addLines(call: Call, id: string, { lines }: AddedLines): Promise<Stripe.Invoice> {
  const draft = await lockedDraft(call, id)
  const { customer, currency } = draft.object
  const entries = lines.map(({ pricing, ...line }) => ({ ...line, price: pricing?.price }))
  const holder = { customer: idOf(customer) ?? '', currency, subscription: null, list: 'lines' }
  const items = await itemsFrom(call, entries, holder)
  await saveItems(call, items)
  await attachItems(call, items, id)
  const added = [...draft.hidden.lines, ...items.map(lineOfItem)]
  return (await recalculateDraft(call, { ...draft, hidden: { ...draft.hidden, lines: added } })).object
}

/** Removes lines from a draft: the invoice item of each is deleted, or waits for another invoice. */
export async function removeLines(call: Call, id: string, { lines: removed }: RemovedLines): Promise<Stripe.Invoice> {
  const draft = await lockedDraft(call, id)
  for (const { id: removedId, behavior } of removed) {
    const line = draft.hidden.lines.find((one) => one.line.id === removedId)
    if (!line) throw noSuch('line item', removedId, { param: 'lines' })
    const items = await itemsOfLines(call, [line])
    if (behavior === 'unassign') await attachItems(call, items, null)
    else for (const item of items) await markDeleted(call.tx, item.object.id)
  }
  const lines = draft.hidden.lines.filter(({ line }) => !removed.some((one) => one.id === line.id))
  return (await recalculateDraft(call, { ...draft, hidden: { ...draft.hidden, lines } })).object
}

/** @throws Refusal for an invoice that is finalized */
async function lockedDraft(call: Call, id: string): Promise<StoredInvoice> {
  const draft = await lockedInvoice(call, id)
  if (draft.object.status === 'draft') return draft
  throw invalidRequest("This invoice is finalized, so its lines can't be changed anymore.", {
    code: 'invoice_not_editable',
  })
}
