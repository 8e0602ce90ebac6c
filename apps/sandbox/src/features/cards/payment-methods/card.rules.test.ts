import { expect, test } from 'vitest'
import { Refusal } from '../wire/refusal.ts'
import { type GivenCard, isExpired, readCard } from './card.rules.ts'

const now = new Date('2026-11-20T12:00:00Z')
const visa: GivenCard = { number: '4242 4242 4242 4242', exp_month: 11, exp_year: 26, cvc: '123' }

test('only what may be shown of a card is stored, never its number', () => {
  const read = readCard(visa, now)

  expect(read.card).toMatchObject({ brand: 'visa', last4: '4242', exp_month: 11, exp_year: 2026, funding: 'credit' })
  expect(JSON.stringify(read)).not.toContain('424242')
})

test('cards with the same number have the same fingerprint, and other cards another one', () => {
  const other = readCard({ ...visa, number: '5555555555554444' }, now)

  expect(readCard(visa, now).card.fingerprint).toMatch(/^[0-9A-Za-z]{16}$/)
  expect(readCard({ ...visa, exp_year: 2030 }, now).card.fingerprint).toBe(readCard(visa, now).card.fingerprint)
  expect(other.card.fingerprint).not.toBe(readCard(visa, now).card.fingerprint)
})

test.each([
  ['a number with a wrong digit', { number: '4242424242424241' }, 'incorrect_number'],
  ['a number that is none', { number: '4242' }, 'invalid_number'],
  ['a number that could be somebody’s', { number: '4111111111111111' }, 'card_declined'],
  ['a thirteenth month', { exp_month: 13 }, 'invalid_expiry_month'],
  ['a year that is over', { exp_year: 2025 }, 'invalid_expiry_year'],
  ['a month that is over', { exp_month: 10 }, 'invalid_expiry_month'],
  ['a security code of two digits', { cvc: '12' }, 'invalid_cvc'],
])('%s is refused', (_name, change, code) => {
  const refused = refusalOf({ ...visa, ...change })

  expect(refused).toMatchObject({ type: 'card_error', code })
})

test('a card is valid until the end of its month', () => {
  expect(isExpired({ month: 11, year: 2026 }, new Date('2026-11-30T23:59:59Z'))).toBe(false)
  expect(isExpired({ month: 11, year: 2026 }, new Date('2026-12-01T00:00:00Z'))).toBe(true)
})

function refusalOf(card: GivenCard) {
  try {
    readCard(card, now)
  } catch (error) {
    if (error instanceof Refusal) return error.body
  }
  return undefined
}
