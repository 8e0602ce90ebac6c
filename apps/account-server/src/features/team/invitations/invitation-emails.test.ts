import { addSubscriptionUsers } from '@atrium/contract/team.ts'
import { expect, test } from 'vitest'
import { newSubscription } from '../../../test/factories.ts'
import { newWorld } from '../../../test/world.ts'

/** Requests of ten addresses each. */
const requests = 3

test('through a mail server that refuses a third of all deliveries, everybody invited gets one email', async () => {
  const tries = new Map<string, number>()
  await using world = await newWorld({
    work: true,
    mailServer({ messageId }) {
      const count = (tries.get(messageId) ?? 0) + 1
      tries.set(messageId, count)
      // Of those that are left, every third once more.
      if (([...tries.keys()].indexOf(messageId) + 1) % 3 ** count === 0) throw new Error('451 try again later')
    },
  })
  const owner = await world.member()
  const { id: sid } = await newSubscription(world, owner, { userCount: 1000 })
  const asked = Array.from({ length: requests }, (_, at) =>
    Array.from({ length: 10 }, (_, index) => `p${at * 10 + index}@${sid}.test`),
  )
  const startedAt = Date.now()
  for (const emailList of asked) {
    const body = { orgCode: 'ORG', emailList, setupType: 'member' as const, type: false, lang: 'en-us' as const }
    expect((await world.as(owner).send(addSubscriptionUsers, { params: { sid }, body })).status).toBe(200)
  }

  const invited = asked.flat().sort()
  await expect
    .poll(() => world.emails.map(({ to }) => to).sort(), { timeout: 180_000 - (Date.now() - startedAt) })
    .toEqual(invited)
  expect(tries.size).toBe(invited.length)
})
