import { activateDevice, deactivateDevice } from '@atrium/contract/activation.ts'
import { listActivity } from '@atrium/contract/activity.ts'
import { deactivateEmailDevice } from '@atrium/contract/devices.ts'
import { and, eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deviceSignIn, heldKey, newMac, newSeat, seatWithSignIn } from '../../test/factories.ts'
import { everything } from '../../test/personal-data.ts'
import { newWorld, type TestMember } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { emailDevices } from '../devices/devices.tables.ts'
import { eraseMember } from './erase-member.service.ts'
import { exportMember } from './export-member.service.ts'

type World = Awaited<ReturnType<typeof newWorld>>

const now = new Date('2026-06-01T09:30:00Z')
const hears = { EVENT_URLS: 'http://localhost:1/events', EVENT_SECRET: `whsec_${'a'.repeat(32)}` }
/** Where each device of a world is. */
const somewhere = /\b10(\.\d{1,3}){3}\b/

const erase = (world: World, { email }: TestMember) =>
  eraseMember(world.db, { email, secret: 'a secret of at least 32 characters', pastDueDays: 21, dryRun: false, now })

/** A person's device is activated by signing in, and released by the program. */
async function comesAndGoes(world: World, signIn: Awaited<ReturnType<typeof deviceSignIn>>, hostName: string) {
  const mac = newMac()
  const { body } = await signIn({ mac, hostName })
  const { activationId } = body
  expect((await world.device(deactivateDevice, { body: { activationId, mac } })).status).toBe(200)
  return mac
}

async function devicesSeen(world: World, owner: TestMember) {
  const { body } = await world.as(owner).send(listActivity, { query: { area: 'devices' } })
  return body.list.map(({ action, subject, address }) => [action, subject, address])
}

test('where a colleague activates and releases a device is not the Owner’s to read or to export; where the Owner does, is', async () => {
  await using world = await newWorld()
  const { owner, subscription, signIn } = await seatWithSignIn(world)
  await comesAndGoes(world, signIn, 'COLLEAGUES-LAPTOP')
  const colleagues = ['COLLEAGUES-LAPTOP', null]
  const seen = [
    ['device.deactivated', ...colleagues],
    ['device.activated', ...colleagues],
  ]
  expect(await devicesSeen(world, owner)).toEqual(seen)
  expect(JSON.stringify((await exportMember(world.db, owner, now)).data.activity)).not.toMatch(somewhere)

  await comesAndGoes(world, await deviceSignIn(world, owner, subscription.productCode), 'OWNERS-LAPTOP')
  expect(await devicesSeen(world, owner)).toEqual([
    ['device.deactivated', 'OWNERS-LAPTOP', expect.stringMatching(somewhere)],
    ['device.activated', 'OWNERS-LAPTOP', expect.stringMatching(somewhere)],
    ...seen,
  ])
})

test('an erasure takes the person’s devices out of the activity of their Owner, and out of the events', async () => {
  await using world = await newWorld({ settings: hears })
  const { owner, person, seat, signIn, subscription } = await seatWithSignIn(world)
  const another = await world.member()
  await newSeat(world, subscription.id, { memberId: another.id, email: another.email })
  const others = await comesAndGoes(
    world,
    await deviceSignIn(world, another, subscription.productCode),
    'OTHERS-LAPTOP',
  )
  const mac = await comesAndGoes(world, signIn, 'PERSONS-LAPTOP')
  const second = newMac()
  await signIn({ mac: second, hostName: 'PERSONS-TABLET' })
  const [device] = await world.db.select().from(emailDevices).where(eq(emailDevices.mac, second))
  const params = { licenceId: device?.id ?? '' }
  expect((await world.as(owner).send(deactivateEmailDevice, { params })).status).toBe(200)
  // As an earlier version recorded a release.
  const isReleased = and(eq(activity.action, 'device.deactivated'), sql`${activity.details} ->> 'mac' = ${mac}`)
  const details = { deviceName: 'PERSONS-LAPTOP', mac }
  await world.db.update(activity).set({ details, address: '192.0.2.88' }).where(isReleased)

  expect(await erase(world, person)).toMatchObject({ kind: 'erased' })
  const left = await everything(world)
  for (const trace of ['PERSONS-', mac, second, '192.0.2.88', person.email]) expect(left).not.toContain(trace)
  for (const trace of ['OTHERS-LAPTOP', others]) expect(left).toContain(trace)
  // Where the Owner was is theirs.
  const isOwners = and(eq(activity.actor, owner.id), eq(activity.target, params.licenceId))
  const [ended] = await world.db.select().from(activity).where(isOwners)
  expect(ended).toMatchObject({ address: '127.0.0.1', details: { subscriptionId: seat.subscriptionId } })
})

test('an erasure of a Holder takes the devices on their key out of the events', async () => {
  await using world = await newWorld({ settings: hears })
  const holder = await world.member()
  const { key } = await heldKey(world, holder)
  const macAddress = newMac()
  const body = { method: 'keycode', sn: key.key, macAddress, pcName: 'HOLDERS-PC', appVersion: '13.1.0' } as const
  expect((await world.device(activateDevice, { body })).status).toBe(200)
  expect(await erase(world, holder)).toMatchObject({ kind: 'erased' })
  const left = await everything(world)
  for (const trace of ['HOLDERS-PC', macAddress]) expect(left).not.toContain(trace)
})
