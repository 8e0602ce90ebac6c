import { emitEvent } from '../events/events.writes.ts'
import type { Call } from '../requests/call.ts'
import type { Line } from '../store/billing-hidden.ts'
import { oneByOne } from '../store/one-by-one.ts'
import { find, save } from '../store/store.ts'
import { itemOfLine, type StoredItem } from './items.rules.ts'

/** Stores new invoice items, and their events. */
export async function saveItems(call: Call, items: readonly StoredItem[]): Promise<void> {
  for (const item of items) {
    await save(call.tx, item)
    await emitEvent(call, { type: 'invoiceitem.created', object: item.object })
  }
}

/** Puts invoice items on an invoice; null: on none, where they wait for one. */
export async function attachItems(call: Call, items: readonly StoredItem[], invoice: string | null): Promise<void> {
  for (const item of items) await save(call.tx, { ...item, object: { ...item.object, invoice } })
}

/** The invoice items that lines show. */
export async function itemsOfLines({ tx }: Call, lines: readonly Line[]): Promise<StoredItem[]> {
  const items = await oneByOne(lines, async ({ line }) => {
    const id = itemOfLine(line)
    return id === null ? undefined : find(tx, 'invoiceitem', id)
  })
  return items.filter((item) => item !== undefined)
}
