import { downloadInvoice, listOnlineOrders, type OrderStatus } from '@atrium/contract/orders.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newWorld, type TestMember } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { invoiceFiles, orders } from './orders.tables.ts'

type World = Awaited<ReturnType<typeof newWorld>>
type Order = typeof orders.$inferInsert

const vendorUrl = 'https://files.vendor.test/1.pdf'
const vendorPdf = Buffer.from('%PDF-1.7 the vendor’s own')
const buyer = { name: 'Ada Lindqvist', company: 'Acme', email: 'ada@acme.test', address: ['1 Street'], country: 'SE' }

let last = 0

async function order(world: World, member: TestMember, values: Partial<Order> = {}) {
  last += 1
  const common = { memberId: member.id, invoiceNumber: '', status: 'CO', amount: 100, currency: 'USD' } as const
  const lines = [{ text: 'Folio PDF Editor', productCode: '', amount: null }]
  const rest = { lines, origin: 'imported', date: new Date('2026-05-01T00:00:00Z'), invoiceUrl: '' } as const
  const [row] = await world.db
    .insert(orders)
    .values({ orderNumber: `FO-${last}`, ...common, ...rest, ...values })
    .returning()
  if (!row) throw new Error('no order')
  return row
}

function download(world: World, member: TestMember, orderNum: string, invoiceNum = '') {
  return world.as(member).send(downloadInvoice, { body: { orderNum, invoiceNum } })
}

function bytes(reply: { body: { content: string } }): Buffer {
  return Buffer.from(reply.body.content, 'base64')
}

async function storedRows(world: World, memberId: string) {
  const rows = await world.db.select().from(activity).where(eq(activity.memberId, memberId))
  return rows.filter(({ action }) => action === 'invoice.stored').map(({ target, details }) => [target, details])
}

test('an imported order without a file gets a summary, which is stored', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const { orderNumber } = await order(world, member, { orderNumber: 'FO/2026 7', invoiceNumber: 'INV-sum' })
  const other = await order(world, member)
  await world.db
    .insert(invoiceFiles)
    .values({ orderNumber: other.orderNumber, kind: 'invoice', pdf: vendorPdf, createdAt: new Date() })

  const first = await download(world, member, orderNumber, 'INV-sum')
  world.at('2026-06-01T09:50:00Z')
  const second = await world
    .as(member)
    .send(downloadInvoice, { body: { orderNum: orderNumber, invoiceNum: 'INV-sum', lang: 'de-de' } })

  expect(first.status).toBe(200)
  expect(first.body.filename).toBe('order-FO-2026-7.pdf')
  expect(bytes(first).toString('latin1', 0, 5)).toBe('%PDF-')
  expect(bytes(second).equals(bytes(first))).toBe(true)
  expect(await storedRows(world, member.id)).toEqual([[orderNumber, { kind: 'summary' }]])
})

test('two concurrent first downloads store one summary and return the same', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const { orderNumber } = await order(world, member)

  const replies = await Promise.all(
    (['en-us', 'de-de', 'fr-fr', 'ja-jp'] as const).map((lang) =>
      world.as(member).send(downloadInvoice, { body: { orderNum: orderNumber, lang } }),
    ),
  )

  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(new Set(replies.map(({ body }) => body.content)).size).toBe(1)
  expect(await storedRows(world, member.id)).toHaveLength(1)
})

test('numbers that do not belong together, or not to the caller, look like none at all', async () => {
  await using world = await newWorld()
  const [owner, other] = [await world.member(), await world.member()]
  const mine = await order(world, owner, { invoiceNumber: 'INV-mine', origin: 'charged', buyer })
  const second = await order(world, owner, { invoiceNumber: 'INV-second' })
  const { requestId: _, ...missing } = (await download(world, owner, 'FO-none', 'INV-none')).body

  for (const [caller, orderNum, invoiceNum] of [
    [other, mine.orderNumber, 'INV-mine'],
    [owner, mine.orderNumber, 'INV-second'],
    [owner, second.orderNumber, 'INV-mine'],
    [owner, mine.orderNumber, ''],
    [owner, mine.orderNumber, 'inv-mine'],
  ] as const) {
    const { status, body } = await download(world, caller, orderNum, invoiceNum)
    const { requestId: __, ...problem } = body
    expect(status).toBe(404)
    expect(problem).toEqual(missing)
  }
  expect((await download(world, owner, mine.orderNumber, 'INV-mine')).status).toBe(200)
  expect((await world.visitor.send(downloadInvoice, { body: { orderNum: mine.orderNumber } })).status).toBe(401)
})

test('an open order with an invoice number has a pro forma, which follows the order', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const { orderNumber } = await order(world, member, { status: 'PD', invoiceNumber: 'PF-1' })

  const before = await download(world, member, orderNumber, 'PF-1')
  await world.db.update(orders).set({ amount: 99_999 }).where(eq(orders.orderNumber, orderNumber))
  const after = await download(world, member, orderNumber, 'PF-1')

  expect(before.body.filename).toBe('invoice-PF-1.pdf')
  expect(bytes(before).equals(bytes(after))).toBe(false)
  expect(await world.db.$count(invoiceFiles, eq(invoiceFiles.orderNumber, orderNumber))).toBe(0)
})

test.each<[OrderStatus, string]>([
  ['WT', 'N-1'],
  ['QT', 'N-2'],
  ['CL', 'N-3'],
  ['PD', ''],
  ['OP', ''],
])('an order with status %s and invoice number %j has nothing to download', async (status, invoiceNumber) => {
  await using world = await newWorld()
  const member = await world.member()
  const { orderNumber } = await order(world, member, { status, invoiceNumber })
  const reply = await download(world, member, orderNumber, invoiceNumber)
  expect([reply.status, reply.body.code]).toEqual([409, 'no_invoice'])
})

test('the vendor’s file is fetched once, and returned unchanged afterwards', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const { orderNumber } = await order(world, member, { invoiceNumber: 'V-1', invoiceUrl: vendorUrl })

  const unavailable = await download(world, member, orderNumber, 'V-1')
  world.invoiceFiles.set(vendorUrl, vendorPdf)
  world.deps.cards.readInvoice = () => Promise.reject(new Error('no provider is asked for a file of the vendor'))
  const first = await download(world, member, orderNumber, 'V-1')
  world.invoiceFiles.set(vendorUrl, Buffer.from('%PDF-1.7 changed since'))
  const second = await download(world, member, orderNumber, 'V-1')

  expect([unavailable.status, unavailable.body.code]).toEqual([502, 'invoice_unavailable'])
  expect(bytes(first)).toEqual(vendorPdf)
  expect(first.body.filename).toBe('invoice-V-1.pdf')
  expect(second.body).toEqual(first.body)
  expect(await storedRows(world, member.id)).toEqual([[orderNumber, { kind: 'invoice' }]])
})

test('the invoice of a charged order is written once and never changed', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const { orderNumber } = await order(world, member, { invoiceNumber: 'C-1', origin: 'charged', buyer, tax: 20 })
  const asked = { orderNum: orderNumber, invoiceNum: 'C-1' }

  const first = await world.as(member).send(downloadInvoice, { body: { ...asked, lang: 'de-de' } })
  await world.db.update(orders).set({ amount: 1, buyer: null }).where(eq(orders.orderNumber, orderNumber))
  const second = await world.as(member).send(downloadInvoice, { body: { ...asked, lang: 'en-us' } })

  expect(first.body.filename).toBe('invoice-C-1.pdf')
  expect(bytes(second).equals(bytes(first))).toBe(true)
  expect(bytes(first).toString('latin1')).toContain('/Lang (de-de)')
  expect(await storedRows(world, member.id)).toEqual([[orderNumber, { kind: 'invoice' }]])
})

test('an invoice is written only for a completed, charged order with a buyer and a number', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const charged = { origin: 'charged', buyer } as const
  for (const [values, status, filename] of [
    [{ ...charged, status: 'PD', invoiceNumber: 'W-1' }, 200, 'invoice-W-1.pdf'],
    [{ ...charged, orderNumber: 'FO-W2', invoiceNumber: '' }, 500, undefined],
    [{ ...charged, invoiceNumber: 'W-3', buyer: null }, 500, undefined],
    [{ orderNumber: 'FO-W4', invoiceNumber: 'W-4', buyer }, 200, 'order-FO-W4.pdf'],
  ] as const) {
    const { orderNumber, invoiceNumber } = await order(world, member, values)
    const reply = await download(world, member, orderNumber, invoiceNumber)
    expect([reply.status, reply.body.filename]).toEqual([status, filename])
    const stored = and(eq(invoiceFiles.orderNumber, orderNumber), eq(invoiceFiles.kind, 'invoice'))
    expect(await world.db.$count(invoiceFiles, stored)).toBe(0)
  }
})

test('a number in a file name cannot be a path', async () => {
  await using world = await newWorld()
  const member = await world.member()
  await order(world, member, { orderNumber: '../../etc/passwd', invoiceNumber: 'a"b\r\nc/d\\e', status: 'OP' })
  const { body } = await download(world, member, '../../etc/passwd', 'a"b\r\nc/d\\e')
  expect(body.filename).toBe('invoice-a-b-c-d-e.pdf')
})

test.each([
  ['orderNum', { orderNum: '' }],
  ['orderNum', { orderNum: 'x'.repeat(65) }],
  ['orderNum', { orderNum: 'a\u0000' }],
  ['invoiceNum', { orderNum: 'a', invoiceNum: '\ud800' }],
  ['lang', { orderNum: 'a', lang: 'xx' }],
])('a broken %s is refused by name', async (field, body) => {
  await using world = await newWorld()
  const member = await world.member()
  const reply = await world.as(member).send(downloadInvoice, { body: body as { orderNum: string } })
  expect(reply.status).toBe(422)
  expect(reply.body.errors?.[0]?.path).toBe(`body.${field}`)
})

test('one customer cannot fill the queue of documents', async () => {
  await using world = await newWorld()
  const [member, other] = [await world.member(), await world.member()]
  const { orderNumber } = await order(world, member)
  const theirs = await order(world, other)
  const replies = await Promise.all(Array.from({ length: 25 }, () => download(world, member, orderNumber)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(15)
  expect(replies.filter(({ body }) => body.code === 'too_often')).toHaveLength(10)
  expect((await download(world, other, theirs.orderNumber)).status).toBe(200)
})

/** A renderer that finishes when the test says so, with a different file each time. */
function heldRenderer() {
  const finished = Promise.withResolvers<void>()
  let count = 0
  return {
    finish: finished.resolve,
    fail: finished.reject,
    untilBegun: (documents: number) => expect.poll(() => count).toBe(documents),
    async renderInvoice() {
      count += 1
      const pdf = Buffer.from(`%PDF-1.7 ${count}`)
      await finished.promise
      return pdf
    },
  }
}

const charged = { origin: 'charged', buyer } as const

test('rendering a document holds no database connection', async () => {
  const { untilBegun, finish, renderInvoice } = heldRenderer()
  await using world = await newWorld({ poolSize: 2, renderInvoice })
  const [member, other] = [await world.member(), await world.member()]
  const slow = [
    await order(world, member),
    await order(world, member, { ...charged, invoiceNumber: 'H-1' }),
    await order(world, member, { ...charged, invoiceNumber: 'H-2' }),
    await order(world, member, { ...charged, invoiceNumber: 'H-3', status: 'PD' }),
  ].map(({ orderNumber, invoiceNumber }) => download(world, member, orderNumber, invoiceNumber))
  await untilBegun(slow.length)

  const others = Array.from({ length: 10 }, () => world.as(other).send(listOnlineOrders, { query: {} }))
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual(others.map(() => 200))

  finish()
  expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
})

test('two concurrently rendered first downloads return the one stored invoice', async () => {
  const { untilBegun, finish, renderInvoice } = heldRenderer()
  await using world = await newWorld({ renderInvoice })
  const member = await world.member()
  const { orderNumber } = await order(world, member, { ...charged, invoiceNumber: 'T-1' })

  const downloads = [1, 2].map(() => download(world, member, orderNumber, 'T-1'))
  await untilBegun(2)
  finish()
  const replies = await Promise.all(downloads)

  const files = await world.db.select().from(invoiceFiles).where(eq(invoiceFiles.orderNumber, orderNumber))
  expect(files).toHaveLength(1)
  expect(replies.map(bytes)).toEqual([files[0]?.pdf, files[0]?.pdf])
  expect(await storedRows(world, member.id)).toEqual([[orderNumber, { kind: 'invoice' }]])
})

test('a summary is not stored for an order that moves to another member while it is rendered', async () => {
  const { untilBegun, finish, renderInvoice } = heldRenderer()
  await using world = await newWorld({ renderInvoice })
  const [member, other] = [await world.member(), await world.member()]
  const { orderNumber } = await order(world, member)

  const reply = download(world, member, orderNumber)
  await untilBegun(1)
  await world.db.update(orders).set({ memberId: other.id }).where(eq(orders.orderNumber, orderNumber))
  finish()

  expect((await reply).status).toBe(404)
  expect(await world.db.$count(invoiceFiles, eq(invoiceFiles.orderNumber, orderNumber))).toBe(0)
})

test('a document that is not rendered in time is not stored, and can be requested again', async () => {
  const { untilBegun, fail, renderInvoice } = heldRenderer()
  await using world = await newWorld({ renderInvoice })
  const member = await world.member()
  const { orderNumber } = await order(world, member, { ...charged, invoiceNumber: 'L-1' })

  const reply = download(world, member, orderNumber, 'L-1')
  await untilBegun(1)
  fail(new Problem('overloaded', { retryAfter: 5, cause: new Error('not drawn within 15000 ms') }))

  const { status, body, headers } = await reply
  expect([status, body.code, headers['retry-after']]).toEqual([503, 'overloaded', '5'])
  expect(await world.db.$count(invoiceFiles, eq(invoiceFiles.orderNumber, orderNumber))).toBe(0)
  expect(await storedRows(world, member.id)).toEqual([])
})
