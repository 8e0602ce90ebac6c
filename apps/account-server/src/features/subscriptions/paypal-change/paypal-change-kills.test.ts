import { eq } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { killedAtEachPoint, killOnce } from '../../../test/killed.ts'
import { approve, comeBack, order, type PaypalVendor, subscribed } from '../../../test/paypal-orders.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { providerOperations } from '../../payments/operations/operations.tables.ts'
import { subscriptions } from '../subscriptions.tables.ts'
import { OrderOutcome } from './ordered-change.ts'

const sandbox = await sandboxOfFile()
afterEach(async () => {
  vi.restoreAllMocks()
  await sandbox.paypal.control('DELETE', 'faults/')
})

type Vendor = PaypalVendor

async function seats(world: Vendor, id: string) {
  const [row] = await world.db.select().from(subscriptions).where(eq(subscriptions.id, id))
  return row?.userCount
}

async function operations(world: Vendor) {
  const rows = await world.db.select().from(providerOperations).where(eq(providerOperations.memberId, world.buyer.id))
  return rows.filter(({ kind }) => kind === 'subscription.change_by_order')
}

const captures = async (world: Vendor, orderId: string) =>
  JSON.stringify(await world.call('GET', `/v2/checkout/orders/${orderId}`)).split('"final_capture"').length - 1

killedAtEachPoint('subscription.change_by_order', async ({ kill }) => {
  const { world, id } = await subscribed(sandbox)
  await using _world = world
  kill()
  expect((await order(world, id)).status).toBe(500)
  for (let minute = 0; minute < 3; minute += 1) await world.reconcileAfter(60)
  const [operation] = await operations(world)
  const { orderId, approveUrl } = OrderOutcome.parse(operation?.result)
  expect([operation?.status, orderId !== '']).toEqual(['requires_action', true])
  await approve(world, approveUrl)
  await world.reconcileAfter(60)
  expect([await seats(world, id), await captures(world, orderId)]).toEqual([5, 1])
})

test.each(['before the capture', 'after the capture', 'in apply'] as const)(
  'a server killed %s: it is captured once, and granted',
  async (point) => {
    const { world, id } = await subscribed(sandbox)
    await using _world = world
    const { approveUrl, paypalOrderId } = (await order(world, id)).body
    await approve(world, approveUrl)
    if (point === 'in apply') killOnce('subscription.change_by_order', 'after', 'apply')
    else killOnce('subscription.change_by_order', point === 'before the capture' ? 'before' : 'after', 'find')
    expect((await comeBack(world, id)).status).toBe(500)
    expect(await seats(world, id)).toBe(3)
    for (let minute = 0; minute < 2; minute += 1) await world.reconcileAfter(60)
    expect([await seats(world, id), await captures(world, paypalOrderId)]).toEqual([5, 1])
  },
)

test.each(['reset', 'error', 'html', 'rate_limit'] as const)(
  'a capture whose answer is lost by %s is found, and made once',
  async (kind) => {
    const { world, id } = await subscribed(sandbox)
    await using _world = world
    const { approveUrl, paypalOrderId } = (await order(world, id)).body
    await approve(world, approveUrl)
    await world.control('POST', 'faults/', { kind, pattern: '*/capture', times: 2 })
    await comeBack(world, id)
    await world.control('DELETE', 'faults/')
    for (let minute = 0; minute < 2; minute += 1) await world.reconcileAfter(60)
    expect([await seats(world, id), await captures(world, paypalOrderId)]).toEqual([5, 1])
  },
  30_000,
)

test('an order that nobody approves is given up after three hours, and may be approved in vain', async () => {
  const { world, id } = await subscribed(sandbox)
  await using _world = world
  const { approveUrl, paypalOrderId } = (await order(world, id)).body
  for (const hours of [1, 2.5]) await world.reconcileAfter(hours * 3600)
  expect((await operations(world)).map(({ status }) => status)).toEqual(['failed'])
  await approve(world, approveUrl)
  await world.reconcileAfter(3600)
  expect([await seats(world, id), await captures(world, paypalOrderId)]).toEqual([3, 0])
})
