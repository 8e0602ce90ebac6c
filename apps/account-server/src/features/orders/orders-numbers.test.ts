import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import type { BilledInvoice } from '../../outside/billed-invoice.ts'
import { invoiceCalls } from '../../outside/card-provider/invoices.ts'
import { newWorld } from '../../test/world.ts'
import { providerCustomers } from '../payments/customers/customers.tables.ts'
import { writeMissingInvoices } from './orders.jobs.ts'
import { syncInvoice, syncInvoices } from './orders.sync.ts'
import { numberSeries, orders } from './orders.tables.ts'

/** Nothing was transferred. */
const none = { endedForMove: async () => undefined, ownerOf: async () => undefined }

const at = (day: number) => new Date(Date.UTC(2026, 5, day))
let count = 0

/** A paid invoice of a member's customer, who is linked since the first of June. */
async function paidWorld() {
  const world = await newWorld({ now: at(2).toISOString() })
  const { db, cards } = world.deps
  const member = await world.member()
  count += 1
  const [id, customerId] = [`in_numbers_${count}`, `cus_numbers_${count}`]
  await db
    .insert(providerCustomers)
    .values({ proof: 'ours', isMain: true, memberId: member.id, customerId, createdAt: at(1) })
  const invoice: BilledInvoice = {
    ...{
      id,
      channel: 'card',
      customerId,
      number: `NUMBERS-${count}`,
      subscriptionId: '',
      status: 'paid',
      isOfChange: false,
      isAttempted: true,
    },
    ...{ lines: [], discount: 0, tax: 0, total: 2380, charged: 2380, balanceBefore: 0, currency: 'USD' },
    ...{ createdAt: at(1), finalizedAt: at(1), paidAt: at(1), pdfUrl: 'https://pay.example/invoice.pdf', payUrl: '' },
    buyer: { name: '', email: member.email, address: [], country: 'DE', taxIds: [], isReverseCharge: false },
  }
  const provider = { has: invoice }
  cards.readInvoice = async () => provider.has
  cards.invoicesAfter = async () => ({ invoices: [provider.has], hasMore: false })
  const stored = async () => (await db.select().from(orders).where(eq(orders.providerId, id)))[0]
  return { ...world, member, invoice, provider, stored, sync: () => syncInvoice(world.deps, id, none) }
}

test('a number like ours that a file brought is passed over, for orders and for invoices', async () => {
  await using world = await paidWorld()
  await world.sync()
  const lastOf = async (name: 'order' | 'invoice') =>
    (await world.db.select().from(numberSeries).where(eq(numberSeries.name, name)))[0]?.last ?? 0
  const [order, invoice] = [await lastOf('order'), await lastOf('invoice')]
  const common = {
    memberId: world.member.id,
    status: 'CO',
    lines: [],
    amount: 1,
    currency: 'USD',
    date: at(1),
  } as const
  const taken = { orderNumber: `A-${order + 1}`, invoiceNumber: `INV-${invoice + 1}` }
  await world.db.insert(orders).values({ ...common, ...taken, origin: 'imported', invoiceUrl: '' })

  const { cards } = world.deps
  const next = { ...world.invoice, id: `${world.invoice.id}_next` }
  cards.readInvoice = async () => next
  await syncInvoice(world.deps, next.id, none)
  const [made] = await world.db.select().from(orders).where(eq(orders.providerId, next.id))
  await world.db.delete(orders).where(eq(orders.orderNumber, taken.orderNumber))
  expect([made?.orderNumber, made?.invoiceNumber]).toEqual([`A-${order + 2}`, `INV-${invoice + 2}`])
})

test('an event about an invoice from before the customer was linked makes no new invoice of ours', async () => {
  await using world = await paidWorld()
  world.provider.has = { ...world.invoice, createdAt: new Date('2024-06-01'), finalizedAt: new Date('2024-06-01') }
  await world.sync()
  expect(await world.stored()).toMatchObject({ invoiceNumber: world.invoice.number, origin: 'imported' })
})

test('what was owed from earlier is charged with this one, and is in the order', async () => {
  await using world = await paidWorld()
  const wire = {
    ...{ id: world.invoice.id, customer: world.invoice.customerId, parent: null, number: 'D-1', status: 'paid' },
    ...{ attempt_count: 1, total_discount_amounts: [], total_taxes: [], total: 1000, starting_balance: 30 },
    ...{ amount_due: 1030, amount_paid: 1030, currency: 'usd', created: 1_780_000_000, invoice_pdf: '' },
    ...{ status_transitions: { finalized_at: 1_780_000_000 }, customer_name: '', customer_email: '' },
    ...{ customer_address: null, customer_tax_exempt: 'reverse', customer_tax_ids: [{ type: 'eu_vat', value: 'DE1' }] },
    lines: { data: [], has_more: false },
  }
  const fake = { invoices: { retrieve: async () => wire, listLineItems: async () => ({ data: [], has_more: false }) } }
  world.provider.has = await invoiceCalls(fake as unknown as Stripe).readInvoice(world.invoice.id)
  await world.sync()
  expect(await world.stored()).toMatchObject({
    amount: 1030,
    total: 1000,
    buyer: { taxIds: ['DE1'], isReverseCharge: true },
  })
})

test('an open order that the take-over finds paid has its invoice written within the hour', async () => {
  await using world = await paidWorld()
  world.provider.has = { ...world.invoice, status: 'open' }
  await world.sync()
  world.provider.has = world.invoice
  await syncInvoices(
    {
      ...world.deps,
      jobs: { send: async () => undefined, sendLater: async () => undefined },
      say: () => undefined,
    },
    none,
  )
  const order = await world.stored()
  expect(order).toMatchObject({ status: 'CO', origin: 'charged' })
  world.sent.length = 0
  await writeMissingInvoices(world.deps)
  const jobs = world.sent.filter(({ queue }) => queue === 'orders.invoices')
  expect(jobs.map(({ data }) => data)).toContainEqual({ orderNumber: order?.orderNumber })
})
