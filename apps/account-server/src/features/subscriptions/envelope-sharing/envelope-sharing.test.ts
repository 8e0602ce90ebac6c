import { enablePooling } from '@atrium/contract/envelope-sharing.ts'
import { changePlanFrom } from '@atrium/contract/plan-changes.ts'
import { listSubscriptions } from '@atrium/contract/subscriptions.ts'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newProduct, newSeat, newSubscription } from '../../../test/factories.ts'
import { newWorld, type TestMember } from '../../../test/world.ts'
import { activity } from '../../activity/activity.tables.ts'
import { events } from '../../events/events.tables.ts'
import { providerCustomers } from '../../payments/customers/customers.tables.ts'

type World = Awaited<ReturnType<typeof newWorld>>

async function signing(values: object = {}) {
  const hears = { EVENT_URLS: 'http://localhost:1/events', EVENT_SECRET: `whsec_${'a'.repeat(32)}` }
  const world = await newWorld({ settings: hears })
  const owner = await world.member()
  const { code } = await newProduct(world, { flags: ['connectable', 'envelopeSharing'] })
  const { id } = await newSubscription(world, owner, { productCode: code, providerId: `sub_${owner.id}`, ...values })
  return { ...world, owner, id }
}

const enable = (world: World, sid: string, member: TestMember) =>
  world.as(member).send(enablePooling, { body: { sid } })

test('envelope sharing is enabled once, however often it is asked for, and connectors can be bought then', async () => {
  await using world = await signing()
  const replies = await Promise.all(Array.from({ length: 5 }, () => enable(world, world.id, world.owner)))
  expect(replies.map(({ status, body }) => [status, body.isNeedBindPooling, body.isSupportBuyConnector])).toEqual(
    Array(5).fill([200, 0, 1]),
  )
  const rows = await world.db
    .select()
    .from(activity)
    .where(and(eq(activity.memberId, world.owner.id), eq(activity.action, 'subscription.changed')))
  expect(rows).toMatchObject([{ target: world.id, actorKind: 'member' }])
  expect(await world.db.$count(events, eq(events.type, 'subscription.changed'))).toBe(1)
})

test('its dialog is a type of change without amounts, until it is enabled', async () => {
  await using world = await signing()
  const read = (member = world.owner, sid = world.id) =>
    world.as(member).send(changePlanFrom, { body: { sid, type: 'enable-pooling-button' } })
  const { status, body } = await read()
  expect([status, body.type, body.stripeSubscriptionId, body.email]).toEqual([
    200,
    'enable-pooling-button',
    world.id,
    world.owner.email,
  ])
  for (const amount of ['price', 'totalPrice', 'quote', 'cardList']) expect(body).not.toHaveProperty(amount)

  const [admin, stranger] = [await world.member(), await world.member()]
  await newSeat(world, world.id, { memberId: admin.id, type: 1, email: admin.email })
  expect((await read(admin)).body.code).toBe('not_owner')
  const [foreign, missing] = [await read(stranger), await read(stranger, 'sub_no')]
  expect([foreign.status, { ...foreign.body, requestId: '' }]).toEqual([404, { ...missing.body, requestId: '' }])
  await enable(world, world.id, world.owner)
  expect((await read()).body.code).toBe('pooling_not_possible')
})

test('whom only a typed address made the Owner does not enable it, nor buys what needs it, until more is known', async () => {
  const customerId = `cus_${crypto.randomUUID()}`
  await using world = await signing({ customerId })
  const { db, owner, id } = world
  const link = { customerId, memberId: owner.id, proof: 'address', isMain: false } as const
  await db.insert(providerCustomers).values({ ...link, createdAt: world.deps.clock() })
  const flags = async () => {
    const [listed] = (await world.as(owner).send(listSubscriptions, { query: {} })).body.list
    return [listed?.knownByAddress, listed?.isNeedBindPooling, listed?.isSupportBuyConnector]
  }
  expect(await flags()).toEqual([1, 0, 0])
  expect(await enable(world, id, owner)).toMatchObject({ status: 409, body: { code: 'pooling_not_possible' } })
  const dialog = await world.as(owner).send(changePlanFrom, { body: { sid: id, type: 'enable-pooling-button' } })
  expect(dialog.body.code).toBe('pooling_not_possible')

  await db.update(providerCustomers).set({ proof: 'vendor' }).where(eq(providerCustomers.customerId, customerId))
  expect(await flags()).toEqual([0, 1, 1])
  expect((await enable(world, id, owner)).status).toBe(200)
})

test('everybody but the Owner is refused, and somebody else’s looks like none', async () => {
  await using world = await signing()
  const [admin, stranger] = [await world.member(), await world.member()]
  await newSeat(world, world.id, { memberId: admin.id, type: 1, email: admin.email })
  expect((await enable(world, world.id, admin)).body.code).toBe('not_owner')
  const [foreign, missing] = [await enable(world, world.id, stranger), await enable(world, 'sub_no', stranger)]
  expect([foreign.status, { ...foreign.body, requestId: '' }]).toEqual([404, { ...missing.body, requestId: '' }])
  expect((await enable(world, world.id, world.owner)).status).toBe(200)
})

test.each([
  ['ended', { status: 'canceled', endedAt: new Date('2026-01-01') }],
  ['past due', { status: 'past_due', pastDueSince: new Date('2026-05-30') }],
])('%s, it cannot be enabled', async (_name, values) => {
  await using world = await signing(values)
  expect((await enable(world, world.id, world.owner)).body.code).toBe('pooling_not_possible')
})
