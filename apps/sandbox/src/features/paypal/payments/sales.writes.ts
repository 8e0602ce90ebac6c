import { emitEvent } from '../events/events.writes.ts'
import { save } from '../store/store.ts'
import type { Sale, Subscription } from '../store/stored.ts'
import type { Call } from '../wire/call.ts'
import { newId } from '../wire/ids.rules.ts'
import { decimalText, feeOf } from '../wire/money.rules.ts'
import { wireSale } from './sales.wire.ts'

/** Charges the buyer of a subscription. @param amount minor units */
export async function createSale(call: Call, subscription: Subscription, amount: number): Promise<Sale> {
  const total = { amount, currency: subscription.currency }
  const now = call.now.toISOString()
  const sale: Sale = {
    id: newId.transaction(),
    subscriptionId: subscription.id,
    total,
    fee: feeOf(total),
    refunded: 0,
    customId: subscription.customId,
    createdAt: now,
    updatedAt: now,
  }
  await save(call.tx, { kind: 'sale', object: sale })
  await emitEvent(call, {
    type: 'PAYMENT.SALE.COMPLETED',
    resourceType: 'sale',
    resourceVersion: '1.0',
    summary: `Payment completed for ${decimalText(total)} ${total.currency}`,
    resource: wireSale(call, sale),
  })
  return sale
}
