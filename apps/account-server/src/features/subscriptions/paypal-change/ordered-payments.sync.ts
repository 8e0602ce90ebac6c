import { nextSyncNumber } from '../../../db/sync-numbers.queries.ts'
import type { Deps } from '../../../deps.ts'
import type { BilledInvoice } from '../../../outside/billed-invoice.ts'
import type { PaypalCapture, PaypalOrder } from '../../../outside/paypal/orders.ts'
import { ifKnown } from '../../../outside/provider-failure.ts'
import { applyInvoice } from '../../orders/orders.sync.ts'
import { applyRefunds, publishing } from '../../orders/refunds.sync.ts'
import { operationById } from '../../payments/operations/operations.queries.ts'
import type { OperationRow } from '../../payments/operations/operations.tables.ts'
import { lookUpOperation } from '../../payments/operations/perform-operation.ts'
import { type RefundsOf, refundsWith, wholeRefundOf } from '../paypal-refunds.rules.ts'
import { paypalBuyer } from '../paypal-sales.rules.ts'
import { storedSubscription } from '../subscriptions.queries.ts'
import { OrderedChange, OrderOutcome } from './ordered-change.ts'
import { changeByOrder } from './paypal-change.operations.ts'
import { followPayment } from './take-back-change.ts'
import { isPaidToUs } from './take-payment.ts'

/** The customer has approved an order, say: the change goes on, with or without its page. */
export async function syncOrder(deps: Deps, id: string): Promise<void> {
  const order = await ifKnown(deps.paypal.readOrder(id))
  const operation = order && (await operationOf(deps, order))
  if (operation && operation.status !== 'succeeded') await lookUpOperation(deps, changeByOrder, operation)
}

/** Applies the payment of an order to its order here, and then what was given back of it. */
export function syncOrderedPayment(deps: Deps, captureId: string): Promise<void> {
  return applyPayment(deps, captureId)
}

/** Applies what was given back of the payment of an order. */
export async function syncOrderedRefund(deps: Deps, id: string): Promise<void> {
  const syncNumber = await nextSyncNumber(deps.db)
  const found = await ifKnown(deps.paypal.readCaptureRefund(id))
  if (!found) return
  const { captureId, ...refund } = found
  await applyPayment(deps, captureId, refundsWith(refund, syncNumber))
}

/** @param part one refund of it */
async function applyPayment(deps: Deps, captureId: string, part?: RefundsOf): Promise<void> {
  const syncNumber = await nextSyncNumber(deps.db)
  const orderId = await ifKnown(deps.paypal.orderOfCapture(captureId))
  const order = orderId ? await ifKnown(deps.paypal.readOrder(orderId)) : undefined
  const operation = order && (await operationOf(deps, order))
  if (!order?.capture || !operation || !isPaidToUs(operation, order)) return
  const { capture } = order
  const isMade = await isChangeMade(deps, operation, capture)
  const change = OrderedChange.parse(operation.input)
  const invoice = invoiceOf({ ...order, capture }, change)
  const owner = { memberId: operation.memberId, proof: 'ours' } as const
  const isOfTyped = await isSubscriptionTyped(deps, change)
  const reading = { syncNumber, isTakenOver: false, owner, isOfTyped }
  if (!isMade) {
    // It was given back at once: no invoice is written for it, and it is no refund of one.
    const { amount: total, currency } = change
    await applyInvoice(deps, { ...invoice, status: 'void', total, charged: total, currency }, reading)
    return
  }
  await applyInvoice(deps, invoice, reading)
  const { id: invoiceId, amount: total, paidAt, refundedAt } = capture
  const whole = wholeRefundOf({ id: invoiceId, total, paidAt, refundedAt }, syncNumber)
  for (const refunds of part ? [whole, part] : [whole]) {
    await applyRefunds(deps, { invoiceId, refunds, publish: publishing(deps) })
  }
  await followPayment(deps, operation, invoiceId)
}

/** Whether only an address says whose the subscription is: then it may turn out to be another's. */
async function isSubscriptionTyped({ db }: Deps, { providerId }: OrderedChange): Promise<boolean> {
  return (await storedSubscription(db, providerId))?.proof === 'address'
}

/** Resolves the change first. False: it is not made, although its order was paid. */
async function isChangeMade(deps: Deps, operation: OperationRow, { state }: PaypalCapture): Promise<boolean> {
  if (operation.status === 'succeeded') return true
  const { operation: found } = await lookUpOperation(deps, changeByOrder, operation)
  if (found.status === 'succeeded' || state !== 'paid') return true
  // What came when its period was over is given back at the next look.
  if (found.status === 'requires_action') await lookUpOperation(deps, changeByOrder, found)
  return false
}

/** The change for which we made an order. What an order says of itself is not enough: pages can make orders, too. */
async function operationOf({ db }: Deps, { id, customId }: PaypalOrder): Promise<OperationRow | undefined> {
  const operation = uuid.test(customId) ? await operationById(db, customId) : undefined
  if (operation?.kind !== changeByOrder.kind) return undefined
  const { orderId } = OrderOutcome.parse(operation.result)
  return orderId === id || orderId === '' ? operation : undefined
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

type Paid = PaypalOrder & { capture: PaypalCapture }

/** A payment of an order as an invoice with the lines that were shown. */
function invoiceOf({ payer, capture }: Paid, { providerId, lines, discount }: OrderedChange): BilledInvoice {
  const { id, amount, currency, paidAt } = capture
  return {
    ...{
      id,
      channel: 'paypal',
      number: id,
      customerId: '',
      subscriptionId: providerId,
      status: statuses[capture.state],
    },
    lines: lines.map((line) => ({ ...line, text: `PayPal ${providerId}`, productId: '', isProration: true })),
    ...{ isOfChange: true, isAttempted: true },
    ...{ discount, tax: 0, total: amount, charged: amount, balanceBefore: 0, currency },
    ...{ createdAt: paidAt, finalizedAt: paidAt, paidAt, pdfUrl: '', payUrl: '' },
    buyer: paypalBuyer(payer),
  }
}

const statuses = { paid: 'paid', pending: 'open', failed: 'void' } as const
