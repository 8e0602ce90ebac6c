import { seatTypes } from '@atrium/contract/seat-types.ts'
import { and, eq, isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newSeat, newSubscription } from '../../../test/factories.ts'
import { newWorld } from '../../../test/world.ts'
import { mailQueue } from '../../mail/mail.writes.ts'
import { sendReminders } from '../reminders.jobs.ts'
import { seats } from '../seats.tables.ts'
import { subscriptions } from '../subscriptions.tables.ts'
import { reassignPurchases } from './reassign.writes.ts'

test('a colleague who is the Owner from now on has the Owner’s seat alone, and the others keep theirs', async () => {
  await using world = await newWorld()
  const [before, next, colleague] = [await world.member(), await world.member(), await world.member()]
  const { id } = await newSubscription(world, before, { userCount: 5 })
  for (const { id: memberId, email } of [next, colleague]) await newSeat(world, id, { memberId, email })
  const rows = await world.db.select().from(subscriptions).where(eq(subscriptions.id, id))
  await world.db.transaction((tx) =>
    reassignPurchases(tx, { rows, memberId: next.id, proof: 'vendor', now: world.deps.clock() }),
  )

  const held = await world.db
    .select({ memberId: seats.memberId, type: seats.type })
    .from(seats)
    .where(and(eq(seats.subscriptionId, id), isNull(seats.removedAt)))
  expect(new Map(held.map(({ memberId, type }) => [memberId, type]))).toEqual(
    new Map([
      [next.id, seatTypes.owner],
      [colleague.id, seatTypes.member],
    ]),
  )
  expect(held).toHaveLength(2)
})

const renewing = {
  status: 'active',
  origin: 'online',
  channel: 'card',
  term: 'yearly',
  price: 24000,
  currency: 'USD',
} as const
const ending = { ...renewing, channel: 'invoice', term: null, price: null, currency: null, autoRenew: false } as const

test.each([
  ['a yearly charge', { ...renewing, providerId: 'sub_reminded', customerId: 'cus_reminded' }],
  ['an end', ending],
])('the Owner from now on is reminded of %s, of which the one before was reminded', async (_, is) => {
  await using world = await newWorld({ now: '2026-06-01T00:00:00Z' })
  const [before, next] = [await world.member(), await world.member()]
  const { id } = await newSubscription(world, before, {
    ...{ periodStart: new Date('2025-06-21T00:00:00Z'), periodEnd: new Date('2026-06-21T00:00:00Z') },
    ...is,
  })
  const reminded = async () => {
    await sendReminders(world.deps)
    return world.sent.splice(0).flatMap(({ queue, data }) => (queue === mailQueue ? [Object(data).to] : []))
  }
  expect(await reminded()).toEqual([before.email])
  const rows = await world.db.select().from(subscriptions).where(eq(subscriptions.id, id))
  const now = world.deps.clock()
  await world.db.transaction((tx) => reassignPurchases(tx, { rows, memberId: next.id, proof: null, now }))
  expect(await reminded()).toEqual([next.email])
  expect(await reminded()).toEqual([])
})
