import type { z } from 'zod'
import { emitEvent } from '../events/events.writes.ts'
import { wholeCapture } from '../payments/captures.wire.ts'
import { children, findLocked, save } from '../store/store.ts'
import type { Buyer, Capture, Order, PurchaseUnit } from '../store/stored.ts'
import type { Call } from '../wire/call.ts'
import { newId } from '../wire/ids.rules.ts'
import { decimalText, feeOf } from '../wire/money.rules.ts'
import { impossible, invalidRequest, notFound, unprocessable } from '../wire/refusal.ts'
import type { NewOrder } from './orders.parameters.ts'
import { orderApprovalLink, wireOrder } from './orders.wire.ts'

type Given = z.output<typeof NewOrder>

/** @throws Refusal 400 without a request id, 422 for units that do not fit together */
export async function createOrder(call: Call, given: Given, requestId: string | null): Promise<Order> {
  if (given.payment_source && requestId === null) {
    const description = 'A request id is required for an order with a payment source.'
    throw invalidRequest([{ issue: 'PAYPAL_REQUEST_ID_REQUIRED', description, field: 'PayPal-Request-Id' }])
  }
  refuseUnits(given.purchase_units)
  const nowhere = { returnUrl: null, cancelUrl: null, brandName: null, isContinue: true }
  const now = call.now.toISOString()
  const order: Order = {
    id: newId.transaction(),
    // With a payment source the buyer acts next; without one it is not known yet how they will pay.
    status: given.payment_source ? 'PAYER_ACTION_REQUIRED' : 'CREATED',
    units: given.purchase_units.map(unitOf),
    context: given.payment_source?.paypal.experience_context ?? nowhere,
    hasPaymentSource: given.payment_source !== undefined,
    buyer: null,
    hasFunds: true,
    createdAt: now,
    updatedAt: now,
  }
  await save(call.tx, { kind: 'order', object: order })
  return order
}

function unitOf(given: Given['purchase_units'][number]): PurchaseUnit {
  return {
    referenceId: given.reference_id,
    total: given.amount,
    customId: given.custom_id ?? null,
    invoiceId: given.invoice_id ?? null,
    description: given.description ?? null,
  }
}

function refuseUnits(units: Given['purchase_units']): void {
  const ids = new Set(units.map(({ reference_id: id }) => id))
  if (ids.size < units.length) {
    const description = 'Each unit needs a reference id of its own.'
    throw impossible('DUPLICATE_REFERENCE_ID', description, '/purchase_units')
  }
  if (new Set(units.map(({ amount }) => amount.currency)).size > 1) {
    throw impossible('MULTI_CURRENCY_ORDER', 'All amounts of an order have the same currency.', '/purchase_units')
  }
}

export interface CapturedOrder {
  order: Order
  captures: Capture[]
}

/** Charges the buyer of an approved order. @throws Refusal 422 for another status, or if the charge fails */
export async function captureOrder(call: Call, id: string): Promise<CapturedOrder> {
  const order = await findLocked(call.tx, 'order', id)
  if (!order) throw notFound()
  refuseCapture(call, order)
  const now = call.now.toISOString()
  const completed: Order = { ...order, status: 'COMPLETED', updatedAt: now }
  const captures = order.units.map((unit) => captureOf(unit, order.id, now))
  for (const capture of captures) await save(call.tx, { kind: 'capture', object: capture })
  await save(call.tx, { kind: 'order', object: completed })
  for (const capture of captures) await captureEvent(call, capture)
  await orderEvent(call, 'CHECKOUT.ORDER.COMPLETED', { order: completed, captures })
  return { order: completed, captures }
}

function refuseCapture(call: Call, { status, hasFunds, id }: Order): void {
  if (status === 'COMPLETED') {
    const description = 'The order was captured already. An order is captured only once.'
    throw impossible('ORDER_ALREADY_CAPTURED', description)
  }
  if (status === 'VOIDED') throw impossible('ORDER_COMPLETED_OR_VOIDED', 'The order was voided.')
  if (status !== 'APPROVED') {
    throw impossible('ORDER_NOT_APPROVED', 'The buyer has not approved the order yet.')
  }
  if (!hasFunds) {
    const description = 'The payment method was declined. The buyer can choose another one.'
    throw unprocessable(
      [{ issue: 'INSTRUMENT_DECLINED', description }],
      [{ href: orderApprovalLink(call.publicUrl, id), rel: 'redirect', method: 'GET' }],
    )
  }
}

function captureOf({ total, referenceId, invoiceId, customId }: PurchaseUnit, orderId: string, now: string): Capture {
  return {
    id: newId.transaction(),
    orderId,
    referenceId,
    total,
    fee: feeOf(total),
    refunded: 0,
    invoiceId,
    customId,
    createdAt: now,
    updatedAt: now,
  }
}

function captureEvent(call: Call, capture: Capture): Promise<void> {
  return emitEvent(call, {
    type: 'PAYMENT.CAPTURE.COMPLETED',
    resourceType: 'capture',
    resourceVersion: '2.0',
    summary: `Payment completed for ${decimalText(capture.total)} ${capture.total.currency}`,
    resource: wholeCapture(call, capture),
  })
}

const summaries = {
  'CHECKOUT.ORDER.APPROVED': 'An order has been approved by buyer',
  'CHECKOUT.ORDER.COMPLETED': 'Checkout Order Completed',
  'CHECKOUT.ORDER.VOIDED': 'An order has been voided',
} as const

function orderEvent(call: Call, type: keyof typeof summaries, { order, captures }: CapturedOrder): Promise<void> {
  return emitEvent(call, {
    type,
    resourceType: 'checkout-order',
    resourceVersion: '2.0',
    summary: summaries[type],
    resource: wireOrder(call, order, captures),
  })
}

/** The buyer has approved; after a declined charge they may do so again with another payment method. */
export async function approveOrder(
  call: Call,
  order: Order,
  { buyer, hasFunds }: { buyer: Buyer; hasFunds: boolean },
): Promise<void> {
  const object: Order = { ...order, status: 'APPROVED', buyer, hasFunds, updatedAt: call.now.toISOString() }
  await save(call.tx, { kind: 'order', object })
  if (order.status !== 'APPROVED') await orderEvent(call, 'CHECKOUT.ORDER.APPROVED', { order: object, captures: [] })
}

/** An order that is not paid yet is given up. @returns whether it could be */
export async function voidOrder(call: Call, id: string): Promise<boolean> {
  const order = await findLocked(call.tx, 'order', id)
  if (!order || order.status === 'COMPLETED' || order.status === 'VOIDED') return false
  const object: Order = { ...order, status: 'VOIDED', updatedAt: call.now.toISOString() }
  await save(call.tx, { kind: 'order', object })
  await orderEvent(call, 'CHECKOUT.ORDER.VOIDED', { order: object, captures: [] })
  return true
}

/** @throws Refusal 404 */
export async function orderWithCaptures(call: Call, id: string): Promise<CapturedOrder> {
  const order = await findLocked(call.tx, 'order', id)
  if (!order) throw notFound()
  return { order, captures: await children(call.tx, 'capture', id) }
}
