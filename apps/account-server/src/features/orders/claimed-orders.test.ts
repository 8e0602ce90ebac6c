import { listOnlineOrders } from '@atrium/contract/orders.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { BilledInvoice } from '../../outside/billed-invoice.ts'
import { newWorld } from '../../test/world.ts'
import { providerCustomers } from '../payments/customers/customers.tables.ts'
import { syncInvoice, syncInvoices } from './orders.sync.ts'
import { orders } from './orders.tables.ts'

/** Nothing was transferred. */
const none = { endedForMove: async () => undefined, ownerOf: async () => undefined }

const at = (day: number) => new Date(Date.UTC(2026, 5, day))
let number = 0

async function invoicedWorld({ linked = at(-100) as Date | null, finalized = at(1) } = {}) {
  const world = await newWorld({ now: at(2).toISOString() })
  const { db, cards } = world.deps
  const member = await world.member()
  number += 1
  const [id, customerId] = [`in_m${number}`, `cus_m${number}`]
  const link = { proof: 'ours', isMain: true, memberId: member.id, customerId } as const
  if (linked) await db.insert(providerCustomers).values({ ...link, createdAt: linked })
  const invoice: BilledInvoice = {
    ...{
      id,
      channel: 'card',
      customerId,
      number: `M13-${number}`,
      subscriptionId: '',
      status: 'paid',
      isOfChange: false,
      isAttempted: true,
    },
    lines: [
      {
        text: 'Folio',
        priceId: '',
        productId: '',
        quantity: 1,
        amount: 2000,
        isProration: false,
        periodStart: at(1),
        periodEnd: at(31),
      },
    ],
    ...{
      discount: 0,
      tax: 380,
      total: 2380,
      charged: 2380,
      balanceBefore: 0,
      currency: 'USD',
      createdAt: finalized,
      finalizedAt: finalized,
      paidAt: finalized,
    },
    buyer: { name: 'Ada', email: member.email, address: [], country: 'DE', taxIds: [], isReverseCharge: false },
    pdfUrl: 'https://pay.example/invoice.pdf',
    payUrl: '',
  }
  const provider = { has: invoice }
  cards.readInvoice = async () => provider.has
  cards.invoicesAfter = async () => ({ invoices: [provider.has], hasMore: false })
  const file = (status: 'CO' | 'PD' | 'OP') =>
    db.insert(orders).values({
      ...{ orderNumber: `SHOP-${number}`, memberId: member.id, invoiceNumber: invoice.number, status, invoiceUrl: '' },
      ...{
        lines: [{ text: 'Folio', productCode: '', amount: 2000 }],
        amount: 2380,
        tax: 380,
        currency: 'USD',
        date: finalized,
        origin: 'imported' as const,
      },
    })
  return {
    ...world,
    ...{ member, id, customerId, invoice, provider, file },
    takeOver: () => syncInvoices({ ...world.deps, say: () => undefined }, none),
    sync: () => syncInvoice(world.deps, id, none),
    listed: async () => (await world.as(member).send(listOnlineOrders, { query: {} })).body.list,
    stored: async () => (await db.select().from(orders).where(eq(orders.providerId, id)))[0],
  }
}

test('a renewal that only a later run of the command finds is charged here, and not taken over', async () => {
  await using world = await invoicedWorld()
  await world.takeOver()
  expect(await world.stored()).toMatchObject({ origin: 'charged' })
})

test('a file’s pending order that is paid at the provider stays the file’s, however often it is taken over', async () => {
  await using world = await invoicedWorld({ linked: at(1), finalized: at(-60) })
  await world.file('PD')
  await world.takeOver()
  await world.takeOver()
  expect(await world.stored()).toMatchObject({ origin: 'imported', status: 'CO', invoiceNumber: world.invoice.number })
})

test('a file’s pending order that is paid at the provider stays the file’s when a webhook tells it again', async () => {
  await using world = await invoicedWorld({ linked: at(1), finalized: at(-60) })
  await world.file('PD')
  await world.takeOver()
  await world.sync()
  expect(await world.stored()).toMatchObject({ origin: 'imported', invoiceNumber: world.invoice.number })
})

test('a file’s order whose invoice is still open is the same order', async () => {
  await using world = await invoicedWorld({ linked: at(1), finalized: at(-60) })
  await world.file('PD')
  world.provider.has = { ...world.invoice, status: 'open' }
  await world.takeOver()
  expect(await world.listed()).toHaveLength(1)
})

test('a file’s order is the invoice also if a webhook comes before the take-over', async () => {
  await using world = await invoicedWorld({ linked: at(2), finalized: at(0) })
  await world.file('CO')
  await world.sync()
  expect((await world.listed()).map(({ orderNumber, orderInvoiceNum }) => [orderNumber, orderInvoiceNum])).toHaveLength(
    1,
  )
})
