import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newProduct, newSubscription } from '../../test/factories.ts'
import { newWorld, type TestMember } from '../../test/world.ts'
import { providerOperations } from '../payments/operations/operations.tables.ts'
import { seats } from './seats.tables.ts'
import { addOnsOf, pageOfSubscriptions, seatsByProduct, subscriptionOfMember } from './subscription-list.queries.ts'
import { subscriptionOfProvider } from './subscriptions.queries.ts'
import { accessNow } from './subscriptions.rules.ts'

const firstPage = { isOffline: false, status: undefined, keywords: '', limit: 10, offset: 0 }

test('an Owner sees their subscriptions, and no others, even without a seat', async () => {
  await using world = await newWorld()
  const [owner, other] = [await world.member(), await world.member()]
  const { id } = await newSubscription(world, owner)
  await newSubscription(world, other)
  await world.db.delete(seats).where(eq(seats.subscriptionId, id))
  const { rows, total } = await pageOfSubscriptions(world.db, {
    ...{ member: owner, access: accessNow(world.deps) },
    ...firstPage,
  })
  expect([rows.map((row) => row.id), total]).toEqual([[id], 1])
})

test('a cap by customer counts the seats of one customer', async () => {
  await using world = await newWorld()
  const [owner, other] = [await world.member(), await world.member()]
  const { code: productCode } = await newProduct(world, { cap: { cap: 100, scope: 'member' } })
  const { id } = await newSubscription(world, owner, { productCode, userCount: 3 })
  await newSubscription(world, owner, { productCode, userCount: 4 })
  await newSubscription(world, other, { productCode, userCount: 50 })

  const row = await subscriptionOfMember(world.db, owner, { id, access: accessNow(world.deps) })
  expect(row?.countOfCap).toBe(7)
  expect(await seatsByProduct(world.db, owner.id)).toEqual(new Map([[productCode, 7]]))
})

test('the add-ons of a subscription are those of its Owner', async () => {
  await using world = await newWorld()
  const [owner, other] = [await world.member(), await world.member()]
  const { id: parentId } = await newSubscription(world, owner)
  const { id } = await newSubscription(world, owner, { parentId })
  await newSubscription(world, other, { parentId })

  const access = accessNow(world.deps)
  const parent = await subscriptionOfMember(world.db, owner, { id: parentId, access })
  if (!parent) throw new Error('no subscription')
  const addOns = await addOnsOf(world.db, parent, { access })
  expect(addOns.map((row) => row.id)).toEqual([id])
})

test('a subscription is found by its id at the provider for its Owner only', async () => {
  await using world = await newWorld()
  const [owner, other] = [await world.member(), await world.member()]
  const { id } = await newSubscription(world, owner, { providerId: 'sub_found' })
  const found = ({ id: memberId }: { id: string }) =>
    subscriptionOfProvider(world.db, { providerId: 'sub_found', memberId })
  expect([(await found(owner))?.id, await found(other)]).toEqual([id, undefined])
})

test('only a card that the Owner has put on file pays as their own, and not one of an Owner before', async () => {
  await using world = await newWorld()
  const { db, deps } = world
  const [owner, before] = [await world.member(), await world.member()]
  const { id } = await newSubscription(world, owner, { channel: 'card', customerId: 'cus_typed', ownCard: 'pm_own' })
  const add = ({ id: memberId }: TestMember) => {
    const times = { createdAt: deps.clock(), nextCheckAt: deps.clock(), resolvedAt: deps.clock() }
    const added = { provider: 'card', kind: 'card.add', subject: 'pm_own', input: {}, status: 'succeeded' } as const
    return db.insert(providerOperations).values({ ...added, ...times, memberId, requestId: 'request' })
  }
  const paidFrom = async () => (await subscriptionOfMember(db, owner, { id, access: accessNow(deps) }))?.paidFrom

  await add(before)
  expect(await paidFrom()).toBe('checkout')
  await add(owner)
  expect(await paidFrom()).toBe('other')
})
