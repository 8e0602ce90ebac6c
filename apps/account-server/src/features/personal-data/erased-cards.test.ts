import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { typedPurchase } from '../../test/typed-purchase.ts'
import { orders } from '../orders/orders.tables.ts'
import { eraseMember } from './erase-member.service.ts'

const sandbox = await sandboxOfFile()

test('a customer that an address alone made theirs stays at the provider, without the cards that they put on file there', async () => {
  await using world = await typedPurchase(sandbox)
  const { db, stripe, buyer, otherCustomer, otherCard } = world
  expect((await world.payWithOwn()).status).toBe(200)
  await stripe.subscriptions.cancel(world.sid)
  await world.sync(world.sid)
  await db.update(orders).set({ origin: 'imported' }).where(eq(orders.memberId, buyer.id))

  const secret = 'a secret of at least 32 characters'
  const asked = { email: buyer.email, secret, pastDueDays: 21, dryRun: false, now: world.deps.clock() }
  const { customerId } = world
  expect(await eraseMember(db, asked)).toMatchObject({
    ...{ kind: 'erased', deleted: [customerId], detached: [otherCustomer] },
  })
  await world.reconcileAfter(60)
  expect(await stripe.customers.retrieve(customerId)).toMatchObject({ deleted: true })
  expect(await stripe.customers.retrieve(otherCustomer)).toMatchObject({ email: buyer.email })
  const { data } = await stripe.paymentMethods.list({ customer: otherCustomer, type: 'card' })
  expect(data.map(({ id }) => id)).toEqual([otherCard])
})
