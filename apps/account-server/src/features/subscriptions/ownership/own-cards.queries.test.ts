import { expect, test } from 'vitest'
import { newWorld, type TestMember } from '../../../test/world.ts'
import { providerOperations } from '../../payments/operations/operations.tables.ts'
import { hasOwnCardAt } from './own-cards.queries.ts'

test('a card at a customer is the own one of whoever has put it on file there, and of nobody else', async () => {
  await using world = await newWorld()
  const { db, deps } = world
  const [one, other] = [await world.member(), await world.member()]
  const now = deps.clock()
  const note = ({ id: memberId }: TestMember, kind: 'card.add' | 'card.remove') =>
    db.insert(providerOperations).values({
      ...{ memberId, provider: 'card', kind, subject: 'pm_own', input: { customerId: 'cus_shared' } },
      ...{ status: 'succeeded', requestId: 'request', createdAt: now, nextCheckAt: now, resolvedAt: now },
    })
  const at = { customerId: 'cus_shared' }
  const has = async () => [await hasOwnCardAt(db, one, at), await hasOwnCardAt(db, other, at)]

  await note(one, 'card.add')
  expect(await has()).toEqual([true, false])
  await note(other, 'card.remove')
  expect(await has()).toEqual([true, false])
  await note(one, 'card.remove')
  expect(await has()).toEqual([false, false])
})
