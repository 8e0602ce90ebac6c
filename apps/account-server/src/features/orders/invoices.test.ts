import { downloadInvoice, type OrderStatus } from '@atrium/contract/orders.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newWorld, type TestMember } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { invoiceFiles, orders } from './orders.tables.ts'
import { writeInvoice } from './orders.writes.ts'

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

test('an imported order without a file is given a summary, which is kept', async () => {
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

test('two first downloads at once keep one summary and answer the same', async () => {
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

test('numbers that do not belong together, or to the caller, look like none at all', async () => {
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

test('the vendor’s own file is fetched once, and answered as it is from then on', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const { orderNumber } = await order(world, member, { invoiceNumber: 'V-1', invoiceUrl: vendorUrl })

  const unavailable = await download(world, member, orderNumber, 'V-1')
  world.invoiceFiles.set(vendorUrl, vendorPdf)
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
  const write = (lang: 'de-de' | 'en-us', now: string) =>
    world.db.transaction((tx) => writeInvoice(world.deps, tx, { orderNumber, lang, now: new Date(now) }))

  expect(await write('de-de', '2026-06-01T00:00:00Z')).toBe(true)
  const first = await download(world, member, orderNumber, 'C-1')
  await world.db.update(orders).set({ amount: 1, buyer: null }).where(eq(orders.orderNumber, orderNumber))
  expect(await write('en-us', '2026-07-01T00:00:00Z')).toBe(false)

  expect(bytes(await download(world, member, orderNumber, 'C-1')).equals(bytes(first))).toBe(true)
  expect(bytes(first).toString('latin1')).toContain('/Lang (de-de)')
  expect(await storedRows(world, member.id)).toEqual([])
})

test('an invoice is written of nothing but a completed, charged order with a buyer and a number', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const charged = { origin: 'charged', buyer } as const
  for (const values of [
    { ...charged, status: 'PD', invoiceNumber: 'W-1' },
    { ...charged, invoiceNumber: '' },
    { ...charged, invoiceNumber: 'W-3', buyer: null },
    { invoiceNumber: 'W-4', buyer },
  ] as const) {
    const { orderNumber } = await order(world, member, values)
    const writing = world.db.transaction((tx) =>
      writeInvoice(world.deps, tx, { orderNumber, lang: 'en-us', now: new Date() }),
    )
    await expect(writing).rejects.toThrow(orderNumber)
  }
})

test('a number in a file’s name can be no path', async () => {
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

test('one customer does not take every turn of those that are drawn', async () => {
  await using world = await newWorld()
  const [member, other] = [await world.member(), await world.member()]
  const { orderNumber } = await order(world, member)
  const theirs = await order(world, other)
  const replies = await Promise.all(Array.from({ length: 25 }, () => download(world, member, orderNumber)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(15)
  expect(replies.filter(({ body }) => body.code === 'too_often')).toHaveLength(10)
  expect((await download(world, other, theirs.orderNumber)).status).toBe(200)
})
