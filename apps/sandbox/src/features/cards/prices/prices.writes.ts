import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { emitChange } from '../events/events.writes.ts'
import type { Call } from '../requests/call.ts'
import { cardObjects } from '../store/cards.tables.ts'
import { findLocked, save } from '../store/store.ts'
import { isOf } from '../store/stored.ts'
import { invalidRequest, noSuch } from '../wire/refusal.ts'

export async function lockedPrice(call: Call, id: string): Promise<Stripe.Price> {
  const found = await findLocked(call.tx, 'price', id)
  if (!found) throw noSuch('price', id, { param: 'price', status: 404 })
  return found.object
}

/**
 * Takes a lookup key from the price that has it.
 * @param isTransferred whether the request says that another price may lose it
 * @throws Refusal if another price has it and keeps it
 */
export async function freeLookupKey(call: Call, lookupKey: string, isTransferred: boolean): Promise<void> {
  const [row] = await call.tx
    .select({ stored: cardObjects.stored })
    .from(cardObjects)
    .where(eq(cardObjects.lookupKey, lookupKey))
    .for('update')
  if (!row || !isOf(row.stored, 'price')) return
  const before = row.stored.object
  if (!isTransferred) {
    throw invalidRequest(
      `A price (\`${before.id}\`) already uses that lookup key. To move it here, set \`transfer_lookup_key\` to \`true\`.`,
      { param: 'lookup_key' },
    )
  }
  const object: Stripe.Price = { ...before, lookup_key: null }
  await save(call.tx, { ...row.stored, object })
  await emitChange(call, 'price.updated', { before, after: object })
}
