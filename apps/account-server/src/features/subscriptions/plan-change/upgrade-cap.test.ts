import * as contract from '@atrium/contract/plan-changes.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cardVendor } from '../../../test/card-billing.ts'
import { newSubscription } from '../../../test/factories.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { products } from '../../catalog/catalog.tables.ts'
import { subscriptions } from '../subscriptions.tables.ts'

const sandbox = await sandboxOfFile()

const type = 'switch-to-business-billing'

/** Three seats that may become Business, of which a customer may have five in all. */
async function cappedUpgrade() {
  const world = await cardVendor(sandbox, { hasOwnCatalog: true })
  const id = await world.buy({ quantity: 3 })
  const { code: productCode } = world.business
  await world.db
    .update(products)
    .set({ cap: { cap: 5, scope: 'member' } })
    .where(eq(products.code, productCode))
  const upgrade = () => world.as(world.buyer).send(contract.changePlanFrom, { body: { sid: id, type } })
  return { ...world, productCode, upgrade }
}

test('an upgrade counts what the customer has elsewhere of a product that is capped by customer', async () => {
  await using world = await cappedUpgrade()
  const { productCode } = world
  // Another customer's count for nothing, nor does what has ended.
  await newSubscription(world, await world.member(), { productCode, userCount: 4 })
  await newSubscription(world, world.buyer, { productCode, userCount: 4, status: 'canceled' })
  const { id } = await newSubscription(world, world.buyer, { productCode, userCount: 2 })
  expect(await world.upgrade()).toMatchObject({ status: 200, body: { quote: { after: { userCount: 3 } } } })

  await world.db.update(subscriptions).set({ userCount: 3 }).where(eq(subscriptions.id, id))
  expect(await world.upgrade()).toMatchObject({ status: 409, body: { code: 'quantity_exceeded' } })
})

test('a cap of each subscription looks at this one alone', async () => {
  await using world = await cappedUpgrade()
  const { productCode } = world
  await world.db
    .update(products)
    .set({ cap: { cap: 3, scope: 'subscription' } })
    .where(eq(products.code, productCode))
  await newSubscription(world, world.buyer, { productCode, userCount: 3 })
  expect((await world.upgrade()).status).toBe(200)
  await world.db
    .update(products)
    .set({ cap: { cap: 2, scope: 'subscription' } })
    .where(eq(products.code, productCode))
  expect((await world.upgrade()).body.code).toBe('quantity_exceeded')
})
