import { z } from 'zod'
import { findLocked, save } from '../store/store.ts'
import type { PurchaseUnit } from '../store/stored.ts'
import type { Call } from '../wire/call.ts'
import { type patches, text } from '../wire/fields.rules.ts'
import { type Patchable, patchOf } from '../wire/patches.rules.ts'
import { impossible, notFound } from '../wire/refusal.ts'
import { amount } from './orders.parameters.ts'

/** Of the unit that was made without an id of its own. */
const unitPath = "/purchase_units/@reference_id=='default'"

const fields: Patchable<PurchaseUnit> = {
  [`${unitPath}/amount`]: amount.transform((total) => ({ total })),
  [`${unitPath}/payee/email`]: z.email().transform((payeeEmail) => ({ payeeEmail })),
  [`${unitPath}/custom_id`]: text(255).transform((customId) => ({ customId })),
  [`${unitPath}/invoice_id`]: text(127).transform((invoiceId) => ({ invoiceId })),
}

/**
 * Changes what is asked for, also after the buyer has approved it: a page may do that, as well as the merchant's server.
 * @throws Refusal 404; 400 for other fields; 422 for an order that is captured or void
 */
export async function patchOrder(call: Call, id: string, body: z.output<typeof patches>): Promise<void> {
  const order = await findLocked(call.tx, 'order', id)
  if (!order) throw notFound()
  const change = patchOf(body, fields)
  if (order.status === 'COMPLETED' || order.status === 'VOIDED') {
    throw impossible('ORDER_ALREADY_COMPLETED', 'The order cannot be changed any more.')
  }
  const units = order.units.map((unit) => (unit.referenceId === 'default' ? { ...unit, ...change } : unit))
  await save(call.tx, { kind: 'order', object: { ...order, units, updatedAt: call.now.toISOString() } })
}
