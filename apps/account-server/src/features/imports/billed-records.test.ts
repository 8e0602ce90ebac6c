import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newProduct, newSubscription } from '../../test/factories.ts'
import { load } from '../../test/import.ts'
import { newWorld } from '../../test/world.ts'
import { orders } from '../orders/orders.tables.ts'
import { movedObjects } from '../subscriptions/moving/moved-objects.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'

test('a file does not say the state of what a provider bills; what the vendor alone knows is taken, beside other lines', async () => {
  await using world = await newWorld()
  const [owner, other] = [await world.member(), await world.member()]
  const { code: productCode } = await newProduct(world)
  const billed = { id: 'sub_i1', providerId: 'sub_i1', productCode, userCount: 3 }
  await newSubscription(world, owner, billed)
  const line = {
    type: 'subscription',
    subscriptionId: 'sub_i1',
    email: owner.email,
    productCode,
    status: 'canceled',
    userCount: 99,
    origin: 'online',
    channel: 'card',
    autoRenewal: false,
    periodStart: '2026-01-01T00:00:00Z',
    priceHidden: true,
    manageUrl: 'https://manage.example/',
  }
  const outcome = await load(world, [line, { ...line, subscriptionId: 'own-1' }])
  expect(outcome.refusals).toEqual([])
  expect(outcome.warned).toEqual([expect.stringContaining('subscriptionId is billed at a payment provider')])

  const stored = async (id: string) => (await world.db.select().from(subscriptions).where(eq(subscriptions.id, id)))[0]
  expect(await stored('sub_i1')).toMatchObject({
    ...{ status: 'active', userCount: 3, isPriceHidden: true, manageUrl: 'https://manage.example/' },
  })
  expect(await stored('own-1')).toMatchObject({ status: 'canceled', userCount: 99 })

  const { refusals } = await load(world, [{ ...line, email: other.email }])
  expect(refusals).toEqual([
    '1 email it is billed to another customer, or was transferred to one; whom a file has named is corrected by npm run members -- link-customer',
  ])
})

test('of what a file says is in use, nothing is due', async () => {
  await using world = await newWorld()
  const { email } = await world.member()
  const { code: productCode } = await newProduct(world)
  const line = {
    ...{ type: 'subscription', email, productCode, userCount: 1, origin: 'online', channel: 'card', autoRenewal: true },
    ...{ periodStart: '2026-01-01T00:00:00Z', pastDueSince: '2026-05-20T00:00:00Z' },
  }
  const of = (subscriptionId: string, status: string) => ({ ...line, subscriptionId, status })
  await load(world, [
    of('due', 'past_due'),
    of('used', 'active'),
    { ...of('tried', 'trialing'), trialEnd: '2026-08-01T00:00:00Z' },
  ])
  const rows = await world.db.select().from(subscriptions).where(eq(subscriptions.productCode, productCode))
  const due = rows.filter(({ pastDueSince }) => pastDueSince !== null)
  expect([rows.length, due.map(({ id }) => id)]).toEqual([3, ['due']])
})

test('a file that still names the Owner before a transfer does not take it back', async () => {
  await using world = await newWorld()
  const [owner, recipient] = [await world.member(), await world.member()]
  const { id, productCode } = await newSubscription(world, recipient)
  await world.db
    .insert(movedObjects)
    .values({ providerId: 'sub_moved', subscriptionId: id, movedAt: world.deps.clock() })
  const line = { type: 'subscription', subscriptionId: id, email: owner.email, productCode, status: 'active' }
  const others = {
    userCount: 3,
    origin: 'online',
    channel: 'card',
    autoRenewal: true,
    periodStart: '2026-01-01T00:00:00Z',
  }
  const { refusals } = await load(world, [{ ...line, ...others }])
  expect(refusals).toEqual([
    '1 email it is billed to another customer, or was transferred to one; whom a file has named is corrected by npm run members -- link-customer',
  ])
  const [row] = await world.db.select().from(subscriptions).where(eq(subscriptions.id, id))
  expect(row?.memberId).toBe(recipient.id)
})

test('an order of a provider is not changed by a file, whoever charged it', async () => {
  await using world = await newWorld()
  const { id: memberId, email } = await world.member()
  const order = { memberId, invoiceNumber: 'P-1', status: 'CO', lines: [], amount: 1000, currency: 'USD' } as const
  const common = { ...order, date: new Date(), origin: 'imported', invoiceUrl: '', providerId: 'in_i1' } as const
  await world.db.insert(orders).values({ ...common, orderNumber: 'A-I1' })
  const line = { type: 'order', orderNumber: 'A-I1', email, status: 'CL', date: '2026-01-01T00:00:00Z' }
  const { refusals } = await load(world, [{ ...line, amount: 1, currency: 'USD', lines: [{ text: 'x', amount: 1 }] }])
  expect(refusals).toEqual(['1 orderNumber is of a payment provider, and is not changed by a file'])
  expect((await world.db.select().from(orders).where(eq(orders.orderNumber, 'A-I1')))[0]?.amount).toBe(1000)
})

test('a prepaid term that would renew by itself is refused: nobody renews it', async () => {
  await using world = await newWorld()
  const owner = await world.member()
  const { code: productCode } = await newProduct(world)
  const line = {
    ...{ type: 'subscription', subscriptionId: 'prepaid-1', email: owner.email, productCode, status: 'active' },
    ...{ userCount: 1, origin: 'online', channel: 'card', term: 'paid_yearly', autoRenewal: true },
    ...{ periodStart: '2026-01-01T00:00:00Z', periodEnd: '2026-05-01T00:00:00Z' },
  }
  const { refusals } = await load(world, [line, { ...line, subscriptionId: 'prepaid-2', autoRenewal: false }])
  expect(refusals).toEqual(['1 autoRenewal is true: a prepaid term is renewed by nobody'])
})

test('what ends later than what is paid, or began to be due in years, is refused', async () => {
  await using world = await newWorld({ now: '2026-06-01T00:00:00Z' })
  const owner = await world.member()
  const { code: productCode } = await newProduct(world)
  const line = {
    ...{ type: 'subscription', email: owner.email, productCode, status: 'active', userCount: 1, origin: 'online' },
    ...{ channel: 'card', periodStart: '2026-01-01T00:00:00Z', periodEnd: '2026-05-01T00:00:00Z' },
  }
  const later = '2034-05-01T00:00:00Z'
  const { refusals } = await load(world, [
    { ...line, subscriptionId: 'later-1', cancelAt: later },
    { ...line, subscriptionId: 'later-2', cancelAt: later, status: 'given' },
    { ...line, subscriptionId: 'later-3', pastDueSince: later, status: 'past_due' },
    { ...line, subscriptionId: 'later-4', trialEnd: later, status: 'trialing' },
    { ...line, subscriptionId: 'later-5', status: 'trialing', periodEnd: undefined },
    { ...line, subscriptionId: 'bound', cancelAt: later, term: 'yearly_paid_monthly' },
    { ...line, subscriptionId: 'over', cancelAt: later, status: 'canceled' },
  ])
  expect(refusals).toEqual([
    ...['1 periodEnd is before cancelAt', '2 periodEnd is before cancelAt'],
    '3 pastDueSince is ahead: it is when a payment failed',
    ...['4 periodEnd is before trialEnd', '5 trialEnd is missing: a trial has an end'],
  ])
})
