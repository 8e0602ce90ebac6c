import { z } from 'zod'
import { NewRefund } from '../orders/orders.parameters.ts'
import { shortRefund, wholeCapture, wireRefund } from '../payments/captures.wire.ts'
import { type RefundFault, refundPayment } from '../payments/refunds.writes.ts'
import { wireSale, wireSaleRefund } from '../payments/sales.wire.ts'
import { find } from '../store/store.ts'
import type { Refund } from '../store/stored.ts'
import { type Api, noQuery } from '../wire/api.ts'
import { total } from '../wire/fields.rules.ts'
import { impossible, notFound, Refusal } from '../wire/refusal.ts'

/** Payments, version 2: payments of orders and their refunds. */
export function paymentsApi(api: Api): void {
  api.get({
    path: '/v2/payments/captures/:id',
    query: noQuery,
    async run(call, { id }) {
      const capture = await find(call.tx, 'capture', id)
      if (!capture) throw notFound()
      return wholeCapture(call, capture)
    },
  })

  api.change({
    method: 'POST',
    path: '/v2/payments/captures/:id/refund',
    body: NewRefund,
    // 45 days.
    remembers: 1080,
    async run(call, { id, body, isWhole }) {
      const refund = await refundPayment(call, { of: 'capture', id }, body.amount)
      if (typeof refund === 'string') throw refusalOf(refund)
      return { status: 201, body: isWhole ? wireRefund(call, refund) : shortRefund(call, refund) }
    },
  })

  api.get({
    path: '/v2/payments/refunds/:id',
    query: noQuery,
    async run(call, { id }) {
      const refund = await find(call.tx, 'refund', id)
      if (refund?.of !== 'capture') throw notFound()
      return wireRefund(call, refund)
    },
  })
}

function refusalOf(fault: RefundFault): Refusal {
  if (fault === 'missing') return notFound()
  const refusals = {
    uncleared: impossible('INVALID_REFUND_STATE', 'The payment has not been completed.'),
    late: impossible('REFUND_TIME_LIMIT_EXCEEDED', 'The payment is too old to be refunded.'),
    refunded: impossible('CAPTURE_FULLY_REFUNDED', 'The payment was refunded already.'),
    currency: impossible('REFUND_CAPTURE_CURRENCY_MISMATCH', 'A refund has the currency of its payment.', '/amount'),
    zero: impossible('CANNOT_BE_ZERO_OR_NEGATIVE', 'A refund must be greater than zero.', '/amount/value'),
    exceeded: impossible(
      'REFUND_AMOUNT_EXCEEDED',
      'The refund is greater than the rest of the payment.',
      '/amount/value',
    ),
  }
  return refusals[fault]
}

const OldRefund = z.strictObject({ amount: total.optional() }).default({})

/** Payments, version 1: PayPal deprecates it, but the payments of subscriptions are only there. */
export function salesApi(api: Api): void {
  api.get({
    path: '/v1/payments/sale/:id',
    query: noQuery,
    async run(call, { id }) {
      const sale = await find(call.tx, 'sale', id)
      if (!sale) throw oldRefusal('missing')
      return wireSale(call, sale)
    },
  })

  api.change({
    method: 'POST',
    path: '/v1/payments/sale/:id/refund',
    body: OldRefund,
    // 30 days.
    remembers: 720,
    async run(call, { id, body }) {
      const refund = await refundPayment(call, { of: 'sale', id }, body.amount)
      if (typeof refund === 'string') throw oldRefusal(refund)
      return { status: 201, body: wireSaleRefund(call, refund) }
    },
  })

  api.get({
    path: '/v1/payments/refund/:id',
    query: noQuery,
    async run(call, { id }) {
      const refund: Refund | undefined = await find(call.tx, 'refund', id)
      if (refund?.of !== 'sale') throw oldRefusal('missing')
      return wireSaleRefund(call, refund)
    },
  })
}

const oldErrors = {
  missing: [404, 'INVALID_RESOURCE_ID', 'The requested resource id was not found.'],
  uncleared: [400, 'TRANSACTION_REFUSED', 'The payment has not been completed.'],
  late: [400, 'TRANSACTION_REFUND_TIME_LIMIT_EXCEEDED', 'The payment is too old to be refunded.'],
  refunded: [400, 'TRANSACTION_ALREADY_REFUNDED', 'The payment was refunded already.'],
  currency: [400, 'CURRENCY_MISMATCH', 'A refund has the currency of its payment.'],
  zero: [400, 'VALIDATION_ERROR', 'A refund must be greater than zero.'],
  exceeded: [400, 'REFUND_EXCEEDED_TRANSACTION_AMOUNT', 'The refund is greater than the rest of the payment.'],
} as const

/** In version 1 the name itself says what is wrong. */
function oldRefusal(fault: RefundFault): Refusal {
  const [status, name, message] = oldErrors[fault]
  return new Refusal(status, { name, message })
}
