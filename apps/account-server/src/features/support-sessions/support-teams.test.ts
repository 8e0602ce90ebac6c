import { searchAccount } from '@atrium/contract/search.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import { listSubscriptions } from '@atrium/contract/subscriptions.ts'
import { expect, test } from 'vitest'
import { newProduct, newSeat, newSubscription } from '../../test/factories.ts'
import { supportIn } from '../../test/support.ts'
import { newWorld, type TestMember } from '../../test/world.ts'

type World = Awaited<ReturnType<typeof newWorld>>

const colleague = 'colleague@hollins.test'

async function teamOf(world: World, owner: TestMember) {
  const { code: productCode } = await newProduct(world)
  const team = await newSubscription(world, owner, { productCode, userCount: 5 })
  await newSeat(world, team.id, { email: colleague })
  return team
}

async function seenBySupport(world: World, member: TestMember, teamId: string) {
  const cookie = await supportIn(world, member)
  const ask = async (url: string) => {
    const reply = await world.request({ method: 'GET', url: `/support${url}`, headers: { cookie } })
    return { status: reply.statusCode, body: reply.body, json: reply.json() }
  }
  const users = await ask(`/account/subscriptions/${teamId}/users/`)
  const found = searchAccount.reply.parse((await ask('/account/search/?keyWord=colleague')).json)
  const listed = listSubscriptions.reply.parse((await ask('/account/subscription/')).json).list
  return { users, found: found.users, manageBy: listed.map(({ manageBy }) => manageBy) }
}

test.each([
  ['Setup Admin', seatTypes.setupAdmin],
  ['Admin', seatTypes.admin],
  ['Member', seatTypes.member],
])('a grant of a %s opens nothing of the Owner’s team', async (_name, type) => {
  await using world = await newWorld()
  const [owner, member] = [await world.member(), await world.member()]
  const team = await teamOf(world, owner)
  await newSeat(world, team.id, { email: member.email, memberId: member.id, type })

  const seen = await seenBySupport(world, member, team.id)
  expect([seen.users.status, seen.users.json.code]).toEqual([403, 'not_manager'])
  expect(seen.users.body).not.toContain(colleague)
  expect([seen.found, seen.manageBy]).toEqual([[], ['none']])
})

test('a grant of the Owner opens their team, and a Setup Admin still manages it', async () => {
  await using world = await newWorld()
  const [owner, setupAdmin] = [await world.member(), await world.member()]
  const team = await teamOf(world, owner)
  const { email, id: memberId } = setupAdmin
  await newSeat(world, team.id, { email, memberId, type: seatTypes.setupAdmin })

  const seen = await seenBySupport(world, owner, team.id)
  expect([seen.users.status, seen.found.length, seen.manageBy]).toEqual([200, 1, ['team']])
  expect(seen.users.body).toContain(colleague)
  const own = await world.as(setupAdmin).send(searchAccount, { query: { keyWord: 'colleague' } })
  expect(own.body.users).toHaveLength(1)
  expect((await world.as(setupAdmin).send(listSubscriptions, { query: {} })).body.list[0]?.manageBy).toBe('team')
})
