import { randomUUID } from 'node:crypto'
import { downloadInvoice, listOnlineOrders } from '@atrium/contract/orders.ts'
import { listSubscriptions } from '@atrium/contract/subscriptions.ts'
import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { members } from '../../db/members.tables.ts'
import { invoiceFileFetcher } from '../../outside/invoice-files.ts'
import { newProduct } from '../../test/factories.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { newWorld } from '../../test/world.ts'
import { syncCatalog } from '../catalog/catalog.sync.ts'
import { syncInvoices } from '../orders/orders.sync.ts'
import { orders } from '../orders/orders.tables.ts'
import { syncCustomers } from '../payments/customers/customers.sync.ts'
import { knownSubscriptions } from '../subscriptions/known-subscriptions.queries.ts'
import { findPurchases, syncCustomer } from '../subscriptions/purchases.sync.ts'
import { syncInvoiceOfSubscription, syncSubscription, syncSubscriptions } from '../subscriptions/subscriptions.sync.ts'

const sandbox = await sandboxOfFile()

/** A vendor whose catalog is at the provider, and a customer there with a card. */
async function vendor() {
  const world = await newWorld({ settings: sandbox.settings, now: new Date().toISOString() })
  const { db, cards } = world.deps
  world.deps.fetchInvoiceFile = invoiceFileFetcher({ hosts: [], providerUrl: sandbox.url })
  const said: string[] = []
  const say = (sentence: string) => void said.push(sentence)
  const member = await world.member()
  const person = world.member
  const { code } = await newProduct(world, {
    name: 'Folio PDF Editor+',
    prices: [{ term: 'monthly', amount: 1000, currency: 'USD' }],
  })
  await syncCatalog({ db, cards, say })
  const { stripe } = sandbox
  const [price] = (await stripe.prices.list({ lookup_keys: [`${code.toLowerCase()}-monthly-usd`] })).data
  const customer = await stripe.customers.create({ email: member.email, name: 'Ada Lindqvist' })
  const subscribe = async (card: string, metadata: Record<string, string> = {}, buyer = customer.id) => {
    const { id: method } = await stripe.paymentMethods.attach(card, { customer: buyer })
    return stripe.subscriptions.create({
      customer: buyer,
      items: [{ price: price?.id ?? '', quantity: 3 }],
      default_payment_method: method,
      payment_behavior: 'allow_incomplete',
      metadata,
    })
  }
  return {
    ...world,
    ...{ member, person, code, stripe, subscribe, said },
    /** The subscription of another member. */
    async elsewhere() {
      const { email } = await person()
      const other = await stripe.customers.create({ email })
      return (await subscribe('pm_card_visa', {}, other.id)).id
    },
    /** The operator knows that the shop has confirmed the addresses. */
    link: () => syncCustomers({ ...world.deps, confirmedUntil: new Date(Date.now() + 60_000), now: new Date(), say }),
    takeOver: async () => [
      await syncSubscriptions({ ...world.deps, say }),
      await syncInvoices({ ...world.deps, say }, knownSubscriptions),
    ],
    listed: async () => (await world.as(member).send(listSubscriptions, { query: {} })).body.list,
    ordered: async () => (await world.as(member).send(listOnlineOrders, { query: {} })).body.list,
  }
}

test('bought at the provider: subscription and completed order are here, with the price, the period and a number of ours', async () => {
  await using world = await vendor()
  await world.link()
  const bought = await world.subscribe('pm_card_visa')
  await syncSubscription(world.deps, bought.id)
  await syncInvoiceOfSubscription(world.deps, String(bought.latest_invoice))

  const [item] = bought.items.data
  expect(await world.listed()).toMatchObject([
    {
      stripeSubscriptionId: bought.id,
      appCode: world.code,
      stripeSubscriptionStatus: 'active',
      userCount: 3,
      price: 3000,
      currency: 'USD',
      paidType: 'monthly',
      autoRenewal: 1,
      stripeCurrentPeriodEnd: new Date((item?.current_period_end ?? 0) * 1000).toISOString(),
    },
  ])
  expect(await world.ordered()).toMatchObject([
    { orderAmount: 3000, orderCurrency: 'USD', orderStatus: 'CO', invoiceKind: 'invoice' },
  ])
  expect((await world.ordered())[0]?.orderDescription[0]).toMatch(/^Folio PDF Editor\+ × 3, /)
})

test('auto-renewal off and on at the provider, and a cancellation, arrive', async () => {
  await using world = await vendor()
  await world.link()
  const { id } = await world.subscribe('pm_card_visa')
  const after = async (change: Promise<unknown>) => {
    await change
    await syncSubscription(world.deps, id)
    return (await world.listed())[0]
  }

  const off = await after(world.stripe.subscriptions.update(id, { cancel_at_period_end: true }))
  expect(off).toMatchObject({ autoRenewal: 0, nextPlanPeriodStart: off?.stripeCurrentPeriodEnd })
  const on = await after(world.stripe.subscriptions.update(id, { cancel_at_period_end: false }))
  expect(on).toMatchObject({ autoRenewal: 1, nextPlanPeriodStart: '' })
  const gone = await after(world.stripe.subscriptions.cancel(id))
  expect(gone).toMatchObject({ stripeSubscriptionStatus: 'canceled', hideResume: 1, manageBy: 'none' })
})

test('an account that was filled before is taken over whole: subscriptions, and what was paid with the provider’s number', async () => {
  await using world = await vendor()
  const bought = await world.subscribe('pm_card_visa')
  const invoice = await world.stripe.invoices.retrieve(String(bought.latest_invoice))
  await world.link()
  for (let time = 0; time < 2; time += 1) await world.takeOver()

  expect((await world.listed()).map(({ stripeSubscriptionId }) => stripeSubscriptionId)).toEqual([bought.id])
  const [order, ...others] = await world.ordered()
  expect([order?.orderInvoiceNum, order?.orderStatus, others]).toEqual([invoice.number, 'CO', []])

  // The provider's addresses of documents end after some weeks.
  await world.db.update(orders).set({ invoiceUrl: `${sandbox.url}/cards/invoices/ended/pdf` })
  const { body } = await world.as(world.member).send(downloadInvoice, {
    body: { orderNum: order?.orderNumber ?? '', invoiceNum: invoice.number ?? '', lang: 'en-us' },
  })
  expect(Buffer.from(body.content, 'base64').toString('latin1')).toContain(invoice.number)
})

test('an order that a file brought with the provider’s number is the same one; a number of something else is named', async () => {
  await using world = await vendor()
  const numberOf = async ({ latest_invoice: id }: Stripe.Subscription) =>
    (await world.stripe.invoices.retrieve(String(id))).number ?? ''
  const file = { memberId: world.member.id, status: 'CO', lines: [], currency: 'USD', date: new Date() } as const
  const rest = { ...file, origin: 'imported', invoiceUrl: '' } as const
  const [same, other] = [await world.subscribe('pm_card_visa'), await world.subscribe('pm_card_visa')]
  const numbers = [await numberOf(same), await numberOf(other)]
  const [id, otherId] = [randomUUID(), randomUUID()]
  await world.db.insert(orders).values([
    { ...rest, orderNumber: id, invoiceNumber: numbers[0] ?? '', amount: 3000 },
    { ...rest, orderNumber: otherId, invoiceNumber: numbers[1] ?? '', amount: 1 },
  ])
  await world.link()
  for (let time = 0; time < 2; time += 1) {
    world.said.length = 0
    const [, invoices] = await world.takeOver()
    const ours = world.said.filter((text) => text.includes(numbers[1] ?? ''))
    expect([ours.length, (invoices?.unmatched ?? 0) > 0]).toEqual([1, true])
  }

  const listed = await world.ordered()
  expect(listed.map(({ orderNumber }) => orderNumber).sort()).toEqual([id, otherId].sort())
  const [order] = await world.db.select().from(orders).where(eq(orders.orderNumber, id))
  expect(order?.providerId).toBe(same.latest_invoice)
})

test('an add-on stands below the subscription that it names, which is read first; nobody else’s is its parent', async () => {
  await using world = await vendor()
  const parent = await world.subscribe('pm_card_visa')
  const addOn = await world.subscribe('pm_card_visa', { parent: parent.id })
  const [strange, lost] = [await world.elsewhere(), 'sub_NobodysAtAll000000000']
  await world.subscribe('pm_card_visa', { parent: strange })
  await world.subscribe('pm_card_visa', { parent: lost })
  await world.link()
  await world.takeOver()

  const listed = await world.listed()
  expect(listed).toHaveLength(4)
  const parents = new Map(listed.map(({ stripeSubscriptionId: id, parentId }) => [id, parentId]))
  expect(parents.get(addOn.id)).toBe(parent.id)
  expect([...parents.values()].filter((id) => id !== '')).toEqual([parent.id])
})

test('one that was never paid is not listed, and its order waits', async () => {
  await using world = await vendor()
  await world.link()
  const bought = await world.subscribe('pm_card_chargeCustomerFail')
  expect(bought.status).toBe('incomplete')
  await syncSubscription(world.deps, bought.id)
  await syncInvoiceOfSubscription(world.deps, String(bought.latest_invoice))

  expect(await world.listed()).toEqual([])
  expect(await world.ordered()).toMatchObject([{ orderStatus: 'PD', invoiceKind: 'none' }])
})

test('bought in the vendor’s shop by somebody with a verified address: the webhooks alone link the customer, once', async () => {
  await using world = await vendor()
  const bought = await world.subscribe('pm_card_visa')
  const invoice = String(bought.latest_invoice)
  await Promise.all([
    syncSubscription(world.deps, bought.id),
    syncInvoiceOfSubscription(world.deps, invoice),
    syncSubscription(world.deps, bought.id),
    syncCustomer(world.deps, String(bought.customer)),
  ])
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionId: bought.id, userCount: 3 }])
  expect(await world.ordered()).toMatchObject([{ orderStatus: 'CO', orderAmount: 3000 }])
})

test('bought before the address was verified here: nobody’s, until the first sign-in looks for it', async () => {
  await using world = await vendor()
  const email = `${randomUUID()}@example.test`
  const { id: customer } = await world.stripe.customers.create({ email })
  const { id: method } = await world.stripe.paymentMethods.attach('pm_card_visa', { customer })
  const [price] = (await world.stripe.prices.list({ lookup_keys: [`${world.code.toLowerCase()}-monthly-usd`] })).data
  const items = [{ price: price?.id ?? '', quantity: 1 }]
  const bought = await world.stripe.subscriptions.create({ customer, items, default_payment_method: method })
  await syncSubscription(world.deps, bought.id)

  const late = await world.person({ email, emailVerified: false })
  const listed = async () => (await world.as(late).send(listSubscriptions, { query: {} })).body.list
  await syncSubscription(world.deps, bought.id)
  await findPurchases(world.deps, late.id)
  expect(await listed()).toEqual([])

  await world.db.update(members).set({ emailVerified: true }).where(eq(members.id, late.id))
  await Promise.all([findPurchases(world.deps, late.id), findPurchases(world.deps, late.id)])
  expect(await listed()).toMatchObject([{ stripeSubscriptionId: bought.id }])
})

test('another customer with the address of a member who has one changes nothing of theirs', async () => {
  await using world = await vendor()
  await world.link()
  const { id: customer } = await world.stripe.customers.create({ email: world.member.email })
  await syncCustomer(world.deps, customer)
  await syncCustomer(world.deps, 'cus_NobodysAtAll00')
  expect(await world.listed()).toEqual([])
  const first = await world.subscribe('pm_card_visa')
  await syncSubscription(world.deps, first.id)
  expect(await world.listed()).toHaveLength(1)
})

/** A vendor who has sold a product that is not in the catalog. */
async function vendorOfOld() {
  const world = await vendor()
  await world.link()
  const product = await world.stripe.products.create({ name: 'Old Editor' })
  const recurring = { interval: 'year' } as const
  const price = await world.stripe.prices.create({ product: product.id, currency: 'usd', unit_amount: 4900, recurring })
  const { id } = await world.subscribe('pm_card_visa')
  const items = [{ id: (await world.stripe.subscriptions.retrieve(id)).items.data[0]?.id ?? '', price: price.id }]
  await world.stripe.subscriptions.update(id, { items })
  return { world, id, product, price }
}

test('a price that the catalog does not know is taken over, and named', async () => {
  const { world, id, price } = await vendorOfOld()
  await using _ = world
  const said: string[] = []
  const { unmatched } = await syncSubscriptions({ ...world.deps, say: (sentence) => said.push(sentence) })
  expect(said).toContain(`${id}: no product of the catalog has the price ${price.id}`)
  expect(unmatched).toBeGreaterThan(0)
  expect(await world.listed()).toMatchObject([{ appName: 'Old Editor', paidType: '' }])
})

test('what was sold of a product that is deleted at the provider is taken over, with the rest', async () => {
  const { world, id, product } = await vendorOfOld()
  await using _ = world
  const { productName } = world.deps.cards
  // The provider deletes a product once its plans are deleted, and its subscriptions go on.
  world.deps.cards.productName = (asked) => productName(asked === product.id ? 'prod_Deleted2018' : asked)
  const newer = (await world.subscribe('pm_card_visa')).id
  await syncSubscription(world.deps, id)
  await world.takeOver()
  const names = new Map((await world.listed()).map((one) => [one.stripeSubscriptionId, one.appName]))
  expect([names.get(id), names.get(newer)]).toEqual([product.id, 'Folio PDF Editor+'])
})
