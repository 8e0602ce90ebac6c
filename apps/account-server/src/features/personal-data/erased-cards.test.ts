import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cardVendor } from '../../test/card-billing.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { typedPurchase } from '../../test/typed-purchase.ts'
import { orders } from '../orders/orders.tables.ts'
import { providerCustomers } from '../payments/customers/customers.tables.ts'
import { providerOperations } from '../payments/operations/operations.tables.ts'
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

test('so does one that only a purchase there has proven, since others may have entered cards there', async () => {
  await using world = await typedPurchase(sandbox)
  const { db, stripe, buyer, sid, customerId, otherCustomer, otherCard } = world
  await stripe.subscriptions.update(sid, { metadata: { memberId: buyer.id } })
  await world.sync(sid)
  expect((await world.payWithOwn()).status).toBe(200)
  await stripe.subscriptions.cancel(sid)
  await world.sync(sid)
  await db.update(orders).set({ origin: 'imported' }).where(eq(orders.memberId, buyer.id))

  const secret = 'a secret of at least 32 characters'
  const asked = { email: buyer.email, secret, pastDueDays: 21, dryRun: false, now: world.deps.clock() }
  expect(await eraseMember(db, asked)).toMatchObject({ deleted: [customerId], detached: [otherCustomer] })
  await world.reconcileAfter(60)
  const { data } = await stripe.paymentMethods.list({ customer: otherCustomer, type: 'card' })
  expect(data.map(({ id }) => id)).toEqual([otherCard])
})

test.each(['ours', 'address'] as const)(
  'a customer (%s) that the vendor has deleted at the provider is forgotten: nothing is asked for there, or said of it',
  async (proof) => {
    await using world = await cardVendor(sandbox)
    const { deps, db, buyer, customerId } = world
    const { stripe } = sandbox
    const { id: gone } = await stripe.customers.create({ email: buyer.email })
    const link = { customerId: gone, memberId: buyer.id, proof, isMain: false, createdAt: deps.clock() }
    await db.insert(providerCustomers).values({ ...link, isDeleted: true })
    await stripe.customers.del(gone)

    const secret = 'a secret of at least 32 characters'
    const asked = { email: buyer.email, secret, pastDueDays: 21, dryRun: false, now: deps.clock() }
    expect(await eraseMember(db, asked)).toMatchObject({ kind: 'erased', deleted: [customerId], detached: [] })
    await world.reconcileAfter(60)
    expect(await db.$count(providerCustomers, eq(providerCustomers.memberId, buyer.id))).toBe(0)
    const { memberId, kind, status } = providerOperations
    const isDeletion = and(eq(memberId, buyer.id), eq(kind, 'customer.delete'))
    expect(await db.select({ status }).from(providerOperations).where(isDeletion)).toEqual([{ status: 'succeeded' }])
    expect(await stripe.customers.retrieve(customerId)).toMatchObject({ deleted: true })
  },
)
