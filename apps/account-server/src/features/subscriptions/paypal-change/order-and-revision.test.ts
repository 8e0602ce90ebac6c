import { eq } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { payments } from '../../../app.ts'
import { killOnce } from '../../../test/killed.ts'
import { approve, comeBack, halfway, order, type PaypalVendor, stored, twoMore } from '../../../test/paypal-orders.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { orders } from '../../orders/orders.tables.ts'
import { unmatchedPurchases } from '../../payments/unmatched/unmatched.tables.ts'
import { syncSale } from '../paypal-subscriptions.sync.ts'

const sandbox = await sandboxOfFile()
afterEach(() => vi.restoreAllMocks())

/** The customer agrees at PayPal to other seats from the next cycle on. Nothing is read here. */
async function agree(world: PaypalVendor, id: string, quantity: string) {
  const answer = await world.call('POST', `/v1/billing/subscriptions/${id}/revise`, { quantity })
  await approve(world, JSON.stringify(answer).match(/http[^"]*ba_token=[^"]*/)?.[0] ?? '')
}

/** Two more seats were ordered for the rest of the month. */
async function ordered() {
  const { world, id } = await halfway(sandbox)
  const { approveUrl, paypalOrderId } = (await order(world, id)).body
  return {
    ...{ world, id, approveUrl, paypalOrderId },
    async orderEvents() {
      await payments.syncs.paypal['checkout-order']?.(world.deps, paypalOrderId)
      const paid = await world.deps.paypal.readOrder(paypalOrderId)
      await payments.syncs.paypal.capture?.(world.deps, paid.capture?.id ?? '')
    },
    stateOf: async () => String((await world.call('GET', `/v2/checkout/orders/${paypalOrderId}`)).status),
    seats: async () => (await stored(world, id)).userCount,
    /** PayPal bills the next month. */
    async nextMonth() {
      const { periodEnd } = await stored(world, id)
      await world.advanceTo(new Date((periodEnd?.getTime() ?? 0) + 6 * 3_600_000).toISOString())
      await world.sync(id)
      for (const sale of await world.sales(id)) await syncSale(world.deps, sale)
    },
    async amounts() {
      const rows = await world.db.select().from(orders).where(eq(orders.providerSubscriptionId, id))
      return rows.map(({ amount }) => amount).toSorted((one, other) => one - other)
    },
  }
}

test('what was ordered for this month is paid and granted also if the next one was agreed at PayPal meanwhile', async () => {
  const { world, id, approveUrl, seats, nextMonth, orderEvents, amounts } = await ordered()
  await using _world = world
  await agree(world, id, '7')
  await approve(world, approveUrl)
  expect((await comeBack(world, id)).status).toBe(200)
  await orderEvents()
  await world.sync(id)
  expect([await seats(), (await stored(world, id)).nextPlan?.userCount]).toEqual([5, 7])
  await nextMonth()
  expect(await seats()).toBe(7)
  expect(await amounts()).toEqual([1000, 3000, 7000])
})

test.each([
  ['the revision first', true],
  ['the payment first', false],
])(
  'paid, and agreed before either is read, %s: granted once for this month, and the revision begins with the next',
  async (_order, isRevisionFirst) => {
    const { world, id, approveUrl, stateOf, seats, nextMonth, orderEvents, amounts } = await ordered()
    await using _world = world
    await approve(world, approveUrl)
    killOnce('subscription.change_by_order', 'after', 'find')
    expect((await comeBack(world, id)).status).toBe(500)
    expect(await stateOf()).toBe('COMPLETED')
    await agree(world, id, '7')
    const events = [() => world.sync(id), orderEvents]
    for (const event of isRevisionFirst ? events : events.toReversed()) await event()
    for (const event of events) await event()
    await world.reconcileAfter(60)
    expect(await seats()).toBe(5)
    const { nextPlan } = await stored(world, id)
    expect(nextPlan?.otherwise?.userCount ?? nextPlan?.userCount).toBe(7)

    await nextMonth()
    expect([await seats(), (await stored(world, id)).pendingPlanId]).toEqual([7, null])
    // Two seats for half a month, three for the first month, seven for the next one.
    expect(await amounts()).toEqual([1000, 3000, 7000])
  },
)

test('the same seats agreed at PayPal as were ordered and paid here are the same seats, and nothing is left to confirm', async () => {
  const { world, id, approveUrl, seats, nextMonth, orderEvents } = await ordered()
  await using _world = world
  await approve(world, approveUrl)
  killOnce('subscription.change_by_order', 'after', 'find')
  await comeBack(world, id)
  await agree(world, id, '5')
  await world.sync(id)
  await orderEvents()
  await world.sync(id)
  expect([await seats(), (await stored(world, id)).pendingPlanId]).toEqual([5, null])
  await nextMonth()
  expect(await seats()).toBe(5)
})

/** More was ordered for the rest of the month, and is confirmed in the minute after PayPal has billed the next one. Nothing is read since. */
async function confirmedLate({ asked = twoMore, paysByEcheck = false }: Partial<Late>) {
  const { world, id } = await halfway(sandbox)
  const before = await stored(world, id)
  const end = before.periodEnd ?? new Date(0)
  await approve(world, (await order(world, id, asked)).body.approveUrl)
  const { approveLink } = (await comeBack(world, id)).body
  const bought = await stored(world, id)
  await world.control('PUT', `echecks/${id}/`, { paysByEcheck })
  await world.advanceTo(new Date(end.getTime() + 60_000).toISOString())
  await approve(world, approveLink)
  const [, sale = ''] = await world.sales(id)
  const { productCode, userCount, price } = before
  const next = { productCode: bought.productCode, userCount: bought.userCount, price: bought.price }
  return { world, id, sale, end, next, same: { status: 'active', productCode, userCount, price } }
}

interface Late {
  asked: Parameters<typeof order>[2]
  paysByEcheck: boolean
}

const upgrade = { type: 'switch-to-business-billing' } as const

test.each([
  ['seats, the subscription is read first', twoMore, true],
  ['seats, the payment is read first', twoMore, false],
  ['a product, the subscription is read first', upgrade, true],
  ['a product, the payment is read first', upgrade, false],
])(
  'confirmed once PayPal has billed the next month, and before that is read, it begins with the month after: %s',
  async (_what, asked, isRevisionFirst) => {
    const { world, id, sale, end, same, next } = await confirmedLate({ asked })
    await using _world = world
    const events = [() => world.sync(id), () => syncSale(world.deps, sale)]
    for (const event of isRevisionFirst ? events : events.toReversed()) await event()
    const month = { ...same, periodStart: end, paidBy: sale, pendingPlanId: null }
    expect(await stored(world, id)).toMatchObject({ ...month, nextPlan: { when: 'certain', ...next } })
    expect(await world.db.select().from(unmatchedPurchases).where(eq(unmatchedPurchases.objectId, id))).toEqual([])
    const [paid] = await world.db.select().from(orders).where(eq(orders.providerId, sale))
    const { productCode, userCount: quantity } = same
    expect(paid).toMatchObject({ amount: 3000, lines: [{ productCode, facts: { quantity } }] })

    const { periodEnd } = await stored(world, id)
    await world.advanceTo(new Date((periodEnd?.getTime() ?? 0) + 6 * 3_600_000).toISOString())
    await world.sync(id)
    expect(await stored(world, id)).toMatchObject({ status: 'active', ...next, nextPlan: null })
  },
)

test('so it does if that payment clears later', async () => {
  const { world, id, sale, end, same, next } = await confirmedLate({ paysByEcheck: true })
  await using _world = world
  await world.sync(id)
  expect(await stored(world, id)).toMatchObject({ ...same, periodEnd: end, nextPlan: { when: 'certain', ...next } })
  await world.control('POST', `payments/${sale}/clear/`, { isCleared: true })
  await syncSale(world.deps, sale)
  const month = { ...same, periodStart: end, paidBy: sale }
  expect(await stored(world, id)).toMatchObject({ ...month, nextPlan: { when: 'certain', ...next } })
})

test('what was ordered for this month is not there beyond it while the next one waits to clear', async () => {
  const { world, id, approveUrl, seats } = await ordered()
  await using _world = world
  await approve(world, approveUrl)
  const back = (await comeBack(world, id)).body
  await approve(world, back.approveLink)
  await world.sync(id)
  expect(await seats()).toBe(5)
  await world.control('PUT', `echecks/${id}/`, { paysByEcheck: true })
  const { periodEnd } = await stored(world, id)
  await world.advanceTo(new Date((periodEnd?.getTime() ?? 0) + 6 * 3_600_000).toISOString())
  await world.sync(id)
  expect([await seats(), (await stored(world, id)).status]).toEqual([3, 'active'])
  const [held = ''] = (await world.deps.paypal.readSubscription(id)).payments.slice(-1).map(({ id: sale }) => sale)
  await world.control('POST', `payments/${held}/clear/`, { isCleared: true })
  await world.sync(id)
  expect([await seats(), (await stored(world, id)).status]).toEqual([5, 'active'])
})
