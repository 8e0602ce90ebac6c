import { seatTypes } from '@atrium/contract/seat-types.ts'
import { and, eq, isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newSeat, newSubscription } from '../../../test/factories.ts'
import { newWorld } from '../../../test/world.ts'
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
