import { exportOrders } from '@atrium/contract/order-files.ts'
import { expect, test } from 'vitest'
import { newOrder } from '../../test/orders.ts'
import { newWorld, type TestMember } from '../../test/world.ts'

type World = Awaited<ReturnType<typeof newWorld>>

async function csvOf(world: World, member: TestMember, query: Record<string, string> = {}) {
  const { status, body } = await world.as(member).send(exportOrders, { query })
  expect(status).toBe(200)
  return { filename: body.filename, text: Buffer.from(body.content, 'base64').toString() }
}

const english = 'Order date,Order number,Invoice number,Product,Seats,Net,Tax,Total,Refunded,Currency,Status,Document'

test('one row per matching order, oldest first, with amounts that can be added up', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const period = { kind: 'period', product: 'Folio eSign', quantity: 5, from: '2025-01-01', to: '2026-01-01' } as const
  const discount = { kind: 'discount', product: '', quantity: 1, from: '', to: '' } as const
  const lines = [
    { text: '…', facts: period, productCode: '', amount: 10_000 },
    { text: 'Support, 1 year', productCode: '', amount: 500 },
    { text: '…', facts: { ...period, kind: 'setupFee', quantity: 1 } as const, productCode: '', amount: 0 },
    { text: 'Discount', facts: discount, productCode: '', amount: -1000 },
  ]
  const charged = { amount: 10_000, total: 11_305, tax: 1805, refundedAmount: 250, currency: 'EUR' }
  await newOrder(world, member, {
    ...{ orderNumber: 'A-1', invoiceNumber: 'I-1', origin: 'charged', lines, ...charged },
    date: new Date('2025-12-31T23:59:59Z'),
  })
  const credit = { orderNumber: 'A-2', amount: -590, currency: 'JPY', date: new Date('2025-01-01T00:00:00Z') }
  await newOrder(world, member, credit)
  await newOrder(world, member, { orderNumber: 'A-3', date: new Date('2026-01-01T00:00:00Z') })
  await newOrder(world, await world.member(), { orderNumber: 'B-1', date: new Date('2025-06-01T00:00:00Z') })

  const { filename, text } = await csvOf(world, member, { range: '2025' })

  expect(filename).toBe('orders-2025.csv')
  expect(text.split('\r\n')).toEqual([
    `\u{feff}${english}`,
    '2025-01-01,A-2,,Folio PDF Editor,,,,-590,0,JPY,CO,Order summary',
    expect.stringMatching(
      /^2025-12-31,A-1,I-1,"Folio eSign × 5 \(.*\); Support, 1 year; Setup fee: Folio eSign",5; ; ,95\.00,18\.05,113\.05,2\.50,EUR,CO,Invoice$/,
    ),
    '',
  ])
})

test('nothing in it is a formula for a spreadsheet', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const lines = ['=1+1', '+1', '-1+1', '@SUM(A1)', '\t1'].map((text) => ({ text, productCode: '', amount: null }))
  for (const line of lines) await newOrder(world, member, { lines: [line] })
  // Several lines are separated by what separates cells in other languages.
  await newOrder(world, member, { lines })
  const { text } = await csvOf(world, member)
  for (const line of lines) expect(text).toContain(`'${line.text}`)
  expect(text).not.toMatch(/[;\t]\s*[=+@-]/)
})

test('status and text filter it as the list, in the language of the page', async () => {
  await using world = await newWorld()
  const member = await world.member()
  await newOrder(world, member, { orderNumber: 'A-7', status: 'CL' })
  await newOrder(world, member, { orderNumber: 'A-70' })
  await newOrder(world, member, { orderNumber: 'A-8' })
  const { text } = await csvOf(world, member, { status: 'CO', keyWord: 'a-7', lang: 'de-de' })
  expect(text).toContain('Bestelldatum,Bestellnummer')
  expect(text.split('\r\n').slice(1)).toEqual([expect.stringContaining(',A-70,'), ''])
  expect(text).toContain(',Bestellübersicht')
})

test('another member’s orders look like none', async () => {
  await using world = await newWorld()
  const [member, other] = [await world.member(), await world.member()]
  await newOrder(world, member)
  expect((await csvOf(world, other)).text).toBe(`\u{feff}${english}\r\n`)
  expect((await csvOf(world, member)).text.split('\r\n')).toHaveLength(3)
})
