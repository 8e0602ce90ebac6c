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
    ...(subscription.paysByEcheck && { uncleared: 'PENDING' }),
    customId: subscription.customId,
    createdAt: now,
    updatedAt: now,
  }
  await save(call.tx, { kind: 'sale', object: sale })
  await saleEvent(call, sale)
  return sale
}

/** An eCheck clears, or is denied, some days after it was made. */
export async function clearSale(call: Call, { uncleared: _, ...sale }: Sale, isCleared: boolean): Promise<void> {
  const cleared: Sale = { ...sale, updatedAt: call.now.toISOString(), ...(!isCleared && { uncleared: 'DECLINED' }) }
  await save(call.tx, { kind: 'sale', object: cleared })
  await saleEvent(call, cleared)
}

function saleEvent(call: Call, sale: Sale): Promise<void> {
  const resource = wireSale(call, sale)
  return emitEvent(call, {
    type: `PAYMENT.SALE.${resource.state.toUpperCase()}`,
    resourceType: 'sale',
    resourceVersion: '1.0',
    summary: `Payment ${resource.state} for ${decimalText(sale.total)} ${sale.total.currency}`,
    resource,
  })
}
