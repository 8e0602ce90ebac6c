import { listOnlineOrders, type OrderStatus } from '@atrium/contract/orders.ts'
import { beforeAll, expect, test } from 'vitest'
import { newWorld } from '../../test/world.ts'
import { products } from '../catalog/catalog.tables.ts'
import { invoiceFiles, orders } from './orders.tables.ts'

type World = Awaited<ReturnType<typeof newWorld>>
type Order = typeof orders.$inferInsert

const settings = { DOWNLOAD_HOSTS: 'downloads.folio.test' }

function product(code: string, urls: readonly string[]) {
  const downloads = urls.map((url) => ({ platform: 'mac', url }))
  const common = { name: code, sku: code, position: 0, prices: [], flags: [], integrations: [] }
  return { ...common, code, downloads, cap: { cap: 999, scope: 'subscription' as const } }
}

beforeAll(async () => {
  await using world = await newWorld()
  await world.db
    .insert(products)
    .values([
      product('FPM', ['https://elsewhere.test/fpm.dmg', 'https://downloads.folio.test/fpm.dmg']),
      product('EVIL', ['https://elsewhere.test/x', 'http://downloads.folio.test/x']),
      product('NONE', []),
    ])
})

function line(text: string, productCode = '') {
  return { text, productCode, amount: null }
}

let last = 0

async function order(world: World, memberId: string, values: Partial<Order> = {}) {
  last += 1
  const common = {
    memberId,
    invoiceNumber: '',
    status: 'CO',
    amount: 100,
    currency: 'USD',
    origin: 'imported',
  } as const
  const rest = { lines: [line('Folio PDF Editor')], date: new Date('2026-05-01T00:00:00Z'), invoiceUrl: '' }
  const [row] = await world.db
    .insert(orders)
    .values({ orderNumber: `FO-${last}`, ...common, ...rest, ...values })
    .returning()
  if (!row) throw new Error('no order')
  return row
}

async function found(world: World, member: { cookie: string }, query: Record<string, string | number>) {
  const { body } = await world.as(member).send(listOnlineOrders, { query: query as object })
  return { total: body.total, numbers: body.list.map(({ orderNumber }) => orderNumber) }
}

test('an order has all its fields, and a download for each line', async () => {
  await using world = await newWorld({ settings })
  const member = await world.member()
  await order(world, member.id, {
    orderNumber: 'FO-whole',
    invoiceNumber: 'INV-whole',
    lines: [line('Editor', 'FPM'), line('Maintenance'), line('Other', 'EVIL'), line('Gone', 'GONE'), line('N', 'NONE')],
    amount: 12_900,
    currency: 'JPY',
    date: new Date('2026-05-04T10:11:12Z'),
  })

  const { body } = await world.as(member).send(listOnlineOrders, { query: {} })

  const free = { note: '', amount: null, isDiscount: 0 }
  expect(body).toEqual({
    total: 1,
    paid: [{ currency: 'JPY', amount: 12_900, months: [], years: [{ year: 2026, amount: 12_900 }] }],
    list: [
      {
        orderNumber: 'FO-whole',
        orderInvoiceNum: 'INV-whole',
        orderDescription: ['Editor', 'Maintenance', 'Other', 'Gone', 'N'],
        orderProduct: [
          { ...free, name: 'Editor', downloadUrl: 'https://downloads.folio.test/fpm.dmg' },
          { ...free, name: 'Maintenance', downloadUrl: '' },
          { ...free, name: 'Other', downloadUrl: '' },
          { ...free, name: 'Gone', downloadUrl: '' },
          { ...free, name: 'N', downloadUrl: '' },
        ],
        orderAmount: 12_900,
        orderCurrency: 'JPY',
        orderTotal: 12_900,
        orderTax: null,
        orderRefundedAmount: 0,
        orderRefundDate: '',
        isPaymentDue: 0,
        isChangeWaiting: 0,
        isChangeNotMade: 0,
        isSubscriptionEnded: 0,
        payUrl: '',
        orderStatus: 'CO',
        orderDate: '2026-05-04T10:11:12.000Z',
        invoiceKind: 'summary',
      },
    ],
  })
})

test('orders are listed newest first, ten per page, with their total', async () => {
  await using world = await newWorld()
  const member = await world.member()
  for (let day = 1; day <= 23; day += 1) {
    await order(world, member.id, { orderNumber: `FO-page-${day}`, date: new Date(Date.UTC(2026, 2, day)) })
  }

  const first = await found(world, member, {})
  expect(first.total).toBe(23)
  expect(first.numbers).toHaveLength(10)
  expect(first.numbers[0]).toBe('FO-page-23')
  expect(await found(world, member, { page: 3 })).toEqual({
    total: 23,
    numbers: ['FO-page-3', 'FO-page-2', 'FO-page-1'],
  })
  expect(await found(world, member, { page: 1_000_000, pageSize: 100 })).toEqual({ total: 23, numbers: [] })
})

test('a range goes back in calendar months from today, to the start of that day', async () => {
  await using world = await newWorld({ now: '2026-05-31T15:00:00Z' })
  const member = await world.member()
  const dates = [
    '2026-05-30',
    '2026-02-28',
    '2026-02-27',
    '2025-11-30',
    '2025-11-29',
    '2025-05-31',
    '2023-05-31',
    '2023-05-30',
  ]
  for (const date of dates)
    await order(world, member.id, { orderNumber: `R-${date}`, date: new Date(`${date}T00:00:00Z`) })

  const oldest = async (range: string) => (await found(world, member, { range })).numbers.at(-1)
  expect(await oldest('three-month')).toBe('R-2026-02-28')
  expect(await oldest('six-month')).toBe('R-2025-11-30')
  expect(await oldest('one-year')).toBe('R-2025-05-31')
  expect(await oldest('three-year')).toBe('R-2023-05-31')
  expect((await found(world, member, {})).total).toBe(8)
})

test('a range may be a calendar year, in UTC', async () => {
  await using world = await newWorld({ now: '2026-05-31T15:00:00Z' })
  const member = await world.member()
  for (const date of ['2024-12-31T23:59:59Z', '2025-01-01T00:00:00Z', '2025-12-31T23:59:59Z', '2026-01-01T00:00:00Z'])
    await order(world, member.id, { orderNumber: `Y-${date}`, date: new Date(date) })

  const { numbers } = await found(world, member, { range: '2025' })
  expect(numbers).toEqual(['Y-2025-12-31T23:59:59Z', 'Y-2025-01-01T00:00:00Z'])
  for (const range of ['1999', '20255', '2025-01']) {
    expect((await world.as(member).send(listOnlineOrders, { query: { range } })).status).toBe(422)
  }
})

test('what was paid is summed by currency: completed orders less refunds, of a year by month too, of all by year', async () => {
  await using world = await newWorld({ now: '2026-05-31T15:00:00Z' })
  const member = await world.member()
  const at = (month: number) => new Date(Date.UTC(2025, month, 15))
  const paid = { status: 'CO', currency: 'EUR' } as const
  await order(world, member.id, { ...paid, orderNumber: 'P-1', amount: 1000, date: at(0) })
  await order(world, member.id, { ...paid, orderNumber: 'P-2', amount: 500, refundedAmount: 200, date: at(11) })
  await order(world, member.id, { ...paid, orderNumber: 'P-3', amount: 99, currency: 'JPY', date: at(11) })
  await order(world, member.id, {
    ...paid,
    orderNumber: 'P-4',
    amount: 7,
    currency: 'USD',
    refundedAmount: 7,
    date: at(5),
  })
  for (const status of ['WT', 'PD', 'QT', 'OP', 'CL'] as const)
    await order(world, member.id, { ...paid, orderNumber: `P-${status}`, status, amount: 9000, date: at(3) })
  await order(world, member.id, { ...paid, orderNumber: 'P-5', amount: 40, date: new Date('2026-01-01T00:00:00Z') })
  await order(world, (await world.member()).id, { ...paid, orderNumber: 'P-6', amount: 77, date: at(0) })
  const sums = async (query: object) => (await world.as(member).send(listOnlineOrders, { query })).body

  const year = Array.from({ length: 12 }, () => 0)
  expect(await sums({ range: '2025', pageSize: 1 })).toMatchObject({
    total: 9,
    paid: [
      { currency: 'EUR', amount: 1300, months: year.with(0, 1000).with(11, 300), years: [] },
      { currency: 'JPY', amount: 99, months: year.with(11, 99), years: [] },
    ],
  })
  expect((await sums({})).paid).toEqual([
    {
      ...{ currency: 'EUR', amount: 1340, months: [] },
      years: [
        { year: 2026, amount: 40 },
        { year: 2025, amount: 1300 },
      ],
    },
    { currency: 'JPY', amount: 99, months: [], years: [{ year: 2025, amount: 99 }] },
  ])
  expect((await sums({ range: 'one-year' })).paid[0]).toEqual({ currency: 'EUR', amount: 340, months: [], years: [] })
  const years = [{ year: 2025, amount: 300 }]
  expect((await sums({ keyWord: 'p-2' })).paid).toEqual([{ currency: 'EUR', amount: 300, months: [], years }])
  expect((await sums({ status: 'PD' })).paid).toEqual([])
})

test('every status can be filtered, alone and combined with other filters', async () => {
  await using world = await newWorld({ now: '2026-06-01T00:00:00Z' })
  const member = await world.member()
  const statuses: OrderStatus[] = ['WT', 'PD', 'QT', 'OP', 'CO', 'CL']
  for (const status of statuses) {
    await order(world, member.id, { orderNumber: `S-${status}-new`, status, lines: [line('Cloud')] })
    await order(world, member.id, { orderNumber: `S-${status}-old`, status, date: new Date('2020-01-01') })
  }

  for (const status of statuses) {
    expect(await found(world, member, { status })).toEqual({
      total: 2,
      numbers: [`S-${status}-new`, `S-${status}-old`],
    })
    expect((await found(world, member, { status, range: 'one-year' })).numbers).toEqual([`S-${status}-new`])
    expect((await found(world, member, { status, keyWord: 'cloud' })).numbers).toEqual([`S-${status}-new`])
    expect((await found(world, member, { status, range: 'one-year', keyWord: 'editor' })).numbers).toEqual([])
  }
  expect((await found(world, member, { range: 'three-month', keyWord: 'CLOUD' })).total).toBe(6)
})

test('a key word searches both numbers and the line texts, case-insensitively', async () => {
  await using world = await newWorld()
  const member = await world.member()
  await order(world, member.id, { orderNumber: 'KW-Alpha', invoiceNumber: 'Rg/2026-77' })
  await order(world, member.id, { orderNumber: 'KW-2', lines: [line('Éditeur PDF'), line('Folio クラウド “Team”')] })

  expect((await found(world, member, { keyWord: 'kw-ALPHA' })).numbers).toEqual(['KW-Alpha'])
  expect((await found(world, member, { keyWord: ' rg/2026 ' })).numbers).toEqual(['KW-Alpha'])
  expect((await found(world, member, { keyWord: 'éDITEUR' })).numbers).toEqual(['KW-2'])
  expect((await found(world, member, { keyWord: 'クラウド “team' })).numbers).toEqual(['KW-2'])
  expect((await found(world, member, { keyWord: 'alpha rg' })).numbers).toEqual([])
  expect((await found(world, member, { keyWord: 'pdf folio' })).numbers).toEqual([])
})

test('wildcards and JSON syntax are literal in a key word', async () => {
  await using world = await newWorld()
  const member = await world.member()
  await order(world, member.id, { orderNumber: 'LIT-percent', lines: [line('100% PDF')] })
  await order(world, member.id, { orderNumber: 'LIT-under', lines: [line('a_b')] })
  await order(world, member.id, { orderNumber: 'LIT-back', lines: [line('C:\\Folio\\new "Pro", two')] })
  await order(world, member.id, { orderNumber: 'LIT\\number', lines: [line('axb'), line('second')] })

  const numbers = async (keyWord: string) => (await found(world, member, { keyWord })).numbers.toSorted()
  expect(await numbers('%')).toEqual(['LIT-percent'])
  expect(await numbers('100%')).toEqual(['LIT-percent'])
  expect(await numbers('_')).toEqual(['LIT-under'])
  expect(await numbers('a_b')).toEqual(['LIT-under'])
  expect(await numbers('\\')).toEqual(['LIT-back', 'LIT\\number'])
  expect(await numbers('folio\\new')).toEqual(['LIT-back'])
  expect(await numbers('lit\\n')).toEqual(['LIT\\number'])
  expect(await numbers('"pro", two')).toEqual(['LIT-back'])
  expect(await numbers('"')).toEqual(['LIT-back'])
  expect(await numbers('[')).toEqual([])
})

test('the kind of invoice depends on status, origin and files', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const cases: [string, Partial<Order>, string][] = [
    ['K-01', { origin: 'charged' }, 'invoice'],
    ['K-02', { invoiceUrl: 'https://files.vendor.test/1.pdf' }, 'invoice'],
    ['K-03', {}, 'invoice'],
    ['K-04', {}, 'summary'],
    ['K-05', { invoiceNumber: 'KI-05' }, 'summary'],
    ['K-06', { status: 'PD', invoiceNumber: 'KI-06' }, 'pro_forma'],
    ['K-07', { status: 'OP', invoiceNumber: 'KI-07' }, 'pro_forma'],
    ['K-08', { status: 'PD' }, 'none'],
    ['K-09', { status: 'OP' }, 'none'],
    ['K-10', { status: 'WT', invoiceNumber: 'KI-10' }, 'none'],
    ['K-11', { status: 'QT', invoiceNumber: 'KI-11' }, 'none'],
    ['K-12', { status: 'CL', invoiceNumber: 'KI-12', origin: 'charged' }, 'none'],
  ]
  for (const [orderNumber, values] of cases) await order(world, member.id, { orderNumber, ...values })
  const createdAt = new Date()
  await world.db.insert(invoiceFiles).values([
    { orderNumber: 'K-03', kind: 'invoice', pdf: Buffer.from('%PDF-'), createdAt },
    { orderNumber: 'K-04', kind: 'summary', pdf: Buffer.from('%PDF-'), createdAt },
  ])

  const { body } = await world.as(member).send(listOnlineOrders, { query: { pageSize: 100 } })
  const kinds = body.list.map((entry) => [entry.orderNumber, entry.invoiceKind]).sort()
  expect(kinds).toEqual(cases.map(([orderNumber, , kind]) => [orderNumber, kind]))
})

test('another customer’s orders look like none at all, and their owner still has them', async () => {
  await using world = await newWorld()
  const [owner, other] = [await world.member(), await world.member()]
  await order(world, owner.id, { orderNumber: 'mine' })

  for (const query of [{}, { keyWord: 'mine' }, { status: 'CO' as const }]) {
    expect((await world.as(other).send(listOnlineOrders, { query })).body).toEqual({ list: [], total: 0, paid: [] })
    expect((await world.as(owner).send(listOnlineOrders, { query })).body.total).toBe(1)
  }
  expect((await world.visitor.send(listOnlineOrders, { query: {} })).status).toBe(401)
})
