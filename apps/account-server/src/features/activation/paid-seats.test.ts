import { activateDevice, validateDevice } from '@atrium/contract/activation.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { daysLater } from '../../db/calendar.rules.ts'
import {
  deviceSignIn,
  heldKey,
  newKey,
  newLicense,
  newMac,
  newProduct,
  newSeat,
  newSubscription,
} from '../../test/factories.ts'
import { newWorld } from '../../test/world.ts'
import { emailDevices, keyDevices } from '../devices/devices.tables.ts'
import { licenses } from '../licenses/licenses.tables.ts'
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

const macs = [newMac(), newMac(), newMac()]

/** Activates devices with a key, and asks whether they may run. */
function devicesOf(world: World, sn: string) {
  const known = new Map<string, string>()
  return {
    async activate(at: number) {
      const macAddress = macs[at] ?? ''
      const device = { method: 'keycode', macAddress, pcName: 'PC', appVersion: '13.1.0' } as const
      const reply = await world.device(activateDevice, { body: { ...device, sn } })
      if (reply.status === 200) known.set(macAddress, reply.body.activationId)
      return reply
    },
    async states() {
      const replies = []
      for (const [mac, activationId] of known)
        replies.push(await world.device(validateDevice, { body: { activationId, mac } }))
      return replies.map(({ body }) => body.state)
    },
  }
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

test('a device of a seat that is no longer paid stops, and runs on once it is paid again', async () => {
  await using world = await newWorld()
  const { join, pay } = await newTeam(world)
  const { signIn } = await join(20)
  const mac = newMac()
  const first = (await signIn({ mac })).body
  await pay(1)
  const state = async (activationId: string) =>
    (await world.device(validateDevice, { body: { activationId, mac } })).body.state
  expect(await state(first.activationId)).toBe('license_expired')
  for (const more of [{}, { appName: 'Another program' }]) {
    const again = await signIn({ mac, ...more })
    expect([again.status, again.body.code]).toEqual([403, 'no_seat'])
  }
  await pay(2)
  expect(await state(first.activationId)).toBe('active')
})

test('of more devices on a subscription’s key than are paid, those activated first run on', async () => {
  await using world = await newWorld()
  const { subscription, pay } = await newTeam(world)
  const { key: sn } = await newKey(world, (await newLicense(world, { subscriptionId: subscription.id })).id)
  const { activate, states } = devicesOf(world, sn)
  for (const mac of [0, 1, 2]) {
    expect((await activate(mac)).status).toBe(200)
    world.at(daysLater(world.deps.clock(), 1))
  }
  await pay(1)
  expect(await states()).toEqual(['active', 'license_expired', 'license_expired'])
  const again = await activate(1)
  expect([again.status, again.body.code]).toEqual([409, 'no_activations_left'])
  expect((await activate(0)).status).toBe(200)

  await pay(2)
  expect(await states()).toEqual(['active', 'active', 'license_expired'])
  await world.db
    .update(keyDevices)
    .set({ deactivatedAt: world.deps.clock() })
    .where(eq(keyDevices.macAddress, macs[0] ?? ''))
  expect(await states()).toEqual(['deactivated', 'active', 'active'])
})

test('a license of its own keeps the devices that the vendor has allowed', async () => {
  await using world = await newWorld()
  const { license, key } = await heldKey(world, await world.member(), { license: { seats: 2 } })
  const { activate, states } = devicesOf(world, key.key)
  for (const mac of [0, 1]) await activate(mac)
  await world.db.update(licenses).set({ seats: 1 }).where(eq(licenses.id, license.id))
  expect(await states()).toEqual(['active', 'active'])
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

test.each([
  ['a commitment of which a month is paid', { term: 'yearly_paid_monthly', autoRenew: false }, 30, 365, 30],
  ['a schedule that ends later', { endedAt: true }, 30, 365, 30],
  ['a period whose payment was not tried yet', { isRenewing: true }, 365, null, 21],
  ['what is paid', {}, 30, null, 30],
  ['what ends before', { autoRenew: false }, 30, 20, 20],
] as const)('of %s, the program is told no more than what is paid', async (_name, values, period, cancel, told) => {
  await using world = await newWorld()
  const { subscription, signInOwner } = await newTeam(world)
  const now = world.deps.clock()
  const cancelAt = cancel === null ? null : daysLater(now, cancel)
  const times = { status: 'active', periodStart: now, periodEnd: daysLater(now, period), cancelAt } as const
  const row = { ...times, ...values, endedAt: 'endedAt' in values ? cancelAt : null }
  await world.db.update(subscriptions).set(row).where(eq(subscriptions.id, subscription.id))
  const mac = newMac()
  const { activationId, expirationDate } = (await signInOwner({ mac })).body
  const end = daysLater(now, told).getTime() / 1000
  expect(expirationDate).toBe(end)
  expect((await world.device(validateDevice, { body: { activationId, mac } })).body.expirationDate).toBe(end)
})
