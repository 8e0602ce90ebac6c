import { Readable } from 'node:stream'
import { activateDevice } from '@atrium/contract/activation.ts'
import { listEmailDevices, listKeyDevices } from '@atrium/contract/devices.ts'
import { listLicenses } from '@atrium/contract/licenses.ts'
import { listSubscriptionUsers } from '@atrium/contract/team.ts'
import type { Remark } from '@atrium/server-kit/record-lines.ts'
import { and, eq, isNull } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { newKeyDevice, newMac } from '../../test/factories.ts'
import { newWorld } from '../../test/world.ts'
import { emailDevices, keyDevices } from '../devices/devices.tables.ts'
import { licenseContacts, licenseKeys, licenses } from '../licenses/licenses.tables.ts'
import { seats } from '../subscriptions/seats.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { importFile } from './import-file.ts'

type World = Awaited<ReturnType<typeof newWorld>>

/** Each test has its own customers and keys. */
let run = 0
beforeEach(() => {
  run += 1
})

function records() {
  const id = (name: string) => `${name}-${run}`
  const owner = `owner-${run}@import.test`
  const colleague = `colleague-${run}@import.test`
  const at = '2026-05-01T10:00:00Z'
  const device = { pcName: 'STUDIO-PC', appVersion: '13.1.0', macAddress: '02:00:00:00:00:01', requestDate: at }
  const seat = { type: 'seat', subscriptionId: id('sub'), status: 'Accepted', isUse: true, invited: at }
  return {
    product: { type: 'product', code: id('EDIT'), name: 'Editor', sku: id('editor') },
    owner: { type: 'member', email: owner },
    colleague: { type: 'member', email: colleague },
    enterprise: { type: 'enterprise', orgCode: id('org'), name: 'Org', consoleUrl: 'https://console.example/' },
    subscription: {
      type: 'subscription',
      subscriptionId: id('sub'),
      email: owner,
      productCode: id('EDIT'),
      status: 'active',
      userCount: 5,
      origin: 'offline',
      channel: 'invoice',
      periodStart: at,
      periodEnd: '2027-05-01T10:00:00Z',
    },
    ownerSeat: { ...seat, email: owner, seatType: 2 },
    seat: { ...seat, email: colleague, seatType: 0 },
    license: {
      type: 'license',
      licenseId: id('lic'),
      productCode: id('EDIT'),
      seats: 3,
      // The specification's "trailing 000".
      expirationDate: Date.parse('2027-01-01T00:00:00Z'),
      created: at,
      activationMethod: 'keycode',
    },
    subscribed: {
      type: 'license',
      licenseId: id('subscribed'),
      subscriptionId: id('sub'),
      created: at,
      activationMethod: 'email',
    },
    contact: { type: 'license-contact', licenseId: id('lic'), email: owner, relationship: 'Holder', userRole: 'bill' },
    key: { type: 'license-key', key: id('65410-00107KD93M-F7K2Q'), licenseId: id('lic') },
    keyDevice: { type: 'key-device', key: id('65410-00107KD93M-F7K2Q'), ...device },
    emailDevice: {
      type: 'email-device',
      subscriptionId: id('sub'),
      email: colleague,
      hostName: 'LAPTOP',
      mac: '02:00:00:00:00:02',
      appName: 'Editor',
      appVersion: '14.0',
      updated: at,
    },
  }
}

async function load(world: World, lines: readonly object[]) {
  const refusals: Remark[] = []
  const result = await importFile(world.db, {
    input: Readable.from([Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'))]),
    fileName: 'test.ndjson',
    now: new Date('2026-06-01T00:00:00Z'),
    dryRun: false,
    onRefused: (refusal) => refusals.push(refusal),
  })
  return { ...result, refusals }
}

test('all types of records are imported, and importing them again has no double effect', async () => {
  await using world = await newWorld()
  const all = records()
  const lines = Object.values(all)
  expect(await load(world, lines)).toMatchObject({ applied: lines.length, refused: 0, warnings: 0, refusals: [] })
  expect(await load(world, lines)).toMatchObject({ applied: lines.length, refused: 0, warnings: 0, refusals: [] })

  const [row] = await world.db.select().from(subscriptions).where(eq(subscriptions.id, all.subscription.subscriptionId))
  if (!row) throw new Error('no subscription')
  const owner = { cookie: await world.session(row.memberId) }

  const listed = await world.as(owner).send(listLicenses, { query: {} })
  expect(
    listed.body.licenses[all.product.sku]?.list.map(({ licenseId, expirationDate, subId, userRole }) => ({
      licenseId,
      expirationDate,
      subId,
      userRole,
    })),
  ).toEqual([
    {
      licenseId: all.subscribed.licenseId,
      expirationDate: Date.parse('2027-05-01T10:00:00Z') / 1000,
      subId: all.subscription.subscriptionId,
      userRole: '',
    },
    {
      licenseId: all.license.licenseId,
      expirationDate: Date.parse('2027-01-01T00:00:00Z') / 1000,
      subId: null,
      userRole: 'bill',
    },
  ])
  const [key] = await world.db.select().from(licenseKeys).where(eq(licenseKeys.key, all.key.key))
  const devices = await world.as(owner).send(listKeyDevices, { query: { code: key?.id ?? '' } })
  expect(devices.body).toMatchObject({ total: 1, activeDevices: 1, log: [{ pcName: 'STUDIO-PC', canDeactivate: 1 }] })
  const byEmail = await world.as(owner).send(listEmailDevices, { query: {} })
  expect(byEmail.body).toMatchObject({ totalNum: 1, licenceList: [{ hostName: 'LAPTOP', email: all.colleague.email }] })
  const users = await world.as(owner).send(listSubscriptionUsers, { params: { sid: row.id }, query: {} })
  expect(users.body.allData.map(({ email, type }) => [email, type])).toEqual([
    [all.owner.email, 2],
    [all.colleague.email, 0],
  ])
})

test('a line that refers to a missing record is refused with its field, and the others stay applied', async () => {
  await using world = await newWorld()
  const { product, owner, subscription, license, key, ...rest } = records()
  const refused = await load(world, [
    product,
    owner,
    subscription,
    license,
    key,
    { ...subscription, subscriptionId: 'other', email: 'nobody@import.test' },
    { ...subscription, subscriptionId: 'third', productCode: 'NONE' },
    { ...rest.ownerSeat, subscriptionId: 'none' },
    { ...rest.ownerSeat, seatType: 0 },
    { ...rest.seat },
    { ...license, licenseId: 'other', productCode: 'NONE' },
    { ...rest.subscribed, subscriptionId: 'none' },
    { ...rest.contact, licenseId: 'none' },
    { ...rest.contact, email: 'nobody@import.test' },
    { ...key, key: '65410-ANOTHER-KEY-12345', licenseId: 'none' },
    { ...rest.keyDevice, key: 'none' },
    { ...rest.emailDevice },
  ])
  expect(refused.applied).toBe(5)
  expect(refused.refusals.map(({ line, field }) => [line, field])).toEqual([
    [6, 'email'],
    [7, 'productCode'],
    [8, 'subscriptionId'],
    [9, 'seatType'],
    [10, 'email'],
    [11, 'productCode'],
    [12, 'subscriptionId'],
    [13, 'licenseId'],
    [14, 'email'],
    [15, 'licenseId'],
    [16, 'key'],
    [17, 'email'],
  ])
})

test.each([
  ['license', { productCode: undefined }, 'productCode'],
  ['license', { seats: 0 }, 'seats'],
  ['license', { licenseId: '../../etc' }, 'licenseId'],
  ['license', { created: 'yesterday' }, 'created'],
  ['subscribed', { seats: 4 }, 'seats'],
  ['key', { key: 'too-short' }, 'key'],
  ['keyDevice', { macAddress: 'nowhere' }, 'macAddress'],
  ['keyDevice', { appVersion: 'v12' }, 'appVersion'],
  ['subscription', { userCount: 0 }, 'userCount'],
  ['subscription', { status: 'running' }, 'status'],
  ['seat', { seatType: 4 }, 'seatType'],
  ['contact', { relationship: 'Owner' }, 'relationship'],
] as const)('%s with %j is refused', async (name, values, field) => {
  await using world = await newWorld()
  const { refusals } = await load(world, [{ ...records()[name], ...values }])
  expect(refusals.map((refusal) => refusal.field.split('.')[0])).toEqual([field])
})

test('a deactivation here stays, whatever the vendor’s file says', async () => {
  await using world = await newWorld()
  const all = records()
  await load(world, Object.values(all))
  const gone = new Date('2026-05-20T00:00:00Z')
  await world.db.update(keyDevices).set({ deactivatedAt: gone, deactivatedBy: 'member' })
  await world.db.update(emailDevices).set({ deactivatedAt: gone })

  await load(world, Object.values(all))
  const devices = [...(await world.db.select().from(keyDevices)), ...(await world.db.select().from(emailDevices))]
  expect(devices.length).toBeGreaterThan(1)
  expect(devices.every(({ deactivatedAt }) => deactivatedAt?.getTime() === gone.getTime())).toBe(true)
})

test('a device that was activated again stays active when the same file is imported again', async () => {
  await using world = await newWorld()
  const all = records()
  const emailDevice = { ...all.emailDevice, mac: newMac(), deactivated: '2026-05-10T00:00:00Z' }
  const lines = Object.values({ ...all, emailDevice })
  await load(world, lines)
  const here = eq(emailDevices.mac, emailDevice.mac)
  const updatedAt = new Date('2026-05-20T00:00:00Z')
  await world.db.update(emailDevices).set({ deactivatedAt: null, updatedAt, hostName: 'NEW' }).where(here)
  const [key] = await world.db.select().from(licenseKeys).where(eq(licenseKeys.key, all.key.key))
  const onKey = eq(keyDevices.keyId, key?.id ?? '')
  await world.db.update(keyDevices).set({ deactivatedAt: updatedAt, deactivatedBy: 'member' }).where(onKey)
  await newKeyDevice(world, key?.id ?? '', { macAddress: all.keyDevice.macAddress })

  expect(await load(world, lines)).toMatchObject({ applied: lines.length, refusals: [] })
  expect(await world.db.select().from(emailDevices).where(here)).toMatchObject([
    { deactivatedAt: null, hostName: 'NEW' },
  ])
  expect(await world.db.$count(keyDevices, and(onKey, isNull(keyDevices.deactivatedAt)))).toBe(1)

  await load(world, [{ ...emailDevice, deactivated: '2026-05-30T00:00:00Z' }])
  expect((await world.db.select().from(emailDevices).where(here))[0]?.deactivatedAt).not.toBe(null)
})

test('an import and a concurrent activation by e-mail do not deadlock', async () => {
  await using world = await newWorld()
  const { emailDevice, ...all } = records()
  await load(world, Object.values(all))
  const { hostName, appName, appVersion } = emailDevice
  for (const mac of Array.from({ length: 15 }, newMac)) {
    const ticket = `ST-${mac.replaceAll(':', '')}`
    const attributes = { email: emailDevice.email, emailVerified: 'true' }
    world.tickets.set(ticket, { user: 'colleague', attributes })
    const asked = { method: 'email', ticket, service: 'http://127.0.0.1:5000/', appCode: all.product.code } as const
    const [activated] = await Promise.all([
      world.device(activateDevice, { body: { ...asked, hostName, mac, appName, appVersion } }),
      load(world, [{ ...emailDevice, mac }]),
    ])
    expect(activated.status).toBe(200)
    await world.db.delete(emailDevices).where(eq(emailDevices.mac, mac))
  }
})

test('an import and a concurrent activation with a key do not deadlock', async () => {
  await using world = await newWorld()
  const all = records()
  await load(world, Object.values(all))
  const { pcName, appVersion } = all.keyDevice
  for (const macAddress of Array.from({ length: 15 }, newMac)) {
    const body = { method: 'keycode', sn: all.key.key, macAddress, pcName, appVersion } as const
    const [activated, loaded] = await Promise.all([
      world.device(activateDevice, { body }),
      load(world, [{ ...all.keyDevice, macAddress }]),
    ])
    expect(activated.status).toBe(200)
    await world.db.delete(keyDevices).where(eq(keyDevices.macAddress, macAddress))
    expect(loaded.applied + loaded.refused).toBe(1)
  }
})

test('a key for a license with e-mail activation, and a second active record of a device, are refused', async () => {
  await using world = await newWorld()
  const all = records()
  await load(world, Object.values(all))
  const { refusals } = await load(world, [
    { ...all.key, key: '65410-ANOTHER-KEY-98765', licenseId: all.subscribed.licenseId },
    { ...all.keyDevice, requestDate: '2026-05-02T10:00:00Z' },
    { ...all.keyDevice, requestDate: '2026-05-03T10:00:00Z', deactivated: '2026-05-04T10:00:00Z' },
  ])
  expect(refusals.map(({ line, field }) => [line, field])).toEqual([
    [1, 'licenseId'],
    [2, 'macAddress'],
  ])
})

test('when the vendor names another Owner, the previous one has no seat, and licenses of their own', async () => {
  await using world = await newWorld()
  const all = records()
  await load(world, Object.values(all))
  const { refusals } = await load(world, [
    { ...all.subscription, email: all.colleague.email },
    { ...all.seat, seatType: 2 },
  ])
  expect(refusals).toEqual([])
  const isThere = and(eq(seats.subscriptionId, all.subscription.subscriptionId), isNull(seats.removedAt))
  expect(await world.db.select().from(seats).where(isThere)).toMatchObject([{ email: all.colleague.email, type: 2 }])
  expect(await world.db.$count(licenses, eq(licenses.id, all.license.licenseId))).toBe(1)
  expect(await world.db.$count(licenseContacts, eq(licenseContacts.licenseId, all.license.licenseId))).toBe(1)
})
