import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newLicense, newProduct, newSeat, newSubscription } from '../../test/factories.ts'
import { load } from '../../test/import.ts'
import { newWorld } from '../../test/world.ts'
import { archives } from '../archives/archives.tables.ts'

const date = '2026-05-01T10:00:00Z'

test('an order of an unknown product is applied, with a warning', async () => {
  await using world = await newWorld()
  const { email } = await world.member()
  const { code } = await newProduct(world)
  const lines = ['', code, 'GONE'].map((productCode) => ({ text: 'Editor', productCode }))
  const order = { type: 'order', email, status: 'CO', lines, amount: 100, currency: 'EUR', date }

  const loaded = await load(world, [
    { ...order, orderNumber: `W-${code}` },
    { ...order, orderNumber: `R-${code}`, email: 'nobody@import.test' },
  ])
  expect(loaded).toMatchObject({
    ...{ applied: 1, refused: 1, warnings: 1 },
    warned: ['1 lines.2.productCode the catalog has no product GONE: no download is offered'],
  })
})

test('more seats taken than paid is a warning, for either line', async () => {
  await using world = await newWorld()
  const [owner, ...people] = [await world.member(), await world.member(), await world.member()]
  const { id: subscriptionId, productCode } = await newSubscription(world, owner, { userCount: 2 })
  const seat = { type: 'seat', subscriptionId, seatType: 0, status: 'Accepted', isUse: true, invited: date }

  const [first, second] = people.map(({ email }) => ({ ...seat, email }))
  expect((await load(world, [first ?? seat])).warned).toEqual([])
  expect(await load(world, [second ?? seat])).toMatchObject({
    applied: 1,
    warned: ['1 subscriptionId 3 seats are taken, and 2 are paid'],
  })
  const subscription = {
    ...{ type: 'subscription', subscriptionId, email: owner.email, productCode, status: 'active' },
    ...{ origin: 'online', channel: 'card', periodStart: date },
  }
  expect((await load(world, [{ ...subscription, userCount: 1 }])).warned).toEqual([
    '1 subscriptionId 3 seats are taken, and 1 are paid',
  ])
  expect((await load(world, [{ ...subscription, userCount: 3 }])).warned).toEqual([])
})

test('a Setup Admin takes no seat, and causes no warning', async () => {
  await using world = await newWorld()
  const [owner, setup] = [await world.member(), await world.member()]
  const { id: subscriptionId } = await newSubscription(world, owner, { userCount: 1 })
  await newSeat(world, subscriptionId, { type: 3 })
  const seat = { type: 'seat', subscriptionId, email: setup.email, status: 'Accepted', isUse: false, invited: date }
  expect((await load(world, [{ ...seat, seatType: 3 }])).warned).toEqual([])
})

test('an order or a key that moves to another owner is applied, with a warning', async () => {
  await using world = await newWorld()
  const [one, other] = [await world.member(), await world.member()]
  const { code } = await newProduct(world)
  const order = {
    ...{ type: 'order', orderNumber: `M-${code}`, status: 'CO', lines: [{ text: 'Editor' }] },
    ...{ amount: 100, currency: 'EUR', date },
  }
  expect((await load(world, [{ ...order, email: one.email }])).warned).toEqual([])
  expect((await load(world, [{ ...order, email: one.email }])).warned).toEqual([])
  expect((await load(world, [{ ...order, email: other.email }])).warned).toEqual([
    `1 email order M-${code} was another customer’s, and moves`,
  ])

  const [first, second] = [await newLicense(world), await newLicense(world)]
  const key = { type: 'license-key', key: `KEY-OF-SOME-LICENSE-${code}` }
  expect((await load(world, [{ ...key, licenseId: first.id }])).warned).toEqual([])
  expect(await load(world, [{ ...key, licenseId: second.id }])).toMatchObject({
    refusals: [],
    warned: [`1 licenseId the key was of license ${first.id}, and moves`],
  })
})

test('an offline order that moves is warned of, and leaves what its customer has packed', async () => {
  await using world = await newWorld()
  const [before, after] = [await world.member(), await world.member()]
  const orderNumber = `OFF-${before.id}`
  const order = { type: 'offline-order', orderNumber, lines: ['200 seats'], amount: 990_000, currency: 'EUR', date }
  const packed = () => world.db.$count(archives, eq(archives.memberId, before.id))
  const requestedAt = world.deps.wallClock()
  await world.db.insert(archives).values({ memberId: before.id, kind: 'personal_data', requestedAt })
  for (const _ of ['once', 'again']) {
    expect((await load(world, [{ ...order, email: before.email }])).warned).toEqual([])
    expect(await packed()).toBe(1)
  }
  expect((await load(world, [{ ...order, email: after.email }])).warned).toEqual([
    `1 email order ${orderNumber} was another customer’s, and moves`,
  ])
  expect(await packed()).toBe(0)
})
