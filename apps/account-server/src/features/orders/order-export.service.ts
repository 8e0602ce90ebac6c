import { type exportOrders as contract, mostExportedOrders } from '@atrium/contract/order-files.ts'
import { yearOf } from '@atrium/contract/range.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { dictionaries } from '../dictionaries/dictionaries.queries.ts'
import { type ExportedOrder, exportedOrders, numberOfExported } from './exported-orders.queries.ts'
import { orderCsv } from './order-csv.ts'

/** The orders of the list that match the filters, as CSV. @throws Problem `too_many_orders` */
export async function exportOfOrders(
  { db, clock }: Deps,
  member: Member,
  { lang, ...filter }: z.output<typeof contract.query>,
) {
  const wanted = { memberId: member.id, filter, now: clock() }
  const { orders } = await numberOfExported(db, wanted)
  if (orders > mostExportedOrders) throw new Problem('too_many_orders')

  const { 'order-status': statuses = [] } = await dictionaries(db, { types: ['order-status'], lang })
  const statusNames = new Map(statuses.map(({ code, name }) => [code, name]))
  const rows: ExportedOrder[] = []
  for await (const order of exportedOrders(db, wanted)) rows.push(order)
  const csv = orderCsv(rows, { lang, statusNames })
  const label = yearOf(filter.range) ?? wanted.now.toISOString().slice(0, 10)
  return { content: Buffer.from(csv).toString('base64'), filename: `orders-${label}.csv` }
}
