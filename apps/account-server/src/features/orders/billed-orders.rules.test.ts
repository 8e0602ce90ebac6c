import { type LocaleCode, locales } from '@atrium/contract/locale.ts'
import { expect, test } from 'vitest'
import type { BilledInvoice, BilledLine } from '../../outside/billed-invoice.ts'
import { orderLinesOf, orderStatusOf } from './billed-orders.rules.ts'
import { lineText, orderLineParts, orderLineText } from './line-words.rules.ts'
import type { LineFacts } from './orders.tables.ts'

const at = (day: number) => new Date(Date.UTC(2026, 5, day))

const line: BilledLine = {
  text: '2 × Folio (at $10.00 / month)',
  priceId: 'price_1',
  productId: 'prod_1',
  quantity: 2,
  amount: 2000,
  isProration: false,
  periodStart: at(1),
  periodEnd: at(30),
}

const invoice: BilledInvoice = {
  id: 'in_1',
  channel: 'card',
  number: 'ABC-0001',
  customerId: 'cus_1',
  subscriptionId: 'sub_1',
  status: 'open',
  isOfChange: false,
  isAttempted: false,
  lines: [line],
  discount: 0,
  tax: 0,
  total: 2000,
  charged: 2000,
  balanceBefore: 0,
  currency: 'USD',
  createdAt: at(1),
  finalizedAt: at(1),
  paidAt: null,
  buyer: { name: 'Ada', email: 'ada@example.test', address: [], country: 'US', taxIds: [], isReverseCharge: false },
  pdfUrl: '',
  payUrl: '',
}

const wordsOf = (lang: LocaleCode) => (facts: LineFacts) => lineText(facts, lang)

const products = new Map([['price_1', { code: 'FPE', name: 'Folio PDF Editor' }]])

test.each([
  ['a draft makes none', { status: 'draft' }, undefined],
  ['a zero total makes none', { total: 0, charged: 0 }, undefined],
  ['a credit makes none', { total: -500, charged: 0 }, undefined],
  ['a credit, where more is owed from earlier', { total: -500, charged: 1500 }, 'OP'],
  ['what the credit pays wholly', { charged: 0 }, 'OP'],
  ['open', {}, 'OP'],
  ['a failed payment', { isAttempted: true }, 'PD'],
  ['paid', { status: 'paid', isAttempted: true }, 'CO'],
  ['void', { status: 'void' }, 'CL'],
  ['uncollectible', { status: 'uncollectible' }, 'PD'],
] as const)('the order of an invoice: %s', (_name, values, wanted) => {
  expect(orderStatusOf({ ...invoice, ...values })).toBe(wanted)
})

test('lines name product, quantity and period in the customer’s language', () => {
  const texts = (lang: 'en-us' | 'de-de' | 'ja-jp', given: Partial<BilledLine>) =>
    orderLinesOf({ ...invoice, lines: [{ ...line, ...given }] }, products, wordsOf(lang))[0]?.text
  expect(texts('en-us', {})).toBe('Folio PDF Editor × 2, Jun 1, 2026 – Jun 30, 2026')
  expect(texts('de-de', { isProration: true, amount: -500 })).toBe(
    'Gutschrift für nicht genutzte Zeit: Folio PDF Editor × 2, 01.06.2026 – 30.06.2026',
  )
  expect(texts('ja-jp', { isProration: true })).toBe('残り期間：Folio PDF Editor × 2（2026/06/01～2026/06/30）')
  expect(texts('en-us', { periodEnd: line.periodStart })).toBe('Folio PDF Editor × 2')
})

test('a line is worded for each reader, whatever the language of its order', () => {
  const lines = [{ ...line, isProration: true, amount: -500 }]
  const [credit, discount] = orderLinesOf({ ...invoice, lines, discount: 100 }, products, wordsOf('en-us'))
  if (!credit || !discount) throw new Error('no lines')
  expect(orderLineText(credit, 'ja-jp')).toBe('未使用期間の差し引き：Folio PDF Editor × 2（2026/06/01～2026/06/30）')
  expect(orderLineParts(credit, 'de-de')).toEqual({
    name: 'Folio PDF Editor × 2',
    note: 'Nicht genutzte Zeit: 01.–30.06.2026',
  })
  expect(orderLineParts(discount, 'de-de')).toEqual({ name: 'Rabatt', note: '' })
  const free = { text: 'Maintenance, 1 year', productCode: '', amount: null }
  expect([orderLineText(free, 'de-de'), orderLineParts(free, 'de-de').name]).toEqual([free.text, free.text])
})

test('a line of a price that the catalog does not know has the provider’s sentence', () => {
  expect(orderLinesOf(invoice, new Map(), wordsOf('de-de'))).toEqual([
    { text: '2 × Folio (at $10.00 / month)', productCode: '', amount: 2000 },
  ])
})

test('a line for which the provider has no words has its product’s name, or else a word in each reader’s language', () => {
  const blank = { ...invoice, lines: [{ ...line, text: '', priceId: 'price_of_before' }] }
  const known = new Map([['prod_1', { code: 'FPE', name: 'Folio PDF Editor' }]])
  const ofProduct = orderLinesOf(blank, known, wordsOf('en-us'))
  expect(ofProduct).toMatchObject([
    { text: 'Folio PDF Editor × 2, Jun 1, 2026 – Jun 30, 2026', productCode: 'FPE', amount: 2000 },
  ])

  const [nameless] = orderLinesOf(blank, new Map(), wordsOf('en-us'))
  if (!nameless) throw new Error('no lines')
  expect(nameless.text).toBe('Item × 2, Jun 1, 2026 – Jun 30, 2026')
  expect(orderLineParts(nameless, 'de-de').name).toBe('Position × 2')
  const storedBefore = { text: ' ', productCode: '', amount: 100 }
  expect([orderLineText(storedBefore, 'fr-fr'), orderLineParts(storedBefore, 'fr-fr').name]).toEqual([
    'Article',
    'Article',
  ])
})

test('a line with words of its own keeps them, whatever its product is called', () => {
  const known = new Map([['prod_1', { code: 'FPE', name: 'Folio PDF Editor' }]])
  const unknownPrice = { ...invoice, lines: [{ ...line, priceId: '' }] }
  expect(orderLinesOf(unknownPrice, known, wordsOf('en-us'))).toMatchObject([{ text: line.text }])
})

test('lines, discount and tax add up to the total, in every language', () => {
  const billed = { ...invoice, discount: 300, tax: 323, total: 2023, charged: 1500 }
  for (const { code } of locales) {
    const lines = orderLinesOf(billed, products, wordsOf(code))
    expect(lines.map(({ amount }) => amount)).toEqual([2000, -300])
    const sum = lines.reduce((total, { amount }) => total + (amount ?? 0), 0)
    expect(sum + billed.tax).toBe(billed.total)
    expect(lines.every(({ text }) => text !== '' && !text.includes('{{') && !text.startsWith('line.'))).toBe(true)
  }
})
