import { expect, test } from 'vitest'
import { newWorld } from '../../../test/world.ts'
import { isDeclined } from './unmatched.queries.ts'
import { storeUnmatched } from './unmatched.writes.ts'

test('what one member says is not theirs says nothing of another', async () => {
  await using world = await newWorld()
  const [ada, grace] = [await world.member(), await world.member()]
  const now = world.deps.clock()
  const object = { provider: 'card', objectId: 'sub_typed' } as const
  await world.db.transaction((tx) =>
    storeUnmatched(tx, {
      ...{ ...object, kind: 'subscription', customerId: 'cus_typed' },
      ...{ reason: 'not_mine', memberId: ada.id, boughtAt: now, createdAt: now },
    }),
  )

  for (const of of [object, { customerId: 'cus_typed' }]) {
    expect(await isDeclined(world.db, { memberId: ada.id, ...of })).toBe(true)
    expect(await isDeclined(world.db, { memberId: grace.id, ...of })).toBe(false)
  }
})
