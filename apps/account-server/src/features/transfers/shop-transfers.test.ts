import { expect, test } from 'vitest'
import { cardTransfer } from '../../test/card-transfer.ts'
import { load } from '../../test/import.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import type { TestMember } from '../../test/world.ts'

const sandbox = await sandboxOfFile()
const dayMs = 86_400_000

/** What the vendor's own shop bills, which says by file how it stands. */
async function shop() {
  const world = await cardTransfer(sandbox, { hasCard: false })
  const subscriptionId = `SHOP-${world.buyer.id}`
  const start = world.deps.clock().getTime()
  const day = (days: number) => new Date(start + days * dayMs).toISOString()
  const sold = { productCode: world.product.code, origin: 'online', channel: 'card', term: 'yearly', currency: 'USD' }
  return {
    ...world,
    subscriptionId,
    /** @param end in days */
    file({ email }: TestMember, end: number) {
      const period = { periodStart: day(end - 365), periodEnd: day(end) }
      const stands = { email, status: 'active', userCount: 3, price: 30_000, autoRenewal: true, ...period }
      return load(world, [{ type: 'subscription', subscriptionId, ...sold, ...stands }])
    },
  }
}

test('what the vendor’s own shop bills is renewed by its file after a transfer, too, and can be transferred again', async () => {
  await using world = await shop()
  const { buyer, recipient, subscriptionId } = world
  await world.file(buyer, 20)
  expect((await world.transfer()).status).toBe(200)
  await world.reconcileAfter(60)
  // The file of before does not give it back.
  expect((await world.file(buyer, 385)).warned).toEqual([])
  expect(await world.stored(subscriptionId)).toMatchObject({ memberId: recipient.id, autoRenew: false })

  expect(await world.file(recipient, 385)).toMatchObject({ refusals: [], warned: [] })
  world.later(25 * 86_400)
  await world.endDue()
  expect(await world.stored(subscriptionId)).toMatchObject({
    memberId: recipient.id,
    status: 'active',
    autoRenew: true,
  })

  world.later(10 * 86_400)
  Object.assign(recipient, { cookie: await world.session(recipient.id) })
  const third = await world.member()
  expect((await world.transferBetween(recipient, third)).status).toBe(200)
  expect(await world.stored(subscriptionId)).toMatchObject({ memberId: third.id, status: 'active' })
})
