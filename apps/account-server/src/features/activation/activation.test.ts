import { randomInt } from 'node:crypto'
import { activateDevice, deactivateDevice, validateDevice } from '@atrium/contract/activation.ts'
import {
  deactivateEmailDevice,
  deactivateKeyDevice,
  listEmailDevices,
  listKeyDevices,
} from '@atrium/contract/devices.ts'
import { and, eq, isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { identities } from '../../db/members.tables.ts'
import {
  deviceService,
  heldKey,
  newKeyDevice,
  newLicense,
  newMac,
  newProduct,
  newSeat,
  newSubscription,
  seatWithSignIn,
} from '../../test/factories.ts'
import { newWorld } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { emailDevices, keyDevices } from '../devices/devices.tables.ts'
import { licenseKeys, licenses } from '../licenses/licenses.tables.ts'
import { seats } from '../subscriptions/seats.tables.ts'

type World = Awaited<ReturnType<typeof newWorld>>

const pc = { method: 'keycode', pcName: 'ADA-THINKPAD', appVersion: '13.1.0' } as const

function activate(world: World, sn: string, macAddress = newMac(), others: object = {}) {
  return world.device(activateDevice, { body: { ...pc, sn, macAddress, ...others } })
}

test('a key activates as many devices as it has seats, each of them once', async () => {
  await using world = await newWorld()
  const holder = await world.member()
  const { license, key } = await heldKey(world, holder, { key: { seats: 2 } })
  const [first, second] = [newMac(), newMac()]

  const one = await activate(world, key.key, first)
  expect(one.status).toBe(200)
  expect(one.body).toMatchObject({
    productCode: license.productCode,
    licenseId: license.id,
    expirationDate: 0,
    seats: 2,
    activeDevices: 1,
  })
  // The same device, with another spelling of its address and after an update.
  const again = await activate(world, ` ${key.key} `, first.toLowerCase().replaceAll(':', '-'), { appVersion: '14.0' })
  expect(again.body).toEqual(one.body)
  expect((await activate(world, key.key, second)).body.activeDevices).toBe(2)
  const third = await activate(world, key.key)
  expect([third.status, third.body.code]).toEqual([409, 'no_activations_left'])

  const rows = await world.db.select().from(keyDevices).where(eq(keyDevices.keyId, key.id))
  expect(rows).toHaveLength(2)
  const device = rows.find(({ macAddress }) => macAddress === first)
  const written = await world.db
    .select()
    .from(activity)
    .where(eq(activity.target, device?.id ?? ''))
  expect(device?.appVersion).toBe('14.0')
  expect(written).toMatchObject([{ action: 'device.activated', actorKind: 'system', memberId: holder.id }])
})

test('of twenty concurrent activations for the last seat, exactly one succeeds', async () => {
  await using world = await newWorld()
  const { key } = await heldKey(world, await world.member(), { key: { seats: 3 } })
  await newKeyDevice(world, key.id)
  await newKeyDevice(world, key.id)

  const replies = await Promise.all(Array.from({ length: 20 }, () => activate(world, key.key)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(replies.filter(({ body }) => body.code === 'no_activations_left')).toHaveLength(19)
  expect(await world.db.$count(keyDevices, and(eq(keyDevices.keyId, key.id), isNull(keyDevices.deactivatedAt)))).toBe(3)
})

test('twenty concurrent requests of one device take one seat', async () => {
  await using world = await newWorld()
  const { key } = await heldKey(world, await world.member())
  const mac = newMac()
  const replies = await Promise.all(Array.from({ length: 20 }, () => activate(world, key.key, mac)))
  expect(new Set(replies.map(({ body }) => body.activationId)).size).toBe(1)
  expect(await world.db.$count(keyDevices, eq(keyDevices.keyId, key.id))).toBe(1)
})

test('a device that the page deactivated is refused at its next validation, and its seat is free', async () => {
  await using world = await newWorld()
  const holder = await world.member()
  const { key } = await heldKey(world, holder, { key: { seats: 1 } })
  const mac = newMac()
  const { activationId } = (await activate(world, key.key, mac)).body
  const validate = () => world.device(validateDevice, { body: { activationId, mac } })
  expect((await validate()).body).toMatchObject({ state: 'active', expirationDate: 0 })

  const { log } = (await world.as(holder).send(listKeyDevices, { query: { code: key.id } })).body
  const [{ itemId = '' } = {}] = log
  await world.as(holder).send(deactivateKeyDevice, { params: { id: itemId }, body: { code: key.id } })
  expect((await validate()).body.state).toBe('deactivated')
  expect((await activate(world, key.key)).status).toBe(200)
  expect((await activate(world, key.key, mac)).body.code).toBe('no_activations_left')
})

test('validation depends on the license and the key', async () => {
  await using world = await newWorld()
  const { license, key } = await heldKey(world, await world.member(), {
    license: { expiresAt: new Date('2026-07-01T00:00:00Z') },
  })
  const mac = newMac()
  const { activationId, expirationDate } = (await activate(world, key.key, mac)).body
  const status = async () => (await world.device(validateDevice, { body: { activationId, mac } })).body.state
  expect([await status(), expirationDate]).toEqual(['active', Date.parse('2026-07-01T00:00:00Z') / 1000])

  world.at('2026-07-01T00:00:00Z')
  expect(await status()).toBe('license_expired')
  expect((await activate(world, key.key)).body.code).toBe('license_expired')
  await world.db.update(licenses).set({ expiresAt: null }).where(eq(licenses.id, license.id))
  expect(await status()).toBe('active')
  await world.db.update(licenseKeys).set({ revokedAt: new Date() }).where(eq(licenseKeys.id, key.id))
  expect(await status()).toBe('deactivated')
  expect((await activate(world, key.key)).body.code).toBe('unknown_key')
})

test('the product may deactivate its device, repeatedly, and only with the right address', async () => {
  await using world = await newWorld()
  const holder = await world.member()
  const { key } = await heldKey(world, holder, { key: { seats: 1 } })
  const mac = newMac()
  const { activationId } = (await activate(world, key.key, mac)).body

  const wrong = await world.device(deactivateDevice, { body: { activationId, mac: newMac() } })
  const missing = await world.device(deactivateDevice, {
    body: { activationId: '00000000-0000-4000-8000-000000000000', mac },
  })
  expect([wrong.status, wrong.body.code]).toEqual([404, 'unknown_activation'])
  expect({ ...wrong.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })

  for (const _time of [1, 2]) {
    const given = await world.device(deactivateDevice, { body: { activationId, mac } })
    expect([given.status, given.body.state]).toEqual([200, 'deactivated'])
  }
  expect(
    await world.db.$count(activity, and(eq(activity.action, 'device.deactivated'), eq(activity.memberId, holder.id))),
  ).toBe(1)
  expect((await activate(world, key.key)).status).toBe(200)
})

test('signing in activates up to two devices on the member’s seat, each once', async () => {
  await using world = await newWorld()
  const { seat, signIn, subscription, product } = await seatWithSignIn(world)
  const mac = newMac()

  const one = await signIn({ mac })
  expect(one.status).toBe(200)
  expect(one.body).toMatchObject({ productCode: product.code, seats: 2, activeDevices: 1 })
  expect(one.body.expirationDate).toBe(Math.trunc((subscription.periodEnd?.getTime() ?? 0) / 1000))
  const { activationId: _, ...answer } = one.body
  expect((await signIn({ mac })).body).toMatchObject(answer)
  expect((await signIn()).body.activeDevices).toBe(2)
  expect((await signIn()).body.code).toBe('no_activations_left')
  expect(world.asked.every(({ service }) => service === deviceService)).toBe(true)
  expect(await world.db.$count(emailDevices, eq(emailDevices.seatId, seat.id))).toBe(2)
})

test('an active device stays on its seat, even if another seat is free', async () => {
  await using world = await newWorld()
  const { person, product, owner, signIn, seat } = await seatWithSignIn(world)
  const other = await newSubscription(world, owner, { productCode: product.code })
  const second = await newSeat(world, other.id, { memberId: person.id, email: person.email })
  const macs = [newMac(), newMac(), newMac()]
  for (const mac of macs) await signIn({ mac })

  // The last one went to the free seat; now the full one has a place again.
  const [last] = await world.db
    .select()
    .from(emailDevices)
    .where(eq(emailDevices.mac, macs[2] ?? ''))
  const full = last?.seatId === seat.id ? second.id : seat.id
  await world.db.update(emailDevices).set({ deactivatedAt: new Date() }).where(eq(emailDevices.seatId, full))
  await signIn({ mac: macs[2] })
  expect(
    await world.db
      .select()
      .from(emailDevices)
      .where(eq(emailDevices.mac, macs[2] ?? '')),
  ).toMatchObject([{ id: last?.id, deactivatedAt: null }])
})

test('of ten concurrent devices, two get the member’s two places', async () => {
  await using world = await newWorld()
  const { seat, signIn } = await seatWithSignIn(world)
  const replies = await Promise.all(Array.from({ length: 10 }, () => signIn()))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(2)
  expect(await world.db.$count(emailDevices, eq(emailDevices.seatId, seat.id))).toBe(2)
})

test('a ticket is refused if it is used, forged, or for another address', async () => {
  await using world = await newWorld()
  const { signIn } = await seatWithSignIn(world)
  for (const elsewhere of [
    'http://localhost:3000/account?signin=x',
    'https://127.0.0.1:53123/',
    'http://127.0.0.1/',
    'http://127.0.0.1.evil.example:80/',
    'http://evil.example:53123/127.0.0.1',
    'nothing',
  ]) {
    const reply = await signIn({ service: elsewhere })
    expect([reply.status, reply.body.code]).toEqual([401, 'ticket_refused'])
  }
  expect(world.asked).toEqual([])
  expect((await signIn({ ticket: 'ST-made-up' })).body.code).toBe('ticket_refused')
})

test('the first identity with a member’s verified address is linked; another one with it activates nothing', async () => {
  await using world = await newWorld()
  const { person, seat, signIn } = await seatWithSignIn(world)
  await world.db.delete(identities).where(eq(identities.memberId, person.id))
  const identity = (user: string, emailVerified = 'true') => ({
    user,
    attributes: { email: person.email, emailVerified },
  })

  expect((await signIn({}, identity(`unverified-${person.id}`, 'false'))).body.code).toBe('no_seat')
  const subjects = ['a', 'b', 'c'].map((name) => `${name}-${person.id}`)
  const replies = await Promise.all(subjects.map((subject) => signIn({}, identity(subject))))

  expect(replies.map(({ status }) => status).sort()).toEqual([200, 403, 403])
  expect(replies.find(({ status }) => status === 403)?.body.code).toBe('no_seat')
  expect(await world.db.$count(emailDevices, eq(emailDevices.seatId, seat.id))).toBe(1)
  const joined = and(eq(activity.memberId, person.id), eq(activity.action, 'identity.joined'))
  expect(await world.db.$count(activity, joined)).toBe(1)
})

test.each([
  [502, 'sign_on_unavailable', { failure: 'status', detail: '503' }],
  [502, 'sign_on_unavailable', { failure: 'dns', detail: 'ENOTFOUND' }],
  [401, 'ticket_refused', { failure: 'refused', detail: 'INVALID_TICKET' }],
  [401, 'ticket_refused', { failure: 'email', detail: 'several values' }],
] as const)('the answer is %i %s if the single sign-on reports %j', async (status, code, failure) => {
  await using world = await newWorld()
  const { signIn } = await seatWithSignIn(world)
  const reply = await signIn({}, failure)
  expect([reply.status, reply.body.code]).toEqual([status, code])
})

test('without a seat that holds a license, or without access, nothing is activated', async () => {
  await using world = await newWorld()
  const { seat, signIn, person, subscription } = await seatWithSignIn(world)
  const other = await newProduct(world)
  expect((await signIn({ appCode: other.code })).body.code).toBe('no_seat')
  const set = (values: object) => world.db.update(seats).set(values).where(eq(seats.id, seat.id))
  await set({ isUse: false })
  expect((await signIn()).body.code).toBe('no_seat')
  await set({ isUse: true })

  let { activationId } = (await signIn({ mac: '02:00:00:00:00:09' })).body
  const validate = () => world.device(validateDevice, { body: { activationId, mac: '02-00-00-00-00-09' } })
  expect((await validate()).body.state).toBe('active')
  const [device] = (await world.as(person).send(listEmailDevices, { query: {} })).body.licenceList
  await world.as(person).send(deactivateEmailDevice, { params: { licenceId: device?.licenseId ?? '' } })
  expect((await validate()).body.state).toBe('deactivated')
  activationId = (await signIn({ mac: '020000000009' })).body.activationId
  expect(await world.db.$count(emailDevices, eq(emailDevices.seatId, seat.id))).toBe(1)
  expect((await validate()).body.state).toBe('active')
  await set({ removedAt: new Date() })
  expect((await validate()).body.state).toBe('deactivated')
  expect(subscription.status).toBe('active')
})

test('a subscription whose licenses are revoked activates nothing by e-mail', async () => {
  await using world = await newWorld()
  const { signIn, subscription } = await seatWithSignIn(world)
  const mac = newMac()
  const taken = await newLicense(world, { subscriptionId: subscription.id, activationMethod: 'email' })
  const { activationId } = (await signIn({ mac })).body
  const state = async () => (await world.device(validateDevice, { body: { activationId, mac } })).body.state
  expect(await state()).toBe('active')

  await world.db.update(licenses).set({ revokedAt: new Date() }).where(eq(licenses.id, taken.id))
  expect(await state()).toBe('license_expired')
  expect((await signIn()).body.code).toBe('license_expired')

  const next = await newLicense(world, { subscriptionId: subscription.id, activationMethod: 'email' })
  expect([await state(), (await signIn()).body.licenseId]).toEqual(['active', next.id])
})

test('an IPv6 network counts as one caller, so changing addresses does not allow more keys', async () => {
  await using world = await newWorld({ settings: { ACTIVATIONS_PER_MINUTE: '3' } })
  const network = `2001:db8:${randomInt(0xffff).toString(16)}:1`
  const codes = []
  for (const end of ['1', '2', '3:4', 'ffff']) {
    const sn = `KEY-TRIED-FROM-${end}`
    const { body } = await world.device(
      activateDevice,
      { body: { ...pc, sn, macAddress: newMac() } },
      `${network}::${end}`,
    )
    codes.push(body.code)
  }
  expect(codes).toEqual(['unknown_key', 'unknown_key', 'unknown_key', 'too_often'])
})

test('trying keys is limited, and the limit does not store them', async () => {
  await using world = await newWorld({
    settings: { ACTIVATIONS_PER_MINUTE_AND_KEY: '5', ACTIVATIONS_PER_MINUTE: '12' },
  })
  const from = `198.51.100.${Math.trunc(Math.random() * 250)}`
  const replies = []
  for (let index = 0; index < 14; index += 1) {
    const sn = index < 7 ? 'ONE-KEY-TRIED-AGAIN' : `ANOTHER-KEY-${index}`
    replies.push(await world.device(activateDevice, { body: { ...pc, sn, macAddress: newMac() } }, from))
  }
  expect(replies.map(({ body }) => body.code)).toEqual([
    ...Array.from({ length: 5 }, () => 'unknown_key'),
    ...Array.from({ length: 2 }, () => 'too_often'),
    ...Array.from({ length: 5 }, () => 'unknown_key'),
    ...Array.from({ length: 2 }, () => 'too_often'),
  ])
  expect(Number(replies[6]?.headers['retry-after'])).toBeGreaterThan(0)
  const { rows } = await world.db.execute("select key from account.rate_limits where key like '%ONE-KEY%'")
  expect(rows).toEqual([])
})

test.each([
  [{ sn: 'X' }],
  [{ macAddress: 'not-a-mac' }],
  [{ macAddress: '02:00:00:00:00' }],
  [{ appVersion: 'twelve' }],
  [{ appVersion: `1.${'9'.repeat(40)}` }],
  [{ pcName: '' }],
  [{ pcName: 'a\u0000b' }],
  [{ pcName: 'x'.repeat(201) }],
  [{ method: 'phone' }],
])('%j is refused', async (values) => {
  await using world = await newWorld()
  const body = { ...pc, sn: '65410-0010-NONE-AT-ALL', macAddress: newMac(), ...values }
  const reply = await world.request({ method: 'POST', url: '/activation/v1/activate/', payload: body })
  expect([reply.statusCode, reply.json().code]).toEqual([422, 'invalid'])
})
