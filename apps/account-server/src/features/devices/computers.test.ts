import { readComputer, releaseComputer } from '@atrium/contract/devices.ts'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { heldKey, newContact, newEmailDevice, newKeyDevice, newSeat, newSubscription } from '../../test/factories.ts'
import { newWorld, type TestMember } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { maskKey } from '../licenses/licenses.rules.ts'
import { emailDevices, keyDevices } from './devices.tables.ts'

type World = Awaited<ReturnType<typeof newWorld>>

const computer = { name: 'ADA-THINKPAD', mac: '3C:06:30:12:9A:04' }
const onKey = { pcName: computer.name, macAddress: computer.mac }
const onSeat = { hostName: computer.name, mac: computer.mac }

const read = (world: World, who: TestMember, id: string) => world.as(who).send(readComputer, { params: { id } })
const release = (world: World, who: TestMember, id: string, devices: readonly string[]) =>
  world.as(who).send(releaseComputer, { params: { id }, body: { devices: [...devices] } })

/** A member with a computer that has a device by email, and one with a key. */
async function oneComputer(world: World) {
  const owner = await world.member()
  const { ownerSeat } = await newSubscription(world, owner)
  const { license, key } = await heldKey(world, owner)
  const byEmail = await newEmailDevice(world, ownerSeat.id, onSeat)
  const byKey = await newKeyDevice(world, key.id, { pcName: 'ada-thinkpad', macAddress: '3c-06-30-12-9a-04' })
  return { owner, ownerSeat, license, key, byEmail, byKey }
}

test('a computer is its name and MAC address, whatever activated it and however they are written', async () => {
  await using world = await newWorld()
  const { owner, ownerSeat, license, key, byEmail, byKey } = await oneComputer(world)
  await newEmailDevice(world, ownerSeat.id, { hostName: computer.name })
  await newKeyDevice(world, key.id, { pcName: 'OTHER', macAddress: '3C:06:30:12:9A:05' })
  await newKeyDevice(world, key.id, { ...onKey, deactivatedAt: new Date('2026-01-02T00:00:00Z') })

  const { body } = await read(world, owner, byEmail.id)
  expect(body).toMatchObject({ name: computer.name, macAddress: computer.mac })
  expect(body.devices).toMatchObject([
    { id: byEmail.id, method: 'email', email: owner.email, sn: '', refusal: null },
    { id: byKey.id, method: 'keycode', email: '', sn: maskKey(key.key), licenseId: license.id },
  ])
  expect((await read(world, owner, byKey.id)).body.devices).toEqual(body.devices)
  expect(JSON.stringify(body)).not.toContain(key.key)
})

test('everything on it is released, and released again changes nothing', async () => {
  await using world = await newWorld()
  const { owner, byEmail, byKey } = await oneComputer(world)
  const ids = [byEmail.id, byKey.id]
  for (const attempt of [1, 2]) {
    const { status, body } = await release(world, owner, byEmail.id, ids)
    expect([attempt, status]).toEqual([attempt, 200])
    expect(body.devices.map(({ id, refusal }) => [id, refusal])).toEqual(ids.map((id) => [id, null]))
  }
  expect((await read(world, owner, byEmail.id)).body.devices).toEqual([])
  expect(await world.db.$count(activity, inArray(activity.target, ids))).toBe(2)
})

test('what cannot be released has its reason, before and after, and does not hold up the rest', async () => {
  await using world = await newWorld({ now: '2026-06-01T00:00:00Z' })
  const { owner, byEmail } = await oneComputer(world)
  const early = await heldKey(world, owner)
  const expired = await heldKey(world, owner, { license: { expiresAt: new Date('2026-05-01T00:00:00Z') } })
  const spent = await heldKey(world, owner, { key: { seats: 1 } })
  for (const day of [1, 2, 3]) {
    const deactivatedAt = new Date(Date.UTC(2026, 4, day))
    await newKeyDevice(world, spent.key.id, { deactivatedAt, deactivatedBy: 'member' })
  }
  const devices = {
    earlier_version: await newKeyDevice(world, early.key.id, { ...onKey, appVersion: '11.2.4' }),
    license_expired: await newKeyDevice(world, expired.key.id, onKey),
    no_deactivations_left: await newKeyDevice(world, spent.key.id, onKey),
  }
  const shown = (await read(world, owner, byEmail.id)).body.devices
  const { body } = await release(
    world,
    owner,
    byEmail.id,
    shown.map(({ id }) => id),
  )

  for (const [refusal, { id }] of Object.entries(devices)) {
    expect(shown.find((device) => device.id === id)?.refusal).toBe(refusal)
    expect(body.devices.find((device) => device.id === id)?.refusal).toBe(refusal)
  }
  expect(body.devices.filter(({ refusal }) => refusal === null)).toHaveLength(2)
  const active = await world.db.$count(
    keyDevices,
    and(
      isNull(keyDevices.deactivatedAt),
      inArray(
        keyDevices.id,
        Object.values(devices).map(({ id }) => id),
      ),
    ),
  )
  expect(active).toBe(3)
})

test('two tabs release a computer once, and both are told that it is released', async () => {
  await using world = await newWorld()
  const { owner, byEmail, byKey } = await oneComputer(world)
  const ids = [byEmail.id, byKey.id]
  const replies = await Promise.all([1, 2, 3, 4].map(() => release(world, owner, byKey.id, ids)))
  for (const { status, body } of replies) {
    expect([status, body.devices.map(({ refusal }) => refusal)]).toEqual([200, [null, null]])
  }
  expect(await world.db.$count(activity, inArray(activity.target, ids))).toBe(2)
  expect(
    await world.db.$count(keyDevices, and(eq(keyDevices.id, byKey.id), eq(keyDevices.deactivatedBy, 'member'))),
  ).toBe(1)
})

test('another customer’s computer looks like none at all, even with the same name and MAC address', async () => {
  await using world = await newWorld()
  const { owner, byEmail, byKey } = await oneComputer(world)
  const stranger = await world.member()
  const { ownerSeat } = await newSubscription(world, stranger)
  const theirs = await newEmailDevice(world, ownerSeat.id, onSeat)
  const missing = await read(world, stranger, '00000000-0000-4000-8000-000000000000')

  for (const { id } of [byEmail, byKey]) {
    const foreign = await read(world, stranger, id)
    expect(foreign.status).toBe(404)
    expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
    expect((await release(world, stranger, id, [id])).status).toBe(404)
    expect((await release(world, stranger, theirs.id, [theirs.id, id])).status).toBe(404)
  }
  expect((await read(world, stranger, theirs.id)).body.devices.map(({ id }) => id)).toEqual([theirs.id])
  // Of a request with a foreign device nothing is done.
  const isActive = and(inArray(emailDevices.id, [byEmail.id, theirs.id]), isNull(emailDevices.deactivatedAt))
  expect(await world.db.$count(emailDevices, isActive)).toBe(2)
  expect((await read(world, owner, byEmail.id)).body.devices).toHaveLength(2)
})

test('a user of a subscription sees their own device only; a Partner sees none of the key', async () => {
  await using world = await newWorld()
  const [owner, user] = [await world.member(), await world.member()]
  const subscription = await newSubscription(world, owner)
  const seat = await newSeat(world, subscription.id, { memberId: user.id, email: user.email })
  const own = await newEmailDevice(world, seat.id, onSeat)
  const owners = await newEmailDevice(world, subscription.ownerSeat.id, onSeat)
  const { license, key } = await heldKey(world, owner)
  await newContact(world, license.id, user, { relationship: 'Partner' })
  const byKey = await newKeyDevice(world, key.id, onKey)

  expect((await read(world, user, own.id)).body.devices.map(({ id }) => id)).toEqual([own.id])
  expect((await read(world, user, owners.id)).status).toBe(404)
  expect((await read(world, user, byKey.id)).status).toBe(404)
  expect((await read(world, owner, own.id)).body.devices).toHaveLength(3)
})
