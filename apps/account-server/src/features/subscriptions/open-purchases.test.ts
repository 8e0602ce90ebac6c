import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newSubscription } from '../../test/factories.ts'
import { newWorld, type TestMember } from '../../test/world.ts'
import { products } from '../catalog/catalog.tables.ts'
import { providerOperations } from '../payments/operations/operations.tables.ts'
import { ofOpenPurchase, openPurchases } from './open-purchases.queries.ts'
import { subscriptions } from './subscriptions.tables.ts'

test('a purchase that waits is the Owner’s own: that of an Owner before is no part of the subscription', async () => {
  await using world = await newWorld()
  const [before, owner] = [await world.member(), await world.member()]
  const subscription = await newSubscription(world, owner)
  const begin = async ({ id: memberId }: TestMember, createdAt: Date) => {
    const kind = 'subscription.change_by_order' as const
    const due = { createdAt, nextCheckAt: new Date('2026-06-01T00:00:00Z') }
    await world.db.insert(providerOperations).values({
      ...{ memberId, provider: 'paypal', kind, subject: subscription.id, input: {} },
      ...{ status: 'requires_action', requestId: 'r', ...due },
    })
  }
  const payer = async () => {
    const value = sql<string>`${openPurchases.memberId}`
    const [row] = await world.db
      .select({ payer: ofOpenPurchase({ kinds: ['subscription.change_by_order'], value }) })
      .from(subscriptions)
      .innerJoin(products, eq(products.code, subscriptions.productCode))
      .where(eq(subscriptions.id, subscription.id))
    return row?.payer
  }

  await begin(owner, new Date('2026-05-01T00:00:00Z'))
  await begin(before, new Date('2026-05-02T00:00:00Z'))
  expect(await payer()).toBe(owner.id)
  await world.db.delete(providerOperations).where(eq(providerOperations.memberId, owner.id))
  expect(await payer()).toBeNull()
})
