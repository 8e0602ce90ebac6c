import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { members } from '../../../db/members.tables.ts'
import type { BilledInvoice } from '../../../outside/billed-invoice.ts'
import { ProviderFailure } from '../../../outside/provider-failure.ts'
import { newProduct, newSubscription } from '../../../test/factories.ts'
import { newWorld } from '../../../test/world.ts'
import { providerPrices } from '../../catalog/provider-prices.tables.ts'
import { mailQueue } from '../../mail/mail.writes.ts'
import { syncInvoice, syncInvoices } from '../../orders/orders.sync.ts'
import { orders } from '../../orders/orders.tables.ts'
import { type PaidOrder, paidOrdersQueue } from '../../orders/receipts.writes.ts'
import { applyRefunds, unpublished } from '../../orders/refunds.sync.ts'
import { providerCustomers } from '../../payments/customers/customers.tables.ts'
import { knownSubscriptions } from '../known-subscriptions.queries.ts'
import { sendReceipt } from './send-receipt.ts'

const at = (day: number) => new Date(Date.UTC(2026, 5, day))
const Paid = z.object({ orderNumber: z.string(), channel: z.enum(['card', 'paypal']), queuedAt: z.string() })
const Sent = z.object({ to: z.string(), subject: z.string(), text: z.string() })

let number = 0

/** A member whose customer has one invoice of the card provider, paid now. */
async function paidWorld(values: Partial<BilledInvoice> = {}) {
  const world = await newWorld({ now: at(2).toISOString() })
  const { db, cards } = world.deps
  const buyer = await world.member()
  number += 1
  const [id, customerId, priceId, subscriptionId] = [
    `in_r${number}`,
    `cus_r${number}`,
    `price_r${number}`,
    `sub_r${number}`,
  ]
  await db
    .insert(providerCustomers)
    .values({ proof: 'ours', isMain: true, memberId: buyer.id, customerId, createdAt: at(1) })
  const { code } = await newProduct(world, { name: 'Folio PDF Editor+' })
  const price = { provider: 'card', productId: 'prod_1', productCode: code, currency: 'USD', isCurrent: true } as const
  await db.insert(providerPrices).values({ ...price, id: priceId, term: 'monthly', amount: 1000 })
  const line = { text: '', priceId, productId: 'prod_1', quantity: 2, amount: 2000, isProration: false }
  const invoice: BilledInvoice = {
    ...{ id, channel: 'card', customerId, number: `P-${number}`, subscriptionId, status: 'paid' },
    ...{ isOfChange: false, isAttempted: true },
    lines: [{ ...line, periodStart: at(1), periodEnd: at(31) }],
    ...{ discount: 0, tax: 380, total: 2380, charged: 2380, balanceBefore: 0, currency: 'USD' },
    ...{ createdAt: at(2), finalizedAt: at(2), paidAt: at(2), pdfUrl: '', payUrl: '' },
    buyer: { name: '', email: 'payer@example.test', address: [], country: 'DE', taxIds: [], isReverseCharge: false },
    ...values,
  }
  const provider = { has: invoice }
  cards.readInvoice = async () => provider.has
  cards.invoicesAfter = async () => ({ invoices: [provider.has], hasMore: false })
  cards.cardOfInvoice = async () => ({ id: 'pm_1', brand: 'visa', last4: '4242' })
  const taken = <Data>(queue: string, shape: z.ZodType<Data>) =>
    world.sent.flatMap((job) => (job.queue === queue ? [shape.parse(job.data)] : []))
  const queued = (): PaidOrder[] => taken(paidOrdersQueue, Paid)
  return {
    ...world,
    ...{ buyer, id, code, subscriptionId, provider, queued },
    sync: () => syncInvoice(world.deps, id, knownSubscriptions),
    /** Each job twice at once, and once more. */
    async run() {
      const twice = [...queued(), ...queued()]
      await Promise.all(twice.map((job) => sendReceipt(world.deps, job)))
      for (const job of queued()) await sendReceipt(world.deps, job)
    },
    mails: () => taken(mailQueue, Sent),
    stored: async () => (await db.select().from(orders).where(eq(orders.providerId, id)))[0],
  }
}

test('what was paid is emailed once to the buyer, however often the invoice is read and the job runs', async () => {
  await using world = await paidWorld()
  for (let time = 0; time < 3; time += 1) await world.sync()
  expect(world.queued()).toHaveLength(1)
  await world.run()
  const order = await world.stored()
  expect(world.mails()).toMatchObject([
    { to: world.buyer.email, subject: 'Your receipt for Folio PDF Editor+: $23.80' },
  ])
  const [{ text = '' } = {}] = world.mails()
  expect(text).toContain('Folio PDF Editor+ × 2, Jun 1, 2026 – Jul 1, 2026: $20.00\nTax: $3.80\nTotal: $23.80')
  expect(text).toContain('Paid with: Visa ••••\u00a04242')
  expect(text).toContain(`Order number: ${order?.orderNumber}`)
  expect(text).toContain(`Invoice number: ${order?.invoiceNumber}`)
  expect(order?.receiptEmailedAt).toEqual(at(2))
})

test('what is given to whose it is while the receipt is written is emailed to them alone', async () => {
  await using world = await paidWorld()
  const right = await world.member()
  await world.sync()
  const { cardOfInvoice } = world.deps.cards
  world.deps.cards.cardOfInvoice = async (id) => {
    await world.db.update(orders).set({ memberId: right.id }).where(eq(orders.providerId, id))
    return cardOfInvoice(id)
  }
  await world.run()
  expect(world.mails().map(({ to }) => to)).toEqual([right.email])
})

test('the receipt has the language of the invoice', async () => {
  await using world = await paidWorld()
  await world.db.update(members).set({ locale: 'de-de' }).where(eq(members.id, world.buyer.id))
  await world.sync()
  await world.run()
  expect(world.mails()).toMatchObject([{ subject: 'Ihr Zahlungsbeleg für Folio PDF Editor+: 23,80\u00a0$' }])
})

test('an upgrade names what was upgraded to, not what was credited', async () => {
  await using world = await paidWorld()
  const { code } = await newProduct(world, { name: 'Folio Business' })
  const price = { provider: 'card', productId: 'prod_2', productCode: code, currency: 'USD', isCurrent: true } as const
  const priceId = `price_up_${number}`
  await world.db.insert(providerPrices).values({ ...price, id: priceId, term: 'monthly', amount: 1500 })
  const [line] = world.provider.has.lines
  if (!line) throw new Error('the invoice has no line')
  const proration = { ...line, isProration: true }
  const lines = [
    { ...proration, amount: -1000 },
    { ...proration, priceId, amount: 3000 },
  ]
  world.provider.has = { ...world.provider.has, lines }
  await world.sync()
  await world.run()
  expect(world.mails()).toMatchObject([{ subject: 'Your receipt for Folio Business: $23.80' }])
})

test('an invoice is not paid until it is; what was open for weeks is news once it is paid', async () => {
  await using world = await paidWorld()
  const paid = world.provider.has
  world.provider.has = { ...paid, status: 'open', paidAt: null }
  await world.sync()
  expect(world.queued()).toEqual([])
  world.at(at(25))
  world.provider.has = { ...paid, paidAt: at(25) }
  await world.sync()
  await world.run()
  expect(world.mails()).toHaveLength(1)
})

test.each([
  ['what was paid long before it was heard of', { paidAt: at(-10), finalizedAt: at(-10), createdAt: at(-10) }],
  ['what the customer’s credit has paid', { charged: 0, balanceBefore: -2380 }],
  ['a voided invoice', { status: 'void', paidAt: null }],
])('there is no receipt for %s', async (_what, values) => {
  await using world = await paidWorld(values)
  await world.db
    .update(providerCustomers)
    .set({ createdAt: at(-20) })
    .where(eq(providerCustomers.memberId, world.buyer.id))
  await world.sync()
  expect(await world.stored()).toMatchObject({ origin: 'charged' })
  expect(world.queued()).toEqual([])
})

test('what was paid before the take-over is imported, and gets none', async () => {
  await using world = await paidWorld({ finalizedAt: at(0), createdAt: at(0), paidAt: at(0) })
  await syncInvoices({ ...world.deps, say: () => undefined }, knownSubscriptions)
  expect(await world.stored()).toMatchObject({ origin: 'imported', status: 'CO' })
  expect(world.queued()).toEqual([])
})

test.each(['id', 'providerId'] as const)(
  'who bought through a partner gets none: the subscription is known by its %s',
  async (name) => {
    await using world = await paidWorld()
    const ids =
      name === 'id' ? { id: world.subscriptionId } : { id: `ours-${number}`, providerId: world.subscriptionId }
    await newSubscription(world, world.buyer, { productCode: world.code, isPriceHidden: true, ...ids })
    await world.sync()
    await world.run()
    expect([world.queued().length, world.mails()]).toEqual([1, []])
  },
)

test('a refund brings no second receipt, and one before the email is in it', async () => {
  await using world = await paidWorld()
  await world.sync()
  const refund = (amount: number) =>
    applyRefunds(world.deps, { invoiceId: world.id, refunds: () => ({ amount, lastAt: at(3) }), publish: unpublished })
  await refund(380)
  await world.run()
  await refund(2380)
  await world.sync()
  await world.run()
  expect(world.mails()).toHaveLength(1)
  const [{ text = '' } = {}] = world.mails()
  expect(text).toContain('Total: $23.80')
  expect(text).toContain('Refunded: $3.80, June 3, 2026')
})

test('while the provider does not answer the receipt waits for the card, an hour at most', async () => {
  await using world = await paidWorld()
  await world.sync()
  const failure = new ProviderFailure('unknown', new Error('no answer'))
  const read = vi.fn(async () => Promise.reject(failure))
  world.deps.cards.cardOfInvoice = read
  await expect(world.run()).rejects.toThrow('no answer')
  expect([world.mails(), (await world.stored())?.receiptEmailedAt]).toEqual([[], null])

  world.at(new Date(at(2).getTime() + 3_600_001))
  await world.run()
  expect(world.mails()).toHaveLength(1)
  expect(world.mails()[0]?.text).not.toContain('Paid with')
})

test('an email that cannot be queued is tried again: the mark is taken back with it', async () => {
  await using world = await paidWorld()
  await world.sync()
  const [job] = world.queued()
  if (!job) throw new Error('no job')
  const { send } = world.deps.jobs
  world.deps.jobs.send = async () => Promise.reject(new Error('killed'))
  await expect(sendReceipt(world.deps, job)).rejects.toThrow('killed')
  world.deps.jobs.send = send
  await sendReceipt(world.deps, job)
  expect(world.mails()).toHaveLength(1)
})
