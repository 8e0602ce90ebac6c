import { expect, test } from 'vitest'
import { newProduct } from '../../test/factories.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { newWorld } from '../../test/world.ts'
import { syncCatalog } from './catalog.sync.ts'
import { products } from './catalog.tables.ts'
import { providerPrices } from './provider-prices.tables.ts'

const sandbox = await sandboxOfFile()

async function seller() {
  const world = await newWorld({ settings: sandbox.settings })
  await world.db.delete(providerPrices)
  await world.db.delete(products)
  const said: string[] = []
  const { db, cards } = world.deps
  return {
    ...world,
    said,
    cards,
    sync: () => syncCatalog({ db, cards, say: (sentence) => said.push(sentence) }),
    stored: () => db.select().from(providerPrices).orderBy(providerPrices.term, providerPrices.amount),
  }
}

const price = (
  term: 'monthly' | 'yearly' | 'yearly_paid_monthly' | 'paid_yearly' | 'perpetual',
  amount: number,
  currency = 'USD',
) => ({
  term,
  amount,
  currency,
})

test('what the catalog has is created once, with a lookup key for each price, and what is sold once is left to the shop', async () => {
  await using world = await seller()
  const { code, name } = await newProduct(world, {
    prices: [price('monthly', 1499), price('yearly', 2200, 'JPY'), price('paid_yearly', 15_900), price('perpetual', 1)],
  })

  expect(await world.sync()).toEqual({ products: 1, prices: 3, unknown: 0 })
  expect(await world.sync()).toEqual({ products: 0, prices: 0, unknown: 0 })
  const key = code.toLowerCase()
  const { data } = await sandbox.stripe.prices.list({
    lookup_keys: [`${key}-monthly-usd`, `${key}-yearly-jpy`, `${key}-paid_yearly-usd`],
    expand: ['data.product'],
  })
  expect(data.map(({ unit_amount: amount, currency, recurring }) => [amount, currency, recurring?.interval])).toEqual(
    expect.arrayContaining([
      [1499, 'usd', 'month'],
      [2200, 'jpy', 'year'],
      [15_900, 'usd', undefined],
    ]),
  )
  expect(data[0]?.product).toMatchObject({ name, metadata: { code } })
  expect((await world.stored()).map(({ term, isCurrent, productCode }) => [term, isCurrent, productCode])).toEqual([
    ['monthly', true, code],
    ['paid_yearly', true, code],
    ['yearly', true, code],
  ])
})

test('a changed price becomes another one at the provider, and the old one is still known', async () => {
  await using world = await seller()
  const { code } = await newProduct(world, { prices: [price('monthly', 1000)] })
  await world.sync()
  for (const amount of [1200, 1000]) {
    await world.db.update(products).set({ prices: [price('monthly', amount)] })
    expect(await world.sync()).toMatchObject({ prices: 1 })
  }

  const stored = await world.stored()
  expect(stored.map(({ amount, isCurrent }) => [amount, isCurrent])).toEqual(
    expect.arrayContaining([
      [1000, false],
      [1200, false],
      [1000, true],
    ]),
  )
  const { data } = await sandbox.stripe.prices.list({ lookup_keys: [`${code.toLowerCase()}-monthly-usd`] })
  expect(data.map(({ id }) => id)).toEqual(stored.filter(({ isCurrent }) => isCurrent).map(({ id }) => id))
})

test.each([
  ['as Atrium creates it', 'kept'],
  ['as it was created before Atrium named prices', 'removed'],
])('who pays a price that was changed since keeps its term: %s', async (_, named) => {
  await using world = await seller()
  const terms = ['yearly_paid_monthly', 'paid_yearly'] as const
  await newProduct(world, { prices: terms.map((term) => price(term, 900)) })
  await world.sync()
  const old = await world.stored()
  if (named === 'removed') {
    for (const { id } of old) await sandbox.stripe.prices.update(id, { metadata: null })
  } else await world.db.delete(providerPrices)

  await world.db.update(products).set({ prices: terms.map((term) => price(term, 1000)) })
  await world.sync()
  const stored = await world.stored()
  expect(stored).toHaveLength(4)
  expect(stored).toEqual(expect.arrayContaining(old.map((row) => ({ ...row, isCurrent: false }))))
})

test('an interrupted run is finished by the next one, and nothing is created twice', async () => {
  await using world = await seller()
  await newProduct(world, { prices: [price('monthly', 1), price('yearly', 2)] })
  const { createPrice } = world.cards
  let calls = 0
  world.cards.createPrice = async (wanted) => {
    calls += 1
    const made = await createPrice(wanted)
    if (calls === 1) throw new Error('killed after the first price')
    return made
  }
  await expect(world.sync()).rejects.toThrow('killed')

  expect(await world.sync()).toMatchObject({ products: 0, prices: 1 })
  expect(await world.stored()).toHaveLength(2)
})

test('prices that the vendor had before are known by their product’s code and interval; others are named', async () => {
  await using world = await seller()
  const { code } = await newProduct(world, { prices: [price('monthly', 500)] })
  const { id: product } = await sandbox.stripe.products.create({ name: 'As sold before', metadata: { code } })
  const old = await sandbox.stripe.prices.create({
    product,
    currency: 'usd',
    unit_amount: 300,
    recurring: { interval: 'year' },
  })
  const quarterly = await sandbox.stripe.prices.create({
    product,
    currency: 'usd',
    unit_amount: 200,
    recurring: { interval: 'month', interval_count: 3 },
  })
  const mugs = await sandbox.stripe.products.create({ name: 'Mugs' })
  const foreign = await sandbox.stripe.prices.create({ product: mugs.id, currency: 'usd', unit_amount: 900 })

  // Of the other tests' worlds.
  const unknown = (await sandbox.stripe.prices.list({ active: true, limit: 100 })).data.filter(
    (one) => ![product, mugs.id].includes(String(one.product)),
  ).length
  expect(await world.sync()).toEqual({ products: 0, prices: 1, unknown: unknown + 1 })
  const stored = new Map((await world.stored()).map((row) => [row.id, row]))
  expect(stored.get(old.id)).toMatchObject({ productCode: code, term: 'yearly', isCurrent: false })
  expect(stored.get(quarterly.id)).toMatchObject({ productCode: code, term: null, isCurrent: false })
  expect(stored.has(foreign.id)).toBe(false)
  expect(world.said.join('\n')).toContain(`${foreign.id} of Mugs: no product of the catalog has its code`)
  await sandbox.stripe.prices.update(foreign.id, { active: false })
})
