import { addSubscriptionUsers, removeSubscriptionUser } from '@atrium/contract/team.ts'
import { and, eq, isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newSubscription } from '../../../test/factories.ts'
import { newWorld, type TestMember } from '../../../test/world.ts'
import { seats } from '../../subscriptions/seats.tables.ts'

type World = Awaited<ReturnType<typeof newWorld>>

/** Somebody with a subscription of one seat, from which they invite Setup Admins, who take none. */
async function ownerIn(world: World) {
  const owner = await world.member()
  const { id: sid } = await newSubscription(world, owner, { userCount: 1 })
  return { owner, sid }
}

/** Invites an address, and withdraws that at once. @returns what became of the invitation */
async function inviteAndWithdraw(world: World, { owner, sid }: { owner: TestMember; sid: string }, email: string) {
  const common = { orgCode: 'ORG', lang: 'en-us' as const }
  const invited = await world.as(owner).send(addSubscriptionUsers, {
    params: { sid },
    body: { ...common, emailList: [email], setupType: 'setup-admin', type: true },
  })
  const isOpen = and(eq(seats.subscriptionId, sid), eq(seats.email, email), isNull(seats.removedAt))
  const [seat] = await world.db.select().from(seats).where(isOpen)
  if (seat) {
    const body = { ...common, email, type: 1 as const, setupAdmin: 1 as const, distributionUuid: seat.id }
    expect((await world.as(owner).send(removeSubscriptionUser, { params: { sid }, body })).status).toBe(200)
  }
  return invited.body.results.map(({ result }) => result).join()
}

test('a stranger who invites somebody and withdraws it keeps no other Owner from inviting them', async () => {
  await using world = await newWorld()
  const [stranger, other] = [await ownerIn(world), await ownerIn(world)]
  const email = `colleague@${other.sid}.test`
  const results = []
  for (let round = 0; round < 6; round += 1) results.push(await inviteAndWithdraw(world, stranger, email))
  expect(results).toEqual([...Array(5).fill('invited'), 'too_often'])
  expect(await inviteAndWithdraw(world, other, email)).toBe('invited')
})

test('all Owners together send twenty invitations to an address in a day', async () => {
  await using world = await newWorld()
  const owners = await Promise.all(Array.from({ length: 5 }, () => ownerIn(world)))
  const email = `wanted@${owners[0]?.sid}.test`
  const results = []
  for (const owner of owners) {
    for (let round = 0; round < 5; round += 1) results.push(await inviteAndWithdraw(world, owner, email))
  }
  expect(results).toEqual([...Array(20).fill('invited'), ...Array(5).fill('too_often')])
})
