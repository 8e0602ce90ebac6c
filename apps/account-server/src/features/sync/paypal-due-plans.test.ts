import { listOnlineOrders } from '@atrium/contract/orders.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { priceOf, termsVendor } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { orders } from '../orders/orders.tables.ts'
import { syncSale } from '../subscriptions/paypal-subscriptions.sync.ts'

const sandbox = await sandboxOfFile()

type Term = 'monthly' | 'yearly'

/** A subscription for one seat, paid for its first period. */
async function paid(term: Term) {
  const world = await termsVendor(sandbox)
  const [monthly, yearly] = [
    await world.planOf(world.productCode, 'monthly'),
    await world.planOf(world.productCode, 'yearly'),
  ]
  const id = await world.buy({ planId: term === 'yearly' ? yearly : monthly, more: { quantity: '1' } })
  await world.sync(id)
  const row = async () => (await world.listed())[0]
  const end = async () => Date.parse((await row())?.stripeCurrentPeriodEnd ?? '')
  const firstEnd = await end()
  const daysMore = async () => Math.round(((await end()) - firstEnd) / 86_400_000)
  return { world, id, monthly, yearly, row, daysMore }
}

const readings = ['ahead of its payment', 'only with its payment'] as const

test.each(readings)('a month that was due is a month, whose revision to a year is read %s', async (reading) => {
  const { world, id, yearly, row, daysMore } = await paid('monthly')
  await using _ = world
  await world.fund(id, false)
  await world.daysLater(32, id)
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'past_due', paidType: 'monthly' })
  await world.revise(id, { plan_id: yearly })
  if (reading === 'ahead of its payment') await world.sync(id)
  await world.fund(id, true)
  await world.daysLater(6, id)

  expect(await world.sales(id)).toHaveLength(2)
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'active', paidType: 'monthly', price: 1000 })
  expect(await daysMore()).toBeLessThan(32)
  await world.daysLater(40, id)
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: expect.not.stringMatching('active') })
})

test.each(readings)('a year that was due is a year, whose revision to months is read %s', async (reading) => {
  const { world, id, monthly, row, daysMore } = await paid('yearly')
  await using _ = world
  await world.fund(id, false)
  await world.daysLater(367, id)
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'past_due', paidType: 'yearly' })
  await world.revise(id, { plan_id: monthly })
  if (reading === 'ahead of its payment') await world.sync(id)
  await world.fund(id, true)
  await world.daysLater(6, id)
  const isYear = { stripeSubscriptionStatus: 'active', paidType: 'yearly', price: 9600 }
  expect(await row()).toMatchObject(isYear)
  expect(await daysMore()).toBeGreaterThan(364)

  // Months that are billed within it do not take it.
  await world.daysLater(40, id)
  expect((await world.sales(id)).length).toBeGreaterThan(2)
  expect(await row()).toMatchObject(isYear)
  expect(await daysMore()).toBeGreaterThan(364)
})

test.each(readings)(
  'a year at a month’s price that the buyer’s own revision names is a month, read %s',
  async (reading) => {
    const { world, id, yearly, row, daysMore } = await paid('monthly')
    await using _ = world
    await world.revise(id, { plan_id: yearly, plan: priceOf('10') })
    expect(await world.call('GET', `/v1/billing/subscriptions/${id}`)).toMatchObject({ plan_overridden: true })
    if (reading === 'ahead of its payment') await world.sync(id)
    await world.daysLater(32, id)
    expect(await world.sales(id)).toHaveLength(2)
    expect(await row()).toMatchObject({ paidType: 'monthly', userCount: 1 })
    expect(await daysMore()).toBeLessThan(32)

    await world.daysLater(40, id)
    expect(await row()).toMatchObject({ stripeSubscriptionStatus: expect.not.stringMatching('active') })
    await world.daysLater(330, id)
    expect(await row()).toMatchObject({ stripeSubscriptionStatus: expect.not.stringMatching('active') })
    expect(await world.waiting(id)).toMatchObject([{ reason: 'price_overridden', amount: 1000 }])
  },
)

test('of months that were paid none pays again, for a year, once the last one is given back', async () => {
  const { world, id, yearly, row } = await paid('monthly')
  await using _ = world
  for (const quantity of ['14', '9']) {
    await world.revise(id, { quantity })
    await world.daysLater(quantity === '14' ? 32 : 31, id)
    expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: Number(quantity) })
  }
  await world.revise(id, { plan_id: yearly, quantity: '1' })
  await world.sync(id)
  const last = (await world.sales(id)).at(-1) ?? ''
  await world.told('refund', await world.refund(last))
  for (let reading = 0; reading < 2; reading += 1) {
    await world.sync(id)
    expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'pending' })
  }
})

test.each(readings)('an order is named by the product it was paid for, whose revision is read %s', async (reading) => {
  const { world, id, row } = await paid('monthly')
  await using _ = world
  await world.fund(id, false)
  await world.daysLater(32, id)
  await world.revise(id, { plan_id: await world.planOf(world.suiteCode, 'yearly'), quantity: '3' })
  if (reading === 'ahead of its payment') await world.sync(id)
  await world.fund(id, true)
  await world.advanceTo(world.inDays(6))
  const renewal = (await world.sales(id)).at(-1) ?? ''
  await syncSale(world.deps, renewal)

  const client = world.as({ cookie: await world.session(world.buyer.id) })
  const { list } = (await client.send(listOnlineOrders, { query: {} })).body
  expect(list.map(({ orderDescription }) => orderDescription)).toEqual([[expect.stringMatching(/^Folio PDF Editor\+/)]])
  const [{ lines = [] } = {}] = await world.db.select().from(orders).where(eq(orders.providerId, renewal))
  const { stripeCurrentPeriodEnd: to } = (await row()) ?? {}
  expect(lines).toMatchObject([{ productCode: world.productCode, facts: { quantity: 1, to } }])
})
