import { emitEvent } from '../events/events.writes.ts'
import { findLocked, save } from '../store/store.ts'
import type { Capture, Money, Refund, Sale } from '../store/stored.ts'
import type { Call } from '../wire/call.ts'
import { newId } from '../wire/ids.rules.ts'
import { decimalText } from '../wire/money.rules.ts'
import { wireRefund } from './captures.wire.ts'
import { wireSaleRefund } from './sales.wire.ts'

/** A payment can be refunded for 180 days. */
const limitMs = 180 * 24 * 3_600_000

/** Why a payment cannot be refunded. */
export type RefundFault = 'missing' | 'uncleared' | 'late' | 'refunded' | 'currency' | 'zero' | 'exceeded'

/** Refunds an amount of a payment, or all that is left of it. The fee stays with PayPal. */
export async function refundPayment(
  call: Call,
  payment: { of: 'capture' | 'sale'; id: string },
  amount?: Money,
): Promise<Refund | RefundFault> {
  const found = await findLocked(call.tx, payment.of, payment.id)
  if (!found) return 'missing'
  const rest = found.total.amount - found.refunded
  const total = amount ?? { amount: rest, currency: found.total.currency }
  const fault = faultOf(call.now, found, total)
  if (fault) return fault

  const refund: Refund = {
    id: newId.transaction(),
    of: payment.of,
    paymentId: found.id,
    total,
    totalRefunded: found.refunded + total.amount,
    fee: 0,
    createdAt: call.now.toISOString(),
  }
  const changes = { refunded: refund.totalRefunded, updatedAt: refund.createdAt }
  if ('orderId' in found) await save(call.tx, { kind: 'capture', object: { ...found, ...changes } })
  else await save(call.tx, { kind: 'sale', object: { ...found, ...changes } })
  await save(call.tx, { kind: 'refund', object: refund })
  await refundEvent(call, refund)
  return refund
}

function faultOf(now: Date, found: Capture | Sale, total: Money): RefundFault | undefined {
  const rest = found.total.amount - found.refunded
  if ('uncleared' in found) return 'uncleared'
  if (rest === 0) return 'refunded'
  if (now.getTime() - new Date(found.createdAt).getTime() > limitMs) return 'late'
  if (total.currency !== found.total.currency) return 'currency'
  if (total.amount === 0) return 'zero'
  return total.amount > rest ? 'exceeded' : undefined
}

function refundEvent(call: Call, refund: Refund): Promise<void> {
  const amount = `${decimalText(refund.total)} ${refund.total.currency}`
  return refund.of === 'capture'
    ? emitEvent(call, {
        type: 'PAYMENT.CAPTURE.REFUNDED',
        resourceType: 'refund',
        resourceVersion: '2.0',
        summary: `A ${amount} capture payment was refunded`,
        resource: wireRefund(call, refund),
      })
    : emitEvent(call, {
        type: 'PAYMENT.SALE.REFUNDED',
        resourceType: 'refund',
        resourceVersion: '1.0',
        summary: `A ${amount} sale payment was refunded`,
        resource: wireSaleRefund(call, refund),
      })
}
