import { localePath, locales } from '@atrium/contract/locale.ts'
import { expect, test } from 'vitest'
import { type Receipt, receiptEmail } from './receipt-email.ts'

const at = (day: number) => new Date(Date.UTC(2026, 5, day))

const discount = { kind: 'discount', product: '', quantity: 1, from: '', to: '' } as const

const order: Receipt['order'] = {
  ...{ orderNumber: 'ORD-000123', invoiceNumber: 'INV-000045', currency: 'EUR', date: at(1), locale: 'en-us' },
  lines: [
    { text: 'Folio PDF Editor+ × 2', productCode: 'FPE', amount: 20_000 },
    { text: 'Discount', productCode: '', amount: -4000, facts: discount },
  ],
  ...{ tax: 3040, total: 19_040, amount: 19_040, refundedAmount: 0, refundedAt: null },
}

function written({
  order: values,
  ...context
}: { order?: Partial<Receipt['order']> } & Partial<Omit<Receipt, 'order'>>) {
  return receiptEmail({
    ...{ order: { ...order, ...values }, productName: 'Folio PDF Editor+', channel: 'card' },
    card: { brand: 'visa', last4: '4242' },
    declinedNext: undefined,
    member: { firstName: 'Ada', lastName: 'Lindqvist', locale: 'de-de' },
    ...{ brandName: 'Folio', brandColor: '#b3261e', publicUrl: 'https://account.folio.test' },
    ...context,
  })
}

test('a receipt has the lines, the discount, the tax, the total, the card, the numbers and a link', () => {
  const { subject, text, html } = written({})
  expect(subject).toBe('Your receipt for Folio PDF Editor+: €190.40')
  expect(text).toBe(
    [
      'Hello Ada,',
      'Thank you. We received your payment of €190.40 for Folio PDF Editor+.',
      'Folio PDF Editor+ × 2: €200.00\nSubtotal: €200.00\nDiscount: -€40.00\nTax: €30.40\nTotal: €190.40',
      'Paid with: Visa ••••\u00a04242\nOrder number: ORD-000123\nOrder date: June 1, 2026\nInvoice number: INV-000045',
      'Your invoice is in My Orders.',
      'Open My Orders:\nhttps://account.folio.test/account?tab=my-orders',
      'The Folio team',
    ].join('\n\n'),
  )
  for (const shown of ['€200.00', '-€40.00', '€30.40', '€190.40', 'Visa ••••\u00a04242', 'ORD-000123', 'INV-000045']) {
    expect(html).toContain(shown)
  }
})

test('without a discount the lines are followed by tax and total alone', () => {
  const { text } = written({ order: { lines: order.lines.slice(0, 1), tax: 3800, total: 23_800, amount: 23_800 } })
  expect(text).toContain('Folio PDF Editor+ × 2: €200.00\nTax: €38.00\nTotal: €238.00\n')
})

test.each([null, 0])('a tax of %s is left out', (tax) => {
  const { text, html } = written({ order: { tax } })
  for (const part of [text, html]) expect(part).not.toContain('Tax')
  expect(text).toContain('Total: €190.40')
})

test('an amount has the digits of its currency', () => {
  const yen = { currency: 'JPY', lines: [], tax: null, total: 12_000, amount: 12_000, locale: 'ja-jp' as const }
  const { subject, text } = written({ order: yen })
  expect(subject).toMatch(/[¥￥]12,000/)
  expect(text).not.toMatch(/12,000\.|120\.00/)
})

test('what the account’s balance paid is said, and the subject names what was charged', () => {
  const { subject, text } = written({ order: { amount: 9040 } })
  expect(subject).toContain('€90.40')
  expect(text).toContain('Total: €190.40\nAccount balance: -€100.00\nCharged: €90.40')
})

test('PayPal is named; of a card of unknown brand the digits; what is not known is left out', () => {
  expect(written({ channel: 'paypal', card: undefined }).text).toContain('Paid with: PayPal')
  expect(written({ card: { brand: 'other', last4: '0001' } }).text).toContain('Paid with: Card ••••\u00a00001')
  expect(written({ card: undefined }).text).not.toContain('Paid with')
})

test('what was refunded before the email was written is said', () => {
  expect(written({}).text).not.toContain('Refunded')
  const refunded = written({ order: { refundedAmount: 500, refundedAt: at(2) } })
  expect(refunded.text).toContain('Refunded: €5.00, June 2, 2026')
})

test.each(locales)('$code: everything is in that language, and the link leads to its page', (language) => {
  const { code: locale } = language
  const { subject, text, html } = written({ order: { locale, refundedAmount: 500, refundedAt: at(2), amount: 9040 } })
  for (const part of [subject, text, html]) {
    expect(part).not.toMatch(/\{\{|\}\}|receipt\.\w|undefined|null|NaN|Invalid/)
    if (locale !== 'en-us') expect(part).not.toMatch(/receipt|Paid with|Order number|Thank you/)
  }
  expect(subject).toContain('Folio PDF Editor+')
  expect(text).toContain(`https://account.folio.test${localePath(language, '/account')}?tab=my-orders`)
  expect(html).toContain(`<html lang="${locale}">`)
})

test('an order without a language is in that of the last visit', () => {
  expect(written({ order: { locale: null } }).subject).toContain('Ihr Zahlungsbeleg')
})

test('a product’s name cannot break out of the HTML, nor start a header', () => {
  const { subject, html } = written({
    productName: 'A<b>\r\nBcc: x@example.test',
    order: { lines: [{ text: '<i>', productCode: '', amount: 1 }] },
  })
  expect(html).not.toMatch(/<b>|<i>/)
  expect(subject).not.toMatch(/[\r\n]/)
})
