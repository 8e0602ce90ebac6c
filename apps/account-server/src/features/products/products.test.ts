import { listMyProducts, type MyProduct } from '@atrium/contract/products.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newContact, newLicense, newProduct, newSeat, newSubscription } from '../../test/factories.ts'
import { newWorld, type TestMember } from '../../test/world.ts'
import { orders } from '../orders/orders.tables.ts'
import { providerOperations } from '../payments/operations/operations.tables.ts'
import { seats as seatsTable } from '../subscriptions/seats.tables.ts'
import type { subscriptions } from '../subscriptions/subscriptions.tables.ts'

type World = Awaited<ReturnType<typeof newWorld>>
type Row = Partial<typeof subscriptions.$inferInsert>

const now = '2026-06-01T12:00:00.000Z'
const day = 86_400_000
const after = (days: number) => new Date(Date.parse(now) + days * day)

async function reply(world: World, member: TestMember, query: { [name: string]: string } = {}) {
  const { status, body } = await world.as(member).send(listMyProducts, { query })
  expect(status).toBe(200)
  return body
}

async function items(world: World, member: TestMember, query?: { [name: string]: string }): Promise<MyProduct[]> {
  return (await reply(world, member, query)).list.flatMap(({ subInfo, trialInfo }) => [...subInfo, ...trialInfo])
}

async function only(world: World, member: TestMember, query?: { [name: string]: string }): Promise<MyProduct> {
  const [item, ...others] = await items(world, member, query)
  expect(others).toEqual([])
  if (!item) throw new Error('no product')
  return item
}

const yearly = { term: 'yearly', price: 100, currency: 'USD' } as const
const prepaid = { term: 'paid_yearly', price: 100, currency: 'USD', autoRenew: false } as const
const ended = { status: 'canceled', autoRenew: false, endedAt: after(-3), periodEnd: after(-3) } as const
const trial = { status: 'trialing', trialEnd: after(5.5), periodEnd: after(5.5) } as const

/** What the Owner sees of a subscription, by what is stored of it. */
const cases: readonly (readonly [string, Row, Partial<MyProduct>, link: string])[] = [
  [
    'it renews',
    { ...yearly, periodEnd: after(100) },
    { showTimeType: 'renew_date', showButtonType: 'view' },
    'keywords=',
  ],
  [
    'a payment failed',
    { status: 'past_due', pastDueSince: after(-1), dueUrl: 'https://pay.example/1', periodEnd: after(-1) },
    { showTimeType: 'expire_on', showTime: after(20).toISOString(), remainDays: 20, showButtonType: 'past_due' },
    'https://pay.example/1',
  ],
  [
    'a payment failed too long ago',
    { status: 'past_due', pastDueSince: after(-30), periodEnd: after(-30) },
    { showTimeType: 'has_expired', showButtonType: 'past_due' },
    'keywords=',
  ],
  [
    'the bank asks about a change',
    { ...yearly, dueUrl: 'https://pay.example/2' },
    { showButtonType: 'pay_now' },
    'https://pay.example/2',
  ],
  [
    'a change at PayPal waits for its confirmation',
    { ...yearly, channel: 'paypal', pendingPlanId: 'P-1', pendingQuantity: 2 },
    { showButtonType: 'confirm_plan' },
    '',
  ],
  [
    'it was canceled',
    { ...yearly, cancelAt: after(200), autoRenew: false, periodEnd: after(200) },
    { showTimeType: 'expire_on', remainDays: 200, showButtonType: 'renew' },
    'keywords=',
  ],
  [
    'it has ended',
    { ...ended, ...yearly, autoRenew: false },
    { showTimeType: 'has_expired', showButtonType: 'renew' },
    '/shopping/checkout/?',
  ],
  [
    'a prepaid term in its last 90 days',
    { ...prepaid, periodEnd: after(89) },
    { showTimeType: 'expire_on', showButtonType: 'renew' },
    'dialog=renew',
  ],
  ['a prepaid term before that', { ...prepaid, periodEnd: after(91) }, { showButtonType: 'view' }, 'keywords='],
  [
    'a prepaid term that ended 29 days ago',
    { ...prepaid, status: 'prepayment-expired', periodEnd: after(-29), endedAt: after(-29) },
    { showButtonType: 'renew' },
    'dialog=renew',
  ],
  [
    'a prepaid term that ended 31 days ago',
    { ...prepaid, status: 'prepayment-expired', periodEnd: after(-31), endedAt: after(-31) },
    { showButtonType: 'renew' },
    '/shopping/checkout/?',
  ],
  [
    'it was given',
    { status: 'given', origin: 'given', channel: 'invoice', autoRenew: false, periodEnd: after(10) },
    { showTimeType: 'expire_on', showButtonType: 'view' },
    'keywords=',
  ],
  [
    'it has no end',
    { autoRenew: false, periodEnd: null },
    { showTimeType: '', showTime: '', showButtonType: 'view' },
    'keywords=',
  ],
  ['a partner sold it', { ...ended, isPriceHidden: true }, { showButtonType: 'view' }, 'keywords='],
  [
    'a payment of what a partner sold failed',
    { status: 'past_due', pastDueSince: after(-1), dueUrl: 'https://pay.example/1', isPriceHidden: true },
    { showButtonType: 'view' },
    'keywords=',
  ],
  [
    'the bank asks about a change of what a partner sold',
    { ...yearly, dueUrl: 'https://pay.example/2', isPriceHidden: true },
    { showButtonType: 'view' },
    'keywords=',
  ],
  [
    'its state is not known here',
    { status: 'pending' },
    { showTimeType: '', showButtonType: 'view', productList: [] },
    'keywords=',
  ],
]

test.each(cases)('time line and button: %s', async (_name, row, expected, link) => {
  await using world = await newWorld({ now })
  const owner = await world.member()
  const { code } = await newProduct(world, { prices: [{ term: 'paid_yearly', amount: 100, currency: 'USD' }] })
  await newSubscription(world, owner, { productCode: code, ...row })
  const item = await only(world, owner)
  expect(item).toMatchObject(expected)
  expect(item.showButtonUrl).toContain(link)
})

test('an upgrade, an unpaid order and an open approval have buttons of their own, in that order of urgency', async () => {
  await using world = await newWorld({ now })
  const owner = await world.member()
  const { code } = await newProduct(world, { upgrades: ['OTHER'] })
  const { id } = await newSubscription(world, owner, { productCode: code, providerId: 'sub_1', ...yearly })
  expect(await only(world, owner)).toMatchObject({
    showButtonType: 'upgrade',
    showButtonUrl: `/account?tab=my-subscriptions&dialog=upgrade&sid=${id}`,
  })

  await world.db.insert(orders).values({
    ...{
      orderNumber: 'O-1',
      memberId: owner.id,
      invoiceNumber: '',
      status: 'PD',
      lines: [],
      amount: 1,
      currency: 'USD',
    },
    ...{ date: after(0), origin: 'charged', invoiceUrl: '', providerSubscriptionId: 'sub_1' },
  })
  expect(await only(world, owner)).toMatchObject({
    showButtonType: 'waiting_to_pay',
    showButtonUrl: '/account?tab=my-orders&keyWord=O-1',
  })

  await world.db.insert(providerOperations).values({
    ...{ memberId: owner.id, provider: 'paypal', kind: 'subscription.change_by_order', subject: id, input: {} },
    ...{ status: 'requires_action', requestId: 'r', createdAt: after(0), nextCheckAt: after(1) },
  })
  expect(await only(world, owner, { lang: 'de-de' })).toMatchObject({
    showButtonType: 'pay_now',
    showButtonUrl: `/de/account?tab=my-subscriptions&dialog=ordered&sid=${id}`,
  })
})

test('what has an end outside the store is renewed by a quote, and stands in the offline list', async () => {
  await using world = await newWorld({ now })
  const owner = await world.member()
  const offline = { origin: 'offline', channel: 'invoice', status: 'offline-purchase', autoRenew: false } as const
  const { id } = await newSubscription(world, owner, { ...offline, userCount: 30, periodEnd: after(80) })
  expect(await reply(world, owner)).toMatchObject({ list: [], total: 0, blankTip: '' })
  const item = await only(world, owner, { subscriptionType: '1' })
  expect(item).toMatchObject({ showTimeType: 'expire_on', showButtonType: 'renew' })
  expect(Object.fromEntries(new URL(item.showButtonUrl, 'http://x').searchParams)).toEqual({
    ...{
      tab: 'my-products',
      list: 'offline',
      quote: 'renewal',
      quoteProduct: item.appCode,
      quoteSeats: '30',
      quoteOf: id,
    },
  })
})

test('nothing is sold in Russian: what must be paid leads to the subscription, everything else is looked at', async () => {
  await using world = await newWorld({ now })
  const owner = await world.member()
  await newSubscription(world, owner, trial)
  await newSubscription(world, owner, { ...yearly, dueUrl: 'https://pay.example/2' })
  await newSubscription(world, owner, { ...yearly, cancelAt: after(20), autoRenew: false })
  await newSubscription(world, owner, { status: 'past_due', pastDueSince: after(-1), dueUrl: 'https://pay.example/1' })
  const shown = await items(world, owner, { lang: 'ru-ru' })
  expect(shown.map(({ showButtonType }) => showButtonType).sort()).toEqual(['past_due', 'view', 'view', 'view'])
  expect(shown.every(({ showButtonUrl }) => showButtonUrl.startsWith('/ru/account?'))).toBe(true)
})

test('a colleague with a license sees the product with its links, and can only look; others see nothing of it', async () => {
  await using world = await newWorld({
    now,
    settings: { DOWNLOAD_HOSTS: 'downloads.example', LINK_HOSTS: 'app.example' },
  })
  const [owner, member, invited, removed, stranger] = await Promise.all(Array.from({ length: 5 }, () => world.member()))
  if (!owner || !member || !invited || !removed || !stranger) throw new Error('no members')
  const { code, name } = await newProduct(world, {
    upgrades: ['OTHER'],
    flags: ['msp'],
    icon: 'data:image/png;base64,AAAA',
    launchUrl: 'https://app.example/open',
    downloads: [
      { platform: 'Windows', url: 'https://downloads.example/setup.exe' },
      { platform: 'Mac', url: 'https://elsewhere.example/editor.dmg' },
      { platform: 'Linux', url: 'http://downloads.example/editor.tar.gz' },
    ],
    integrations: [{ name: 'SharePoint' }],
  })
  const { id, ownerSeat } = await newSubscription(world, owner, {
    productCode: code,
    providerId: `sub_${owner.id}`,
    ...yearly,
  })
  await newSeat(world, id, { memberId: member.id })
  await newSeat(world, id, { memberId: invited.id, status: 'Pending' })
  await newSeat(world, id, { memberId: removed.id, removedAt: after(-1) })

  expect(await only(world, member)).toMatchObject({
    ...{ stripeSubscriptionId: id, appCode: code, appIcon: 'data:image/png;base64,AAAA', userType: 0, isMsp: 1 },
    ...{ showTimeType: 'renew_date', showButtonType: 'view', integrations: [{ name: 'SharePoint' }] },
    productList: [
      { appId: code, name, platform: 'Web', key: `${code}-0`, url: 'https://app.example/open', type: 'launch' },
      {
        appId: code,
        name,
        platform: 'Windows',
        key: `${code}-1`,
        url: 'https://downloads.example/setup.exe',
        type: 'download',
      },
    ],
  })
  for (const other of [invited, removed, stranger]) {
    expect(await reply(world, other)).toMatchObject({ list: [], total: 0, blankTip: 'personal_tip' })
  }

  // The Owner's own license was deactivated: it is still theirs, without its downloads.
  await world.db.update(seatsTable).set({ isUse: false }).where(eq(seatsTable.id, ownerSeat.id))
  expect(await only(world, owner)).toMatchObject({ hasLicense: 0, productList: [], showButtonType: 'upgrade' })
})

test('products stand by product line in the vendor’s order, trials apart; connectors with what they connect', async () => {
  await using world = await newWorld({ now })
  const owner = await world.member()
  const line = { sku: 'plus', skuName: 'Editor+' }
  const late = await newProduct(world, { position: 9, name: 'Cloud' })
  const business = await newProduct(world, { ...line, position: 2 })
  const individual = await newProduct(world, { ...line, position: 1 })
  const connector = await newProduct(world, { flags: ['connector'] })
  const { id: parentId } = await newSubscription(world, owner, { productCode: late.code, ...yearly })
  await newSubscription(world, owner, { productCode: connector.code, parentId, ...yearly })
  await newSubscription(world, owner, { productCode: business.code, ...trial })
  await newSubscription(world, owner, { productCode: individual.code, ...yearly })
  await newSubscription(world, owner, { productCode: individual.code, ...ended, createdAt: after(-1) })

  const { list, total } = await reply(world, owner)
  expect(total).toBe(4)
  const codes = (group: readonly MyProduct[]) => group.map(({ appCode }) => appCode)
  expect(list.map(({ skuName, subInfo, trialInfo }) => [skuName, codes(subInfo), codes(trialInfo)])).toEqual([
    ['Editor+', [individual.code, individual.code], [business.code]],
    ['Cloud', [late.code], []],
  ])
  expect(list[0]?.subInfo.map(({ showTimeType }) => showTimeType)).toEqual(['renew_date', 'has_expired'])
})

test('licenses without a subscription are one item a product: perpetual, or with their last end', async () => {
  await using world = await newWorld({ now })
  const [holder, contact] = [await world.member(), await world.member()]
  const held = async (productCode: string, expiresAt: Date | null, revokedAt: Date | null = null) => {
    const { id } = await newLicense(world, { productCode, expiresAt, revokedAt })
    await newContact(world, id, holder)
    await newContact(world, id, contact, { relationship: 'Contact' })
  }
  const [forever, soon, over, gone] = await Promise.all([0, 1, 2, 3].map((position) => newProduct(world, { position })))
  if (!forever || !soon || !over || !gone) throw new Error('no products')
  await held(forever.code, after(3))
  await held(forever.code, null)
  await held(soon.code, after(-3))
  await held(soon.code, after(80))
  await held(over.code, after(-3))
  await held(gone.code, null, after(-1))

  expect(await items(world, holder)).toMatchObject([
    { appCode: forever.code, showTimeType: '', showButtonType: 'view', stripeSubscriptionId: '' },
    { appCode: soon.code, showTimeType: 'expire_on', remainDays: 80, showButtonType: 'renew' },
    { appCode: over.code, showTimeType: 'has_expired', showButtonType: 'renew' },
  ])
  expect((await items(world, holder, { lang: 'ru-ru' })).map(({ showButtonType }) => showButtonType)).toEqual([
    'view',
    'view',
    'view',
  ])
  expect(await items(world, contact)).toEqual([])
})

test('somebody with very many sees the hundred that matter most, and their number', async () => {
  await using world = await newWorld({ now })
  const owner = await world.member()
  const { code: productCode } = await newProduct(world)
  const due = { status: 'past_due', pastDueSince: after(-1), createdAt: after(-400) } as const
  await newSubscription(world, owner, { productCode, ...due })
  for (let index = 0; index < 101; index += 1) await newSubscription(world, owner, { productCode, ...yearly })
  const { list, total } = await reply(world, owner)
  expect(total).toBe(102)
  expect(list[0]?.subInfo).toHaveLength(100)
  expect(list[0]?.subInfo[0]?.showButtonType).toBe('past_due')
})
