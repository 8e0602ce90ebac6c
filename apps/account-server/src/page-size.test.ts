import { listEmailDevices, listKeyDevices } from '@atrium/contract/devices.ts'
import { listSubscriptions } from '@atrium/contract/subscriptions.ts'
import { listSubscriptionUsers } from '@atrium/contract/team.ts'
import { expect, test } from 'vitest'
import { heldKey, newEmailDevice, newKeyDevice, newSeat, newSubscription } from './test/factories.ts'
import { newWorld } from './test/world.ts'

const eleven = Array.from({ length: 11 })

/** A member with a subscription of eleven, and what it takes to list eleven of each kind. */
async function fullLists() {
  const world = await newWorld()
  const member = await world.member()
  const { id: sid, ownerSeat } = await newSubscription(world, member, { userCount: 20 })
  const { key } = await heldKey(world, member)
  for (const _ of eleven.slice(1)) {
    await newSubscription(world, member)
    await newSeat(world, sid)
  }
  for (const _ of eleven) {
    await newEmailDevice(world, ownerSeat.id)
    await newKeyDevice(world, key.id)
  }
  return { world, as: world.as(member), sid, code: key.id }
}

test('ten subscriptions, users or devices are on a page', async () => {
  const { world, as, sid, code } = await fullLists()
  await using _world = world

  const subscriptions = (await as.send(listSubscriptions, { query: {} })).body
  const users = (await as.send(listSubscriptionUsers, { params: { sid }, query: {} })).body
  const byEmail = (await as.send(listEmailDevices, { query: {} })).body
  const byKey = (await as.send(listKeyDevices, { query: { code } })).body

  expect([subscriptions.list.length, subscriptions.total]).toEqual([10, 11])
  expect([users.allData.length, users.subscribeDetail.total]).toEqual([10, 11])
  expect([byEmail.licenceList.length, byEmail.totalNum]).toEqual([10, 11])
  expect([byKey.log.length, byKey.total]).toEqual([10, 11])
})
