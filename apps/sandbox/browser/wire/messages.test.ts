import { expect, test } from 'vitest'
import { type Request, ToController } from './messages.ts'

const methods = '/v1/payment_methods'
const confirm = '/v1/setup_intents/seti_1/confirm'

function isHeard(request: Pick<Request, 'method' | 'path' | 'card'>): boolean {
  const message = { kind: 'request', id: 1, key: 'pk_test_1', locale: 'en', request: { parameters: {}, ...request } }
  return ToController.safeParse(message).success
}

test('a card may be sent in a new payment method, and in the one that a confirmation creates', () => {
  expect(isHeard({ method: 'POST', path: methods, card: { frames: ['a'], at: '' } })).toBe(true)
  for (const path of [confirm, '/v1/payment_intents/pi_1/confirm']) {
    expect(isHeard({ method: 'POST', path, card: { frames: ['a'], at: 'payment_method_data' } }), path).toBe(true)
  }
})

test('a card is never sent in an address', () => {
  const card = { frames: ['a'] }
  expect(isHeard({ method: 'GET', path: methods })).toBe(true)
  expect(isHeard({ method: 'GET', path: methods, card: { ...card, at: '' } })).toBe(false)
  expect(isHeard({ method: 'GET', path: confirm, card: { ...card, at: 'payment_method_data' } })).toBe(false)
})

test('a card is never sent where the API does not accept one', () => {
  const refused = [
    { path: methods, at: 'payment_method_data' },
    { path: confirm, at: '' },
    { path: '/v1/setup_intents/seti_1', at: '' },
    { path: '/v1/setup_intents/seti_1', at: 'payment_method_data' },
    { path: '/v1/setup_intents/seti_1/source_cancel', at: 'payment_method_data' },
  ] as const
  for (const { path, at } of refused) {
    expect(isHeard({ method: 'POST', path }), path).toBe(true)
    expect(isHeard({ method: 'POST', path, card: { frames: ['a'], at } }), `${path} ${at}`).toBe(false)
  }
})
