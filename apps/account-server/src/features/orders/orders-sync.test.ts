import { exportOrders } from '@atrium/contract/order-files.ts'
import { downloadInvoice, listOnlineOrders } from '@atrium/contract/orders.ts'
import { searchAccount } from '@atrium/contract/search.ts'
import { and, asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { members } from '../../db/members.tables.ts'
import type { BilledInvoice } from '../../outside/billed-invoice.ts'
import { newProduct } from '../../test/factories.ts'
import { newWorld } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { addresses } from '../addresses/addresses.tables.ts'
import { providerPrices } from '../catalog/provider-prices.tables.ts'
import { providerCustomers } from '../payments/customers/customers.tables.ts'
import { writeInvoice } from './invoices.service.ts'
import { syncInvoice, syncInvoices } from './orders.sync.ts'
import { invoiceFiles, orders } from './orders.tables.ts'

/** Nothing was transferred. */
const none = { endedForMove: async () => undefined, ownerOf: async () => undefined }

const at = (day: number) => new Date(Date.UTC(2026, 5, day))

let number = 0

/** A world whose provider has one invoice of a member's customer, in a state that the test sets. */
async function invoicedWorld() {
  const world = await newWorld({ now: at(2).toISOString() })
  const { db, cards } = world.deps
  const member = await world.member()
  number += 1
  const [id, customerId, priceId] = [`in_${number}`, `cus_o${number}`, `price_o${number}`]
  await db
    .insert(providerCustomers)
    .values({ proof: 'ours', isMain: true, memberId: member.id, customerId, createdAt: at(0) })
  const { code } = await newProduct(world, { name: 'Folio PDF Editor+' })
  const price = { provider: 'card', productId: 'prod_1', productCode: code, currency: 'USD', isCurrent: true } as const
  await db.insert(providerPrices).values({ ...price, id: priceId, term: 'monthly', amount: 1000 })
  const period = { periodStart: at(1), periodEnd: at(31) }
  const invoice: BilledInvoice = {
    ...{
      id,
      channel: 'card',
      customerId,
      number: `PROVIDER-${number}`,
      subscriptionId: 'sub_1',
      status: 'open',
      isOfChange: false,
      isAttempted: false,
    },
    lines: [{ text: '', priceId, productId: 'prod_1', quantity: 2, amount: 2000, isProration: false, ...period }],
    ...{
      discount: 0,
      tax: 380,
      total: 2380,
      charged: 2380,
      balanceBefore: 0,
      currency: 'USD',
      createdAt: at(1),
      finalizedAt: at(1),
      paidAt: at(1),
    },
    buyer: {
      ...{ name: 'Ada Lindqvist', email: member.email, address: ['Kantstraße 24', 'Berlin, 10623'], country: 'DE' },
      ...{ taxIds: ['DE123456789'], isReverseCharge: false },
    },
    pdfUrl: 'https://pay.example/invoice.pdf',
    payUrl: '',
  }
  const provider = { has: invoice }
  cards.readInvoice = async () => provider.has
  cards.invoicesAfter = async () => ({ invoices: [provider.has], hasMore: false })
  return {
    ...world,
    ...{ member, id, invoice, provider, code },
    sync: () => syncInvoice(world.deps, id, none),
    listed: async () => (await world.as(member).send(listOnlineOrders, { query: {} })).body.list,
    stored: async () => (await db.select().from(orders).where(eq(orders.providerId, id)))[0],
    history: async () =>
      (
        await db
          .select({ action: activity.action, details: activity.details })
          .from(activity)
          .where(and(eq(activity.memberId, member.id), eq(activity.action, 'order.changed')))
          .orderBy(asc(activity.id))
      ).map(({ details }) => details),
  }
}

test('a finalized invoice is an open order, a paid one is completed with an invoice number, once', async () => {
  await using world = await invoicedWorld()
  expect(await world.sync()).toBe('sub_1')
  expect(await world.listed()).toMatchObject([
    {
      orderInvoiceNum: '',
      orderDescription: ['Folio PDF Editor+ × 2, Jun 1, 2026 – Jul 1, 2026'],
      orderAmount: 2380,
      orderTotal: 2380,
      orderTax: 380,
      orderCurrency: 'USD',
      orderStatus: 'OP',
      orderDate: at(1).toISOString(),
      invoiceKind: 'none',
    },
  ])
  world.provider.has = { ...world.invoice, status: 'paid', isAttempted: true }
  for (let time = 0; time < 3; time += 1) await world.sync()

  const [shown] = await world.listed()
  expect(shown).toMatchObject({ orderStatus: 'CO', invoiceKind: 'invoice' })
  expect(shown?.orderInvoiceNum).toMatch(/^INV-\d{6}$/)
  expect(await world.history()).toMatchObject([{ after: { status: 'OP' } }, { after: { status: 'CO' } }])
  expect(world.sent.filter(({ queue }) => queue === 'orders.invoices')).toHaveLength(1)
})

test('what the provider bills without words is called by the catalog’s name of its product, in every list and file', async () => {
  await using world = await invoicedWorld()
  const lines = world.invoice.lines.map((line) => ({ ...line, priceId: 'price_of_the_dashboard' }))
  const [none] = lines.map((line) => ({ ...line, priceId: '', productId: '', amount: 0 }))
  world.provider.has = { ...world.invoice, lines: [...lines, ...(none ? [none] : [])] }
  await world.sync()

  const names = ['Folio PDF Editor+ × 2', 'Item × 2']
  const [listed] = await world.listed()
  expect(listed?.orderProduct.map(({ name }) => name)).toEqual(names)
  const { body } = await world.as(world.member).send(exportOrders, { query: {} })
  const csv = Buffer.from(body.content, 'base64').toString()
  for (const name of names) expect(csv).toContain(name)
  const found = await world.as(world.member).send(searchAccount, { query: { keyWord: 'Folio PDF Editor+' } })
  expect(found.body.orders).toMatchObject([{ name: names[0] }])
})

test('the invoice is written in the language that the customer had, with the buyer as of then, and never changes', async () => {
  await using world = await invoicedWorld()
  await world.db.update(members).set({ locale: 'de-de' }).where(eq(members.id, world.member.id))
  world.provider.has = { ...world.invoice, status: 'paid' }
  await world.sync()
  const order = await world.stored()
  const orderNumber = order?.orderNumber ?? ''
  await Promise.all([writeInvoice(world.deps, orderNumber), writeInvoice(world.deps, orderNumber)])

  const files = await world.db.select().from(invoiceFiles).where(eq(invoiceFiles.orderNumber, orderNumber))
  expect(files).toHaveLength(1)
  expect(order).toMatchObject({ locale: 'de-de', tax: 380, buyer: { name: 'Ada Lindqvist', country: 'DE' } })
  expect(order?.lines[0]?.text).toBe('Folio PDF Editor+ × 2, 01.06.2026 – 01.07.2026')
  const { body } = await world.as(world.member).send(listOnlineOrders, { query: { lang: 'fr-fr' } })
  expect(body.list[0]?.orderDescription).toEqual(['Folio PDF Editor+ × 2, 1 juin 2026 – 1 juil. 2026'])
  expect(body.list[0]?.orderProduct).toMatchObject([{ name: 'Folio PDF Editor+ × 2', amount: 2000 }])
  const asked = { orderNum: orderNumber, invoiceNum: order?.invoiceNumber ?? '', lang: 'en-us' as const }
  const download = await world.as(world.member).send(downloadInvoice, { body: asked })
  expect(Buffer.from(download.body.content, 'base64').equals(files[0]?.pdf ?? Buffer.alloc(0))).toBe(true)
})

test('an order that waited since before the first visit is paid in the customer’s language, to their company and address', async () => {
  await using world = await invoicedWorld()
  const buyer = { ...world.invoice.buyer, address: [], country: '' }
  world.provider.has = { ...world.invoice, buyer, isAttempted: true }
  await world.sync()
  expect(await world.stored()).toMatchObject({ status: 'PD', locale: 'en-us', buyer: { company: '', address: [] } })

  const { id: memberId } = world.member
  await world.db.update(members).set({ locale: 'de-de', company: 'Hoffmann GmbH' }).where(eq(members.id, memberId))
  const place = { street: 'Kantstraße 24', city: 'Berlin', zip: '10623', state: 'BE', country: 'DE', isDefault: true }
  const named = { firstName: 'Ada', lastName: 'Lindqvist', contactEmail: world.member.email, createdAt: at(1) }
  await world.db.insert(addresses).values({ memberId, ...place, ...named })
  world.provider.has = { ...world.provider.has, status: 'paid' }
  await world.sync()
  expect(await world.stored()).toMatchObject({
    ...{ status: 'CO', locale: 'de-de' },
    buyer: { company: 'Hoffmann GmbH', address: ['Kantstraße 24', 'Berlin, 10623'], country: 'DE' },
  })
})

test.each([
  ['JP', '13', 'ja-jp', 'Lindqvist Ada', 'Shibuya, Tokyo, 150-0001'],
  ['BR', 'SP', 'pt-br', 'Ada Lindqvist', 'Shibuya, São Paulo, 150-0001'],
  ['US', 'CA', 'en-us', 'Ada Lindqvist', 'Shibuya, CA, 150-0001'],
] as const)(
  'without an address of the provider (%s), the buyer is the default billing address, not who paid at PayPal',
  async (country, state, locale, name, line) => {
    await using world = await invoicedWorld()
    const { id: memberId } = world.member
    await world.db.update(members).set({ locale }).where(eq(members.id, memberId))
    const place = { street: 'Dogenzaka 1', city: 'Shibuya', zip: '150-0001', state, country, isDefault: true }
    const named = { firstName: 'Ada', lastName: 'Lindqvist', contactEmail: 'billing@example.test', createdAt: at(1) }
    await world.db.insert(addresses).values({ memberId, ...place, ...named })
    const payer = { name: 'Sandy Buyer', email: 'sandy@example.test', address: [], country: '' }
    world.provider.has = { ...world.invoice, status: 'paid', buyer: { ...world.invoice.buyer, ...payer } }
    await world.sync()
    expect((await world.stored())?.buyer).toEqual({
      ...{ name, email: 'billing@example.test', company: '', address: ['Dogenzaka 1', line], country },
      ...{ taxIds: ['DE123456789'], isReverseCharge: false },
    })
  },
)

test('an address without a name or an email takes them from the profile', async () => {
  await using world = await invoicedWorld()
  const { id: memberId, email } = world.member
  const profile = { firstName: 'Ada', lastName: 'Lindqvist' }
  await world.db.update(members).set(profile).where(eq(members.id, memberId))
  const place = { street: 'Kantstraße 24', city: 'Berlin', zip: '10623', state: 'BE', country: 'DE', isDefault: true }
  const nobody = { firstName: '', lastName: '', contactEmail: '', createdAt: at(1) }
  await world.db.insert(addresses).values({ memberId, ...place, ...nobody })
  const payer = { name: 'Sandy Buyer', email: 'sandy@example.test', address: [], country: '' }
  world.provider.has = { ...world.invoice, status: 'paid', buyer: { ...world.invoice.buyer, ...payer } }
  await world.sync()
  expect((await world.stored())?.buyer).toMatchObject({ name: 'Ada Lindqvist', email })
})

test('a failed payment is pending, a voided invoice canceled, a draft and a zero total no order', async () => {
  await using world = await invoicedWorld()
  for (const nothing of [{ status: 'draft' }, { total: 0, charged: 0 }]) {
    world.provider.has = { ...world.invoice, ...nothing }
    await world.sync()
    expect(await world.listed()).toEqual([])
  }
  world.provider.has = { ...world.invoice, isAttempted: true }
  await world.sync()
  expect(await world.listed()).toMatchObject([{ orderStatus: 'PD', isPaymentDue: 0 }])
  world.provider.has = { ...world.invoice, status: 'void' }
  await world.sync()
  expect(await world.listed()).toMatchObject([{ orderStatus: 'CL', isPaymentDue: 0, orderInvoiceNum: '' }])
})

test('only the invoice of a change waits for its payment; another one has failed', async () => {
  await using world = await invoicedWorld()
  for (const isOfChange of [false, true]) {
    world.provider.has = { ...world.invoice, isOfChange, isAttempted: true, payUrl: 'https://pay.example/1' }
    await world.sync()
    expect(await world.listed()).toMatchObject([{ orderStatus: 'PD', isChangeWaiting: isOfChange ? 1 : 0 }])
  }
})

test('what was paid before the take-over keeps the provider’s number and document, and what comes after has ours', async () => {
  await using world = await invoicedWorld()
  const said: string[] = []
  const before = new Date(at(0).getTime() - 1000)
  world.provider.has = { ...world.invoice, status: 'paid', createdAt: before, finalizedAt: before }
  const takeOver = () => syncInvoices({ ...world.deps, say: (sentence) => said.push(sentence) }, none)

  expect(await takeOver()).toEqual({ synced: 1, unmatched: 0 })
  expect(await takeOver()).toEqual({ synced: 1, unmatched: 0 })
  expect(await world.stored()).toMatchObject({
    invoiceNumber: world.invoice.number,
    invoiceUrl: world.invoice.pdfUrl,
    origin: 'imported',
  })
  world.provider.has = { ...world.invoice, id: 'in_stranger', customerId: 'cus_stranger' }
  expect(await takeOver()).toEqual({ synced: 0, unmatched: 1 })
  expect(said).toEqual(['in_stranger: customer cus_stranger is not a member’s, or an address alone says so'])
})

test('twenty jobs about a new invoice make one order; of what was read, the latest counts', async () => {
  await using world = await invoicedWorld()
  await Promise.allSettled(Array.from({ length: 20 }, world.sync))
  await world.sync()
  expect(await world.db.$count(orders, eq(orders.providerId, world.id))).toBe(1)

  const [isRead, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { cards } = world.deps
  const old = { ...world.invoice, isAttempted: true }
  cards.readInvoice = async () => {
    isRead.resolve()
    await mayGoOn.promise
    return old
  }
  const slow = world.sync()
  await isRead.promise
  cards.readInvoice = async () => ({ ...world.invoice, status: 'void' })
  await world.sync()
  mayGoOn.resolve()
  await slow
  expect(await world.stored()).toMatchObject({ status: 'CL' })
})

test('invoice numbers have no gaps, though transactions fail', async () => {
  await using world = await invoicedWorld()
  world.provider.has = { ...world.invoice, status: 'paid' }
  await world.sync()
  const first = Number((await world.stored())?.invoiceNumber.slice(4))
  const send = world.deps.jobs.send
  world.deps.jobs.send = async () => Promise.reject(new Error('the connection is lost'))
  const other = { ...world.invoice, id: `${world.id}_b`, status: 'paid' }
  world.deps.cards.readInvoice = async () => other
  await expect(syncInvoice(world.deps, other.id, none)).rejects.toThrow('lost')
  world.deps.jobs.send = send
  await syncInvoice(world.deps, other.id, none)

  const [second] = await world.db.select().from(orders).where(eq(orders.providerId, other.id))
  expect(second?.invoiceNumber).toBe(`INV-${first + 1}`)
})
