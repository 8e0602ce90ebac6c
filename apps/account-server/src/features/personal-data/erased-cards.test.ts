import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cardVendor } from '../../test/card-billing.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { typedPurchase } from '../../test/typed-purchase.ts'
import type { TestMember } from '../../test/world.ts'
import { orders } from '../orders/orders.tables.ts'
import { addressSubject, signReference } from '../payments/customers/account-reference.rules.ts'
import { providerCustomers } from '../payments/customers/customers.tables.ts'
import { linkCustomers } from '../payments/customers/customers.writes.ts'
import { providerOperations } from '../payments/operations/operations.tables.ts'
import { unmatchedPurchases } from '../payments/unmatched/unmatched.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { eraseMember } from './erase-member.service.ts'

const sandbox = await sandboxOfFile()

const secret = 'a secret of at least 32 characters'
const shopSecret = 'a secret that the shop and the account area share'

test('a customer that an address alone made theirs stays at the provider, without the cards that they put on file there', async () => {
  await using world = await typedPurchase(sandbox)
  const { db, stripe, buyer, otherCustomer, otherCard } = world
  expect((await world.payWithOwn()).status).toBe(200)
  await stripe.subscriptions.cancel(world.sid)
  await world.sync(world.sid)
  await db.update(orders).set({ origin: 'imported' }).where(eq(orders.memberId, buyer.id))

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

/** What the vendor has sold to somebody else at a customer whom a file says a member is. */
async function sharedCustomer(metadataOf: (other: TestMember) => Record<string, string>) {
  const world = await cardVendor(sandbox, { settings: { SHOP_SIGNING_SECRET: shopSecret } })
  const { stripe } = sandbox
  const { buyer, db, deps, product } = world
  const other = await world.member()
  const { id: shared } = await stripe.customers.create({ email: buyer.email })
  const link = { customerId: shared, memberId: buyer.id, proof: 'vendor' } as const
  await db.transaction((tx) => linkCustomers(tx, [link], deps.clock()))
  const { id: card } = await stripe.paymentMethods.attach('pm_card_mastercard', { customer: shared })
  const [price] = (await stripe.prices.list({ lookup_keys: [`${product.code.toLowerCase()}-yearly-usd`] })).data
  const bought = { customer: shared, items: [{ price: price?.id ?? '' }], default_payment_method: card }
  const { id } = await stripe.subscriptions.create({ ...bought, metadata: metadataOf(other) })
  world.at(new Date())
  // The second reading gives what the first one has made the customer's to whom it names.
  for (const _ of [1, 2]) await world.sync(id)
  return { ...world, other, shared, id }
}

const words: [who: string, metadataOf: (other: TestMember) => Record<string, string>][] = [
  ['the vendor’s key', ({ id }) => ({ memberId: id })],
  [
    'the shop',
    ({ email }) => {
      const expiresAt = new Date(Date.now() + 3_600_000)
      return { accountReference: signReference(shopSecret, { subject: addressSubject(email), expiresAt }) }
    },
  ],
]

test.each(words)(
  'a customer at which a subscription runs that %s says is somebody else’s stays, and is named, in a dry run too',
  async (_who, metadataOf) => {
    await using world = await sharedCustomer(metadataOf)
    const { stripe } = sandbox
    const { db, buyer, other, shared, customerId, id } = world
    const asked = { email: buyer.email, secret, pastDueDays: 21, dryRun: true, now: world.deps.clock() }
    const outcome = { kind: 'erased', deleted: [customerId], detached: [], shared: [shared] }
    expect(await eraseMember(db, asked)).toMatchObject(outcome)
    expect(await eraseMember(db, { ...asked, dryRun: false })).toMatchObject(outcome)
    await world.reconcileAfter(60)
    expect(await stripe.customers.retrieve(customerId)).toMatchObject({ deleted: true })
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' })
    await world.sync(id)
    const rows = await db.select().from(subscriptions).where(eq(subscriptions.providerId, id))
    expect(rows).toMatchObject([{ memberId: other.id, status: 'active' }])
  },
)

test('so does one at which a subscription waits that nobody here has', async () => {
  await using world = await cardVendor(sandbox)
  const { buyer, db, customerId } = world
  const now = world.deps.clock()
  const waiting = {
    provider: 'card',
    kind: 'subscription',
    objectId: `sub_${customerId}`,
    reason: 'no_member',
  } as const
  await db.insert(unmatchedPurchases).values({ ...waiting, customerId, boughtAt: now, createdAt: now })
  const asked = { email: buyer.email, secret, pastDueDays: 21, dryRun: false, now }
  expect(await eraseMember(db, asked)).toMatchObject({ deleted: [], shared: [customerId] })
})

test('one at which somebody else’s subscription has ended is deleted', async () => {
  await using world = await sharedCustomer(({ id }) => ({ memberId: id }))
  const { buyer, shared, id } = world
  await sandbox.stripe.subscriptions.cancel(id)
  await world.sync(id)
  const asked = { email: buyer.email, secret, pastDueDays: 21, dryRun: false, now: world.deps.clock() }
  const outcome = await eraseMember(world.db, asked)
  expect(outcome).toMatchObject({ detached: [], shared: [], deleted: expect.arrayContaining([shared]) })
})
