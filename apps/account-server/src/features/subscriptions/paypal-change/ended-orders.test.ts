import { expect, test } from 'vitest'
import { z } from 'zod'
import { approve, comeBack, order, stored, subscribed, twoMore } from '../../../test/paypal-orders.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { syncOrderedRefund } from './ordered-payments.sync.ts'

const sandbox = await sandboxOfFile()

const Order = z.object({
  purchase_units: z.array(z.object({ payments: z.object({ captures: z.array(z.object({ id: z.string() })) }) })),
})
const Refund = z.object({ id: z.string() })

const upgrade = { type: 'switch-to-business-billing' } as const

/** In the last hours of a month it is bought for cents, and the renewal cannot be collected. */
async function boughtLast({
  asked,
  isConfirmed = false,
}: {
  asked: Parameters<typeof order>[2]
  isConfirmed?: boolean
}) {
  const { world, id } = await subscribed(sandbox)
  const { periodEnd } = await stored(world, id)
  const end = periodEnd?.getTime() ?? 0
  await world.advanceTo(new Date(end - 2 * 3_600_000).toISOString())
  await approve(world, (await order(world, id, asked)).body.approveUrl)
  const { approveLink } = (await comeBack(world, id)).body
  const bought = await stored(world, id)
  if (isConfirmed) {
    await approve(world, approveLink)
    await world.sync(id)
  }
  await world.control('PUT', `funds/${id}/`, { hasFunds: false })
  await world.advanceTo(new Date(end + 2 * 86_400_000).toISOString())
  await world.sync(id)
  return { world, id, bought }
}

test.each([false, true])(
  'seats bought by order end with the period, also in the days of retries; confirmed: %s',
  async (isConfirmed) => {
    const { world, id, bought } = await boughtLast({ asked: twoMore, isConfirmed })
    await using _world = world
    expect(bought.userCount).toBe(5)
    expect(await stored(world, id)).toMatchObject({ status: 'past_due', userCount: 3, price: 3000 })
    await world.control('PUT', `funds/${id}/`, { hasFunds: true })
    await world.advanceTo(new Date(Date.parse(String(bought.periodEnd?.toISOString())) + 15 * 86_400_000).toISOString())
    await world.sync(id)
    expect(await stored(world, id)).toMatchObject({ status: 'active', userCount: isConfirmed ? 5 : 3 })
  },
)

test('so does a product', async () => {
  const { world, id, bought } = await boughtLast({ asked: upgrade })
  await using _world = world
  expect(bought.productCode).toBe(world.suiteCode)
  expect(await stored(world, id)).toMatchObject({ status: 'past_due', productCode: world.productCode, price: 3000 })
})

test('so do seats that were bought on top of others whose payment was given back', async () => {
  const { world, id } = await subscribed(sandbox)
  await using _world = world
  const end = (await stored(world, id)).periodEnd?.getTime() ?? 0
  await world.advanceTo(new Date(end - 10 * 3_600_000).toISOString())
  const orderIds: string[] = []
  for (const increasingNumber of [4, 2]) {
    const { approveUrl, paypalOrderId } = (await order(world, id, { type: 'buy-more', increasingNumber })).body
    await approve(world, approveUrl)
    await comeBack(world, id)
    orderIds.push(paypalOrderId)
  }
  const { purchase_units: units } = Order.parse(await world.call('GET', `/v2/checkout/orders/${orderIds[0]}`))
  const path = `/v2/payments/captures/${units[0]?.payments.captures[0]?.id}/refund`
  const { id: refundId } = Refund.parse(await world.call('POST', path, {}))
  await syncOrderedRefund(world.deps, refundId)
  expect(await stored(world, id)).toMatchObject({ userCount: 5 })

  await world.control('PUT', `funds/${id}/`, { hasFunds: false })
  await world.advanceTo(new Date(end + 2 * 86_400_000).toISOString())
  await world.sync(id)
  expect(await stored(world, id)).toMatchObject({ status: 'past_due', userCount: 3, price: 3000 })
})

test.each([
  [true, 5, 5],
  [false, 3, 3],
])('while PayPal has only not billed yet, they stay if it is to bill them: %s', async (isConfirmed, late, billed) => {
  const { world, id } = await subscribed(sandbox)
  await using _world = world
  const end = (await stored(world, id)).periodEnd?.getTime() ?? 0
  await world.control('PUT', `lateness/${id}/`, { hours: 5 })
  await world.advanceTo(new Date(end - 2 * 3_600_000).toISOString())
  await approve(world, (await order(world, id)).body.approveUrl)
  const { approveLink } = (await comeBack(world, id)).body
  if (isConfirmed) await approve(world, approveLink)
  await world.sync(id)
  await world.advanceTo(new Date(end + 3_600_000).toISOString())
  await world.sync(id)
  expect(await stored(world, id)).toMatchObject({ status: 'active', userCount: late, periodEnd: new Date(end) })
  await world.advanceTo(new Date(end + 6 * 3_600_000).toISOString())
  await world.sync(id)
  expect(await stored(world, id)).toMatchObject({ status: 'active', userCount: billed })
})

test('so do they at its end where the renewal has failed some hours before', async () => {
  const { world, id } = await subscribed(sandbox)
  await using _world = world
  const end = (await stored(world, id)).periodEnd?.getTime() ?? 0
  await world.advanceTo(new Date(end - 20 * 3_600_000).toISOString())
  await approve(world, (await order(world, id)).body.approveUrl)
  await comeBack(world, id)
  await world.control('PUT', `funds/${id}/`, { hasFunds: false })
  await world.advanceTo(new Date(end + 60_000).toISOString())
  // PayPal was early: here the period still runs.
  world.at(new Date(end - 6 * 3_600_000))
  await world.sync(id)
  expect(await stored(world, id)).toMatchObject({ status: 'past_due', userCount: 5 })
  await world.hourlyJobsAt(new Date(end + 3_600_000))
  expect(await stored(world, id)).toMatchObject({ status: 'past_due', userCount: 3, price: 3000 })
})
