import { wireCapture } from '../payments/captures.wire.ts'
import type { Capture, Order, PurchaseUnit } from '../store/stored.ts'
import type { Reading } from '../wire/call.ts'
import { wireTime } from '../wire/ids.rules.ts'
import { wireMoney } from '../wire/money.rules.ts'

export const ordersPath = '/v2/checkout/orders'

/** The minimal answer to its creation. */
export function shortOrder(call: Reading, order: Order) {
  return {
    id: order.id,
    status: order.status,
    ...sourceOf({ ...order, buyer: null }),
    links: linksOf(call, order),
  }
}

/** An order with the payments that were made for it. */
export function wireOrder(call: Reading, order: Order, captures: readonly Capture[]) {
  const { buyer } = order
  return {
    id: order.id,
    intent: 'CAPTURE',
    status: order.status,
    ...sourceOf(order),
    purchase_units: order.units.map((unit) => wireUnit(call, unit, captures)),
    ...(buyer && {
      payer: {
        name: { given_name: buyer.givenName, surname: buyer.surname },
        email_address: buyer.email,
        payer_id: buyer.payerId,
      },
    }),
    create_time: wireTime(order.createdAt),
    update_time: wireTime(order.updatedAt),
    links: linksOf(call, order),
  }
}

/** How the buyer pays; with who they are once they have approved. A guest's card is theirs, and no account. */
function sourceOf({ buyer, hasPaymentSource }: Order): { payment_source?: object } {
  if (!buyer) return hasPaymentSource ? { payment_source: { paypal: {} } } : {}
  if (buyer.isGuest) return { payment_source: { card: { last_digits: '1111', brand: 'VISA', type: 'CREDIT' } } }
  const paypal = {
    email_address: buyer.email,
    account_id: buyer.payerId,
    account_status: 'VERIFIED',
    name: { given_name: buyer.givenName, surname: buyer.surname },
  }
  return { payment_source: { paypal } }
}

function wireUnit(call: Reading, unit: PurchaseUnit, captures: readonly Capture[]) {
  const own = captures.filter(({ referenceId }) => referenceId === unit.referenceId)
  return {
    reference_id: unit.referenceId,
    amount: wireMoney(unit.total),
    payee: payeeOf(unit),
    ...(unit.description !== null && { description: unit.description }),
    ...(unit.customId !== null && { custom_id: unit.customId }),
    ...(unit.invoiceId !== null && { invoice_id: unit.invoiceId }),
    ...(own.length > 0 && { payments: { captures: own.map((capture) => wireCapture(call, capture)) } }),
  }
}

/** Who gets the payment: the merchant, unless a patch has named somebody else. */
function payeeOf({ payeeEmail }: PurchaseUnit) {
  if (payeeEmail === undefined) return { email_address: 'merchant@business.example.com', merchant_id: 'SANDBXMERCHNT' }
  return { email_address: payeeEmail, merchant_id: 'SANDBXSTRANGR' }
}

/** The answer to a capture: the payments of each unit. */
export function wireCapturedOrder(call: Reading, order: Order, captures: readonly Capture[]) {
  const { payment_source, payer, purchase_units: units, ...whole } = wireOrder(call, order, captures)
  return {
    id: whole.id,
    status: whole.status,
    payment_source,
    purchase_units: units.map(({ reference_id, payments }) => ({ reference_id, payments })),
    payer,
    links: whole.links.filter(({ rel }) => rel === 'self'),
  }
}

function linksOf({ publicUrl }: Reading, { id, status, hasPaymentSource }: Order) {
  const href = `${publicUrl}${ordersPath}/${id}`
  const isAsked = status === 'CREATED' || status === 'PAYER_ACTION_REQUIRED'
  return [
    { href, rel: 'self', method: 'GET' },
    ...(isAsked
      ? [{ href: orderApprovalLink(publicUrl, id), rel: hasPaymentSource ? 'payer-action' : 'approve', method: 'GET' }]
      : []),
    ...((isAsked && !hasPaymentSource) || status === 'APPROVED'
      ? [{ href: `${href}/capture`, rel: 'capture', method: 'POST' }]
      : []),
  ]
}

/** The page on which the buyer approves. */
export function orderApprovalLink(publicUrl: string, id: string): string {
  return `${publicUrl}/paypal/approve?token=${id}`
}
