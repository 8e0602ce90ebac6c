import { acceptInvitation, type InvitationState, readInvitation } from '@atrium/contract/invitations.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { members } from '../../../db/members.tables.ts'
import { newSeat, newSubscription } from '../../../test/factories.ts'
import { newWorld, type TestMember } from '../../../test/world.ts'
import { hashOf, newToken } from '../../session/session.rules.ts'
import { seats } from '../../subscriptions/seats.tables.ts'
import { subscriptions } from '../../subscriptions/subscriptions.tables.ts'
import { invitations } from './invitations.tables.ts'
import { endInvitations } from './invitations.writes.ts'

/** Somebody was invited to a subscription that has another Owner by now. */
async function invited() {
  const world = await newWorld()
  const { db, deps } = world
  const [inviter, owner, person] = [await world.member(), await world.member(), await world.member()]
  const { id: sid } = await newSubscription(world, owner, { userCount: 3 })
  const seat = await newSeat(world, sid, { email: person.email, status: 'Pending', isUse: false })
  const token = newToken()
  const sent = { seatId: seat.id, subscriptionId: sid, email: person.email, invitedBy: inviter.id }
  await db.insert(invitations).values({ ...sent, tokenHash: hashOf(token), sentAt: deps.wallClock() })
  return {
    ...world,
    ...{ inviter, owner, person, sid, seat },
    read: async () => (await world.visitor.send(readInvitation, { body: { token } })).body,
    accept: (who: TestMember) => world.as(who).send(acceptInvitation, { body: { token } }),
    change: (values: Partial<typeof seats.$inferInsert>) => db.update(seats).set(values).where(eq(seats.id, seat.id)),
  }
}

type World = Awaited<ReturnType<typeof invited>>

const ends: readonly [InvitationState, (world: World) => Promise<unknown>][] = [
  ['withdrawn', ({ change, deps }) => change({ removedAt: deps.clock() })],
  ['lapsed', ({ change }) => change({ invitedAt: new Date('2026-01-01') })],
  ['replaced', ({ db, seat }) => db.transaction((tx) => endInvitations(tx, seat.id, 'replaced'))],
  ['accepted', ({ accept, person }) => accept(person)],
  ['ended', ({ db, sid }) => db.update(subscriptions).set({ status: 'canceled' }).where(eq(subscriptions.id, sid))],
]

test.each(ends)('a link that is %s names neither who invited nor the Owner', async (state, end) => {
  await using world = await invited()
  expect(await world.read()).toMatchObject({ state: 'open', inviterEmail: world.inviter.email })
  await end(world)
  expect(await world.read()).toMatchObject({ state, inviterName: '', inviterEmail: '', email: world.person.email })
})

test('of who invited and was erased, the Owner stands in, and the link that can be accepted names them', async () => {
  await using world = await invited()
  const erased = { erasedAt: world.deps.clock(), email: `${world.inviter.id}@invalid` }
  await world.db.update(members).set(erased).where(eq(members.id, world.inviter.id))
  expect(await world.read()).toMatchObject({ state: 'open', inviterEmail: world.owner.email, type: seatTypes.member })
})
