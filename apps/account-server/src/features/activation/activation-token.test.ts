import { activateDevice, deactivateDevice, validateDevice } from '@atrium/contract/activation.ts'
import { listEmailDevices, listKeyDevices } from '@atrium/contract/devices.ts'
import { getTableName } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { heldKey, newMac, seatWithSignIn } from '../../test/factories.ts'
import { newWorld } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { emailDevices, keyDevices } from '../devices/devices.tables.ts'
import { events } from '../events/events.tables.ts'

type World = Awaited<ReturnType<typeof newWorld>>

const pc = { method: 'keycode', pcName: 'ADA-THINKPAD', appVersion: '13.1.0' } as const
const eventSettings = {
  EVENT_URLS: 'http://localhost:5399/',
  EVENT_SECRET: 'whsec_c2VjcmV0IG9mIGEgdGVzdCB0aGF0IGlzIGxvbmc=',
}

function activate(world: World, sn: string, macAddress = newMac()) {
  return world.device(activateDevice, { body: { ...pc, sn, macAddress } })
}

test('the ids in the lists do not deactivate a device', async () => {
  await using world = await newWorld()
  const { owner, signIn } = await seatWithSignIn(world)
  const { key } = await heldKey(world, owner)
  const mac = newMac()
  const byEmail = (await signIn({ mac })).body.activationId
  const byKey = (await activate(world, key.key, mac)).body.activationId

  const { licenceList } = (await world.as(owner).send(listEmailDevices, { query: {} })).body
  const { log } = (await world.as(owner).send(listKeyDevices, { query: { code: key.id } })).body
  const shown = [...licenceList.map(({ licenseId }) => licenseId), ...log.map(({ itemId }) => itemId)]
  expect(shown).toHaveLength(2)
  for (const activationId of shown) {
    const reply = await world.device(deactivateDevice, { body: { activationId, mac } })
    expect([reply.status, reply.body.code]).toEqual([404, 'unknown_activation'])
  }
  for (const activationId of [byEmail, byKey]) {
    expect((await world.device(validateDevice, { body: { activationId, mac } })).body.state).toBe('active')
  }
})

test('no table has an activation’s token', async () => {
  await using world = await newWorld({ settings: eventSettings })
  const { owner, signIn } = await seatWithSignIn(world)
  const { key } = await heldKey(world, owner)
  const mac = newMac()
  const tokens = [(await signIn({ mac })).body.activationId, (await activate(world, key.key, mac)).body.activationId]
  for (const activationId of tokens) await world.device(deactivateDevice, { body: { activationId, mac } })

  for (const table of [keyDevices, emailDevices, activity, events]) {
    const rows = await world.db.select().from(table)
    const text = JSON.stringify(rows, (_name, value) => (typeof value === 'bigint' ? String(value) : value))
    expect(rows.length, getTableName(table)).toBeGreaterThan(0)
    for (const token of tokens) expect(text).not.toContain(token)
  }
})

test('signing in again on the same device takes no further seat, and replaces its token', async () => {
  await using world = await newWorld()
  const { signIn } = await seatWithSignIn(world)
  const mac = newMac()
  const first = (await signIn({ mac })).body
  const second = (await signIn({ mac })).body
  expect([first.activeDevices, second.activeDevices]).toEqual([1, 1])

  const validate = (activationId: string) => world.device(validateDevice, { body: { activationId, mac } })
  expect((await validate(first.activationId)).body.code).toBe('unknown_activation')
  expect((await validate(second.activationId)).body.state).toBe('active')
})

test('devices cannot share a key or a seat by deactivating faster than the limit', async () => {
  await using world = await newWorld({ settings: { DEACTIVATIONS_PER_HOUR_AND_KEY: '3' } })
  const { owner, signIn } = await seatWithSignIn(world)
  const { key } = await heldKey(world, owner, { key: { seats: 1 } })
  const other = await heldKey(world, owner, { key: { seats: 1 } })

  async function pass(mac: string, activation: Promise<{ body: { activationId: string } }>) {
    const { activationId } = (await activation).body
    const reply = await world.device(deactivateDevice, { body: { activationId, mac } })
    return { ...reply, again: () => world.device(deactivateDevice, { body: { activationId, mac } }) }
  }
  const macs = Array.from({ length: 4 }, newMac)
  for (const start of [(mac: string) => activate(world, key.key, mac), (mac: string) => signIn({ mac })]) {
    const passed = []
    for (const mac of macs) passed.push(await pass(mac, start(mac)))
    expect(passed.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(Number(passed[3]?.headers['retry-after'])).toBeGreaterThan(0)
    // A repeated deactivation counts once.
    expect((await passed[0]?.again())?.status).toBe(200)
  }
  const [mac = ''] = macs
  expect((await pass(mac, activate(world, other.key.key, mac))).status).toBe(200)
})
