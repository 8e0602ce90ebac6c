import { deactivateKeyDevice, exportActivationRecord, listKeyCodes, listKeyDevices } from '@atrium/contract/devices.ts'
import { readLicenseKeys } from '@atrium/contract/licenses.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { heldKey, newContact, newKey, newKeyDevice } from '../../test/factories.ts'
import { untilWaiting } from '../../test/waiting.ts'
import { newWorld } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { keyDevices } from './devices.tables.ts'

test('the keys of a license are listed masked, with their seats and active devices', async () => {
  await using world = await newWorld()
  const holder = await world.member()
  const { license, key } = await heldKey(world, holder, { key: { key: '65410-0010-SECRET-PART-F7K2Q', seats: 2 } })
  const second = await newKey(world, license.id, { revokedAt: new Date('2026-01-01T00:00:00Z') })
  await newKeyDevice(world, key.id)
  await newKeyDevice(world, key.id, { deactivatedAt: new Date('2026-05-01T00:00:00Z') })

  const { body } = await world.as(holder).send(listKeyCodes, { params: { licenseId: license.id }, query: {} })
  expect(body.total).toBe(2)
  expect(body.terms.activationKeyLists).toEqual([
    {
      code: key.id,
      activationKey: '65410-0010*************F7K2Q',
      codeStatus: 'active',
      seats: 2,
      activeDevices: 1,
    },
    expect.objectContaining({ code: second.id, codeStatus: 'revoked', seats: 3, activeDevices: 0 }),
  ])
  expect(JSON.stringify(body)).not.toContain('SECRET')
})

test('with many keys, every page includes the first key and the total', async () => {
  await using world = await newWorld()
  const holder = await world.member()
  const { license, key } = await heldKey(world, holder, { key: { key: '65410-0010-SECRET-PART-F7K2X' } })
  const second = await newKey(world, license.id)
  const params = { licenseId: license.id }
  const asked = async (page: number) =>
    (await world.as(holder).send(listKeyCodes, { params, query: { page, pageSize: 1 } })).body

  for (const page of [1, 2, 3]) {
    expect(await asked(page)).toMatchObject({ total: 2, terms: { activationKey: '65410-0010*************F7K2X' } })
  }
  const codes = [1, 2, 3].map(async (page) => (await asked(page)).terms.activationKeyLists.map(({ code }) => code))
  expect(await Promise.all(codes)).toEqual([[key.id], [second.id], []])
})

test('devices of a key are listed newest first, each with its possible action', async () => {
  await using world = await newWorld()
  const holder = await world.member()
  const { license, key } = await heldKey(world, holder, { key: { seats: 4 } })
  const at = (day: number) => new Date(Date.UTC(2026, 2, day))
  const old = await newKeyDevice(world, key.id, { pcName: 'OLD', appVersion: '11.2.4', requestedAt: at(1) })
  const gone = await newKeyDevice(world, key.id, { requestedAt: at(2), deactivatedAt: at(9), deactivatedBy: 'member' })
  const young = await newKeyDevice(world, key.id, { requestedAt: at(3) })

  const { body } = await world.as(holder).send(listKeyDevices, { query: { code: key.id, licenseId: license.id } })
  expect(
    body.log.map(({ itemId, status, canDeactivate, earlierVersionTip }) => [
      itemId,
      status,
      canDeactivate,
      earlierVersionTip,
    ]),
  ).toEqual([
    [young.id, 0, 1, 0],
    [gone.id, 1, 0, 0],
    [old.id, 0, 0, 1],
  ])
  expect(body).toMatchObject({ total: 3, activeDevices: 2, seats: 4, deactivationAllowance: 8, deactivationsLeft: 7 })
  expect(JSON.stringify(body)).not.toContain(key.key)
})

test('deactivating frees the seat immediately, is recorded, and is published as an event', async () => {
  await using world = await newWorld({
    settings: { EVENT_URLS: 'https://erp.example/hook', EVENT_SECRET: `whsec_${'a'.repeat(32)}` },
  })
  const holder = await world.member()
  const { license, key } = await heldKey(world, holder)
  const device = await newKeyDevice(world, key.id)

  const reply = await world.as(holder).send(deactivateKeyDevice, { params: { id: device.id }, body: { code: key.id } })
  expect(reply.status).toBe(200)
  expect(reply.body.log[0]).toMatchObject({ itemId: device.id, status: 1, canDeactivate: 0 })
  expect(reply.body).toMatchObject({ activeDevices: 0, deactivationsLeft: 5 })

  const written = await world.db.select().from(activity).where(eq(activity.target, device.id))
  expect(written).toMatchObject([
    { action: 'device.deactivated', memberId: holder.id, details: { pcName: 'STUDIO-PC', licenseId: license.id } },
  ])
  expect(world.sent.map(({ queue }) => queue)).toEqual(['events'])

  const again = await world.as(holder).send(deactivateKeyDevice, { params: { id: device.id }, body: { code: key.id } })
  expect([again.status, again.body.code]).toEqual([409, 'device_not_active'])
})

test('the allowance is three a year, and a deactivation counts for 365 days', async () => {
  await using world = await newWorld({ now: '2026-06-01T00:00:00Z' })
  const holder = await world.member()
  const { key } = await heldKey(world, holder, { key: { seats: 1 } })
  for (const deactivatedAt of ['2025-06-01T00:00:01Z', '2026-01-01T00:00:00Z', '2026-05-01T00:00:00Z']) {
    const requestedAt = new Date('2025-01-01T00:00:00Z')
    await newKeyDevice(world, key.id, { requestedAt, deactivatedAt: new Date(deactivatedAt), deactivatedBy: 'member' })
  }
  // Deactivations by the product do not count.
  await newKeyDevice(world, key.id, { deactivatedAt: new Date('2026-05-02T00:00:00Z'), deactivatedBy: 'device' })
  const device = await newKeyDevice(world, key.id)
  const deactivation = { params: { id: device.id }, body: { code: key.id } }

  const listed = await world.as(holder).send(listKeyDevices, { query: { code: key.id } })
  expect(listed.body.deactivationsLeft).toBe(0)
  expect(listed.body.log.every(({ canDeactivate }) => canDeactivate === 0)).toBe(true)
  expect((await world.as(holder).send(deactivateKeyDevice, deactivation)).body.code).toBe('no_deactivations_left')

  world.at('2026-06-01T00:00:02Z')
  expect((await world.as(holder).send(deactivateKeyDevice, deactivation)).status).toBe(200)
})

test('devices with version 11 or an expired license cannot be deactivated here', async () => {
  await using world = await newWorld()
  const holder = await world.member()
  const { key } = await heldKey(world, holder)
  const old = await newKeyDevice(world, key.id, { appVersion: '11.2.4' })
  const expired = await heldKey(world, holder, { license: { expiresAt: new Date('2026-05-31T00:00:00Z') } })
  const device = await newKeyDevice(world, expired.key.id)

  const refused = async (id: string, code: string) =>
    (await world.as(holder).send(deactivateKeyDevice, { params: { id }, body: { code, page: 2 } })).body
  expect(await refused(old.id, key.id)).toMatchObject({ code: 'earlier_version', data: { isValid: true, total: 1 } })
  // For the requested page.
  const data = { isValid: false, total: 1, log: [] }
  expect(await refused(device.id, expired.key.id)).toMatchObject({ code: 'license_expired', data })
})

test('two tabs cannot both use the last deactivation, and the refused one gets the current list', async () => {
  await using world = await newWorld()
  const holder = await world.member()
  const { key } = await heldKey(world, holder, { key: { seats: 1 } })
  const devices = await Promise.all([1, 2, 3, 4].map(() => newKeyDevice(world, key.id)))

  const replies = await Promise.all(
    devices.map(({ id }) => world.as(holder).send(deactivateKeyDevice, { params: { id }, body: { code: key.id } })),
  )
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409])
  const refused = replies.find(({ status }) => status === 409)
  const { body: fresh } = await world.as(holder).send(listKeyDevices, { query: { code: key.id } })
  expect(refused?.body).toMatchObject({ code: 'no_deactivations_left', data: fresh })
  expect(fresh).toMatchObject({ activeDevices: 1, deactivationsLeft: 0 })
  expect(await world.db.$count(keyDevices, eq(keyDevices.keyId, key.id))).toBe(4)
})

test('concurrent requests deactivate the same device once', async () => {
  await using world = await newWorld()
  const holder = await world.member()
  const { key } = await heldKey(world, holder)
  const { id } = await newKeyDevice(world, key.id)

  const replies = await Promise.all(
    Array.from({ length: 8 }, () =>
      world.as(holder).send(deactivateKeyDevice, { params: { id }, body: { code: key.id } }),
    ),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await world.db.$count(activity, eq(activity.target, id))).toBe(1)
})

test('a device that the product deactivates concurrently is not deactivated twice', async () => {
  await using world = await newWorld()
  const holder = await world.member()
  const { key } = await heldKey(world, holder)
  const { id } = await newKeyDevice(world, key.id)

  const ask = () => world.as(holder).send(deactivateKeyDevice, { params: { id }, body: { code: key.id } })
  const reply = await world.db.transaction(async (tx) => {
    await tx.update(keyDevices).set({ deactivatedAt: new Date(), deactivatedBy: 'device' }).where(eq(keyDevices.id, id))
    const asked = ask()
    await untilWaiting(world, 1)
    return () => asked
  })
  const refused = await reply()
  const { body } = await world.as(holder).send(listKeyDevices, { query: { code: key.id } })
  expect(refused.body).toMatchObject({ code: 'device_not_active', data: body })
  expect(body.log).toMatchObject([{ itemId: id, status: 1 }])
  expect(body.deactivationsLeft).toBe(body.deactivationAllowance)
  expect(await world.db.$count(activity, eq(activity.target, id))).toBe(0)
})

test('a Partner or Contact is refused, for a stranger it does not exist, and the Holder still has it', async () => {
  await using world = await newWorld()
  const [holder, partner, stranger] = [await world.member(), await world.member(), await world.member()]
  const { license, key } = await heldKey(world, holder)
  const other = await heldKey(world, stranger)
  await newContact(world, license.id, partner, { relationship: 'Contact', userRole: 'commercial' })
  const device = await newKeyDevice(world, key.id)
  const none = '00000000-0000-4000-8000-000000000000'

  const asPartner = world.as(partner)
  for (const reply of [
    await asPartner.send(listKeyCodes, { params: { licenseId: license.id }, query: {} }),
    await asPartner.send(listKeyDevices, { query: { code: key.id } }),
    await asPartner.send(exportActivationRecord, { query: { code: key.id } }),
    await asPartner.send(deactivateKeyDevice, { params: { id: device.id }, body: { code: key.id } }),
  ]) {
    expect([reply.status, reply.body.code]).toEqual([403, 'not_holder'])
  }

  const asStranger = world.as(stranger)
  const bodies = [
    await asStranger.send(listKeyCodes, { params: { licenseId: license.id }, query: {} }),
    await asStranger.send(listKeyDevices, { query: { code: key.id } }),
    await asStranger.send(listKeyDevices, { query: { code: none } }),
    await asStranger.send(exportActivationRecord, { query: { code: key.id } }),
    await asStranger.send(deactivateKeyDevice, { params: { id: device.id }, body: { code: key.id } }),
    // Another member's device is not found with the caller's own key.
    await asStranger.send(deactivateKeyDevice, { params: { id: device.id }, body: { code: other.key.id } }),
    await asStranger.send(listKeyDevices, { query: { code: other.key.id, licenseId: license.id } }),
  ].map(({ status, body }) => ({ status, ...body, requestId: '' }))
  for (const body of bodies) expect(body).toEqual(bodies[0])
  expect(bodies[0]?.status).toBe(404)

  const { body } = await world.as(holder).send(listKeyDevices, { query: { code: key.id } })
  expect(body.log).toMatchObject([{ itemId: device.id, status: 0, canDeactivate: 1 }])
})

test('the activation record is a CSV without formulas for spreadsheets', async () => {
  await using world = await newWorld({ now: '2026-11-20T10:00:00Z' })
  const holder = await world.member()
  const { key } = await heldKey(world, holder, { key: { key: '65410-0011-SECRET-PART-F7K2Q' } })
  await newKeyDevice(world, key.id, { pcName: '=cmd|calc!A1', macAddress: '02:00:00:00:00:01' })
  await newKeyDevice(world, key.id, {
    pcName: 'A, "B"\nC',
    macAddress: '02:00:00:00:00:02',
    requestedAt: new Date('2026-01-01T00:00:00Z'),
    deactivatedAt: new Date(),
  })

  const { body } = await world.as(holder).send(exportActivationRecord, { query: { code: key.id } })
  expect(body.fileName).toBe('activation-records-F7K2Q-20261120.csv')
  const text = Buffer.from(body.content, 'base64').toString('utf8')
  expect(text.startsWith('\uFEFFsn,pcName,macAddress,status,requestDate,itemId\r\n')).toBe(true)
  expect(text).toContain(`65410-0011*************F7K2Q,'=cmd|calc!A1,02:00:00:00:00:01,0,2026-11-20T10:00:00.000Z,`)
  expect(text).toContain('"A, ""B""\nC",02:00:00:00:00:02,1,')
  expect(text).not.toContain('SECRET')
})

test.each(['not-a-uuid', '%00', '1', "' or 1=1 --"])('a key’s id “%s” is refused', async (code) => {
  await using world = await newWorld()
  const { cookie } = await world.member()
  const url = `/account/key-devices/?code=${encodeURIComponent(code)}`
  expect((await world.request({ method: 'GET', url, headers: { cookie } })).statusCode).toBe(422)
})

test('Get The Key offers keys with a free seat first, and says how many are free', async () => {
  await using world = await newWorld()
  const holder = await world.member()
  const { license, key: full } = await heldKey(world, holder, { key: { seats: 1 } })
  const revoked = await newKey(world, license.id, { revokedAt: new Date('2026-01-01T00:00:00Z') })
  const free = await newKey(world, license.id, { seats: 2 })
  for (const { id } of [full, free]) await newKeyDevice(world, id)

  const { body } = await world.as(holder).send(readLicenseKeys, { params: { licenseId: license.id } })
  const { activationKey, activationKeyLists } = body.terms
  expect(activationKey).toBe(full.key)
  expect(activationKeyLists).toEqual([
    { activationKey: free.key, codeStatus: 'active', seats: 2, activeDevices: 1 },
    { activationKey: full.key, codeStatus: 'active', seats: 1, activeDevices: 1 },
    { activationKey: revoked.key, codeStatus: 'revoked', seats: 3, activeDevices: 0 },
  ])
})
