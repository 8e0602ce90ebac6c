import type { Tx } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import { ownerRowOf } from '../../db/nobody.queries.ts'
import type { BilledInvoice } from '../../outside/billed-invoice.ts'
import { dropArchives } from '../archives/archives.writes.ts'
import { type KnownSubscriptions, linkedOwner } from './order-owners.queries.ts'
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
  { invoice, ownerOf }: { invoice: BilledInvoice; ownerOf: KnownSubscriptions['ownerOf'] | undefined },
): Promise<Row> {
  const memberId = (await linkedOwner(tx, invoice, ownerOf)) ?? stored.memberId
  if (memberId === stored.memberId || (await ownerRowOf(tx, stored.memberId)).isErasedPerson) return stored
  await tx.update(orders).set({ memberId }).where(eq(orders.orderNumber, stored.orderNumber))
  await dropArchives(tx, [stored.memberId])
  return { ...stored, memberId }
}
