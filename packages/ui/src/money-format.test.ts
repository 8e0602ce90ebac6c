import { expect, test } from 'vitest'
import { formatMoney } from './money-format.ts'

/** `Intl` separates numbers and signs with non-breaking spaces. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

test('dollars have cents, yen have none, dinars have thousandths', () => {
  expect(formatMoney('en-us', { amount: 190_800, currency: 'USD' })).toBe('$1,908.00')
  expect(formatMoney('en-us', { amount: 1908, currency: 'JPY' })).toBe('¥1,908')
  expect(plain(formatMoney('en-us', { amount: 1908, currency: 'KWD' }))).toBe('KWD 1.908')
})

test('a minor unit that is not shown counts: a hundred fillér are a forint', () => {
  expect(plain(formatMoney('hu-hu', { amount: 1_490_000, currency: 'HUF' }))).toBe('14 900 Ft')
  expect(plain(formatMoney('hu-hu', { amount: 1_490_050, currency: 'HUF' }))).toBe('14 900,50 Ft')
  expect(plain(formatMoney('en-us', { amount: 14_900_000, currency: 'IDR' }))).toBe('IDR 149,000')
  expect(plain(formatMoney('en-us', { amount: 1490, currency: 'ISK' }))).toBe('ISK 1,490')
})

test('an amount is formatted for its language', () => {
  expect(plain(formatMoney('de-de', { amount: 190_801, currency: 'EUR' }))).toBe('1.908,01 €')
  expect(plain(formatMoney('ja-jp', { amount: 1908, currency: 'JPY' }))).toBe('￥1,908')
})

test('a large amount is exact to the cent', () => {
  expect(formatMoney('en-us', { amount: 9_007_199_254_740_99, currency: 'USD' })).toBe('$9,007,199,254,740.99')
})

test('a refund is negative', () => {
  expect(formatMoney('en-us', { amount: -5, currency: 'USD' })).toBe('-$0.05')
})
