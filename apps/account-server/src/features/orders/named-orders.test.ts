import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { typedPurchase } from '../../test/typed-purchase.ts'
import type { TestMember } from '../../test/world.ts'
import { addressSubject, signReference } from '../payments/customers/account-reference.rules.ts'
import { providerCustomers } from '../payments/customers/customers.tables.ts'
import { syncInvoices } from './orders.sync.ts'
import { orders } from './orders.tables.ts'

const sandbox = await sandboxOfFile()

const secret = 'a secret that the shop and the account area share'

/** Nothing was transferred. */
const none = { endedForMove: async () => undefined, ownerOf: async () => undefined }

type World = Awaited<ReturnType<typeof typedPurchase>>

const byFile = async ({ db, otherCustomer }: World) => {
  await db.update(providerCustomers).set({ proof: 'vendor' }).where(eq(providerCustomers.customerId, otherCustomer))
}

/** How the customer is somebody else. */
const links: [how: string, link: (world: World) => Promise<void>][] = [
  ['by an address', async () => undefined],
  [
    'by a purchase there',
    async ({ stripe, sid, buyer, sync }) => {
      await stripe.subscriptions.update(sid, { metadata: { memberId: buyer.id } })
      await sync(sid)
    },
  ],
  ['by a file', byFile],
]

/** An invoice for something that is bought once, at a customer who is somebody else, with what the vendor has written to it. */
async function namedInvoice(link: (world: World) => Promise<void>, metadataOf: (named: TestMember) => object) {
  const world = await typedPurchase(sandbox, { SHOP_SIGNING_SECRET: secret })
  const { stripe, otherCustomer: customer, otherCard, db } = world
  await link(world)
  const named = await world.member()
  const metadata = { ...metadataOf(named) }
  const { id } = await stripe.invoices.create({ customer, default_payment_method: otherCard, metadata })
  await stripe.invoiceItems.create({ customer, invoice: id, amount: 4200, currency: 'usd' })
  await stripe.invoices.finalizeInvoice(id)
  await stripe.invoices.pay(id)
  return {
    ...world,
    named,
    hear: () => world.syncInvoice(id),
    takeOver: () => syncInvoices({ ...world.deps, say: () => undefined }, none),
    async owner() {
      const [order] = await db.select().from(orders).where(eq(orders.providerId, id))
      return order?.memberId
    },
  }
}

const byKey = ({ id }: TestMember) => ({ memberId: id })

test.each(links)(
  'what the vendor’s key says of an invoice counts more than whose its customer is %s, however often it is read',
  async (_how, link) => {
    await using world = await namedInvoice(link, byKey)
    const { named } = world
    for (const read of [world.hear, world.hear, world.takeOver, world.hear]) {
      await read()
      expect(await world.owner()).toBe(named.id)
    }
    await world.findPurchases(world.buyer)
    expect(await world.owner()).toBe(named.id)
    expect(await world.ordered(named)).toHaveLength(1)
  },
)

test.each(links)('so it does if a command reads it first, and the customer is somebody else %s', async (_how, link) => {
  await using world = await namedInvoice(link, byKey)
  for (const read of [world.takeOver, world.hear]) {
    await read()
    expect(await world.owner()).toBe(world.named.id)
  }
})

test('so does what the shop has signed', async () => {
  await using world = await namedInvoice(
    async () => undefined,
    ({ email }) => {
      const expiresAt = new Date(Date.now() + 3_600_000)
      return { accountReference: signReference(secret, { subject: addressSubject(email), expiresAt }) }
    },
  )
  for (const read of [world.takeOver, world.hear]) {
    await read()
    expect(await world.owner()).toBe(world.named.id)
  }
})

test('an order that was somebody else’s until the key named its member is theirs with the next event', async () => {
  await using world = await namedInvoice(byFile, byKey)
  await world.hear()
  await world.db.update(orders).set({ memberId: world.buyer.id }).where(eq(orders.memberId, world.named.id))
  await world.hear()
  expect(await world.owner()).toBe(world.named.id)
})

test('a customer to whom the key has written another member’s id first stays theirs, with the invoice', async () => {
  const ofKey = async ({ stripe, otherCustomer, buyer, syncCustomer }: World) => {
    await stripe.customers.update(otherCustomer, { metadata: { memberId: buyer.id } })
    await syncCustomer()
  }
  await using world = await namedInvoice(ofKey, byKey)
  for (const read of [world.hear, world.takeOver]) {
    await read()
    expect(await world.owner()).toBe(world.buyer.id)
  }
})

test('nor does what is written to the customer later move an order that the key has given to its member', async () => {
  await using world = await namedInvoice(async () => undefined, byKey)
  const { stripe, otherCustomer, buyer } = world
  await world.hear()
  await stripe.customers.update(otherCustomer, { metadata: { memberId: buyer.id } })
  await world.syncCustomer()
  await world.hear()
  expect(await world.owner()).toBe(world.named.id)
})
