import { z } from 'zod'
import { findLocked, save } from '../store/store.ts'
import type { PurchaseUnit } from '../store/stored.ts'
import type { Call } from '../wire/call.ts'
import { type patches, text } from '../wire/fields.rules.ts'
import { patchedText, readPatches } from '../wire/patches.rules.ts'
import { impossible, notFound } from '../wire/refusal.ts'
import { amount } from './orders.parameters.ts'

const changeable = ['add', 'replace', 'remove'] as const

/** Of the unit that was made without an id of its own. */
const unitPath = "/purchase_units/@reference_id=='default'"

const patchable = [
  { path: `${unitPath}/amount`, operations: ['replace'], schema: amount },
  { path: `${unitPath}/payee/email`, operations: ['replace'], schema: z.email() },
  { path: `${unitPath}/custom_id`, operations: changeable, schema: text(255) },
  { path: `${unitPath}/invoice_id`, operations: changeable, schema: text(127) },
] as const

const Amount = z
  .object({
    total: z.object({ amount: z.number(), currency: z.string() }),
    breakdown: z.record(z.string(), z.number()).nullable(),
  })
  .optional()

/**
 * Changes what is asked for, also after the buyer has approved it: a page may do that, as well as the merchant's server.
 * @throws Refusal 404; 400 for other fields; 422 for an order that is captured or void
 */
export async function patchOrder(call: Call, id: string, body: z.output<typeof patches>): Promise<void> {
  const order = await findLocked(call.tx, 'order', id)
  if (!order) throw notFound()
  const wanted = readPatches(body, patchable)
  if (order.status === 'COMPLETED' || order.status === 'VOIDED') {
    throw impossible('ORDER_ALREADY_COMPLETED', 'The order cannot be changed any more.')
  }
  const payeeEmail = z
    .string()
    .optional()
    .parse(wanted.get(`${unitPath}/payee/email`))
  const patched = (unit: PurchaseUnit): PurchaseUnit => ({
    ...unit,
    ...Amount.parse(wanted.get(`${unitPath}/amount`)),
    customId: patchedText(wanted, `${unitPath}/custom_id`, unit.customId),
    invoiceId: patchedText(wanted, `${unitPath}/invoice_id`, unit.invoiceId),
    ...(payeeEmail !== undefined && { payeeEmail }),
  })
  const units = order.units.map((unit) => (unit.referenceId === 'default' ? patched(unit) : unit))
  await save(call.tx, { kind: 'order', object: { ...order, units, updatedAt: call.now.toISOString() } })
}
