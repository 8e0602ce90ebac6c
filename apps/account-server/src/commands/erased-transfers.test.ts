import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { orders } from '../features/orders/orders.tables.ts'
import { eraseMember } from '../features/personal-data/erase-member.service.ts'
import { sandboxOfFile } from '../test/sandbox-of-file.ts'
import { withdrawable } from '../test/withdrawn.ts'

const sandbox = await sandboxOfFile()
const { stripe } = sandbox

/** Somebody who has paid a year by card, which they transfer. */
async function transferring() {
  const world = await withdrawable(sandbox)
  const { db, deps, buyer, customerId } = world
  return {
    ...world,
    /** The Owner before is erased, and so is their customer at the provider. */
    async erase(at = new Date()) {
      world.at(at)
      await db.update(orders).set({ origin: 'imported' }).where(eq(orders.memberId, buyer.id))
      const asked = { email: buyer.email, secret: 'a secret of at least 32 characters', pastDueDays: 21, dryRun: false }
      expect(await eraseMember(db, { ...asked, now: deps.clock() })).toMatchObject({ deleted: [customerId] })
      await world.reconcileAfter(60)
      expect(await stripe.customers.retrieve(customerId)).toMatchObject({ deleted: true })
      await world.sync(world.id)
    },
  }
}

test.each(['before', 'after'] as const)(
  'the erasure of who had a year takes nothing of it from whom they gave it to, of which a part was given back %s that',
  async (when) => {
    await using world = await transferring()
    if (when === 'before') await world.refund({ percent: 50 })
    await world.move()
    if (when === 'after') await world.refund({ percent: 50 })
    const moved = await world.stored(world.id)
    await world.erase()
    expect(await world.stored(world.id)).toEqual(moved)
  },
)

test('what the vendor had ended at the provider before the erasure ends all the same once it is given back', async () => {
  await using world = await transferring()
  await world.move()
  await stripe.subscriptions.cancel(world.id)
  await world.erase(new Date(Date.now() + 5000))
  expect(await world.status()).toBe('active')
  await world.refund()
  expect(await world.status()).toBe('canceled')
})
