import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { linkCustomerCommand } from '../../../commands/link-customer.ts'
import { members } from '../../../db/members.tables.ts'
import type { Deps } from '../../../deps.ts'
import { paypalVendor } from '../../../test/paypal.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { typedPurchase } from '../../../test/typed-purchase.ts'
import { addresses } from '../../addresses/addresses.tables.ts'
import { orders } from '../../orders/orders.tables.ts'
import { syncSale } from '../paypal-subscriptions.sync.ts'
import { findPurchases } from '../purchases.sync.ts'

const sandbox = await sandboxOfFile()

/** A member with a company, and an address that is nobody else's business. */
async function settle({ db }: Pick<Deps, 'db'>, memberId: string) {
  await db.update(members).set({ company: 'Secret GmbH' }).where(eq(members.id, memberId))
  const place = { street: 'Secret Lane 9', city: 'Berlin', zip: '10623', state: 'BE', country: 'DE', isDefault: true }
  const names = { firstName: 'Ada', lastName: 'Secret', contactEmail: 'secret@atrium.example' }
  await db.insert(addresses).values({ memberId, ...place, ...names, createdAt: new Date() })
}

const buyersOf = async ({ db }: Pick<Deps, 'db'>, memberId: string) =>
  JSON.stringify(
    await db
      .select({ buyer: orders.buyer })
      .from(orders)
      .where(eq(orders.memberId, memberId))
      .orderBy(orders.orderNumber),
  )

test('who pays by card with somebody’s address, and gets the purchase later, reads nothing of that person', async () => {
  await using world = await typedPurchase(sandbox)
  const payer = await world.member()
  await settle(world, world.buyer.id)
  await world.subscribe()
  await findPurchases(world.deps, world.buyer.id)
  await world.stripe.customers.update(world.otherCustomer, { metadata: { memberId: payer.id } })
  await world.syncCustomer()
  await findPurchases(world.deps, payer.id)
  expect(await world.ordered(payer)).toHaveLength(3)
  expect(await buyersOf(world, payer.id)).not.toContain('Secret')
})

test('nor does who pays at PayPal', async () => {
  await using world = await paypalVendor(sandbox)
  const payer = await world.member()
  await settle(world, world.buyer.id)
  const id = await world.buy({ customId: world.buyer.email })
  await world.sync(id)
  const [objectId = ''] = await world.sales(id)
  await syncSale(world.deps, objectId)
  expect(await world.ordered()).toHaveLength(1)
  const run = linkCustomerCommand((_db, go) => go(world.deps.jobs)).prepare([payer.email, id])
  await run?.(world.db, () => undefined, { ...world.config, PAST_DUE_DAYS: 21, now: world.deps.clock() })
  const [order] = await world.db.select().from(orders).where(eq(orders.memberId, payer.id))
  expect(order?.providerId).toBe(objectId)
  expect(await buyersOf(world, payer.id)).not.toContain('Secret')
})
