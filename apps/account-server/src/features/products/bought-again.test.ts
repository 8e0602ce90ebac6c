import { listMyProducts, type MyProduct } from '@atrium/contract/products.ts'
import { expect, test } from 'vitest'
import { newProduct, newSubscription } from '../../test/factories.ts'
import { newWorld, type TestMember } from '../../test/world.ts'
import type { products } from '../catalog/catalog.tables.ts'
import type { subscriptions } from '../subscriptions/subscriptions.tables.ts'

type World = Awaited<ReturnType<typeof newWorld>>
type Price = (typeof products.$inferSelect)['prices'][number]
type Row = Partial<typeof subscriptions.$inferInsert>

const now = '2026-06-01T12:00:00.000Z'
const after = (days: number) => new Date(Date.parse(now) + days * 86_400_000)

async function items(world: World, member: TestMember, lang: 'en-us' | 'de-de'): Promise<MyProduct[]> {
  const { body } = await world.as(member).send(listMyProducts, { query: { lang } })
  return body.list.flatMap(({ subInfo, trialInfo }) => [...subInfo, ...trialInfo])
}

const yearly = { term: 'yearly', price: 100, currency: 'USD' } as const
const ended = { status: 'canceled', autoRenew: false, endedAt: after(-3), periodEnd: after(-3) } as const
const trial = { status: 'trialing', trialEnd: after(5.5), periodEnd: after(5.5) } as const

/** What the Owner sees of a trial, by what is stored of it. */
const trials: readonly (readonly [string, Row, Partial<MyProduct>, link: string])[] = [
  [
    'a trial that ends by itself',
    { ...trial, autoRenew: false },
    { showTimeType: 'will_expire', remainDays: 6, isTrial: 1, showButtonType: 'purchase' },
    '/shopping/checkout/?',
  ],
  [
    'a trial that continues as a paid subscription, which is not sold a second time',
    { ...trial, ...yearly, providerId: 'sub_trial', ownCard: 'pm_1' },
    {
      trial: {
        autoRenewal: 1,
        payType: 'card',
        paymentMethodId: 'pm_1',
        paidFrom: 'account',
        paidType: 'yearly',
        price: 100,
        currency: 'USD',
      },
      showButtonType: 'view',
    },
    'keywords=',
  ],
  [
    'a trial whose auto-renewal is off',
    { ...trial, providerId: 'sub_off', autoRenew: false, cancelAt: after(5.5) },
    {
      trial: { autoRenewal: 0, payType: 'card', paymentMethodId: '', paidFrom: 'account', paidType: '' },
      showButtonType: 'renew',
    },
    'keywords=',
  ],
  [
    'a trial that a partner sold, and its price is not shown',
    { ...trial, ...yearly, isPriceHidden: true },
    {
      trial: { autoRenewal: 1, payType: '', paymentMethodId: '', paidFrom: 'account', paidType: 'yearly' },
      showButtonType: 'view',
    },
    'keywords=',
  ],
  [
    'a trial that has ended',
    { ...ended, trialEnd: after(-3) },
    { showTimeType: 'has_expired', remainDays: 0, isTrial: 1, showButtonType: 'purchase' },
    '/shopping/checkout/?',
  ],
]

test.each(trials)('time line and button of %s', async (_name, row, expected, link) => {
  await using world = await newWorld({ now })
  const owner = await world.member()
  const { code } = await newProduct(world, { prices: [{ term: 'paid_yearly', amount: 100, currency: 'USD' }] })
  await newSubscription(world, owner, { productCode: code, ...row })
  const [item] = await items(world, owner, 'en-us')
  expect(item).toMatchObject(expected)
  expect(item?.showButtonUrl).toContain(link)
})

test('what is bought again leads to this very product in the shop, with its term and seats; what is not sold there, to the shop', async () => {
  await using world = await newWorld({ now })
  const owner = await world.member()
  const bought = async (prices: readonly Price[], row: Row) => {
    const { code, sku } = await newProduct(world, { prices: [...prices] })
    const { id } = await newSubscription(world, owner, { productCode: code, ...ended, ...row })
    const shown = (await items(world, owner, 'de-de')).find((item) => item.stripeSubscriptionId === id)
    const { pathname, searchParams } = new URL(shown?.showButtonUrl ?? '')
    return { code, sku, path: pathname.slice(pathname.indexOf('/de/')), query: Object.fromEntries(searchParams) }
  }

  const sold = await bought([{ term: 'yearly', amount: 100, currency: 'USD' }], { ...yearly, autoRenew: false })
  expect(sold.path).toBe('/de/shopping/checkout/')
  expect(sold.query).toEqual({ sku: sold.sku, appCode: sold.code, license: 'yearly', buyNum: '3' })
  // What it was billed by is not sold any more.
  const monthly = await bought([{ term: 'yearly', amount: 100, currency: 'USD' }], { term: 'monthly' })
  expect(monthly.query).toEqual({ sku: monthly.sku, appCode: monthly.code, buyNum: '3' })
  expect(await bought([], yearly)).toMatchObject({ path: '/de/shopping', query: {} })
})

test('what is billed in another currency is not sold a second time before it has ended: its row says why', async () => {
  await using world = await newWorld({ now })
  const owner = await world.member()
  const { code } = await newProduct(world, { prices: [{ term: 'yearly', amount: 100, currency: 'USD' }] })
  // As a transfer leaves it.
  const moved = { autoRenew: false, isOtherCurrency: true, providerId: null, providerItems: [] }
  const bought = { ...yearly, ...moved, productCode: code }
  const end = after(40)
  await newSubscription(world, owner, { ...bought, cancelAt: end, periodEnd: end, endedAt: end })
  expect(await items(world, owner, 'en-us')).toMatchObject([
    { showButtonType: 'view', showButtonUrl: expect.stringContaining('keywords=') },
  ])

  const other = await world.member()
  await newSubscription(world, other, { ...bought, ...ended })
  expect(await items(world, other, 'en-us')).toMatchObject([
    { showButtonType: 'renew', showButtonUrl: expect.stringContaining('/shopping/checkout/?') },
  ])
})
