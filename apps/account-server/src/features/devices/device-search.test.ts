import { deactivateKeyDevice, listEmailDevices, listKeyDevices, searchKeys } from '@atrium/contract/devices.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  heldKey,
  newContact,
  newEmailDevice,
  newKey,
  newKeyDevice,
  newLicense,
  newSeat,
  newSubscription,
} from '../../test/factories.ts'
import { newWorld } from '../../test/world.ts'
import { seats } from '../subscriptions/seats.tables.ts'

const mac = '3C:06:30:12:9A:04'

test('devices of subscriptions are found by computer, user and MAC address, and by nobody else', async () => {
  await using world = await newWorld()
  // Addresses in which no digits of a MAC address occur by chance.
  const [owner, member] = [await world.member({ email: 'owner@x.test' }), await world.member({ email: 'user@x.test' })]
  const outsider = await world.member()
  const { id, ownerSeat } = await newSubscription(world, owner)
  const seat = await newSeat(world, id, { memberId: member.id, email: member.email })
  const studio = await newEmailDevice(world, ownerSeat.id, { hostName: 'Studio 50%', mac })
  const laptop = await newEmailDevice(world, seat.id, { hostName: 'LAPTOP' })
  const foundBy = async (who: typeof owner, keyWord: string) => {
    const { licenceList, totalNum } = (await world.as(who).send(listEmailDevices, { query: { keyWord } })).body
    expect(totalNum).toBe(licenceList.length)
    return licenceList.map(({ licenseId }) => licenseId)
  }

  for (const keyWord of ['studio', '50%', mac, '3c-06-30-12', '30129a', ' Studio ']) {
    expect([keyWord, await foundBy(owner, keyWord)]).toEqual([keyWord, [studio.id]])
  }
  expect(await foundBy(owner, member.email.toUpperCase())).toEqual([laptop.id])
  for (const keyWord of ['5_%', '3c', 'missing']) {
    expect([keyWord, await foundBy(owner, keyWord)]).toEqual([keyWord, []])
  }
  expect(await foundBy(member, 'studio')).toEqual([])
  expect(await foundBy(member, 'laptop')).toEqual([laptop.id])
  expect(await foundBy(outsider, 'laptop')).toEqual([])
})

test('a device names its plan, and since when it is inactive, if that is known', async () => {
  await using world = await newWorld()
  const owner = await world.member()
  const { id } = await newSubscription(world, owner)
  const seat = await newSeat(world, id)
  await newEmailDevice(world, seat.id)
  const state = async () => {
    const [device] = (await world.as(owner).send(listEmailDevices, { query: {} })).body.licenceList
    return [device?.isDelete, device?.inactiveSince]
  }
  const set = (values: object) => world.db.update(seats).set(values).where(eq(seats.id, seat.id))

  expect((await world.as(owner).send(listEmailDevices, { query: {} })).body.licenceList).toMatchObject([
    { productName: expect.stringMatching(/^Product /), subStatus: 'active' },
  ])
  expect(await state()).toEqual(['0', null])
  await set({ isUse: false })
  expect(await state()).toEqual(['1', null])
  await set({ removedAt: new Date('2026-05-03T10:00:00Z') })
  expect(await state()).toEqual(['1', '2026-05-03T10:00:00.000Z'])
})

test('keys are found by computer, MAC address, license and their last characters', async () => {
  await using world = await newWorld()
  const holder = await world.member()
  const { license, key } = await heldKey(world, holder, { key: { key: '65410-0010-SECRET-PART-F7K2Q', seats: 5 } })
  const other = await newKey(world, license.id, { key: '65410-0010-SECRET-PART-ZZZZZ' })
  for (const day of [1, 2, 3, 4]) {
    const requestedAt = new Date(Date.UTC(2026, 2, day))
    await newKeyDevice(world, key.id, { pcName: `HR-${day}`, requestedAt, ...(day === 4 && { macAddress: mac }) })
  }
  const found = async (keyWord: string) => {
    const { list, total } = (await world.as(holder).send(searchKeys, { query: { keyWord } })).body
    expect(total).toBe(list.length)
    return list
  }

  expect(await found('hr-')).toEqual([
    {
      code: key.id,
      activationKey: '65410-0010*************F7K2Q',
      codeStatus: 'active',
      seats: 5,
      activeDevices: 4,
      licenseId: license.id,
      productName: expect.stringMatching(/^Product /),
      computers: ['HR-4', 'HR-3', 'HR-2'],
      foundDevices: 4,
    },
  ])
  expect(await found('3c0630')).toMatchObject([{ code: key.id, computers: ['HR-4'], foundDevices: 1 }])
  expect(await found('f7k2q')).toMatchObject([{ code: key.id, computers: [], foundDevices: 0 }])
  expect(await found('65410-0010-secret-part-zzzzz')).toMatchObject([{ code: other.id }])
  expect((await found(license.id)).map(({ code }) => code)).toEqual([key.id, other.id])
  expect(await found('missing')).toEqual([])
})

test('nobody can guess the hidden part of a key with the search', async () => {
  await using world = await newWorld()
  const holder = await world.member()
  await heldKey(world, holder, { key: { key: '65410-0011-SECRET-PART-F7K2Q' } })
  for (const keyWord of ['T-F7K2Q', 'SECRET', 'PART-F7K2Q', '65410-0011-S', '2Q', '%', '_7K2Q']) {
    const { status, body } = await world.as(holder).send(searchKeys, { query: { keyWord } })
    expect([keyWord, status, body.total]).toEqual([keyWord, 200, 0])
  }
  expect((await world.as(holder).send(searchKeys, { query: { keyWord: ' ' } })).status).toBe(422)
})

test("only the Holder finds a license's keys", async () => {
  await using world = await newWorld()
  const [holder, contact, outsider] = [await world.member(), await world.member(), await world.member()]
  const { license, key } = await heldKey(world, holder)
  await newContact(world, license.id, contact, { relationship: 'Contact' })
  await newKeyDevice(world, key.id, { pcName: 'HR-PC' })
  const total = async (who: typeof holder) =>
    (await world.as(who).send(searchKeys, { query: { keyWord: 'hr-pc' } })).body.total

  expect([await total(contact), await total(outsider), await total(holder)]).toEqual([0, 0, 1])

  const { id: subscriptionId } = await newSubscription(world, holder)
  const ofSubscription = await newLicense(world, { subscriptionId })
  await newKeyDevice(world, (await newKey(world, ofSubscription.id)).id, { pcName: 'HR-PC' })
  expect([await total(contact), await total(outsider), await total(holder)]).toEqual([0, 0, 2])
})

test('the devices of a key are searched too, and a deactivation answers the same list', async () => {
  await using world = await newWorld()
  const holder = await world.member()
  const { key } = await heldKey(world, holder, { key: { seats: 5 } })
  const hr = await newKeyDevice(world, key.id, { pcName: 'HR-PC' })
  await newKeyDevice(world, key.id, { pcName: 'STUDIO' })
  const query = { code: key.id, keyWord: 'hr' }

  const { body } = await world.as(holder).send(listKeyDevices, { query })
  expect([body.total, body.activeDevices, body.log.map(({ pcName }) => pcName)]).toEqual([1, 2, ['HR-PC']])
  const after = await world.as(holder).send(deactivateKeyDevice, { params: { id: hr.id }, body: query })
  expect(after.body).toMatchObject({ total: 1, activeDevices: 1, log: [{ status: 1 }] })
  expect(after.body.log[0]?.inactiveSince).toBe(world.deps.clock().toISOString())
})
