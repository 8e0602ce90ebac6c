import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { downloadInvoice, listOnlineOrders } from '@atrium/contract/orders.ts'
import type { Remark } from '@atrium/server-kit/record-lines.ts'
import { eq, like } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWorld } from '../../test/world.ts'
import { archives } from '../archives/archives.tables.ts'
import { invoiceFiles, orders } from '../orders/orders.tables.ts'
import { importFile } from './import-file.ts'

type World = Awaited<ReturnType<typeof newWorld>>

const pdf = Buffer.from('%PDF-1.7 the vendor’s own')
const theirs = Buffer.from('%PDF-1.7 another customer’s')
let home = ''
let folder = ''

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'atrium-orders-'))
  folder = join(home, 'export')
  await mkdir(join(folder, 'invoices.pdf'), { recursive: true })
  await mkdir(join(home, 'export-of-others'))
  await writeFile(join(folder, 'one.pdf'), pdf)
  await writeFile(join(folder, 'theirs.pdf'), theirs)
  await writeFile(join(folder, 'invoices.pdf', 'two.pdf'), pdf)
  await writeFile(join(folder, 'page.pdf'), '<html>')
  await writeFile(join(folder, 'empty.pdf'), '')
  await writeFile(join(folder, 'large.pdf'), Buffer.concat([pdf, Buffer.alloc(5 * 1024 * 1024)]))
  await writeFile(join(home, 'secret.pdf'), pdf)
  await writeFile(join(home, 'export-of-others', 'secret.pdf'), pdf)
  await symlink('../secret.pdf', join(folder, 'link.pdf'))
  await symlink('..', join(folder, 'up'))
  await symlink('one.pdf', join(folder, 'inside.pdf'))
})
afterAll(() => rm(home, { recursive: true }))

const order = {
  type: 'order',
  orderNumber: 'IO-1',
  email: '',
  status: 'CO',
  lines: [{ text: 'Folio PDF Editor', productCode: 'FPE', amount: 900 }, { text: 'Maintenance' }],
  amount: 1000,
  tax: 100,
  currency: 'EUR',
  date: '2026-05-01T00:00:00+02:00',
}

async function load(world: World, records: readonly object[], places: { folder?: string } = { folder }) {
  const refusals: Remark[] = []
  const result = await importFile(world.db, {
    input: Readable.from([records.map((record) => JSON.stringify(record)).join('\n')]),
    fileName: 'orders.ndjson',
    invoiceHosts: ['files.vendor.test'],
    now: new Date('2026-06-01T00:00:00Z'),
    dryRun: false,
    onRefused: (refusal) => refusals.push(refusal),
    ...places,
  })
  return { ...result, refusals }
}

async function stored(world: World, orderNumber: string) {
  const rows = await world.db.select().from(invoiceFiles).where(eq(invoiceFiles.orderNumber, orderNumber))
  return rows.map((row) => [row.kind, row.pdf.toString()])
}

test('importing an order again has no double effect', async () => {
  await using world = await newWorld()
  const member = await world.member()
  await load(world, [{ ...order, email: member.email, invoiceNumber: 'RE-1' }])
  const { applied, refused } = await load(world, [
    { ...order, email: member.email, invoiceNumber: 'RE-1', amount: 1200 },
  ])

  expect([applied, refused]).toEqual([1, 0])
  expect(await world.db.select().from(orders).where(eq(orders.orderNumber, 'IO-1'))).toMatchObject([
    {
      memberId: member.id,
      invoiceNumber: 'RE-1',
      amount: 1200,
      tax: 100,
      origin: 'imported',
      invoiceUrl: '',
      date: new Date('2026-04-30T22:00:00Z'),
      lines: [
        { text: 'Folio PDF Editor', productCode: 'FPE', amount: 900 },
        { text: 'Maintenance', productCode: '', amount: null },
      ],
    },
  ])
  const { body } = await world.as(member).send(listOnlineOrders, { query: { keyWord: 're-1' } })
  expect(body.list).toMatchObject([{ orderNumber: 'IO-1', invoiceKind: 'summary' }])
})

test('an order brings the buyer of its documents, and a later line replaces it', async () => {
  await using world = await newWorld()
  const { email } = await world.member()
  const own = { ...order, orderNumber: 'B-1', email }
  const buyer = { name: 'Grace Hoffmann', address: ['Große Bleichen 21', '20354 Hamburg'], country: 'DE' }
  const buyerNow = async () => (await world.db.select().from(orders).where(eq(orders.orderNumber, 'B-1')))[0]?.buyer

  await load(world, [{ ...own, buyer }])
  expect(await buyerNow()).toEqual({ ...buyer, company: '', email: '', taxIds: [] })
  await load(world, [own])
  expect(await buyerNow()).toBeNull()
  const { refusals } = await load(world, [{ ...own, buyer: { ...buyer, country: 'Germany' } }])
  expect(refusals).toMatchObject([{ field: 'buyer.country' }])
})

test('a file next to the import file is stored, and never replaced by a later one', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const own = { ...order, orderNumber: 'F-1', invoiceNumber: 'FI-1', email: member.email }
  await load(world, [
    { ...own, invoiceFile: 'one.pdf' },
    { ...own, orderNumber: 'F-2', invoiceNumber: '', invoiceFile: 'invoices.pdf/two.pdf' },
    { ...own, orderNumber: 'F-3', invoiceNumber: 'FI-3', status: 'PD', invoiceFile: './inside.pdf' },
  ])
  await writeFile(join(folder, 'other.pdf'), '%PDF-1.7 another')
  await load(world, [{ ...own, invoiceFile: 'other.pdf' }])

  expect(await stored(world, 'F-1')).toEqual([['invoice', pdf.toString()]])
  expect(await stored(world, 'F-2')).toEqual([['invoice', pdf.toString()]])
  expect(await stored(world, 'F-3')).toEqual([['pro_forma', pdf.toString()]])
  for (const [orderNum, invoiceNum, filename] of [
    ['F-1', 'FI-1', 'invoice-FI-1.pdf'],
    ['F-2', '', 'order-F-2.pdf'],
    ['F-3', 'FI-3', 'invoice-FI-3.pdf'],
  ] as const) {
    const { body } = await world.as(member).send(downloadInvoice, { body: { orderNum, invoiceNum } })
    expect(body).toEqual({ content: pdf.toString('base64'), filename })
  }
})

test.each([
  ['link.pdf', 'is not a file next to the import file'],
  ['up/secret.pdf', 'is not a file next to the import file'],
  ['../secret.pdf', 'is not a file next to the import file'],
  ['../export-of-others/secret.pdf', 'is not a file next to the import file'],
  ['invoices.pdf/../../secret.pdf', 'is not a file next to the import file'],
  ['..\\secret.pdf', 'is not a file next to the import file'],
  ['/etc/passwd', 'is not a file next to the import file'],
  ['missing.pdf', 'is not a file next to the import file'],
  ['.', 'is not a file next to the import file'],
  ['invoices.pdf', 'is not a file'],
  ['page.pdf', 'is not a PDF'],
  ['empty.pdf', 'is not a PDF'],
  ['large.pdf', 'is larger than 5 MB'],
  ['http://files.vendor.test/1.pdf', 'is not an https address on one of INVOICE_HOSTS'],
  ['https://elsewhere.test/1.pdf', 'is not an https address on one of INVOICE_HOSTS'],
  ['file:///etc/passwd', 'is not an https address on one of INVOICE_HOSTS'],
  ['C:\\invoice.pdf', 'is not an https address on one of INVOICE_HOSTS'],
])('invoiceFile %j is refused, and the line with it', async (invoiceFile, reason) => {
  await using world = await newWorld()
  const member = await world.member()
  const good = { ...order, email: member.email }
  const { applied, refusals } = await load(world, [
    { ...good, orderNumber: 'BAD-1', invoiceFile },
    { ...good, orderNumber: 'GOOD-1' },
  ])

  expect(applied).toBe(1)
  expect(refusals).toEqual([{ line: 1, field: 'invoiceFile', reason }])
  expect(await world.db.$count(orders, eq(orders.orderNumber, 'BAD-1'))).toBe(0)
})

test('a path is refused without an import folder', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const { refusals } = await load(world, [{ ...order, email: member.email, invoiceFile: 'one.pdf' }], {})
  expect(refusals).toMatchObject([{ field: 'invoiceFile' }])
})

test('an address on an allowed host is fetched at the first download, not at the import', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const url = 'https://files.vendor.test/u.pdf'
  const { applied } = await load(world, [{ ...order, orderNumber: 'U-1', email: member.email, invoiceFile: url }])
  expect(applied).toBe(1)
  expect(await stored(world, 'U-1')).toEqual([])

  world.invoiceFiles.set(url, pdf)
  expect((await world.as(member).send(downloadInvoice, { body: { orderNum: 'U-1' } })).status).toBe(200)
  await load(world, [{ ...order, orderNumber: 'U-1', email: member.email, invoiceFile: 'other.pdf' }])
  expect(await stored(world, 'U-1')).toEqual([['invoice', pdf.toString()]])
})

test('a line is refused with the responsible field', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const good = { ...order, email: member.email }
  await world.db.insert(orders).values({
    ...{ orderNumber: 'CH-1', memberId: member.id, invoiceNumber: 'CHI-1', status: 'CO', lines: [], amount: 1 },
    ...{ currency: 'USD', date: new Date(), origin: 'charged', invoiceUrl: '' },
  })

  const { applied, refusals } = await load(world, [
    { ...good, orderNumber: 'L-1', email: 'nobody@else.test' },
    { ...good, orderNumber: 'CH-1', amount: 5 },
    { ...good, orderNumber: 'L-3', invoiceNumber: 'CHI-1' },
    { ...good, orderNumber: 'L-4', invoiceNumber: 'LI-4' },
    { ...good, orderNumber: 'L-5', invoiceNumber: 'LI-4' },
    { ...good, orderNumber: 'L-6', tax: 1001 },
    { ...good, orderNumber: 'L-7', status: 'XX' },
    { ...good, orderNumber: 'L-8', lines: [] },
    { ...good, orderNumber: 'L-9', tax: 0, amount: -500 },
  ])

  expect(applied).toBe(2)
  expect(refusals.map(({ line, field }) => [line, field]).toSorted()).toEqual([
    [1, 'email'],
    [2, 'orderNumber'],
    [3, 'invoiceNumber'],
    [5, 'invoiceNumber'],
    [6, 'tax'],
    [7, 'status'],
    [8, 'lines'],
  ])
  expect(await world.db.select().from(orders).where(eq(orders.orderNumber, 'CH-1'))).toMatchObject([
    { origin: 'charged', amount: 1 },
  ])
})

test('an order may take the invoice number that another one drops in the same file', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const swap = (one: string, two: string) => [
    { ...order, email: member.email, orderNumber: 'SW-1', invoiceNumber: one },
    { ...order, email: member.email, orderNumber: 'SW-2', invoiceNumber: two },
    { ...order, email: member.email, orderNumber: 'SW-3', invoiceNumber: '' },
  ]
  await load(world, swap('SWI-1', 'SWI-2'))
  const { refusals } = await load(world, swap('SWI-3', 'SWI-1'))
  expect(refusals).toEqual([])
  const rows = await world.db.select().from(orders).where(like(orders.orderNumber, 'SW-%'))
  expect(rows.map(({ orderNumber, invoiceNumber }) => [orderNumber, invoiceNumber]).toSorted()).toEqual([
    ['SW-1', 'SWI-3'],
    ['SW-2', 'SWI-1'],
    ['SW-3', ''],
  ])
})

test('an order that moves to another customer shows nothing of the previous one', async () => {
  await using world = await newWorld()
  const [before, after] = [await world.member(), await world.member()]
  const moving = { ...order, orderNumber: 'MV-1' }
  await load(world, [{ ...moving, email: before.email }])
  const summary = (who: typeof after) => world.as(who).send(downloadInvoice, { body: { orderNum: 'MV-1' } })
  const theirs = (await summary(before)).body.content

  await load(world, [{ ...moving, email: before.email, amount: 1100 }])
  expect((await summary(before)).body.content).toBe(theirs)
  await load(world, [{ ...moving, email: after.email }])
  const { status, body } = await summary(after)
  expect(status).toBe(200)
  expect(body.content).not.toBe(theirs)
  expect((await summary(before)).status).toBe(404)
})

test('nor its PDF, nor what they have packed of it', async () => {
  await using world = await newWorld()
  const [before, after] = [await world.member(), await world.member()]
  const moving = { ...order, orderNumber: 'MV-2', invoiceFile: 'one.pdf' }
  await load(world, [{ ...moving, email: before.email }])
  const packed = { memberId: before.id, kind: 'orders', requestedAt: new Date() } as const
  await world.db.insert(archives).values(packed)
  await load(world, [{ ...moving, email: before.email, amount: 1100 }])
  const left = () => world.db.$count(archives, eq(archives.memberId, before.id))
  expect([await stored(world, 'MV-2'), await left()]).toEqual([[['invoice', pdf.toString()]], 1])

  await load(world, [{ ...moving, email: after.email, invoiceFile: 'theirs.pdf' }])
  expect([await stored(world, 'MV-2'), await left()]).toEqual([[['invoice', theirs.toString()]], 0])
})

test('an order that a provider has charged is not taken in a second time under the provider’s number', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const providers = { providerId: 'in_1', providerNumber: 'ABCD-0001' }
  await world.db.insert(orders).values({
    ...{ orderNumber: 'CHARGED-1', memberId: member.id, invoiceNumber: 'INV-1', invoiceUrl: '', ...providers },
    ...{ status: 'CO', lines: [], amount: 1000, currency: 'EUR', date: new Date('2026-05-01'), origin: 'charged' },
  })
  const again = { ...order, orderNumber: 'SHOP-1', email: member.email, invoiceNumber: 'ABCD-0001' }
  const { refusals } = await load(world, [again])
  expect(refusals).toMatchObject([{ field: 'invoiceNumber', reason: 'is that of order CHARGED-1' }])
  // Another customer's provider may number the same.
  const { applied } = await load(world, [{ ...again, email: (await world.member()).email }])
  expect(applied).toBe(1)
})
