import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { approve, comeBack, halfway, order, type PaypalVendor, stored, twoMore } from '../../../test/paypal-orders.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { subscriptions } from '../subscriptions.tables.ts'
import { syncOrderedRefund } from './ordered-payments.sync.ts'

const sandbox = await sandboxOfFile()

const Order = z.object({
  purchase_units: z.array(z.object({ payments: z.object({ captures: z.array(z.object({ id: z.string() })) }) })),
})
const Refund = z.object({ id: z.string() })

const upgrade = { type: 'switch-to-business-billing' } as const

/** Buys, approves and pays. @returns the id of the payment */
async function bought(world: PaypalVendor, id: string, asked: Parameters<typeof order>[2] = twoMore) {
  const { approveUrl, paypalOrderId } = (await order(world, id, asked)).body
  await approve(world, approveUrl)
  const back = (await comeBack(world, id)).body
  const { purchase_units: units } = Order.parse(await world.call('GET', `/v2/checkout/orders/${paypalOrderId}`))
  return { captureId: units[0]?.payments.captures[0]?.id ?? '', confirmLink: back.approveLink }
}

/** The vendor gives money back at PayPal, and its event comes. @param value a decimal; undefined: the rest */
async function refund(world: PaypalVendor, captureId: string, value?: string) {
  const body = value === undefined ? {} : { amount: { value, currency_code: 'USD' } }
  const { id } = Refund.parse(await world.call('POST', `/v2/payments/captures/${captureId}/refund`, body))
  await syncOrderedRefund(world.deps, id)
  return id
}

const before = { userCount: 3, price: 3000, pendingPlanId: null, pendingQuantity: null, nextPlan: null }

test('seats whose payment was given back wholly are gone at once', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const { periodEnd } = await stored(world, id)
  const { captureId } = await bought(world, id)
  expect(await stored(world, id)).toMatchObject({ userCount: 5, price: 5000 })
  const refundId = await refund(world, captureId)
  expect(await stored(world, id)).toMatchObject({ ...before, status: 'active', periodEnd })
  expect(await world.listed()).toMatchObject([{ userCount: 3, paypalRenewConfirm: 0 }])

  // Said again, and read again: nothing more is taken.
  await syncOrderedRefund(world.deps, refundId)
  await world.sync(id)
  expect(await stored(world, id)).toMatchObject(before)
})

test('what was given back in parts stays until all of it was', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const { captureId } = await bought(world, id)
  await refund(world, captureId, '4.00')
  expect(await stored(world, id)).toMatchObject({ userCount: 5 })
  await refund(world, captureId)
  expect(await stored(world, id)).toMatchObject(before)
})

test('an upgrade whose payment was given back is undone, and can be bought again', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const { captureId } = await bought(world, id, upgrade)
  expect(await stored(world, id)).toMatchObject({ productCode: world.suiteCode, price: 7500 })
  await refund(world, captureId)
  expect(await stored(world, id)).toMatchObject({ ...before, productCode: world.productCode })
  await bought(world, id, upgrade)
  expect(await stored(world, id)).toMatchObject({ productCode: world.suiteCode, price: 7500 })
})

test('what was bought later stays, without what was given back before it', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const { captureId: upgraded } = await bought(world, id, upgrade)
  const { captureId: first } = await bought(world, id, { type: 'buy-more', increasingNumber: 4 })
  await bought(world, id)
  expect(await stored(world, id)).toMatchObject({ productCode: world.suiteCode, userCount: 9, price: 22_500 })
  await refund(world, first)
  expect(await stored(world, id)).toMatchObject({ productCode: world.suiteCode, userCount: 5, price: 12_500 })
  expect(await stored(world, id)).toMatchObject({ pendingQuantity: 5 })
  // 3 seats were paid without the upgrade, and two with it: that is the price of three.
  await refund(world, upgraded)
  const left = { productCode: world.suiteCode, userCount: 3, price: 7500, pendingQuantity: 3 }
  expect(await stored(world, id)).toMatchObject(left)
})

test.each([
  [0, 1],
  [1, 0],
])('of two orders nothing is left once both were given back, the one at %i first', async (first, second) => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const orders = [await bought(world, id, upgrade), await bought(world, id)]
  expect(await stored(world, id)).toMatchObject({ productCode: world.suiteCode, userCount: 5 })
  for (const one of [first, second]) await refund(world, orders[one]?.captureId ?? '')
  expect(await stored(world, id)).toMatchObject({ ...before, productCode: world.productCode, status: 'active' })
  expect(await world.listed()).toMatchObject([{ paypalRenewConfirm: 0 }])
})

test('what is kept waits for its confirmation, without what was given back', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  await bought(world, id, { type: 'buy-more', increasingNumber: 4 })
  const { captureId } = await bought(world, id)
  expect(await stored(world, id)).toMatchObject({ userCount: 9, pendingQuantity: 9 })
  await refund(world, captureId)
  expect(await stored(world, id)).toMatchObject({ userCount: 7, pendingQuantity: 7 })
  expect(await world.listed()).toMatchObject([
    { paypalRenewConfirm: 1, nextPlan: { when: 'unconfirmed', userCount: 3 } },
  ])
})

test('an order that its page takes after another was given back adds what it has paid, no more', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const { captureId } = await bought(world, id, { type: 'buy-more', increasingNumber: 20 })
  const { approveUrl, paypalOrderId } = (await order(world, id, { type: 'buy-more', increasingNumber: 1 })).body
  await approve(world, approveUrl)
  await refund(world, captureId)
  await world.call('POST', `/v2/checkout/orders/${paypalOrderId}/capture`, {})
  expect((await comeBack(world, id)).status).toBe(200)
  expect(await stored(world, id)).toMatchObject({ userCount: 4, price: 4000, pendingQuantity: 4 })
})

/** PayPal could not give it back, after all, or the vendor has won the dispute: its event comes. */
async function refundFails(world: PaypalVendor, refundId: string) {
  const { paypal } = world.deps
  const { readOrder, readCaptureRefund } = paypal
  const reading = vi.spyOn(paypal, 'readOrder').mockImplementation(async (orderId) => {
    const found = await readOrder(orderId)
    return { ...found, capture: found.capture && { ...found.capture, refundedAt: null } }
  })
  const failing = vi.spyOn(paypal, 'readCaptureRefund')
  failing.mockImplementation(async (asked) => ({ ...(await readCaptureRefund(asked)), isFailed: true }))
  await syncOrderedRefund(world.deps, refundId)
  for (const spy of [reading, failing]) spy.mockRestore()
}

test('what was bought comes back with a payment that was not given back, after all', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const { captureId } = await bought(world, id)
  await bought(world, id, upgrade)
  const refundId = await refund(world, captureId)
  expect(await stored(world, id)).toMatchObject({ productCode: world.suiteCode, userCount: 3, price: 7500 })
  await refundFails(world, refundId)
  const whole = { productCode: world.suiteCode, userCount: 5, price: 12_500, pendingQuantity: 5 }
  expect(await stored(world, id)).toMatchObject(whole)
  expect(await world.listed()).toMatchObject([{ paypalRenewConfirm: 1, nextPlan: { userCount: 3, price: 3000 } }])
  await world.sync(id)
  expect(await stored(world, id)).toMatchObject(whole)
})

test('once its period is over, the operator is told that it does not come back', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const { captureId } = await bought(world, id)
  const { periodEnd } = await stored(world, id)
  const refundId = await refund(world, captureId)
  const later = new Date((periodEnd?.getTime() ?? 0) + 30 * 86_400_000)
  await world.db.update(subscriptions).set({ periodEnd: later }).where(eq(subscriptions.id, id))
  const logged = vi.spyOn(world.deps.logger, 'error')
  for (let time = 0; time < 2; time += 1) await refundFails(world, refundId)
  expect(await stored(world, id)).toMatchObject({ userCount: 3 })
  expect(logged.mock.calls).toEqual([
    [expect.objectContaining({ captureId }), expect.stringMatching(/cannot come back/)],
  ])
})

test('what its Owner has confirmed for the next cycle stays planned', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const { captureId, confirmLink } = await bought(world, id)
  await approve(world, confirmLink)
  await world.sync(id)
  await refund(world, captureId)
  expect(await stored(world, id)).toMatchObject({ userCount: 3, price: 3000 })
  expect(await world.listed()).toMatchObject([{ nextPlan: { when: 'certain', userCount: 5, price: 5000 } }])
})

test('in the next period nothing is taken', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const { captureId } = await bought(world, id)
  const { periodEnd } = await stored(world, id)
  const later = new Date((periodEnd?.getTime() ?? 0) + 30 * 86_400_000)
  await world.db.update(subscriptions).set({ periodEnd: later, userCount: 9 }).where(eq(subscriptions.id, id))
  await refund(world, captureId)
  expect((await stored(world, id)).userCount).toBe(9)
})
