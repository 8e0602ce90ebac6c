import { listPaymentsBeingChecked } from '@atrium/contract/orders.ts'
import { expect, test } from 'vitest'
import { newOrder } from '../../test/orders.ts'
import { newWorld } from '../../test/world.ts'
import { storeUnmatched } from '../payments/unmatched/unmatched.writes.ts'
import { mayAppear } from './unmatched-orders.ts'

test('what an address alone links appears with what was paid of the same subscription, by the same member', async () => {
  await using world = await newWorld()
  const [member, before] = [await world.member(), await world.member()]
  const appears = (memberId: string) =>
    world.db.transaction((tx) =>
      mayAppear(
        tx,
        { charged: 0, subscriptionId: 'sub_of_both' },
        { owner: { memberId, proof: 'address' }, status: 'OP' },
      ),
    )
  expect(await appears(member.id)).toBe(false)
  await newOrder(world, before, { providerSubscriptionId: 'sub_of_both' })
  expect([await appears(member.id), await appears(before.id)]).toEqual([false, true])
})

test('a payment that is being checked is shown to the member who has paid it, and to nobody else', async () => {
  await using world = await newWorld()
  const [member, other] = [await world.member(), await world.member()]
  const now = world.deps.clock()
  await storeUnmatched(world.db, {
    ...{ provider: 'paypal', kind: 'subscription', objectId: 'I-CHECKED', reason: 'paid_too_little' },
    ...{ customerId: '', email: member.email, memberId: member.id, isProven: true },
    ...{ amount: 1000, currency: 'USD', boughtAt: now, createdAt: now },
  })
  const amounts = async (who: typeof member) =>
    (await world.as(who).send(listPaymentsBeingChecked, {})).body.list.map(({ amount }) => amount)
  expect([await amounts(member), await amounts(other)]).toEqual([[1000], []])
})
