import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
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
  await refund(world, upgraded)
  expect(await stored(world, id)).toMatchObject({ productCode: world.productCode, userCount: 5, price: 5000 })
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
