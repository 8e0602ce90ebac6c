import { enablePooling } from '@atrium/contract/envelope-sharing.ts'
import * as contract from '@atrium/contract/plan-changes.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cardVendor } from '../../../test/card-billing.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { addresses } from '../../addresses/addresses.tables.ts'
import { products } from '../../catalog/catalog.tables.ts'
import { changeQuotes } from './change-quotes.tables.ts'

const sandbox = await sandboxOfFile()

const flagged = (world: Awaited<ReturnType<typeof cardVendor>>, flags: (typeof products.$inferSelect)['flags']) =>
  world.db.update(products).set({ flags }).where(eq(products.code, world.product.code))

test('more storage is bought in TB: the charge is what was shown, and nobody gets a seat', async () => {
  await using world = await cardVendor(sandbox, { hasOwnCatalog: true })
  await flagged(world, ['storage'])
  const id = await world.buy({ quantity: 2 })
  const as = world.as(world.buyer)
  const asked = { type: 'buy-more', increasingNumber: 3 } as const

  const { body: detail } = await as.send(contract.changePlanFrom, { body: { sid: id, ...asked } })
  expect(detail).toMatchObject({ storageCapacity: 2, quote: { after: { storageCapacity: 5, userCount: 1 } } })
  const { quoteId, chargeAmount } = detail.quote
  const paid = await as.send(contract.changePlan, { body: { subscriptionId: id, ...asked, quoteId } })

  expect(paid).toMatchObject({ status: 200, body: { chargeAmount, increasedNumber: 3 } })
  expect(await world.listed()).toMatchObject([{ storageCapacity: 5, userCount: 1, price: 5000 }])
})

test('the detail of a dialog has what is paid now, and the products to choose from', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const body = { sid: id, type: 'switch-to-business-billing' } as const
  const { body: detail } = await world.as(world.buyer).send(contract.changePlanFrom, { body })

  expect(detail).toMatchObject({
    ...{ stripeSubscriptionId: id, appCode: world.product.code, appName: world.product.name },
    ...{ skuName: world.product.skuName, email: world.buyer.email, payType: 'card', currency: 'USD' },
    ...{ paidType: 'monthly', userCount: 3, storageCapacity: 0, esignConnectors: 0 },
    ...{ upgrades: [{ appCode: world.business.code, appName: world.business.name }] },
    ...{ upgradeAppCode: world.business.code, quote: { after: { appCode: world.business.code } } },
  })
})

test('a detail has the price of one, that of all, and the country of the default billing address, which nobody can send', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const as = world.as(world.buyer)
  const body = { sid: id, type: 'buy-more', increasingNumber: 2, billingCountry: 'JP' } as const
  const { body: without } = await as.send(contract.changePlanFrom, { body })
  expect(without).toMatchObject({ billingCountry: '', price: 1000, totalPrice: 2000 })

  const place = { street: 'Kantstraße 24', city: 'Berlin', zip: '10623', state: 'BE', country: 'DE', isDefault: true }
  const named = { firstName: 'Ada', lastName: 'Lindqvist', contactEmail: 'billing@acme.test' }
  await world.db.insert(addresses).values({ memberId: world.buyer.id, ...place, ...named, createdAt: new Date() })
  const { body: detail } = await as.send(contract.changePlanFrom, { body })
  expect(detail.billingCountry).toBe('DE')
  const { quoteId } = detail.quote
  const paid = await as.send(contract.changePlan, {
    body: { subscriptionId: id, type: 'buy-more', increasingNumber: 2, quoteId },
  })
  expect(paid.body).toMatchObject({ increasedNumber: 2, price: detail.quote.after.price })
})

test('connectors are not sold until envelope sharing is enabled', async () => {
  await using world = await cardVendor(sandbox, { hasOwnCatalog: true })
  await flagged(world, ['connectable', 'envelopeSharing'])
  const id = await world.buy()
  const as = world.as(world.buyer)
  const quote = () => as.send(contract.changePlanFrom, { body: { sid: id, type: 'buy-connector' } })

  expect(await quote()).toMatchObject({ status: 409, body: { code: 'pooling_required' } })
  await as.send(enablePooling, { body: { sid: id } })
  expect((await quote()).status).toBe(200)
})

test('a quote of the Owner before a transfer is no quote for the next one', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const as = world.as(world.buyer)
  const asked = { type: 'buy-more', increasingNumber: 2 } as const
  const { quoteId } = (await as.send(contract.changePlanFrom, { body: { sid: id, ...asked } })).body.quote
  const { id: memberId } = await world.member()
  await world.db.update(changeQuotes).set({ memberId }).where(eq(changeQuotes.id, quoteId))

  const refused = await as.send(contract.changePlan, { body: { subscriptionId: id, ...asked, quoteId } })
  expect([refused.status, refused.body.code]).toEqual([409, 'quote_changed'])
  expect(await world.listed()).toMatchObject([{ userCount: 3 }])
})
