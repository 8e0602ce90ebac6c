import { expect, test } from 'vitest'
import { networkOf } from './brand.rules.ts'
import { formatCode, judgeCode } from './code.rules.ts'
import { formatExpiry, judgeExpiry, readExpiry } from './expiry.rules.ts'
import { formatNumber, judgeNumber } from './number.rules.ts'
import { formatPostalCode, judgePostalCode, needsPostalCode } from './postal-code.rules.ts'

const now = new Date(2026, 10, 20)

test.each([
  ['4242424242424242', 'visa', '4242 4242 4242 4242'],
  ['5555555555554444', 'mastercard', '5555 5555 5555 4444'],
  ['2223003122003222', 'mastercard', '2223 0031 2200 3222'],
  ['378282246310005', 'amex', '3782 822463 10005'],
  ['6011111111111117', 'discover', '6011 1111 1111 1117'],
  ['36227206271667', 'diners', '3622 720627 1667'],
  ['3056930009020004', 'diners', '3056 9300 0902 0004'],
  ['3566002020360505', 'jcb', '3566 0020 2036 0505'],
  ['6200000000000005', 'unionpay', '6200 0000 0000 0005'],
  ['6205500000000000004', 'unionpay', '6205 5000 0000 0000 004'],
])('%s is a whole number of %s, written as on its card', (number, brand, written) => {
  expect(networkOf(number).brand).toBe(brand)
  expect(formatNumber(number)).toBe(written)
  expect(judgeNumber(written)).toEqual({ state: 'complete' })
})

test('a brand is known from the first digits that identify it', () => {
  expect(['', '2', '222', '2221', '3', '37', '4', '601', '6011'].map((digits) => networkOf(digits).brand)).toEqual([
    'unknown',
    'unknown',
    'unknown',
    'mastercard',
    'unknown',
    'amex',
    'visa',
    'unknown',
    'discover',
  ])
})

test('a number may contain spaces, dashes or wide digits, and is cut at its brand’s length', () => {
  expect(formatNumber('4242-4242 4242  4242')).toBe('4242 4242 4242 4242')
  expect(formatNumber('４２４２４２４２４２４２４２４２')).toBe('4242 4242 4242 4242')
  expect(formatNumber('42424242424242429999')).toBe('4242 4242 4242 4242')
  expect(formatNumber('4242 4')).toBe('4242 4')
})

test.each([
  ['', { state: 'empty', fault: 'incomplete_number' }],
  ['4242 4242', { state: 'partial', fault: 'incomplete_number' }],
  ['4242 4242 4242 4241', { state: 'invalid', fault: 'invalid_number' }],
  ['9999 9999 9999 9995', { state: 'invalid', fault: 'invalid_number' }],
  ['6200 0000 0000 0006', { state: 'partial', fault: 'invalid_number' }],
])('the number “%s” is judged', (text, verdict) => {
  expect(judgeNumber(text)).toEqual(verdict)
})

test.each([
  ['1', '1'],
  ['5', '05 / '],
  ['12', '12 / '],
  ['13', '01 / 3'],
  ['1/', '01 / '],
  ['1/2', '01 / 2'],
  ['1227', '12 / 27'],
  ['12 / 27', '12 / 27'],
  ['12/2027', '12 / 27'],
  ['122027', '12 / 27'],
  ['2027-12', '12 / 27'],
  ['１２/２７', '12 / 27'],
  ['12 / 279', '12 / 27'],
])('the expiry “%s” is written “%s”', (text, written) => {
  expect(formatExpiry(text)).toBe(written)
})

test('deleting removes the separator too', () => {
  expect(formatExpiry('12 / ', true)).toBe('12')
  expect(formatExpiry('12 /', true)).toBe('12')
  expect(formatExpiry('1', true)).toBe('1')
})

test.each([
  ['', { state: 'empty', fault: 'incomplete_expiry' }],
  ['12 / 2', { state: 'partial', fault: 'incomplete_expiry' }],
  ['00 / 27', { state: 'invalid', fault: 'invalid_expiry_month' }],
  ['11 / 25', { state: 'invalid', fault: 'invalid_expiry_year_past' }],
  ['10 / 26', { state: 'invalid', fault: 'invalid_expiry_month_past' }],
  ['11 / 77', { state: 'invalid', fault: 'invalid_expiry_year' }],
  ['11 / 26', { state: 'complete' }],
  ['12 / 76', { state: 'complete' }],
])('the expiry “%s” is judged', (text, verdict) => {
  expect(judgeExpiry(text, now)).toEqual(verdict)
})

test('a complete expiry is a month and a year', () => {
  expect(readExpiry('05 / 31')).toEqual({ month: 5, year: 2031 })
  expect(readExpiry('05 / 3')).toBeUndefined()
})

test.each([
  ['123', 'visa', 'complete'],
  ['12', 'visa', 'partial'],
  ['123', 'amex', 'partial'],
  ['1234', 'amex', 'complete'],
  ['123', 'unknown', 'complete'],
  ['1234', 'unknown', 'complete'],
  ['', 'visa', 'empty'],
] as const)('the code “%s” of a card of %s is %s', (code, brand, state) => {
  expect(judgeCode(code, brand).state).toBe(state)
})

test('a code is cut at its brand’s length', () => {
  expect(formatCode('12345', 'visa')).toBe('123')
  expect(formatCode('12345', 'amex')).toBe('1234')
})

test.each([
  ['94107', 'US', 'complete'],
  ['94107-1234', 'US', 'complete'],
  ['9410', 'US', 'partial'],
  ['K1A 0B1', 'CA', 'complete'],
  ['K1A', 'CA', 'partial'],
  ['SW1A 1AA', 'GB', 'complete'],
  ['10117', '', 'complete'],
  ['', 'US', 'empty'],
])('the postal code “%s” of %s is %s', (code, country, state) => {
  expect(judgePostalCode(code, country).state).toBe(state)
})

test('a postal code is required in countries where banks check it', () => {
  expect(['US', 'CA', 'GB', 'DE', 'JP'].filter(needsPostalCode)).toEqual(['US', 'CA', 'GB'])
  expect(formatPostalCode('k1a 0b1', 'CA')).toBe('K1A 0B1')
  expect(formatPostalCode('94107x', 'US')).toBe('94107')
})
