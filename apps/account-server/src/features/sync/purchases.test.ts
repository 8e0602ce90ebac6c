import { randomUUID } from 'node:crypto'
import { activateDevice } from '@atrium/contract/activation.ts'
import { listOnlineOrders } from '@atrium/contract/orders.ts'
import { listSubscriptions } from '@atrium/contract/subscriptions.ts'
import { and, eq, inArray } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { payments } from '../../app.ts'
import { members } from '../../db/members.tables.ts'
import { deviceService, newMac, newProduct } from '../../test/factories.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { sessionCookieOf, signInAs } from '../../test/sign-in.ts'
import { noProviders } from '../../test/transfers.ts'
import { newWorld } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { syncCatalog } from '../catalog/catalog.sync.ts'
import { customerFor } from '../payments/customers/create-customer.ts'
import { mainCustomerId } from '../payments/customers/customers.queries.ts'
import { providerCustomers } from '../payments/customers/customers.tables.ts'
import { findPurchases } from '../subscriptions/purchases.sync.ts'

const sandbox = await sandboxOfFile()

/** A vendor whose shop sells at the card provider, without Atrium. */
async function shop() {
  const world = await newWorld({ settings: sandbox.settings, now: new Date().toISOString() })
  const { db, cards, logger } = world.deps
  const { stripe } = sandbox
  const { code } = await newProduct(world, { prices: [{ term: 'monthly', amount: 1000, currency: 'USD' }] })
  await syncCatalog({ db, cards, say: () => undefined })
  const [price] = (await stripe.prices.list({ lookup_keys: [`${code.toLowerCase()}-monthly-usd`] })).data

  async function buy(email: string) {
    const customer = await stripe.customers.create({ email })
    const { id: method } = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
    const bought = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: price?.id ?? '' }],
      default_payment_method: method,
    })
    return { customerId: customer.id, subscriptionId: bought.id, invoiceId: String(bought.latest_invoice) }
  }

  /** What the jobs do after an event of the provider. */
  async function hear(objectType: string, objectId: string) {
    await payments.syncs.card[objectType]?.(world.deps, objectId)
    await runPurchaseJobs()
  }

  async function runPurchaseJobs() {
    const waiting = world.sent.splice(0).filter(({ queue }) => queue === 'members.purchases')
    for (const { data } of waiting) await findPurchases(world.deps, 'memberId' in data ? String(data.memberId) : '')
    return waiting.length
  }

  const lists = async (caller: { cookie: string }) => {
    const { list: subscriptions } = (await world.as(caller).send(listSubscriptions, { query: {} })).body
    const { list: orders } = (await world.as(caller).send(listOnlineOrders, { query: {} })).body
    return { subscriptions: subscriptions.map((one) => one.stripeSubscriptionId), orders }
  }
  const linked = async (...customerIds: string[]) =>
    (await db.select().from(providerCustomers).where(inArray(providerCustomers.customerId, customerIds))).map(
      ({ memberId }) => memberId,
    )
  const warn = vi.spyOn(logger, 'warn')
  return { ...world, ...{ code, stripe, buy, hear, runPurchaseJobs, lists, linked, warn } }
}

const newEmail = () => `${randomUUID()}@example.test`

test.each(['customer', 'subscription', 'invoice'])(
  'whichever event is first, here of the %s: customer, subscription and order of a member are here',
  async (first) => {
    await using world = await shop()
    const member = await world.member()
    const bought = await world.buy(member.email.toUpperCase())
    const ids = new Map([
      ['customer', bought.customerId],
      ['subscription', bought.subscriptionId],
      ['invoice', bought.invoiceId],
    ])
    await world.hear(first, ids.get(first) ?? '')

    expect(await world.linked(bought.customerId)).toEqual([member.id])
    const { subscriptions, orders } = await world.lists(member)
    expect(subscriptions).toEqual([bought.subscriptionId])
    expect(orders).toMatchObject([{ orderStatus: 'CO', orderAmount: 1000, invoiceKind: 'invoice' }])

    for (const [type, id] of ids) await world.hear(type, id)
    expect(await world.lists(member)).toEqual({ subscriptions, orders })
    const links = and(eq(activity.memberId, member.id), eq(activity.action, 'customer.linked'))
    expect(await world.db.$count(activity, links)).toBe(1)
  },
)

test('an invoice that belongs to no subscription links its customer, too', async () => {
  await using world = await shop()
  const member = await world.member()
  const customer = await world.stripe.customers.create({ email: member.email })
  const { id: method } = await world.stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  const draft = await world.stripe.invoices.create({ customer: customer.id, default_payment_method: method })
  await world.stripe.invoiceItems.create({ customer: customer.id, invoice: draft.id, amount: 700, currency: 'usd' })
  await world.stripe.invoices.finalizeInvoice(draft.id)
  await world.stripe.invoices.pay(draft.id)
  await world.hear('invoice', draft.id)

  expect(await world.linked(customer.id)).toEqual([member.id])
  expect((await world.lists(member)).orders).toMatchObject([{ orderStatus: 'CO', orderAmount: 700 }])
})

test('bought before the first sign-in: nobody’s until then, and there a moment after', async () => {
  await using world = await shop()
  const email = newEmail()
  const bought = await world.buy(email)
  await world.hear('subscription', bought.subscriptionId)
  await world.hear('invoice', bought.invoiceId)
  expect(await world.linked(bought.customerId)).toEqual([])
  expect(world.warn).toHaveBeenCalledWith(
    { subscriptionId: bought.subscriptionId, customerId: bought.customerId },
    'a subscription of nobody here',
  )

  const reply = await signInAs(world, { user: `subject-${email}`, attributes: { email, emailVerified: 'true' } })
  expect(await world.runPurchaseJobs()).toBe(1)
  const { subscriptions, orders } = await world.lists({ cookie: `atrium_session=${sessionCookieOf(reply)}` })
  expect(subscriptions).toEqual([bought.subscriptionId])
  expect(orders).toMatchObject([{ orderStatus: 'CO', orderAmount: 1000 }])

  await signInAs(world, { user: `subject-${email}`, attributes: { email, emailVerified: 'true' } })
  expect(await world.runPurchaseJobs()).toBe(0)
})

test('whoever comes straight from the shop, and signs in on a device first, has a seat a moment after', async () => {
  await using world = await shop()
  const email = newEmail()
  await world.buy(email)
  const activate = () => {
    const ticket = `ST-${randomUUID()}`
    world.tickets.set(ticket, { user: `subject-${email}`, attributes: { email, emailVerified: 'true' } })
    const device = { hostName: 'ADA', mac: newMac(), appName: 'Folio PDF Editor+', appVersion: '14.0.1' }
    const body = { method: 'email', ticket, service: deviceService, appCode: world.code, ...device } as const
    return world.device(activateDevice, { body })
  }

  expect((await activate()).body.code).toBe('no_seat')
  expect(await world.runPurchaseJobs()).toBe(1)
  expect((await activate()).status).toBe(200)
  expect(await world.runPurchaseJobs()).toBe(0)
})

test('an imported member’s first sign-in brings what they bought, old invoices with the provider’s number', async () => {
  await using world = await shop()
  const member = await world.member()
  const bought = await world.buy(member.email)
  const { number } = await world.stripe.invoices.retrieve(bought.invoiceId)
  world.at(new Date(Date.now() + 4 * 86_400_000))
  const principal = { user: `subject-${member.id}`, attributes: { email: member.email, emailVerified: 'true' } }
  const reply = await signInAs(world, principal)
  expect(await world.runPurchaseJobs()).toBe(1)

  const { subscriptions, orders } = await world.lists({ cookie: `atrium_session=${sessionCookieOf(reply)}` })
  expect(subscriptions).toEqual([bought.subscriptionId])
  expect(orders).toMatchObject([{ orderStatus: 'CO', orderInvoiceNum: number }])
})

test('an address that is not verified, and a deleted customer, link nothing; beside another customer one is linked', async () => {
  await using world = await shop()
  const [unverified, other, gone] = [await world.member({ emailVerified: false }), await world.member(), newEmail()]
  const customerId = `cus_${randomUUID()}`
  await world.db
    .insert(providerCustomers)
    .values({ proof: 'ours', isMain: true, memberId: other.id, customerId, createdAt: new Date() })
  const bought = [await world.buy(unverified.email), await world.buy(other.email), await world.buy(gone)]
  await world.stripe.customers.del(bought[2]?.customerId ?? '')
  await world.member({ email: gone })
  for (const { customerId: id, subscriptionId } of bought) {
    await world.hear('customer', id)
    await world.hear('subscription', subscriptionId)
  }

  expect(await world.linked(...bought.map((one) => one.customerId))).toEqual([other.id])
  expect((await world.lists(other)).subscriptions).toEqual([bought[1]?.subscriptionId])
  expect(await mainCustomerId(world.db, other)).toBe(customerId)
})

test('a customer that the vendor’s key names a member in is that member’s, whatever address it has', async () => {
  await using world = await shop()
  const [first, second] = [await world.member({ emailVerified: false }), await world.member()]
  const metadata = { memberId: first.id }
  const { id } = await world.stripe.customers.create({ email: second.email, metadata })
  await world.hear('customer', id)
  expect(await world.linked(id)).toEqual([first.id])

  // Of an earlier installation, whose members had other ids: nothing was paid there.
  const earlier = await world.stripe.customers.create({ email: second.email, metadata: { memberId: randomUUID() } })
  await world.hear('customer', earlier.id)
  expect(await world.linked(earlier.id)).toEqual([])
})

test('many events at once link a customer once, and bring each purchase once', async () => {
  await using world = await shop()
  const member = await world.member()
  const bought = await world.buy(member.email)
  const events = [
    ['customer', bought.customerId],
    ['subscription', bought.subscriptionId],
    ['invoice', bought.invoiceId],
  ] as const
  const outcomes = await Promise.allSettled([...events, ...events, ...events].map(([type, id]) => world.hear(type, id)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(2)
  // One that lost is tried again by its queue.
  for (const [type, id] of events) await world.hear(type, id)

  expect(await world.linked(bought.customerId)).toEqual([member.id])
  const { subscriptions, orders } = await world.lists(member)
  expect(subscriptions).toEqual([bought.subscriptionId])
  expect(orders).toHaveLength(1)
})

test('a member who gets a customer of Atrium’s own at the same moment has that as the main one, and both purchases', async () => {
  await using world = await shop()
  for (let time = 0; time < 5; time += 1) {
    const member = await world.member()
    const bought = await world.buy(member.email)
    const caller = { ...member, address: '127.0.0.1', requestId: randomUUID(), sessionId: '', subject: '' }
    const asMember = { ...caller, firstName: 'Ada', lastName: 'Lindqvist' }
    const [own] = await Promise.all([
      customerFor(world.deps, asMember),
      world.hear('subscription', bought.subscriptionId),
    ])

    expect(await mainCustomerId(world.db, member)).toBe(own)
    expect((await world.lists(member)).subscriptions).toEqual([bought.subscriptionId])
  }
})

test('without a payment provider a sign-in looks nothing up', async () => {
  await using world = await newWorld({ settings: noProviders })
  const email = newEmail()
  await signInAs(world, { user: `subject-${email}`, attributes: { email, emailVerified: 'true' } })
  expect(await world.db.$count(members, eq(members.email, email))).toBe(1)
  expect(world.sent).toEqual([])
})
