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

test('a card that must be asked unless it is set up is asked in person, and left alone afterwards when nobody is there', () => {
  const card = { behavior: 'asksUnlessSetUp' } as const

  expect(bankAnswer({ ...setup, ...card })).toBe('challenge')
  expect(bankAnswer({ ...payment, ...card, isSetUp: true })).toBe('challenge')
  expect(bankAnswer({ ...payment, ...card, isOffSession: true })).toBe(declines.authenticationRequired)
  expect(bankAnswer({ ...payment, ...card, isOffSession: true, isSetUp: true })).toBe('approved')
})

test('a card that always asks cannot be charged without its holder, set up or not', () => {
  const attempt: Attempt = { ...payment, behavior: 'asksAlways', isOffSession: true, isSetUp: true }

  expect(bankAnswer(attempt)).toBe(declines.authenticationRequired)
})

test('a card set up elsewhere asks in person alone', () => {
  expect(bankAnswer({ ...payment, behavior: 'asksInPerson' })).toBe('challenge')
  expect(bankAnswer({ ...payment, behavior: 'asksInPerson', isOffSession: true })).toBe('approved')
})

test('a card with optional 3-D Secure asks only when the merchant wants it', () => {
  expect(bankAnswer({ ...payment, behavior: 'asksOnRequest' })).toBe('approved')
  expect(bankAnswer({ ...payment, behavior: 'asksOnRequest', isAskedFor: true })).toBe('challenge')
  expect(bankAnswer({ ...payment, behavior: 'breaksOnRequest', isAskedFor: true })).toBe(declines.generic)
})

test('a card that declines does so before anybody is asked, at every use', () => {
  expect(bankAnswer({ ...setup, behavior: 'declinesAsLost' })).toBe(declines.lost)
  expect(bankAnswer({ ...payment, behavior: 'declinesForCvc' })).toBe(declines.incorrectCvc)
})

test('a card whose last month is over is declined, however it would behave', () => {
  expect(bankAnswer({ ...payment, isExpired: true })).toBe(declines.expired)
  expect(bankAnswer({ ...setup, behavior: 'asksAlways', isExpired: true })).toBe(declines.expired)
})

test('a card that fails later is set up gladly, and charged in vain', () => {
  expect(bankAnswer({ ...setup, behavior: 'declinesLater' })).toBe('approved')
  expect(bankAnswer({ ...payment, behavior: 'declinesLater' })).toBe(declines.generic)
})

test('after the cardholder has answered, a charge can still be declined', () => {
  expect(bankAnswer({ ...payment, behavior: 'asksThenLacksFunds' })).toBe('challenge')
  expect(bankAnswer({ ...payment, behavior: 'asksThenLacksFunds', isAuthenticated: true })).toBe(
    declines.insufficientFunds,
  )
})
