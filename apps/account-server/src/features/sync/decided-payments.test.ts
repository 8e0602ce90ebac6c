import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { approve, comeBack, halfway, order, stored } from '../../test/paypal-orders.ts'
import { termsVendor } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { transfersIn } from '../../test/transfers.ts'
import { orders } from '../orders/orders.tables.ts'
import { paypalPayments } from '../subscriptions/paypal-payments.tables.ts'
import { syncSale } from '../subscriptions/paypal-subscriptions.sync.ts'

const sandbox = await sandboxOfFile()

/** A month of fifty seats that was read. */
async function fiftySeats() {
  const world = await termsVendor(sandbox)
  const planId = await world.planOf(world.productCode, 'monthly')
  const yearly = await world.planOf(world.productCode, 'yearly')
  const id = await world.buy({ planId, more: { quantity: '50' } })
  await world.sync(id)
  const row = async () => (await world.listed())[0]
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: 50 })
  return { world, id, planId, yearly, row }
}

test('what is held back is for the seats of when it was read first, whenever it is collected', async () => {
  const { world, id, planId, row } = await fiftySeats()
  await using _ = world
  await world.control('PUT', `echecks/${id}/`, { paysByEcheck: true })
  await world.daysLater(32, id)
  await world.revise(id, { plan_id: planId, quantity: '1' })
  await world.sync(id)
  await world.daysLater(6, id)
  expect((await row())?.stripeSubscriptionStatus).not.toBe('active')
  const held = (await world.deps.paypal.readSubscription(id)).payments.at(-1)
  await world.control('POST', `payments/${held?.id}/clear/`, { isCleared: true })
  await world.control('PUT', `echecks/${id}/`, { paysByEcheck: false })
  await world.sync(id)
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: 50 })
  await world.daysLater(30, id)
  expect((await row())?.userCount).toBe(1)
})

test('an order says what was bought when its payment was read first, whatever it is revised to since', async () => {
  const { world, id, yearly } = await fiftySeats()
  await using _ = world
  await world.revise(id, { plan_id: yearly, quantity: '3' })
  for (const sale of await world.sales(id)) await syncSale(world.deps, sale)
  const [paid] = await world.db.select().from(orders).where(eq(orders.providerSubscriptionId, id))
  expect(paid?.lines).toMatchObject([{ productCode: world.productCode, facts: { kind: 'period', quantity: 50 } }])
  const [{ facts = undefined } = {}] = paid?.lines ?? []
  expect(Number(new Date(facts?.to ?? '')) - Number(new Date(facts?.from ?? ''))).toBeLessThan(32 * 86_400_000)
})

test('of readings at once each finds what one of them has decided', async () => {
  const { world, id, planId, row } = await fiftySeats()
  await using _ = world
  await world.fund(id, true)
  await world.advanceTo(world.inDays(32))
  const sales = await world.sales(id)
  await Promise.all([...sales, ...sales].map((sale) => syncSale(world.deps, sale)))
  await Promise.all([world.revise(id, { plan_id: planId, quantity: '500' }), world.sync(id), world.sync(id)])
  await world.sync(id)
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: 50 })
  const decided = await world.db.select().from(paypalPayments).where(eq(paypalPayments.subscriptionId, id))
  expect(decided.map(({ purpose, plan }) => [purpose, plan?.userCount])).toEqual([
    ['cycle', 50],
    ['cycle', 50],
  ])
})

test('what an earlier version has granted stays what its row says', async () => {
  const { world, id, yearly } = await fiftySeats()
  await using _ = world
  const { periodEnd } = await transfersIn(world).stored(id)
  await world.db.delete(paypalPayments)
  await world.revise(id, { plan_id: yearly, quantity: '500' })
  for (const days of [1, 2]) {
    await world.daysLater(days, id)
    const row = await transfersIn(world).stored(id)
    expect(row).toMatchObject({ status: 'active', userCount: 50, term: 'monthly', periodEnd })
  }
})

test('what orders have bought on top of that ends with its period, though an earlier version has granted it', async () => {
  const { world, id } = await halfway(sandbox)
  await using _ = world
  const { userCount: paid, periodEnd } = await stored(world, id)
  const { approveUrl } = (await order(world, id)).body
  await approve(world, approveUrl)
  await comeBack(world, id)
  expect((await stored(world, id)).userCount).toBe(paid + 2)
  await world.db.delete(paypalPayments)
  await world.control('PUT', `funds/${id}/`, { hasFunds: false })
  await world.advanceTo(new Date((periodEnd?.getTime() ?? 0) + 6 * 3_600_000).toISOString())
  await world.sync(id)
  expect(await stored(world, id)).toMatchObject({ status: 'past_due', userCount: paid })
})
