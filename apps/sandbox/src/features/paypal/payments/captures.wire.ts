import type { Capture, Refund } from '../store/stored.ts'
import type { Call } from '../wire/call.ts'
import { wireTime } from '../wire/ids.rules.ts'
import { wireMoney } from '../wire/money.rules.ts'
import { statusOf } from './sales.wire.ts'

const path = '/v2/payments'

/** A payment of an order, with what the order's answer shows of it. */
export function wireCapture({ publicUrl }: Pick<Call, 'publicUrl'>, capture: Capture) {
  const { currency, amount } = capture.total
  const href = `${publicUrl}${path}/captures/${capture.id}`
  return {
    id: capture.id,
    status: statusOf(capture),
    amount: wireMoney(capture.total),
    final_capture: true,
    seller_protection: { status: 'ELIGIBLE', dispute_categories: ['ITEM_NOT_RECEIVED', 'UNAUTHORIZED_TRANSACTION'] },
    seller_receivable_breakdown: {
      gross_amount: wireMoney(capture.total),
      paypal_fee: wireMoney({ amount: capture.fee, currency }),
      net_amount: wireMoney({ amount: amount - capture.fee, currency }),
    },
    ...(capture.invoiceId !== null && { invoice_id: capture.invoiceId }),
    ...(capture.customId !== null && { custom_id: capture.customId }),
    create_time: wireTime(capture.createdAt),
    update_time: wireTime(capture.updatedAt),
    links: [
      { href, rel: 'self', method: 'GET' },
      { href: `${href}/refund`, rel: 'refund', method: 'POST' },
      { href: `${publicUrl}/v2/checkout/orders/${capture.orderId}`, rel: 'up', method: 'GET' },
    ],
  }
}

/** With the order to which it belongs, as its own address and its events show it. */
export function wholeCapture(call: Pick<Call, 'publicUrl'>, capture: Capture) {
  return { ...wireCapture(call, capture), supplementary_data: { related_ids: { order_id: capture.orderId } } }
}

/** The minimal answer to a refund. */
export function shortRefund({ publicUrl }: Pick<Call, 'publicUrl'>, refund: Refund) {
  return {
    id: refund.id,
    status: 'COMPLETED',
    links: [
      { href: `${publicUrl}${path}/refunds/${refund.id}`, rel: 'self', method: 'GET' },
      { href: `${publicUrl}${path}/captures/${refund.paymentId}`, rel: 'up', method: 'GET' },
    ],
  }
}

export function wireRefund(call: Pick<Call, 'publicUrl'>, refund: Refund) {
  const { currency, amount } = refund.total
  return {
    ...shortRefund(call, refund),
    amount: wireMoney(refund.total),
    seller_payable_breakdown: {
      gross_amount: wireMoney(refund.total),
      paypal_fee: wireMoney({ amount: refund.fee, currency }),
      net_amount: wireMoney({ amount: amount - refund.fee, currency }),
      total_refunded_amount: wireMoney({ amount: refund.totalRefunded, currency }),
    },
    create_time: wireTime(refund.createdAt),
    update_time: wireTime(refund.createdAt),
  }
}
