import { deactivateEmailDevice, listEmailDevices } from '@atrium/contract/devices.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newEmailDevice, newSeat, newSubscription } from '../../test/factories.ts'
import { newWorld, type TestMember } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { seats } from '../subscriptions/seats.tables.ts'

type World = Awaited<ReturnType<typeof newWorld>>

async function team(world: World) {
  const [owner, member, outsider] = [await world.member(), await world.member(), await world.member()]
  const subscription = await newSubscription(world, owner)
  const seat = await newSeat(world, subscription.id, { memberId: member.id, email: member.email })
  return { owner, member, outsider, subscription, seat }
}

async function listed(world: World, member: TestMember) {
  const { body } = await world.as(member).send(listEmailDevices, { query: {} })
  return body.licenceList.map(({ licenseId, isDelete }) => [licenseId, isDelete])
}

test('a member sees the devices on their own seats, the Owner sees all devices of the subscription', async () => {
  await using world = await newWorld()
  const { owner, member, outsider, subscription, seat } = await team(world)
  const at = (day: number) => new Date(Date.UTC(2026, 4, day))
  const theirs = await newEmailDevice(world, seat.id, { updatedAt: at(1) })
  const owners = await newEmailDevice(world, subscription.ownerSeat.id, { updatedAt: at(2) })

  expect(await listed(world, member)).toEqual([[theirs.id, '0']])
  expect(await listed(world, owner)).toEqual([
    [owners.id, '0'],
    [theirs.id, '0'],
  ])
  expect(await listed(world, outsider)).toEqual([])
  const { body } = await world.as(owner).send(listEmailDevices, { query: { pageSize: 1, page: 2 } })
  expect(body).toMatchObject({
    totalNum: 2,
    licenceList: [{ licenseId: theirs.id, email: member.email, subStatus: 'active' }],
  })
})

test('a device is inactive if its seat is gone or holds no license', async () => {
  await using world = await newWorld()
  const { owner, member, seat } = await team(world)
  const device = await newEmailDevice(world, seat.id)
  const set = (values: object) => world.db.update(seats).set(values).where(eq(seats.id, seat.id))

  await set({ isUse: false })
  expect(await listed(world, member)).toEqual([[device.id, '1']])
  await set({ isUse: true })
  expect(await listed(world, member)).toEqual([[device.id, '0']])
  await set({ removedAt: new Date() })
  expect(await listed(world, member)).toEqual([])
  expect(await listed(world, owner)).toEqual([[device.id, '1']])
})

test('the user and the Owner may deactivate a device; for others it does not exist', async () => {
  await using world = await newWorld()
  const { owner, member, outsider, subscription, seat } = await team(world)
  const colleague = await world.member()
  await newSeat(world, subscription.id, { memberId: colleague.id, email: colleague.email, type: 1 })
  const [first, second] = [await newEmailDevice(world, seat.id), await newEmailDevice(world, seat.id)]

  for (const stranger of [outsider, colleague]) {
    const foreign = await world.as(stranger).send(deactivateEmailDevice, { params: { licenceId: first.id } })
    const missing = await world
      .as(stranger)
      .send(deactivateEmailDevice, { params: { licenceId: '00000000-0000-4000-8000-000000000000' } })
    expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
    expect(foreign.status).toBe(404)
  }
  expect(await listed(world, member)).toHaveLength(2)

  expect((await world.as(member).send(deactivateEmailDevice, { params: { licenceId: first.id } })).body.isDelete).toBe(
    '1',
  )
  expect((await world.as(owner).send(deactivateEmailDevice, { params: { licenceId: second.id } })).body.isDelete).toBe(
    '1',
  )
  const again = await world.as(owner).send(deactivateEmailDevice, { params: { licenceId: first.id } })
  const { licenceList } = (await world.as(owner).send(listEmailDevices, { query: {} })).body
  const data = licenceList.find(({ licenseId }) => licenseId === first.id)
  expect([again.status, again.body.code, again.body.data]).toEqual([409, 'device_not_active', data])
  expect(data?.isDelete).toBe('1')
  expect(await world.db.$count(activity, eq(activity.target, first.id))).toBe(1)
})

test('eight concurrent requests deactivate a device once', async () => {
  await using world = await newWorld()
  const { owner, seat } = await team(world)
  const { id } = await newEmailDevice(world, seat.id)
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => world.as(owner).send(deactivateEmailDevice, { params: { licenceId: id } })),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await world.db.$count(activity, eq(activity.target, id))).toBe(1)
})

test('a pending invitation has no devices', async () => {
  await using world = await newWorld()
  const { subscription, outsider } = await team(world)
  const pending = await newSeat(world, subscription.id, {
    memberId: outsider.id,
    email: outsider.email,
    status: 'Pending',
  })
  await newEmailDevice(world, pending.id)
  expect(await listed(world, outsider)).toEqual([])
})
