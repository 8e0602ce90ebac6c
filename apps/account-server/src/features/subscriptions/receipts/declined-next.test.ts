import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newSubscription } from '../../../test/factories.ts'
import { newWorld } from '../../../test/world.ts'
import { subscriptions } from '../subscriptions.tables.ts'
import { forgetDeclines } from './declined-next.ts'

test('a card that has paid is no longer held to be declined: that card, of that member, if it was declined before', async () => {
  await using world = await newWorld()
  const [payer, other] = [await world.member(), await world.member()]
  const declined = (cardId: string, at: string) => ({ lastDecline: { cardId, brand: 'visa', last4: '0341', at } })
  const [before, after] = ['2026-05-01T00:00:00.000Z', '2026-05-03T00:00:00.000Z']
  const [paid, later, another, foreign] = [
    await newSubscription(world, payer, declined('pm_1', before)),
    await newSubscription(world, payer, declined('pm_1', after)),
    await newSubscription(world, payer, declined('pm_2', before)),
    await newSubscription(world, other, declined('pm_1', before)),
  ]
  const paidAt = '2026-05-02T00:00:00.000Z'
  await world.db.transaction((tx) => forgetDeclines(tx, { memberId: payer.id, cardId: 'pm_1', paidAt }))

  const isKept = async ({ id }: { id: string }) => {
    const [row] = await world.db.select().from(subscriptions).where(eq(subscriptions.id, id))
    return row?.lastDecline !== null
  }
  const kept = []
  for (const one of [paid, later, another, foreign]) kept.push(await isKept(one))
  expect(kept).toEqual([false, true, true, true])
})
