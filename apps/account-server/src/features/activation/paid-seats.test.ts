import { validateDevice } from '@atrium/contract/activation.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { daysLater } from '../../db/calendar.rules.ts'
import { deviceSignIn, newMac, newProduct, newSeat, newSubscription } from '../../test/factories.ts'
import { newWorld } from '../../test/world.ts'
import { emailDevices } from '../devices/devices.tables.ts'
import { seats } from '../subscriptions/seats.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'

type World = Awaited<ReturnType<typeof newWorld>>

/** A subscription whose Owner came last, and a function that gives somebody a seat who was invited so many days ago. */
async function newTeam(world: World) {
  const owner = await world.member()
  const product = await newProduct(world)
  const subscription = await newSubscription(world, owner, { productCode: product.code, userCount: 9 })
  const join = async (days: number) => {
    const { id: memberId, email } = await world.member()
    const invitedAt = daysLater(world.deps.clock(), -days)
    const seat = await newSeat(world, subscription.id, { memberId, email, invitedAt })
    return { seat, signIn: await deviceSignIn(world, { id: memberId }, product.code) }
  }
  const pay = (userCount: number) =>
    world.db.update(subscriptions).set({ userCount }).where(eq(subscriptions.id, subscription.id))
  return { subscription, join, pay, signInOwner: await deviceSignIn(world, owner, product.code) }
}

test('of more seats than are paid, the Owner’s and the oldest activate new devices', async () => {
  await using world = await newWorld()
  const { subscription, join, pay, signInOwner } = await newTeam(world)
  const people = [await join(10), await join(30), await join(20)]
  const everybody = [signInOwner, ...people.map(({ signIn }) => signIn)]
  const answers = async () => {
    const replies = []
    for (const signIn of everybody) replies.push(await signIn())
    return replies.map(({ body }) => body.code ?? body.activeDevices)
  }

  expect(await answers()).toEqual([1, 1, 1, 1])
  await pay(2)
  expect(await answers()).toEqual([2, 'no_seat', 2, 'no_seat'])
  await pay(1)
  expect(await answers()).toEqual(['no_activations_left', 'no_seat', 'no_seat', 'no_seat'])
  await pay(4)
  expect(await answers()).toEqual(['no_activations_left', 2, 'no_activations_left', 2])
  expect(await world.db.$count(emailDevices, eq(emailDevices.subscriptionId, subscription.id))).toBe(8)
})

test('a device that is active runs on, and signs in again, if its seat is no longer paid', async () => {
  await using world = await newWorld()
  const { join, pay } = await newTeam(world)
  const { signIn } = await join(20)
  const mac = newMac()
  const first = (await signIn({ mac })).body
  await pay(1)
  const state = async (activationId: string) =>
    (await world.device(validateDevice, { body: { activationId, mac } })).body.state
  expect(await state(first.activationId)).toBe('active')
  const again = (await signIn({ mac })).body
  expect([again.activeDevices, await state(again.activationId)]).toEqual([1, 'active'])
  const other = await signIn({ mac, appName: 'Another program' })
  expect([other.status, other.body.code]).toEqual([403, 'no_seat'])
})

test('who holds no license comes before nobody', async () => {
  await using world = await newWorld()
  const { subscription, join, pay } = await newTeam(world)
  const [first, second] = [await join(40), await join(20)]
  await pay(1)
  expect((await first.signIn()).body.code).toBe('no_seat')

  const set = (id: string, values: Partial<typeof seats.$inferInsert>) =>
    world.db.update(seats).set(values).where(eq(seats.id, id))
  await newSeat(world, subscription.id, { status: 'Pending', invitedAt: daysLater(world.deps.clock(), -60) })
  await newSeat(world, subscription.id, { type: 3, invitedAt: daysLater(world.deps.clock(), -60) })
  await set(subscription.ownerSeat.id, { isUse: false })
  expect((await second.signIn()).body.code).toBe('no_seat')
  expect((await first.signIn()).body.activeDevices).toBe(1)
  await set(first.seat.id, { removedAt: world.deps.clock() })
  expect((await second.signIn()).body.activeDevices).toBe(1)
})

test('of people invited in the same moment, as many activate devices at once as seats are paid', async () => {
  await using world = await newWorld()
  const { subscription, join, pay } = await newTeam(world)
  const people = [await join(5), await join(5), await join(5), await join(5)]
  await pay(3)
  const replies = await Promise.all(people.flatMap(({ signIn }) => [signIn(), signIn(), signIn()]))
  // The Owner's seat is the third.
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(4)
  const devices = await world.db.select().from(emailDevices).where(eq(emailDevices.subscriptionId, subscription.id))
  expect(new Set(devices.map(({ seatId }) => seatId)).size).toBe(2)
})

test('while a renewal is not paid, the program is told when access ends, not the end of the period', async () => {
  await using world = await newWorld()
  const { subscription, signInOwner } = await newTeam(world)
  const now = world.deps.clock()
  const unpaid = { status: 'past_due', pastDueSince: daysLater(now, -1), periodEnd: daysLater(now, 364) } as const
  await world.db.update(subscriptions).set(unpaid).where(eq(subscriptions.id, subscription.id))
  const mac = newMac()
  const { activationId, expirationDate } = (await signInOwner({ mac })).body
  const end = daysLater(now, 20).getTime() / 1000
  expect(expirationDate).toBe(end)
  expect((await world.device(validateDevice, { body: { activationId, mac } })).body.expirationDate).toBe(end)
})
