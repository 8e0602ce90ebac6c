import { automaticCollection, type StoredInvoice, saveInvoice } from '../invoices/invoices.writes.ts'
import type { Call } from '../requests/call.ts'
import { findLocked } from '../store/store.ts'
import { epochSeconds } from '../wire/ids.rules.ts'
import { endSubscription } from './cancel.ts'
import type { StoredSubscription } from './invoice-outcome.ts'

/** A subscription ends with its customer. */
export async function endWithCustomer(call: Call, stored: StoredSubscription): Promise<void> {
  if (stored.object.ended_at !== null) return
  await endSubscription(call, stored, { at: epochSeconds(call.now) })
}

/** Nothing is collected from a customer who is gone. */
export async function stopWithCustomer(call: Call, { object: { id } }: StoredInvoice): Promise<void> {
  const found = await findLocked(call.tx, 'invoice', id)
  if (!found || (found.object.status !== 'open' && found.object.status !== 'draft')) return
  const object = { ...found.object, ...automaticCollection(false, epochSeconds(call.now)) }
  await saveInvoice(call, found, { ...found, object })
}
