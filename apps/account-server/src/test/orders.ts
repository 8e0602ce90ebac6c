import { randomInt } from 'node:crypto'
import { orders } from '../features/orders/orders.tables.ts'
import type { newWorld, TestMember } from './world.ts'

/** An order of the store, imported and completed if nothing else is said. */
export async function newOrder(
  { db }: Pick<Awaited<ReturnType<typeof newWorld>>, 'db'>,
  member: Pick<TestMember, 'id'>,
  values: Partial<typeof orders.$inferInsert> = {},
) {
  const common = { memberId: member.id, invoiceNumber: '', status: 'CO', amount: 100, currency: 'USD' } as const
  const lines = [{ text: 'Folio PDF Editor', productCode: '', amount: null }]
  const rest = { lines, origin: 'imported', date: new Date('2026-05-01T00:00:00Z'), invoiceUrl: '' } as const
  const [row] = await db
    .insert(orders)
    .values({ orderNumber: `N-${randomInt(2 ** 40)}`, ...common, ...rest, ...values })
    .returning()
  if (!row) throw new Error('no order')
  return row
}
