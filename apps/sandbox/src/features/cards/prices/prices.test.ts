import { expect, test } from 'vitest'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'

const world = await ofFile(newCardsWorld())

test('a product is created, changed, listed and, without prices, deleted', async () => {
  const { products, events } = world.stripe
  const made = await products.create({ name: 'Editor', metadata: { code: 'FPE' }, tax_code: 'txcd_10103001' })
  expect(made).toMatchObject({ object: 'product', active: true, metadata: { code: 'FPE' }, tax_code: 'txcd_10103001' })

  expect((await products.update(made.id, { active: false, name: 'Editor+' })).name).toBe('Editor+')
  expect((await products.list({ active: false })).data.map(({ id }) => id)).toEqual([made.id])
  expect((await products.list({ active: true })).data).toEqual([])
  expect(await products.del(made.id)).toMatchObject({ id: made.id, deleted: true })
  expect(await world.refused(products.retrieve(made.id))).toMatchObject({ statusCode: 404, code: 'resource_missing' })
  expect((await events.list({ type: 'product.*' })).data.map(({ type }) => type)).toEqual([
    'product.deleted',
    'product.updated',
    'product.created',
  ])
})

test('a product may be given an id, once, and keeps its prices', async () => {
  const { products, prices } = world.stripe
  await products.create({ id: 'folio-editor', name: 'Editor' })
  await prices.create({ product: 'folio-editor', currency: 'usd', unit_amount: 100 })

  const twice = await world.refused(products.create({ id: 'folio-editor', name: 'Editor' }))
  expect(twice.code).toBe('resource_already_exists')
  expect((await products.retrieve('folio-editor')).name).toBe('Editor')
  expect((await world.refused(products.del('folio-editor'))).message).toContain('cannot be deleted')
})

test('a recurring and a one-time price are listed by lookup key, product and type', async () => {
  const { products, prices } = world.stripe
  const { id: product } = await products.create({ name: 'Editor' })
  const monthly = await prices.create({
    product,
    currency: 'EUR',
    unit_amount: 1000,
    recurring: { interval: 'month' },
    lookup_key: 'FPE-monthly-eur',
    tax_behavior: 'exclusive',
  })
  const once = await prices.create({ product, currency: 'eur', unit_amount: 500, lookup_key: 'FPE-once-eur' })

  expect(monthly).toMatchObject({
    type: 'recurring',
    currency: 'eur',
    recurring: { interval: 'month', interval_count: 1, usage_type: 'licensed', meter: null },
    unit_amount: 1000,
  })
  expect(monthly.unit_amount_decimal?.toString()).toBe('1000')
  expect(once).toMatchObject({ type: 'one_time', recurring: null })

  const ids = async (query: Parameters<typeof prices.list>[0]) => (await prices.list(query)).data.map(({ id }) => id)
  expect(await ids({ lookup_keys: ['FPE-monthly-eur', 'nothing'] })).toEqual([monthly.id])
  expect(await ids({ product })).toEqual([once.id, monthly.id])
  expect(await ids({ product, type: 'recurring' })).toEqual([monthly.id])
  await prices.update(once.id, { active: false })
  expect(await ids({ product, active: true })).toEqual([monthly.id])
  expect((await prices.retrieve(once.id, { expand: ['product'] })).product).toMatchObject({ name: 'Editor' })
})

test('a lookup key belongs to one price, and moves only on request', async () => {
  const { products, prices, events } = world.stripe
  const { id: product } = await products.create({ name: 'Editor' })
  const price = { product, currency: 'usd', unit_amount: 100, lookup_key: 'moving' }
  const first = await prices.create(price)
  expect(await world.refused(prices.create(price))).toMatchObject({ statusCode: 400, param: 'lookup_key' })

  const second = await prices.create({ ...price, transfer_lookup_key: true })
  expect((await prices.retrieve(first.id)).lookup_key).toBeNull()
  expect((await prices.list({ lookup_keys: ['moving'] })).data.map(({ id }) => id)).toEqual([second.id])
  const [updated] = (await events.list({ type: 'price.updated', limit: 1 })).data
  expect(updated?.data.previous_attributes).toEqual({ lookup_key: 'moving' })
})

test('the tax behavior of a price is set once', async () => {
  const { products, prices } = world.stripe
  const { id: product } = await products.create({ name: 'Editor' })
  const { id, tax_behavior } = await prices.create({ product, currency: 'usd', unit_amount: 100 })
  expect(tax_behavior).toBe('unspecified')
  expect((await prices.update(id, { tax_behavior: 'inclusive' })).tax_behavior).toBe('inclusive')
  expect((await world.refused(prices.update(id, { tax_behavior: 'exclusive' }))).param).toBe('tax_behavior')
})

test.each([
  ['product', { product: 'prod_none', currency: 'usd', unit_amount: 1 }],
  ['currency', { currency: 'zzz', unit_amount: 1 }],
  ['unit_amount', { currency: 'usd', unit_amount: -1 }],
  [
    'recurring[interval_count]',
    { currency: 'usd', unit_amount: 1, recurring: { interval: 'year' as const, interval_count: 4 } },
  ],
  ['tiers', { currency: 'usd', unit_amount: 1, tiers: [{ up_to: 'inf' as const, unit_amount: 1 }] }],
])('a price with a wrong %s is refused by name', async (param, given) => {
  const { id } = await world.stripe.products.create({ name: 'Editor' })
  const refused = await world.refused(world.stripe.prices.create(Object.assign({ product: id }, given)))
  expect(refused).toMatchObject({ statusCode: 400, param })
})
