import { expect, test } from 'vitest'
import { countryNames, dayFormat, formatAmount, numberFormat } from './formats.ts'

test('amounts are in minor units of their currency', () => {
  expect(formatAmount('en', { amount: 1250, currency: 'USD' })).toBe('$12.50')
  expect(formatAmount('ja-jp', { amount: 1250, currency: 'JPY' })).toBe('￥1,250')
  expect(formatAmount('de-de', { amount: -123_456, currency: 'EUR' })).toBe('-1.234,56\u00a0€')
})

test('each language and style has its formatter, which is made once', () => {
  const day = new Date('2026-11-23T23:59:59Z')
  expect([dayFormat('en-us', 'medium').format(day), dayFormat('de-de', 'long').format(day)]).toEqual([
    'Nov 23, 2026',
    '23. November 2026',
  ])
  expect(countryNames('fr-fr').of('DE')).toBe('Allemagne')
  expect(numberFormat('en', { style: 'percent' })).toBe(numberFormat('en', { style: 'percent' }))
  expect(numberFormat('en', { style: 'percent' })).not.toBe(numberFormat('en'))
})
