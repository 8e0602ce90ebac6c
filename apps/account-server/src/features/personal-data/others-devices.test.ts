import { activateDevice, deactivateDevice, validateDevice } from '@atrium/contract/activation.ts'
import { listActivity } from '@atrium/contract/activity.ts'
import { expect, test } from 'vitest'
import { deviceSignIn, heldKey, newContact, newKey, newLicense, newMac, newSubscription } from '../../test/factories.ts'
import { load } from '../../test/import.ts'
import { everything } from '../../test/personal-data.ts'
import { noProviders, transfersIn } from '../../test/transfers.ts'
import { newWorld, type TestMember } from '../../test/world.ts'
import { eraseMember } from './erase-member.service.ts'
import { exportMember } from './export-member.service.ts'

type World = Awaited<ReturnType<typeof newWorld>>

const hears = { EVENT_URLS: 'http://localhost:1/events', EVENT_SECRET: `whsec_${'a'.repeat(32)}` }
const erasureSecret = 'a secret of at least 32 characters'
const erase = (world: World, { email }: TestMember) =>
  eraseMember(world.db, { email, secret: erasureSecret, pastDueDays: 21, dryRun: false, now: world.deps.clock() })

/** A device that runs on a key. */
async function onKey(world: World, sn: string, pcName: string) {
  const mac = newMac()
  const body = { method: 'keycode', sn, macAddress: mac, pcName, appVersion: '13.1.0' } as const
  const { body: activated } = await world.device(activateDevice, { body })
  return running(world, activated.activationId, mac)
}

function running(world: World, activationId: string, mac: string) {
  return {
    mac,
    async isActive() {
      const { body } = await world.device(validateDevice, { body: { activationId, mac } })
      return body.state === 'active'
    },
    release: () => world.device(deactivateDevice, { body: { activationId, mac } }),
  }
}

async function ownersKey(world: World, owner: TestMember) {
  const subscription = await newSubscription(world, owner)
  const { id: licenseId } = await newLicense(world, { subscriptionId: subscription.id })
  return { subscription, licenseId, key: await newKey(world, licenseId) }
}

test('of what was transferred, an erasure of the Owner before takes what was released, and no device that runs', async () => {
  await using world = await newWorld({ settings: noProviders })
  const [before, after] = [await world.member(), await world.member()]
  const { subscription, key } = await ownersKey(world, before)
  const signIn = await deviceSignIn(world, before, subscription.productCode)
  const laptop = { mac: newMac(), hostName: 'SELLERS-LAPTOP' }
  const { body } = await signIn(laptop)
  const pc = await onKey(world, key.key, 'SELLERS-PC')
  const stays = await onKey(world, key.key, 'OFFICE-PC')
  const office = { mac: newMac(), hostName: 'OFFICE-LAPTOP' }
  await signIn(office)
  expect((await transfersIn(world).transfer(before, after)).status).toBe(200)
  await running(world, body.activationId, laptop.mac).release()
  await pc.release()
  const { body: again } = await (await deviceSignIn(world, after, subscription.productCode))(office)

  expect(await erase(world, before)).toMatchObject({ kind: 'erased' })
  const left = await everything(world)
  for (const trace of ['SELLERS-', laptop.mac, pc.mac]) expect(left).not.toContain(trace)
  expect([await stays.isActive(), await running(world, again.activationId, office.mac).isActive()]).toEqual([
    true,
    true,
  ])
})

test.each(['Holder', 'Contact', 'Partner'] as const)(
  'an erasure of one Holder takes no device on a key in which a %s has a part, whoever comes first',
  async (relationship) => {
    await using world = await newWorld()
    for (const erased of [0, 1]) {
      const people = [await world.member(), await world.member()].sort((one, two) => (one.id < two.id ? -1 : 1))
      const [holder, other] = erased === 0 ? people : people.reverse()
      if (!holder || !other) throw new Error('two people')
      const { license, key } = await heldKey(world, holder)
      await newContact(world, license.id, other, { relationship })
      const device = await onKey(world, key.key, 'OTHERS-PC')
      expect(await erase(world, holder)).toMatchObject({ kind: 'erased' })
      expect(await device.isActive()).toBe(true)
    }
  },
)

test('whom a file names the Holder of a subscription’s license neither exports nor takes its Owner’s devices', async () => {
  await using world = await newWorld()
  const [owner, named] = [await world.member(), await world.member()]
  const { licenseId, key } = await ownersKey(world, owner)
  await load(world, [{ type: 'license-contact', licenseId, email: named.email, relationship: 'Holder' }], {
    erasureSecret,
  })
  const device = await onKey(world, key.key, 'OWNERS-PC')

  const exported = JSON.stringify(await exportMember(world.db, named, world.deps.clock()))
  for (const trace of ['OWNERS-PC', device.mac]) expect(exported).not.toContain(trace)
  expect(await erase(world, named)).toMatchObject({ kind: 'erased' })
  expect(await device.isActive()).toBe(true)
})

test('the devices on a key are of the Holder who is left, and go with the last one', async () => {
  await using world = await newWorld()
  const people = [await world.member(), await world.member()].sort((one, two) => (one.id < two.id ? -1 : 1))
  const [first, last] = people
  if (!first || !last) throw new Error('two people')
  const { license, key } = await heldKey(world, first)
  await newContact(world, license.id, last, { relationship: 'Holder' })
  expect(await erase(world, first)).toMatchObject({ kind: 'erased' })
  const { mac } = await onKey(world, key.key, 'LAST-PC')
  const { list } = (await world.as(last).send(listActivity, { query: { area: 'devices' } })).body
  expect(list).toMatchObject([{ action: 'device.activated' }])

  expect(await erase(world, last)).toMatchObject({ kind: 'erased' })
  const left = await everything(world)
  for (const trace of ['LAST-PC', mac]) expect(left).not.toContain(trace)
})

test('who has transferred exports nothing of what the new Owner does with the devices', async () => {
  await using world = await newWorld({ settings: { ...noProviders, ...hears } })
  const [before, after] = [await world.member(), await world.member()]
  const { subscription, key } = await ownersKey(world, before)
  const laptop = { mac: newMac(), hostName: 'OFFICE-LAPTOP' }
  await (await deviceSignIn(world, before, subscription.productCode))(laptop)
  const pc = await onKey(world, key.key, 'OFFICE-PC')
  expect((await transfersIn(world).transfer(before, after)).status).toBe(200)
  await (await deviceSignIn(world, after, subscription.productCode))({ ...laptop, hostName: 'NEW-OWNERS-LAPTOP' })
  await pc.release()

  const { data } = await exportMember(world.db, before, world.deps.clock())
  const exported = JSON.stringify(data)
  for (const trace of ['NEW-OWNERS-LAPTOP', 'device.deactivated']) expect(exported).not.toContain(trace)
})
