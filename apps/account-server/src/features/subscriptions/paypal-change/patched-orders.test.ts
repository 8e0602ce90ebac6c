import { randomUUID } from 'node:crypto'
import { listOnlineOrders } from '@atrium/contract/orders.ts'
import { dropOpenChange } from '@atrium/contract/plan-changes.ts'
import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { approve, buyer, comeBack, halfway, order, type PaypalVendor, stored } from '../../../test/paypal-orders.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { paidOrdersQueue } from '../../orders/receipts.writes.ts'
import { subscriptions } from '../subscriptions.tables.ts'
import { syncOrder, syncOrderedPayment, syncOrderedRefund } from './ordered-payments.sync.ts'

const sandbox = await sandboxOfFile()

const Order = z.object({
  purchase_units: z
    .array(z.object({ payments: z.object({ captures: z.array(z.object({ id: z.string(), status: z.string() })) }) }))
    .length(1),
})

/** Two more seats are approved, and the page of the buyer changes the order before we hear of it. */
async function patched(field: string, value: unknown) {
  const { world, id } = await halfway(sandbox)
  const { approveUrl, paypalOrderId } = (await order(world, id)).body
  await approve(world, approveUrl)
  const path = `/purchase_units/@reference_id=='default'/${field}`
  await world.call('PATCH', `/v2/checkout/orders/${paypalOrderId}`, [{ op: 'replace', path, value }])
  return { world, id, orderId: paypalOrderId }
}

/** The page takes the payment, too. */
async function capture(world: PaypalVendor, orderId: string) {
  const { purchase_units: units } = Order.parse(await world.call('POST', `/v2/checkout/orders/${orderId}/capture`, {}))
  return units[0]?.payments.captures[0]?.id ?? ''
}

async function captureOf(world: PaypalVendor, orderId: string) {
  const { purchase_units: units } = Order.parse(await world.call('GET', `/v2/checkout/orders/${orderId}`))
  return units[0]?.payments.captures[0]
}

/** Payments of changes in My Orders, after PayPal's events of the payment and of what was given back. */
async function ordersOfChanges(world: PaypalVendor, captureId: string) {
  await syncOrderedPayment(world.deps, captureId)
  const found = { id: 'R-1', captureId, isFailed: false, amount: 1000, refundedAt: world.deps.clock() }
  vi.spyOn(world.deps.paypal, 'readCaptureRefund').mockResolvedValueOnce(found)
  await syncOrderedRefund(world.deps, found.id)
  const { list } = (await (await buyer(world)).send(listOnlineOrders, { query: {} })).body
  return list.filter(({ orderProduct }) => orderProduct.length > 1)
}

const notMade = {
  ...{ orderStatus: 'CL', isChangeNotMade: 1, orderInvoiceNum: '', invoiceKind: 'none' },
  ...{ orderAmount: 1000, orderRefundedAmount: 0 },
}

const cent = { currency_code: 'USD', value: '0.01' }
const stranger = 'stranger@example.test'

test('what the page has captured for less is given back, and grants nothing', async () => {
  const { world, id, orderId } = await patched('amount', cent)
  await using _world = world
  await capture(world, orderId)
  const { status, body } = await comeBack(world, id)
  expect([status, body]).toMatchObject([409, { code: 'change_not_possible' }])
  expect(await stored(world, id)).toMatchObject({ userCount: 3, price: 3000, pendingQuantity: null })
  expect((await captureOf(world, orderId))?.status).toBe('REFUNDED')
})

test('so is it when PayPal’s events come first, and the page does not return', async () => {
  const { world, id, orderId } = await patched('amount', cent)
  await using _world = world
  const captureId = await capture(world, orderId)
  await syncOrder(world.deps, orderId)
  await syncOrderedPayment(world.deps, captureId)
  expect(await stored(world, id)).toMatchObject({ userCount: 3 })
  expect((await captureOf(world, orderId))?.status).toBe('REFUNDED')
})

test('what the page has captured for the price is granted', async () => {
  const { world, id, orderId } = await patched('invoice_id', randomUUID())
  await using _world = world
  await capture(world, orderId)
  expect((await comeBack(world, id)).status).toBe(200)
  expect(await stored(world, id)).toMatchObject({ userCount: 5 })
})

test.each([
  ['another amount', 'amount', cent],
  ['another payee', 'payee/email', stranger],
  ['another custom id', 'custom_id', randomUUID()],
])('an approved order with %s is not captured', async (_, field, value) => {
  const { world, id, orderId } = await patched(field, value)
  await using _world = world
  expect(await comeBack(world, id)).toMatchObject({ status: 409, body: { code: 'change_not_possible' } })
  expect(await stored(world, id)).toMatchObject({ userCount: 3 })
  const { status } = await world.call('GET', `/v2/checkout/orders/${orderId}`)
  expect(status).toBe('APPROVED')
})

test('what was paid to somebody else grants nothing, is not an order here, and is not ours to give back', async () => {
  const { world, id, orderId } = await patched('payee/email', stranger)
  await using _world = world
  const captureId = await capture(world, orderId)
  expect(await comeBack(world, id)).toMatchObject({ status: 409, body: { code: 'change_not_possible' } })
  await syncOrderedPayment(world.deps, captureId)
  expect(await stored(world, id)).toMatchObject({ userCount: 3 })
  const { list } = (await (await buyer(world)).send(listOnlineOrders, { query: {} })).body
  expect(list.map(({ orderAmount }) => orderAmount)).not.toContain(1000)
  expect((await captureOf(world, orderId))?.status).toBe('COMPLETED')
})

test('what the page captures of a change that its Owner has dropped is given back', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const { approveUrl, paypalOrderId } = (await order(world, id)).body
  await (await buyer(world)).send(dropOpenChange, { params: { sid: id } })
  await approve(world, approveUrl)
  const captureId = await capture(world, paypalOrderId)
  await syncOrder(world.deps, paypalOrderId)
  await syncOrderedPayment(world.deps, captureId)
  expect(await comeBack(world, id)).toMatchObject({ status: 409, body: { code: 'nothing_to_finish' } })
  expect(await stored(world, id)).toMatchObject({ userCount: 3 })
  expect((await captureOf(world, paypalOrderId))?.status).toBe('REFUNDED')
})

test('so is what it captures of an order that another change has taken the place of', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const first = (await order(world, id)).body
  await approve(world, (await order(world, id, { type: 'buy-more', increasingNumber: 4 })).body.approveUrl)
  await comeBack(world, id)
  await approve(world, first.approveUrl)
  await capture(world, first.paypalOrderId)
  await syncOrder(world.deps, first.paypalOrderId)
  expect(await stored(world, id)).toMatchObject({ userCount: 7 })
  expect((await captureOf(world, first.paypalOrderId))?.status).toBe('REFUNDED')
})

test.each(['dropped', 'for a cent', 'late'])(
  'a change that is not made has no invoice and no receipt: %s',
  async (why) => {
    const { world, id } = await halfway(sandbox)
    await using _world = world
    const { approveUrl, paypalOrderId } = (await order(world, id)).body
    if (why === 'dropped') await (await buyer(world)).send(dropOpenChange, { params: { sid: id } })
    await approve(world, approveUrl)
    if (why === 'for a cent') {
      const path = `/purchase_units/@reference_id=='default'/amount`
      await world.call('PATCH', `/v2/checkout/orders/${paypalOrderId}`, [{ op: 'replace', path, value: cent }])
    }
    const captureId = await capture(world, paypalOrderId)
    if (why === 'late') {
      const later = new Date(((await stored(world, id)).periodEnd?.getTime() ?? 0) + 30 * 86_400_000)
      await world.db.update(subscriptions).set({ periodEnd: later }).where(eq(subscriptions.id, id))
    }
    const sent = world.sent.length
    expect(await ordersOfChanges(world, captureId)).toMatchObject([notMade])
    expect((await captureOf(world, paypalOrderId))?.status).toBe('REFUNDED')
    const queues = world.sent.slice(sent).map(({ queue }) => queue)
    expect(queues).not.toContain(paidOrdersQueue)
    expect(queues).not.toContain('orders.invoices')
  },
)
