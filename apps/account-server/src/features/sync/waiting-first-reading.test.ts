import { declineSubscription } from '@atrium/contract/offered-subscriptions.ts'
import { listOnlineOrders, listPaymentsBeingChecked } from '@atrium/contract/orders.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { linkCustomerCommand } from '../../commands/link-customer.ts'
import { priceOf, termsVendor, usd } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { providerPrices } from '../catalog/provider-prices.tables.ts'
import { orders } from '../orders/orders.tables.ts'
import {
  syncPaypalSubscriptions,
  syncSale,
  syncSales,
  takeOverPaypalSubscription,
} from '../subscriptions/paypal-subscriptions.sync.ts'
import { acceptUnmatched, unmatchedLines } from './unmatched.ts'

const sandbox = await sandboxOfFile()

const say = () => undefined

async function vendor() {
  const world = await termsVendor(sandbox)
  const { readSubscription } = world.deps.paypal
  const client = async () => world.as({ cookie: await world.session(world.buyer.id) })
  /** As PayPal's events tell it: each payment, and the subscription. */
  const hear = async (id: string) => {
    for (const sale of await world.sales(id)) await syncSale(world.deps, sale)
    await world.sync(id)
  }
  /** `npm run sync -- subscriptions` and `-- invoices`. */
  const takeOver = async (id: string) => {
    world.deps.paypal.subscriptions = async () => ({ subscriptions: [await readSubscription(id)], hasMore: false })
    await syncPaypalSubscriptions({ ...world.deps, say })
    await syncSales({ ...world.deps, say })
  }
  return {
    ...world,
    hear,
    takeOver,
    /** The first month, what is done then, and the second month: heard of twice, or only then. */
    async month(id: string, { isReadBefore, change }: { isReadBefore: boolean; change(): Promise<unknown> }) {
      if (isReadBefore) await hear(id)
      await change()
      if (isReadBefore) await hear(id)
      await world.advanceTo(world.inDays(33))
    },
    raise: (planId: string, value: string) =>
      world.call('POST', `/v1/billing/plans/${planId}/update-pricing-schemes`, {
        pricing_schemes: [{ billing_cycle_sequence: 1, pricing_scheme: { fixed_price: usd(value) } }],
      }),
    line: async (id: string) => (await unmatchedLines(world.db, 'paypal')).find((one) => one.includes(id)),
    checked: async () => (await (await client()).send(listPaymentsBeingChecked, {})).body.list.map((one) => one.amount),
    ordered: async () =>
      (await (await client()).send(listOnlineOrders, { query: {} })).body.list
        .map(({ orderAmount }) => orderAmount ?? 0)
        .toSorted((one, other) => one - other),
    decline: async (id: string) => (await client()).send(declineSubscription, { params: { sid: id } }),
    async accept(id: string) {
      const [{ id: row = '' } = {}] = await world.waiting(id)
      await acceptUnmatched(world.db, { id: row, provider: 'paypal', now: world.deps.clock() })
      await takeOverPaypalSubscription({ ...world.deps, say }, id)
    },
  }
}
type Vendor = Awaited<ReturnType<typeof vendor>>

const own = (value: string) => ({ quantity: '2', plan: priceOf(value) })

const revisions = {
  'the price of the catalog, of their own': async (world: Vendor, id: string) => world.revise(id, own('10')),
  'the plan itself': async (world: Vendor, id: string) => {
    const plan_id = await world.planOf(world.productCode, 'monthly')
    return world.revise(id, { plan_id, quantity: '2' })
  },
}

test.each(
  Object.entries(revisions).flatMap(([name, revise]) =>
    ([true, false] as const).flatMap((isReadBefore) =>
      (['hear', 'takeOver', 'sync'] as const).map((how) => ({ name, revise, isReadBefore, how })),
    ),
  ),
)('paid for less, and then for $name: it waits, read before the grant: $isReadBefore, then by $how', async (given) => {
  const { revise, isReadBefore, how } = given
  await using world = await vendor()
  const id = await world.buy({ more: own('3') })
  await world.month(id, { isReadBefore, change: () => revise(world, id) })
  for (let reading = 0; reading < 2; reading += 1) {
    await world[how](id)
    expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active', userCount: 2 }])
    expect(await world.checked()).toEqual([600])
    expect(await world.line(id)).toContain('600 USD in minor units')
    expect(await world.line(id)).toContain('makes an order of it and grants nothing')
  }
  await world.hear(id)
  expect(await world.ordered()).toEqual([2000])

  await world.accept(id)
  for (let reading = 0; reading < 2; reading += 1) {
    expect([await world.ordered(), await world.checked(), await world.line(id)]).toEqual([[600, 2000], [], undefined])
    await world.hear(id)
    await world.takeOver(id)
  }
  await world.revise(id, own('4'))
  await world.advanceTo(world.inDays(33))
  await world.hear(id)
  expect([await world.ordered(), await world.checked()]).toEqual([[600, 2000], [800]])
})

test.each([true, false])('fewer seats at the same price were an order, read before: %s', async (isReadBefore) => {
  await using world = await vendor()
  const id = await world.buy({ more: { quantity: '2', plan: priceOf('12') } })
  const change = () => world.revise(id, { quantity: '5', plan: priceOf('12') })
  await world.month(id, { isReadBefore, change })
  await world.takeOver(id)
  expect([await world.ordered(), await world.checked()]).toEqual([[2400, 6000], []])
})

test.each([true, false])('a cheaper plan of the catalog was an order, read before: %s', async (isReadBefore) => {
  await using world = await vendor()
  const id = await world.buy({ more: { quantity: '2' } })
  const plan_id = await world.planOf(world.suiteCode, 'monthly')
  await world.month(id, { isReadBefore, change: () => world.revise(id, { plan_id, quantity: '2' }) })
  await world.takeOver(id)
  expect([await world.ordered(), await world.checked()]).toEqual([[2000, 5000], []])
})

test.each([true, false])(
  'what was paid before a price was raised is an order, known to the catalog: %s',
  async (isKnown) => {
    await using world = await vendor()
    const planId = await world.ownPlan()
    const id = await world.buy({ planId, more: { quantity: '1' } })
    for (const value of ['11', '12.50']) {
      await world.raise(planId, value)
      await world.advanceTo(world.inDays(33))
    }
    if (isKnown) {
      await world.db.insert(providerPrices).values({
        ...{ id: planId, provider: 'paypal', productId: 'own', productCode: world.productCode, term: 'monthly' },
        ...{ amount: 1250, currency: 'USD', isCurrent: false },
      })
    }
    await world.takeOver(id)
    expect(await world.ordered()).toEqual([1000, 1100, 1250])
    expect(await world.line(id)).toBeUndefined()
  },
)

test.each([true, false])(
  'said to be somebody else’s, what waits goes on waiting, with its sum in the operator’s line, read before: %s',
  async (isReadBefore) => {
    await using world = await vendor()
    const id = await world.buy({ customId: world.buyer.email, more: own('3') })
    await world.month(id, { isReadBefore, change: () => world.revise(id, own('10')) })
    await world.hear(id)
    expect((await world.decline(id)).status).toBe(200)
    for (let reading = 0; reading < 2; reading += 1) {
      await world.hear(id)
      expect(await world.line(id)).toContain('600 USD in minor units')
      expect(await world.line(id)).toContain('the member says that it is not theirs')
      const made = await world.db.select().from(orders).where(eq(orders.providerSubscriptionId, id))
      expect(made.map(({ amount }) => amount)).toEqual([2000])
    }
  },
)

test('what waits of a plan of the vendor’s own does so, too, and is whose the operator says then', async () => {
  await using world = await vendor()
  const planId = await world.ownPlan()
  const id = await world.buy({ planId, customId: world.buyer.email, more: { quantity: '1' } })
  await world.raise(planId, '12')
  await world.hear(id)
  await world.advanceTo(world.inDays(33))
  await world.hear(id)
  expect((await world.decline(id)).status).toBe(200)
  await world.hear(id)
  expect(await world.line(id)).toContain('1000 USD in minor units')
  expect(await world.waiting(id)).toMatchObject([{ reason: 'not_mine', amount: 1000 }])

  const other = await world.member()
  const run = linkCustomerCommand((_db, run) => run(world.deps.jobs)).prepare([other.email, id])
  const settings = { ...world.config, PAST_DUE_DAYS: 21, now: world.deps.clock() }
  expect(await run?.(world.db, () => undefined, settings)).toBe(0)
  for (let reading = 0; reading < 2; reading += 1) {
    await world.hear(id)
    const waits = { reason: 'paid_too_little', amount: 1000, memberId: other.id, isProven: true, acceptedAt: null }
    expect(await world.waiting(id)).toMatchObject([waits])
    const made = await world.db.select().from(orders).where(eq(orders.providerSubscriptionId, id))
    expect(made).toMatchObject([{ amount: 1200, memberId: other.id }])
  }
})
