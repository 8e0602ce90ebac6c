import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { paypalVendor } from '../../test/paypal.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { newWorld } from '../../test/world.ts'
import { products } from '../catalog/catalog.tables.ts'
import { syncPaypalCatalog } from '../catalog/paypal-catalog.sync.ts'
import { syncInvoiceOfSubscription } from '../subscriptions/subscriptions.sync.ts'

const sandbox = await sandboxOfFile()

/** Its plans are read at PayPal, since these tests change them. */
const vendor = () => paypalVendor({ ...sandbox })

test('two plans of one PayPal product that the catalog does not know are shown by their own names', async () => {
  await using world = await vendor()
  const [product] = [await world.call('POST', '/v1/catalogs/products', { name: 'Old Suite', type: 'DIGITAL' })]
  const cycle = { frequency: { interval_unit: 'YEAR' }, tenure_type: 'REGULAR', sequence: 1, total_cycles: 0 }
  const plan = async (name: string, value: string) =>
    String(
      (
        await world.call('POST', '/v1/billing/plans', {
          ...{ product_id: product?.id, name, quantity_supported: true, payment_preferences: {} },
          billing_cycles: [{ ...cycle, pricing_scheme: { fixed_price: { currency_code: 'EUR', value } } }],
        })
      ).id,
    )
  const [starter, enterprise] = [await plan('Starter, yearly', '49.00'), await plan('Enterprise, yearly', '490.00')]
  const [one, two] = [await world.buy({ planId: starter }), await world.buy({ planId: enterprise })]
  await world.sync(one)
  await world.sync(two)
  const names = new Map((await world.listed()).map((s) => [s.stripeSubscriptionId, [s.appName, s.price]]))
  expect([names.get(one), names.get(two)]).toEqual([
    ['Starter, yearly', 14_700],
    ['Enterprise, yearly', 147_000],
  ])
})

test('a catalog sync killed between a new plan and the end of the old one is finished by the next run', async () => {
  await using world = await vendor()
  const { db, paypal } = world.deps
  await db
    .update(products)
    .set({ prices: [{ term: 'monthly', amount: 1200, currency: 'USD' }] })
    .where(eq(products.code, world.productCode))
  const lookupKey = `${world.productCode.toLowerCase()}-monthly-usd`
  const plansOfIt = async () => (await paypal.plans()).filter((plan) => plan.lookupKey === lookupKey)
  const killed = { ...paypal, deactivatePlan: () => Promise.reject(new Error('killed')) }
  await expect(syncPaypalCatalog({ db, paypal: killed, say: () => undefined })).rejects.toThrow('killed')
  expect((await plansOfIt()).map(({ isActive }) => isActive)).toEqual([true, true])

  const inOrder = [async () => (await paypal.plans()).toReversed(), paypal.plans]
  for (const plans of inOrder) {
    await syncPaypalCatalog({ db, paypal: { ...paypal, plans }, say: () => undefined })
    const active = (await plansOfIt()).filter(({ isActive }) => isActive)
    expect(active.map(({ amount }) => amount)).toEqual([1200])
  }
})

test('an event about an upcoming invoice, which has no id, changes nothing', async () => {
  await using world = await newWorld({ settings: sandbox.settings, now: new Date().toISOString() })
  await syncInvoiceOfSubscription(world.deps, '')
})

test('a plan with one cycle does not renew, and says when it ends', async () => {
  await using world = await vendor()
  const product = await world.call('POST', '/v1/catalogs/products', { name: 'One year', type: 'DIGITAL' })
  const plan = await world.call('POST', '/v1/billing/plans', {
    ...{ product_id: product.id, name: 'One year', quantity_supported: true, payment_preferences: {} },
    billing_cycles: [
      {
        ...{ frequency: { interval_unit: 'YEAR' }, tenure_type: 'REGULAR', sequence: 1, total_cycles: 1 },
        pricing_scheme: { fixed_price: { currency_code: 'EUR', value: '49.00' } },
      },
    ],
  })
  const id = await world.buy({ planId: String(plan.id) })
  await world.sync(id)
  const mine = (await world.listed()).find((one) => one.stripeSubscriptionId === id)
  expect(mine).toMatchObject({ autoRenewal: 0 })
})

test('who has a term at PayPal that is not sold any more still has the product', async () => {
  await using world = await vendor()
  const id = await world.buy()
  await world.sync(id)
  const mine = async () => {
    const found = (await world.listed()).find((one) => one.stripeSubscriptionId === id)
    return { appCode: found?.appCode, appName: found?.appName, paidType: found?.paidType }
  }
  const before = await mine()
  await world.deps.db
    .update(products)
    .set({ prices: [{ term: 'yearly', amount: 9000, currency: 'USD' }] })
    .where(eq(products.code, world.productCode))
  await world.syncCatalog()
  await world.sync(id)
  expect(await mine()).toEqual(before)
})
