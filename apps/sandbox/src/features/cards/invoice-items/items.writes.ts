import { emitEvent } from '../events/events.writes.ts'
import type { Call } from '../requests/call.ts'
import { save } from '../store/store.ts'
import type { StoredItem } from './items.rules.ts'

/** Stores new invoice items, and their events. */
export async function saveItems(call: Call, items: readonly StoredItem[]): Promise<void> {
  for (const item of items) {
    await save(call.tx, item)
    await emitEvent(call, { type: 'invoiceitem.created', object: item.object })
  }
}

/** Puts invoice items on an invoice. */
export async function attachItems(call: Call, items: readonly StoredItem[], invoice: string): Promise<void> {
  for (const item of items) await save(call.tx, { ...item, object: { ...item.object, invoice } })
}
