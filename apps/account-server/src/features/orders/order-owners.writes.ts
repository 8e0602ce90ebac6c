import type { Tx } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import { ownerRowOf } from '../../db/nobody.queries.ts'
import type { BilledInvoice } from '../../outside/billed-invoice.ts'
import { dropArchives } from '../archives/archives.writes.ts'
import { type KnownOwners, linkedOwner } from './order-owners.queries.ts'
import { orders } from './orders.tables.ts'

type Row = typeof orders.$inferSelect

/**
 * Gives an order to whom its customer is linked now; also what has been completed, but nothing of an erased person: its invoice names them,
 * and whoever has their address, or their customer, is somebody else.
 * @returns the order as it is then
 */
export async function ofLinkedOwner(
  tx: Tx,
  stored: Row,
  { invoice, ...known }: KnownOwners & { invoice: BilledInvoice },
): Promise<Row> {
  // Of two who are proven, the first one stays.
  if (known.named?.memberId === stored.memberId) return stored
  const memberId = (await linkedOwner(tx, invoice, known)) ?? stored.memberId
  if (memberId === stored.memberId || (await ownerRowOf(tx, stored.memberId)).isErasedPerson) return stored
  await tx.update(orders).set({ memberId }).where(eq(orders.orderNumber, stored.orderNumber))
  await dropArchives(tx, [stored.memberId])
  return { ...stored, memberId }
}
