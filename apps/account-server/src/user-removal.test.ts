import { seatTypes } from '@atrium/contract/seat-types.ts'
import { maxListedLicenses, previewUserRemoval, removeSubscriptionUser } from '@atrium/contract/team.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { activity } from './features/activity/activity.tables.ts'
import { emailDevices } from './features/devices/devices.tables.ts'
import { licenseContacts } from './features/licenses/licenses.tables.ts'
import { seats } from './features/subscriptions/seats.tables.ts'
import type { SeatRow } from './features/team/team.queries.ts'
import {
  newContact,
  newEmailDevice,
  newLicense,
  newProduct,
  newSeat,
  newSubscription,
  seatWithSignIn,
} from './test/factories.ts'
import { newWorld, type TestMember } from './test/world.ts'

type World = Awaited<ReturnType<typeof newWorld>>

async function team(world: World) {
  const [owner, colleague] = [await world.member(), await world.member()]
  const subscription = await newSubscription(world, owner)
  const seat = await newSeat(world, subscription.id, { memberId: colleague.id, email: colleague.email })
  return { owner, colleague, subscription, seat }
}

/** The call as a page sends it that shows the row as it is. */
function asked({ subscriptionId: sid, id, email, type, status }: SeatRow) {
  return {
    params: { sid },
    body: {
      ...{ orgCode: 'ORG', lang: 'en-us' as const, email, distributionUuid: id },
      setupAdmin: type === seatTypes.setupAdmin ? (1 as const) : (0 as const),
      type: status === 'Pending' ? (1 as const) : (0 as const),
    },
  }
}

const preview = (world: World, who: TestMember, seat: SeatRow) => world.as(who).send(previewUserRemoval, asked(seat))
const remove = (world: World, who: TestMember, seat: SeatRow) => world.as(who).send(removeSubscriptionUser, asked(seat))
const rowOf = async ({ db }: World, { id }: SeatRow) => (await db.select().from(seats).where(eq(seats.id, id)))[0]

test('the preview names the devices that end and the own licenses that name the person, and the removal does just that', async () => {
  await using world = await newWorld()
  const { owner, colleague, subscription, seat } = await team(world)
  const laptop = await newEmailDevice(world, seat.id, { hostName: 'PIA-LAPTOP' })
  await newEmailDevice(world, seat.id, { deactivatedAt: new Date('2026-05-01T00:00:00Z') })
  await newEmailDevice(world, subscription.ownerSeat.id)
  const product = await newProduct(world)
  const named = await newLicense(world, { productCode: product.code })
  await newContact(world, named.id, owner)
  await newContact(world, named.id, colleague, { relationship: 'Contact' })

  const expected = {
    email: colleague.email,
    freesSeat: 1,
    devices: [{ id: laptop.id, hostName: 'PIA-LAPTOP', appName: laptop.appName }],
    licenses: [{ licenseId: named.id, productName: product.name, sku: product.sku }],
    licenseTotal: 1,
    otherTeams: [],
  }
  expect((await preview(world, owner, seat)).body).toEqual(expected)
  expect(await rowOf(world, seat)).toEqual(seat)
  expect(await world.db.$count(activity, eq(activity.target, seat.id))).toBe(0)

  expect((await remove(world, owner, seat)).body).toEqual(expected)
  expect((await rowOf(world, seat))?.removedAt).not.toBeNull()
  // The license is changed in the license, not here.
  expect(await world.db.$count(licenseContacts, eq(licenseContacts.licenseId, named.id))).toBe(2)
  const late = await preview(world, owner, seat)
  expect([late.status, late.body.code]).toEqual([409, 'stale'])
})

test('the licenses are those of which the caller is the Holder, never the Owner’s for a Setup Admin or anybody else’s', async () => {
  await using world = await newWorld()
  const { owner, colleague, subscription, seat } = await team(world)
  const [setup, stranger] = [await world.member(), await world.member()]
  const { setupAdmin } = seatTypes
  await newSeat(world, subscription.id, { memberId: setup.id, email: setup.email, type: setupAdmin, isUse: false })
  const [owners, setups, strangers, shared] = [
    await newLicense(world, { subscriptionId: subscription.id }),
    await newLicense(world),
    await newLicense(world),
    await newLicense(world),
  ]
  await newContact(world, setups.id, setup)
  await newContact(world, strangers.id, stranger)
  await newContact(world, shared.id, owner, { relationship: 'Partner' })
  for (const { id } of [owners, setups, strangers, shared]) {
    await newContact(world, id, colleague, { relationship: 'Contact' })
  }

  const seen = async (who: TestMember) =>
    (await preview(world, who, seat)).body.licenses.map(({ licenseId }) => licenseId)
  expect(await seen(owner)).toEqual([owners.id])
  expect(await seen(setup)).toEqual([setups.id])
})

test('of many licenses the newest are listed, and all are counted', async () => {
  await using world = await newWorld()
  const { owner, colleague, seat } = await team(world)
  for (let number = 0; number <= maxListedLicenses; number += 1) {
    const license = await newLicense(world, { createdAt: new Date(Date.UTC(2026, 1, number + 1)) })
    await newContact(world, license.id, owner)
    await newContact(world, license.id, colleague, { relationship: 'Contact' })
  }
  const { body } = await preview(world, owner, seat)
  expect([body.licenses.length, body.licenseTotal]).toEqual([maxListedLicenses, maxListedLicenses + 1])
})

test('an invitation has neither devices nor licenses; its seat becomes free while it is valid', async () => {
  await using world = await newWorld()
  const { owner, subscription } = await team(world)
  const invited = await newSeat(world, subscription.id, { status: 'Pending', isUse: false })
  const setup = await newSeat(world, subscription.id, { status: 'Pending', isUse: false, type: seatTypes.setupAdmin })
  const lapsed = await newSeat(world, subscription.id, {
    ...{ status: 'Pending', isUse: false },
    invitedAt: new Date('2026-01-01T00:00:00Z'),
  })
  expect((await preview(world, owner, invited)).body).toMatchObject({ freesSeat: 1, devices: [], licenses: [] })
  expect((await preview(world, owner, setup)).body.freesSeat).toBe(0)
  expect((await preview(world, owner, lapsed)).body.freesSeat).toBe(0)
})

test('who may not remove a person is not told what it would do', async () => {
  await using world = await newWorld()
  const { owner, colleague, subscription, seat } = await team(world)
  const [setup, admin, stranger] = [await world.member(), await world.member(), await world.member()]
  const other = await newSeat(world, subscription.id, { type: seatTypes.setupAdmin, isUse: false })
  await newSeat(world, subscription.id, { memberId: admin.id, email: admin.email, type: seatTypes.admin })
  await newSeat(world, subscription.id, {
    ...{ memberId: setup.id, email: setup.email, type: seatTypes.setupAdmin, isUse: false },
  })

  expect((await preview(world, admin, seat)).body.code).toBe('not_allowed')
  expect((await preview(world, setup, other)).body.code).toBe('not_allowed')
  expect((await preview(world, colleague, seat)).body.code).toBe('not_manager')
  const [foreign, missing] = [
    await preview(world, stranger, seat),
    await preview(world, stranger, { ...seat, subscriptionId: 'sub-none' }),
  ]
  expect(foreign.status).toBe(404)
  expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
  expect((await preview(world, owner, seat)).status).toBe(200)
})

test('of two who remove a person at once, one does', async () => {
  await using world = await newWorld()
  const { owner, seat } = await team(world)
  await newEmailDevice(world, seat.id)
  const replies = await Promise.all([1, 2, 3, 4].map(() => remove(world, owner, seat)))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  expect(await world.db.$count(activity, eq(activity.target, seat.id))).toBe(1)
})

test('a device that is activated while its user is removed is in the answer, or refused', async () => {
  await using world = await newWorld()
  const { owner, seat, signIn } = await seatWithSignIn(world)
  const [activated, removed] = await Promise.all([signIn(), remove(world, owner, seat)])

  expect(removed.status).toBe(200)
  const rows = await world.db.select({ id: emailDevices.id }).from(emailDevices).where(eq(emailDevices.seatId, seat.id))
  const ended = removed.body.devices.map(({ id }) => id)
  expect(ended).toEqual(rows.map(({ id }) => id))
  expect(activated.status === 200).toBe(ended.length === 1)
})
