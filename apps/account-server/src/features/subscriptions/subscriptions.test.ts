import { randomUUID } from 'node:crypto'
import { listSubscriptions } from '@atrium/contract/subscriptions.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newProduct, newSeat, newSubscription } from '../../test/factories.ts'
import { newWorld, type TestMember } from '../../test/world.ts'
import { subscriptions } from './subscriptions.tables.ts'

type World = Awaited<ReturnType<typeof newWorld>>
type Query = Parameters<typeof listed>[2]

const now = '2026-06-01T12:00:00.000Z'
const day = 86_400_000
const after = (days: number) => new Date(Date.parse(now) + days * day)

async function listed(world: World, member: TestMember, query: { [name: string]: string | number } = {}) {
  const { status, body } = await world.as(member).send(listSubscriptions, { query })
  expect(status).toBe(200)
  return body
}

async function ids(world: World, member: TestMember, query?: Query) {
  return (await listed(world, member, query)).list.map(({ stripeSubscriptionId }) => stripeSubscriptionId)
}

async function only(world: World, member: TestMember) {
  const { list } = await listed(world, member)
  expect(list).toHaveLength(1)
  const [record] = list
  if (!record) throw new Error('no subscription')
  return record
}

test('an Owner sees what is paid, what happens next, and who sits where', async () => {
  await using world = await newWorld({ now })
  const owner = await world.member()
  const product = await newProduct(world)
  const { id } = await newSubscription(world, owner, {
    productCode: product.code,
    userCount: 12,
    term: 'yearly',
    price: 190_800,
    currency: 'USD',
    periodStart: after(-30),
    periodEnd: after(335),
  })
  await newSeat(world, id)

  expect(await only(world, owner)).toMatchObject({
    stripeSubscriptionId: id,
    appName: product.name,
    appCode: product.code,
    userCount: 12,
    joinCount: 2,
    paidType: 'yearly',
    price: 190_800,
    currency: 'USD',
    whetherHiddenPrice: 0,
    userType: 2,
    stripeSubscriptionStatus: 'active',
    isExpiring: 0,
    accessEnd: '',
    nextPlanPeriodStart: '',
    stripeCurrentPeriodStart: after(-30).toISOString(),
    stripeCurrentPeriodEnd: after(335).toISOString(),
    autoRenewal: 1,
    hideResume: 0,
    manageBy: 'team',
  })
})

test('people with a seat see it with their role and without its price; invited, removed and other people do not', async () => {
  await using world = await newWorld({ now })
  const [owner, setup, pia, invited, removed, stranger] = await Promise.all(
    Array.from({ length: 6 }, () => world.member()),
  )
  if (!owner || !setup || !pia || !invited || !removed || !stranger) throw new Error('no members')
  const billed = {
    term: 'monthly',
    price: 500,
    currency: 'USD',
    dueUrl: 'https://pay.example/1',
    dueAmount: 500,
  } as const
  const { id } = await newSubscription(world, owner, billed)
  await newSeat(world, id, { memberId: setup.id, email: setup.email, type: 3, isUse: false })
  await newSeat(world, id, { memberId: pia.id, email: pia.email })
  await newSeat(world, id, { email: invited.email, status: 'Pending' })
  await newSeat(world, id, { memberId: removed.id, email: removed.email, removedAt: after(-1) })

  const ofSetup = await only(world, setup)
  expect(ofSetup).toMatchObject({ userType: 3, whetherHiddenPrice: 1, manageBy: 'team', stripeSdkUrl: '' })
  expect(Object.keys(ofSetup)).not.toEqual(expect.arrayContaining(['price']))
  expect(ofSetup.dueAmount).toBeUndefined()
  expect(await only(world, pia)).toMatchObject({ userType: 0, manageBy: 'none' })
  expect(await only(world, owner)).toMatchObject({ price: 500, stripeSdkUrl: 'https://pay.example/1', dueAmount: 500 })
  for (const nobody of [invited, removed, stranger]) expect(await ids(world, nobody)).toEqual([])
})

test('what is due at PayPal, or wants the bank’s question answered, is said to the Owner without a page to pay on', async () => {
  await using world = await newWorld({ now })
  const [owner, setup] = [await world.member(), await world.member()]
  const due = { status: 'past_due', pastDueSince: after(-1), dueAmount: 500, currency: 'USD', price: 500 } as const
  const { id } = await newSubscription(world, owner, { ...due, channel: 'paypal', nextAttemptAt: after(4) })
  await newSeat(world, id, { memberId: setup.id, email: setup.email, type: 3 })
  expect(await only(world, owner)).toMatchObject({
    ...{ stripeSdkUrl: '', dueAmount: 500, payType: 'paypal', needsConfirmation: 0 },
    nextPaymentAttempt: after(4).toISOString(),
  })
  expect(await only(world, setup)).toMatchObject({ payType: '', nextPaymentAttempt: '', needsConfirmation: 0 })
  await world.db.update(subscriptions).set({ channel: 'card', needsConfirmation: true }).where(eq(subscriptions.id, id))
  expect(await only(world, owner)).toMatchObject({ payType: 'card', needsConfirmation: 1, endedUnpaid: 0 })

  await world.db
    .update(subscriptions)
    .set({ status: 'canceled', endedAt: after(-1) })
    .where(eq(subscriptions.id, id))
  expect(await only(world, owner)).toMatchObject({ stripeSubscriptionStatus: 'canceled', endedUnpaid: 1 })
  expect(await only(world, setup)).toMatchObject({ endedUnpaid: 0 })
})

test('a price that the vendor hides is left out of the Owner’s reply too', async () => {
  await using world = await newWorld({ now })
  const owner = await world.member()
  await newSubscription(world, owner, { term: 'yearly', price: 100, currency: 'EUR', isPriceHidden: true })

  const record = await only(world, owner)
  expect(record.whetherHiddenPrice).toBe(1)
  expect(record.price).toBeUndefined()
  expect(record.currency).toBeUndefined()
})

test.each([
  [
    'active, renewing',
    {},
    { stripeSubscriptionStatus: 'active', isExpiring: 0, accessEnd: '', nextPlanPeriodStart: '' },
  ],
  [
    'active, canceled for its end',
    { cancelAt: after(10) },
    {
      stripeSubscriptionStatus: 'active',
      accessEnd: after(10).toISOString(),
      nextPlanPeriodStart: after(10).toISOString(),
      autoRenewal: 0,
      hideResume: 0,
    },
  ],
  [
    'a trial',
    { status: 'trialing', trialEnd: after(5) },
    {
      stripeSubscriptionStatus: 'trialing',
      isExpiring: 1,
      // The provider may bill it some hours later.
      accessEnd: after(6).toISOString(),
      trialEnd: after(5).toISOString(),
    },
  ],
  [
    'a failed payment',
    { status: 'past_due', pastDueSince: after(-6) },
    { stripeSubscriptionStatus: 'past_due', isExpiring: 1, accessEnd: after(15).toISOString(), manageBy: 'team' },
  ],
  [
    'a failed payment after the days of retries',
    { status: 'past_due', pastDueSince: after(-22) },
    { stripeSubscriptionStatus: 'past_due', isExpiring: 0, manageBy: 'none' },
  ],
  [
    'canceled',
    { status: 'canceled', endedAt: after(-3), autoRenew: false },
    {
      stripeSubscriptionStatus: 'canceled',
      isExpiring: 0,
      accessEnd: after(-3).toISOString(),
      hideResume: 1,
      manageBy: 'none',
      nextPlanPeriodStart: '',
    },
  ],
  [
    'active, its end passed a minute ago',
    { cancelAt: new Date(Date.parse(now) - 60_000) },
    { stripeSubscriptionStatus: 'canceled', manageBy: 'none' },
  ],
  [
    'given',
    { status: 'given', origin: 'given', autoRenew: false, periodEnd: after(20) },
    { stripeSubscriptionStatus: 'given', accessEnd: after(20).toISOString(), hideResume: 1 },
  ],
  [
    'given, its end passed',
    { status: 'given', origin: 'given', autoRenew: false, periodStart: after(-90), periodEnd: after(-1) },
    { stripeSubscriptionStatus: 'canceled' },
  ],
  [
    'a prepaid term that ends soon',
    { term: 'paid_yearly', price: 1, currency: 'USD', autoRenew: false, periodEnd: after(60) },
    { manualRenew: 1, hideResume: 1, nextPlanPeriodStart: after(60).toISOString() },
  ],
  [
    'a prepaid term in a currency in which no year is sold',
    { term: 'paid_yearly', price: 1, currency: 'EUR', autoRenew: false, periodEnd: after(60) },
    { manualRenew: 0 },
  ],
  [
    'a prepaid term that ends in a year',
    { term: 'paid_yearly', price: 1, currency: 'USD', autoRenew: false, periodEnd: after(300) },
    { manualRenew: 0 },
  ],
  [
    'a prepaid term that has ended',
    {
      term: 'paid_yearly',
      price: 1,
      currency: 'USD',
      autoRenew: false,
      periodStart: after(-400),
      periodEnd: after(-35),
    },
    { stripeSubscriptionStatus: 'prepayment-expired', manualRenew: 0 },
  ],
  [
    'a state that is not known here',
    { status: 'pending' },
    { stripeSubscriptionStatus: 'pending', isExpiring: 0, manageBy: 'none' },
  ],
] as const)('what a row says: %s', async (_name, values, wanted) => {
  await using world = await newWorld({ now })
  const owner = await world.member()
  const { code: productCode } = await newProduct(world, {
    prices: [{ term: 'paid_yearly', amount: 1, currency: 'USD' }],
  })
  await newSubscription(world, owner, { productCode, ...values })

  expect(await only(world, owner)).toMatchObject(wanted)
})

test('what the catalog has a way to is offered while the cap leaves room', async () => {
  await using world = await newWorld({ now })
  const owner = await world.member()
  const price = (term: 'monthly' | 'yearly', currency = 'USD') => ({ term, amount: 100, currency })
  const esign = await newProduct(world, {
    upgrades: ['FESB'],
    cap: { cap: 4, scope: 'subscription' },
    flags: ['connectable', 'envelopeSharing'],
    prices: [price('monthly'), price('yearly')],
  })
  const euros = await newProduct(world, { prices: [price('monthly'), price('yearly', 'EUR')] })
  const shared = await newProduct(world, { cap: { cap: 5, scope: 'member' }, prices: [price('monthly')] })
  const base = { term: 'monthly', price: 300, currency: 'USD' } as const
  const billed = () => ({ ...base, providerId: `sub_${randomUUID()}` })
  const { id } = await newSubscription(world, owner, { ...billed(), productCode: esign.code })
  const full = await newSubscription(world, owner, {
    ...billed(),
    productCode: esign.code,
    userCount: 4,
    connectors: 40,
    isPooled: true,
  })
  const ofEuros = await newSubscription(world, owner, { ...billed(), productCode: euros.code })
  const pair = [
    await newSubscription(world, owner, { ...billed(), productCode: shared.code }),
    await newSubscription(world, owner, { ...billed(), productCode: shared.code, userCount: 2 }),
  ]
  const ending = await newSubscription(world, owner, { ...billed(), productCode: esign.code, cancelAt: after(3) })
  const byInvoice = await newSubscription(world, owner, { ...billed(), productCode: esign.code, channel: 'invoice' })
  // Nothing at a provider could be changed.
  const ofFile = await newSubscription(world, owner, { ...base, productCode: esign.code })
  const { list } = await listed(world, owner)
  const flags = (wanted: string) => {
    const found = list.find(({ stripeSubscriptionId }) => stripeSubscriptionId === wanted)
    return [
      found?.subscriptionUpgrade,
      found?.purchaseAdditionalSubscription,
      found?.switchToAnnualBilling,
      found?.isSupportBuyConnector,
      found?.isNeedBindPooling,
    ]
  }

  expect(flags(id)).toEqual([1, 1, 1, 1, 1])
  expect(flags(full.id)).toEqual([1, 0, 1, 0, 0])
  expect(flags(ofEuros.id)).toEqual([0, 1, 0, 0, 0])
  expect(pair.map((one) => flags(one.id)[1])).toEqual([0, 0])
  expect(flags(ending.id)).toEqual([0, 0, 0, 0, 0])
  expect(flags(byInvoice.id)).toEqual([0, 0, 0, 0, 0])
  expect(flags(ofFile.id)).toEqual([0, 0, 0, 0, 1])
})

test('the newest come first, add-ons below what they belong to; offline ones have a list of their own', async () => {
  await using world = await newWorld({ now })
  const owner = await world.member()
  const old = await newSubscription(world, owner, { createdAt: after(-300) })
  const recent = await newSubscription(world, owner, { createdAt: after(-10) })
  const addOn = await newSubscription(world, owner, { createdAt: after(-1), parentId: old.id })
  const offline = await newSubscription(world, owner, {
    origin: 'offline',
    channel: 'invoice',
    status: 'offline-purchase',
  })

  const online = await listed(world, owner)
  expect(online.list.map(({ stripeSubscriptionId }) => stripeSubscriptionId)).toEqual([recent.id, old.id, addOn.id])
  expect(online.total).toBe(3)
  expect(online.list[2]).toMatchObject({ parentId: old.id, parentName: online.list[1]?.appName })
  expect(await ids(world, owner, { subscriptionType: '1' })).toEqual([offline.id])
  expect(await ids(world, owner, { page: 2, pageSize: 2 })).toEqual([addOn.id])
})

test('a payment that failed is on the first page, with the add-ons of its subscription', async () => {
  await using world = await newWorld({ now })
  const owner = await world.member()
  const old = await newSubscription(world, owner, {
    createdAt: after(-300),
    status: 'past_due',
    pastDueSince: after(-1),
  })
  const recent = await newSubscription(world, owner, { createdAt: after(-10) })
  const addOn = await newSubscription(world, owner, { createdAt: after(-1), parentId: old.id })

  expect(await ids(world, owner)).toEqual([old.id, addOn.id, recent.id])
})

test('the list is searched by id and product, literally and in any case, and filtered by the status of now', async () => {
  await using world = await newWorld({ now })
  const owner = await world.member()
  const editor = await newProduct(world, { name: 'Folio PDF Éditor 100%_x' })
  const found = await newSubscription(world, owner, { productCode: editor.code, id: 'sub-Abc_1' })
  const ended = await newSubscription(world, owner, { id: 'sub-Abcx1', cancelAt: after(-1) })

  expect(await ids(world, owner, { keywords: 'éDITOR 100%_' })).toEqual([found.id])
  expect(await ids(world, owner, { keywords: 'ABC_1' })).toEqual([found.id])
  expect(await ids(world, owner, { keywords: '%' })).toEqual([found.id])
  expect(await ids(world, owner, { status: 'active' })).toEqual([found.id])
  expect(await ids(world, owner, { status: 'canceled' })).toEqual([ended.id])
  expect((await listed(world, owner, { status: 'trialing' })).total).toBe(0)
  const refused = await world.request({
    url: '/account/subscription/?subscriptionType=2&status=gone&page=0',
    headers: { cookie: owner.cookie },
  })
  expect(refused.statusCode).toBe(422)
})
