import type { Buyer, Money, Refund, Sale } from '../store/stored.ts'
import type { Reading } from '../wire/call.ts'
import { wireTime } from '../wire/ids.rules.ts'
import { billingMoney, decimalText } from '../wire/money.rules.ts'

const path = '/v1/payments'

/** `{ total, currency }`, as version 1 of payments has it. */
function oldMoney(money: Money) {
  return { total: decimalText(money), currency: money.currency }
}

/** A payment of a subscription, as `/v1/payments/sale` and its events show it. */
export function wireSale({ publicUrl }: Reading, sale: Sale) {
  const { currency } = sale.total
  const href = `${publicUrl}${path}/sale/${sale.id}`
  return {
    id: sale.id,
    billing_agreement_id: sale.subscriptionId,
    amount: { ...oldMoney(sale.total), details: { subtotal: decimalText(sale.total) } },
    payment_mode: sale.uncleared ? 'ECHECK' : 'INSTANT_TRANSFER',
    state: states[statusOf(sale)],
    ...(sale.uncleared === 'PENDING' && { reason_code: 'ECHECK' }),
    protection_eligibility: 'ELIGIBLE',
    protection_eligibility_type: 'ITEM_NOT_RECEIVED_ELIGIBLE,UNAUTHORIZED_PAYMENT_ELIGIBLE',
    transaction_fee: { value: decimalText({ amount: sale.fee, currency }), currency },
    invoice_number: '',
    ...(sale.customId !== null && { custom: sale.customId }),
    create_time: wireTime(sale.createdAt),
    update_time: wireTime(sale.updatedAt),
    links: [
      { href, rel: 'self', method: 'GET' },
      { href: `${href}/refund`, rel: 'refund', method: 'POST' },
    ],
  }
}

const states = {
  ...{ PENDING: 'pending', DECLINED: 'denied', COMPLETED: 'completed' },
  ...{ PARTIALLY_REFUNDED: 'partially_refunded', REFUNDED: 'refunded' },
}

/** Whether it was paid, and how much of that was refunded. */
export function statusOf({ total, refunded, uncleared }: Pick<Sale, 'total' | 'refunded' | 'uncleared'>) {
  if (uncleared) return uncleared
  if (refunded === 0) return 'COMPLETED'
  return refunded < total.amount ? 'PARTIALLY_REFUNDED' : 'REFUNDED'
}

/** A payment of a subscription, as the subscription's list of transactions shows it. */
export function wireTransaction(sale: Sale, buyer: Buyer | null) {
  const { currency, amount } = sale.total
  return {
    status: statusOf(sale),
    id: sale.id,
    amount_with_breakdown: {
      gross_amount: billingMoney(sale.total),
      fee_amount: billingMoney({ amount: sale.fee, currency }),
      net_amount: billingMoney({ amount: amount - sale.fee, currency }),
    },
    ...(buyer && { payer_name: { given_name: buyer.givenName, surname: buyer.surname }, payer_email: buyer.email }),
    time: wireTime(sale.createdAt),
  }
}

/** A refund of a sale, as version 1 of payments has it. */
export function wireSaleRefund({ publicUrl }: Reading, refund: Refund) {
  const { currency } = refund.total
  const old = (amount: number) => ({ value: decimalText({ amount, currency }), currency })
  return {
    id: refund.id,
    state: 'completed',
    amount: oldMoney(refund.total),
    refund_from_received_amount: old(refund.total.amount - refund.fee),
    refund_from_transaction_fee: old(refund.fee),
    total_refunded_amount: old(refund.totalRefunded),
    sale_id: refund.paymentId,
    create_time: wireTime(refund.createdAt),
    update_time: wireTime(refund.createdAt),
    links: [
      { href: `${publicUrl}${path}/refund/${refund.id}`, rel: 'self', method: 'GET' },
      { href: `${publicUrl}${path}/sale/${refund.paymentId}`, rel: 'sale', method: 'GET' },
    ],
  }
}
