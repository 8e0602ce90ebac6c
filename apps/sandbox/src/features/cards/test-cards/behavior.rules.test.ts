import { expect, test } from 'vitest'
import { type Attempt, bankAnswer, declines } from './behavior.rules.ts'

const payment: Attempt = {
  behavior: 'succeeds',
  purpose: 'payment',
  isOffSession: false,
  isSetUp: false,
  isAskedFor: false,
  isExpired: false,
  isAuthenticated: false,
}
const setup: Attempt = { ...payment, purpose: 'setup' }

test('a card that requires authentication unless it is set up does so on session, and not off session once it is set up', () => {
  const card = { behavior: 'asksUnlessSetUp' } as const

  expect(bankAnswer({ ...setup, ...card })).toBe('challenge')
  expect(bankAnswer({ ...payment, ...card, isSetUp: true })).toBe('challenge')
  expect(bankAnswer({ ...payment, ...card, isOffSession: true })).toBe(declines.authenticationRequired)
  expect(bankAnswer({ ...payment, ...card, isOffSession: true, isSetUp: true })).toBe('approved')
})

test('a card that always requires authentication cannot be charged off session, set up or not', () => {
  const attempt: Attempt = { ...payment, behavior: 'asksAlways', isOffSession: true, isSetUp: true }

  expect(bankAnswer(attempt)).toBe(declines.authenticationRequired)
})

test('a card set up elsewhere requires authentication only on session', () => {
  expect(bankAnswer({ ...payment, behavior: 'asksInPerson' })).toBe('challenge')
  expect(bankAnswer({ ...payment, behavior: 'asksInPerson', isOffSession: true })).toBe('approved')
})

test('a card with optional 3-D Secure requires authentication only when the merchant requests it', () => {
  expect(bankAnswer({ ...payment, behavior: 'asksOnRequest' })).toBe('approved')
  expect(bankAnswer({ ...payment, behavior: 'asksOnRequest', isAskedFor: true })).toBe('challenge')
  expect(bankAnswer({ ...payment, behavior: 'breaksOnRequest', isAskedFor: true })).toBe(declines.generic)
})

test('a declining card declines before any authentication, at every use', () => {
  expect(bankAnswer({ ...setup, behavior: 'declinesAsLost' })).toBe(declines.lost)
  expect(bankAnswer({ ...payment, behavior: 'declinesForCvc' })).toBe(declines.incorrectCvc)
})

test('an expired card is declined, whatever its behavior', () => {
  expect(bankAnswer({ ...payment, isExpired: true })).toBe(declines.expired)
  expect(bankAnswer({ ...setup, behavior: 'asksAlways', isExpired: true })).toBe(declines.expired)
})

test('a card that fails later can be set up, but not charged', () => {
  expect(bankAnswer({ ...setup, behavior: 'declinesLater' })).toBe('approved')
  expect(bankAnswer({ ...payment, behavior: 'declinesLater' })).toBe(declines.generic)
})

test('a charge can still be declined after authentication', () => {
  expect(bankAnswer({ ...payment, behavior: 'asksThenLacksFunds' })).toBe('challenge')
  expect(bankAnswer({ ...payment, behavior: 'asksThenLacksFunds', isAuthenticated: true })).toBe(
    declines.insufficientFunds,
  )
})
