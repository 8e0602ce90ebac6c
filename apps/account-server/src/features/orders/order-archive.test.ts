import { downloadArchive } from '@atrium/contract/archives.ts'
import { readOrderArchive, requestOrderArchive } from '@atrium/contract/order-files.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { and, eq } from 'drizzle-orm'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { newOrder } from '../../test/orders.ts'
import { newWorld, type TestMember } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { archives } from '../archives/archives.tables.ts'
import { downloadInvoice } from './invoices.service.ts'
import { makeOrderArchive, orderArchiveQueue } from './order-archive.service.ts'
import { invoiceFiles } from './orders.tables.ts'

type World = Awaited<ReturnType<typeof newWorld>>

const vendorPdf = Buffer.from('%PDF-1.7 the vendor’s own')
const buyer = { name: 'Ada Lindqvist', company: 'Acme', email: 'ada@acme.test', address: ['1 Street'], country: 'SE' }

/** Rendering is not what is tested. */
const rendered = (fail?: (orderNumber: string) => void) =>
  newWorld({
    renderInvoice: async ({ orderNumber, kind }) => {
      fail?.(orderNumber)
      return Buffer.from(`%PDF ${kind} ${orderNumber}`)
    },
  })

function request(world: World, member: Pick<TestMember, 'cookie'>, filter: object = {}) {
  return world.as(member).send(requestOrderArchive, { body: filter })
}

async function latest(world: World, member: Pick<TestMember, 'cookie'>) {
  return (await world.as(member).send(readOrderArchive, {})).body.orderArchive
}

async function made(world: World, member: TestMember, filter: object = {}) {
  const { body } = await request(world, member, filter)
  if (!body.orderArchive) throw new Error('no archive')
  await makeOrderArchive(world.deps, body.orderArchive.id)
  return unzipped(world, member, body.orderArchive.id)
}

async function unzipped({ request: send }: World, { cookie }: TestMember, id: string) {
  const reply = await send({ url: downloadArchive.path.replace(':id', id), headers: { cookie } })
  const texts = Object.entries(unzipSync(reply.rawPayload)).map(([name, content]) => [
    name,
    Buffer.from(content).toString(),
  ])
  return { headers: reply.headers, files: Object.fromEntries(texts) }
}

test('the documents of all matching orders, by kind and date; what has none is listed', async () => {
  await using world = await rendered()
  const member = await world.member()
  const at = (day: string) => ({ date: new Date(`${day}T12:00:00Z`) })
  await newOrder(world, member, { orderNumber: 'A-1', ...at('2025-03-01') })
  await newOrder(world, member, {
    orderNumber: 'A/2',
    invoiceNumber: 'I/2',
    origin: 'charged',
    buyer,
    ...at('2025-02-01'),
  })
  await newOrder(world, member, { orderNumber: 'A-3', invoiceNumber: 'I-3', status: 'OP', ...at('2025-12-31') })
  await newOrder(world, member, { orderNumber: 'A-4', status: 'CL', ...at('2025-06-01') })
  await newOrder(world, member, { orderNumber: 'A-5', ...at('2026-01-01') })
  await newOrder(world, await world.member(), { orderNumber: 'B-1', ...at('2025-03-01') })

  const { files, headers } = await made(world, member, { range: '2025' })

  expect(files).toEqual({
    'invoice-2025-02-01-I-2.pdf': '%PDF invoice A/2',
    'order-2025-03-01-A-1.pdf': '%PDF summary A-1',
    'pro-forma-2025-12-31-I-3.pdf': '%PDF pro_forma A-3',
    'not-included.txt': 'These orders have no document, because they are not completed:\r\nA-4\r\n',
  })
  expect(headers).toMatchObject({ 'content-disposition': 'attachment; filename="orders-2025.zip"' })
  expect(await latest(world, member)).toMatchObject({
    filter: { range: '2025', keyWord: '' },
    total: 3,
    done: 3,
    missing: [],
    file: { expiresAt: '2026-06-02T09:30:00.000Z' },
  })
})

test('it is the same document as the download of one order, stored by whichever is first', async () => {
  await using world = await rendered()
  const member = await world.member()
  const [first, second] = [await newOrder(world, member), await newOrder(world, member)]
  const caller = { ...member, firstName: '', lastName: '', sessionId: '', subject: '', address: '::1', requestId: 'r' }
  const one = { orderNum: first.orderNumber, invoiceNum: '', lang: 'en-us' as const }
  const { content } = await downloadInvoice(world.deps, caller, one)
  const stored = Buffer.from(content, 'base64').toString()

  const { files } = await made(world, member, { lang: 'de-de' })

  expect(Object.values(files)).toContain(stored)
  const rows = await world.db
    .select()
    .from(activity)
    .where(and(eq(activity.memberId, member.id), eq(activity.action, 'invoice.stored')))
  expect(rows.map(({ target, actor }) => [target, actor]).sort()).toEqual(
    [
      [first.orderNumber, member.id],
      [second.orderNumber, 'orders.archive'],
    ].sort(),
  )
})

test('an order whose document cannot be made is named, in the page and in the ZIP', async () => {
  await using world = await rendered((orderNumber) => {
    if (orderNumber.endsWith('broken')) throw new Error('a font is missing')
  })
  const member = await world.member()
  const away = await newOrder(world, member, { invoiceUrl: 'https://files.vendor.test/gone.pdf' })
  const broken = await newOrder(world, member, { orderNumber: `${away.orderNumber}-broken` })
  const whole = await newOrder(world, member)

  const { files } = await made(world, member)

  const [name] = Object.keys(files)
  expect(name).toBe(`order-2026-05-01-${whole.orderNumber}.pdf`)
  expect(files['not-included.txt']).toContain(`\r\n${away.orderNumber}\r\n${broken.orderNumber}\r\n`)
  const missing = [away.orderNumber, broken.orderNumber]
  expect(await latest(world, member)).toMatchObject({ total: 3, done: 3, missing })
})

test('while the renderer is busy, a document is tried again', async () => {
  let refusals = 2
  await using world = await rendered(() => {
    refusals -= 1
    if (refusals >= 0) throw new Problem('overloaded', { retryAfter: 0 })
  })
  const member = await world.member()
  await newOrder(world, member)
  expect(Object.keys((await made(world, member)).files)).toHaveLength(1)
})

test('a run that a restart interrupts leaves its documents to the next, which does not take back the progress', async () => {
  let renders = 0
  let isStopped = true
  await using world = await rendered(() => {
    renders += 1
    if (renders === 3 && isStopped) throw Object.assign(new Error('stopped'), { code: '57P01' })
  })
  const member = await world.member()
  for (let count = 0; count < 4; count += 1) await newOrder(world, member)
  const { body } = await request(world, member)
  const id = body.orderArchive?.id ?? ''

  await expect(makeOrderArchive(world.deps, id)).rejects.toThrow('stopped')
  const before = await latest(world, member)
  expect(before).toMatchObject({ total: 4, file: null })
  expect(before?.done).toBeGreaterThan(0)
  isStopped = false
  await makeOrderArchive(world.deps, id)
  await makeOrderArchive(world.deps, id)

  expect(Object.keys((await unzipped(world, member, id)).files)).toHaveLength(4)
  expect(renders).toBe(5)
})

test('one at a time is prepared: another request joins it, and one that is ready is replaced', async () => {
  await using world = await rendered()
  const member = await world.member()
  await newOrder(world, member)
  const replies = await Promise.all([request(world, member), request(world, member, { range: '2026' })])
  const ids = replies.map(({ body }) => body.orderArchive?.id)
  expect(new Set(ids).size).toBe(1)
  const jobs = world.sent.filter(({ queue }) => queue === orderArchiveQueue)
  expect(jobs.map(({ data }) => data)).toEqual([{ archiveId: ids[0] }])
  await makeOrderArchive(world.deps, ids[0] ?? '')

  const { body } = await request(world, member, { keyWord: 'folio' })
  expect(body.orderArchive).toMatchObject({ filter: { keyWord: 'folio' }, file: null })
  expect(await world.db.$count(archives, eq(archives.memberId, member.id))).toBe(1)
  const rows = await world.db.select().from(activity).where(eq(activity.memberId, member.id))
  const requested = rows.filter(({ action }) => action === 'order_archive.requested')
  expect(requested.map(({ target }) => target).sort()).toEqual([ids[0], body.orderArchive?.id].sort())
})

test('without a document among the orders there is nothing to prepare', async () => {
  await using world = await rendered()
  const member = await world.member()
  await newOrder(world, member, { status: 'WT' })
  const { status, body } = await request(world, member)
  expect([status, body.code]).toEqual([409, 'no_documents'])
  expect(world.sent).toEqual([])
})

test('another member’s archive is not seen, and its owner still has it', async () => {
  await using world = await rendered()
  const [member, other] = [await world.member(), await world.member()]
  await newOrder(world, member)
  await newOrder(world, other)
  await made(world, member)

  expect(await latest(world, other)).toBeNull()
  expect((await request(world, other)).body.orderArchive).toMatchObject({ total: 1, file: null })
  expect(await latest(world, member)).toMatchObject({ file: { size: expect.any(Number) } })
})

test('the vendor’s own PDFs are in it unchanged', async () => {
  await using world = await rendered()
  const member = await world.member()
  const { orderNumber } = await newOrder(world, member, { invoiceNumber: 'V-1' })
  await world.db.insert(invoiceFiles).values({ orderNumber, kind: 'invoice', pdf: vendorPdf, createdAt: new Date() })
  expect((await made(world, member)).files).toEqual({ 'invoice-2026-05-01-V-1.pdf': vendorPdf.toString() })
})
