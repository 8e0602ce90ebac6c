import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'

const world = await ofFile(newCardsWorld())

const path = fc.constantFrom(
  '/v1/customers',
  '/v1/customers/ID',
  '/v1/customers/ID/payment_methods',
  '/v1/payment_methods',
  '/v1/payment_methods/ID/attach',
  '/v1/setup_intents',
  '/v1/setup_intents/ID/confirm',
  '/v1/payment_intents',
  '/v1/payment_intents/ID/cancel',
  '/v1/events',
  '/v1/webhook_endpoints',
  '/v1/customers/%00',
  '/v1/payment_methods/%F0%9F%92%B3/detach',
  '/v1/nothing',
)

const name = fc.oneof(
  fc.constantFrom(
    'amount',
    'currency',
    'confirm',
    'customer',
    'payment_method',
    'metadata[a]',
    'metadata',
    'expand[]',
    'limit',
    'starting_after',
    'card[number]',
    'card[exp_month]',
    'type',
    'created[gte]',
    'invoice_settings[default_payment_method]',
    'address[line1]',
    'return_url',
    'enabled_events[]',
    'url',
  ),
  fc.string({ maxLength: 20 }),
)

const value = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e9',
    'true',
    'card',
    'usd',
    'pm_card_visa',
    'data.customer',
    'customer',
    '__proto__',
  ),
  fc.constantFrom('javascript:x', 'http://[', '4242424242424242', '99999999999999999999', '\0', '\ud800'),
  fc.string({ maxLength: 40, unit: 'binary' }),
)

test('any request is answered in the provider’s format, never with an internal error', async () => {
  let answered = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'DELETE'),
      path,
      fc.array(fc.tuple(name, value), { maxLength: 5 }),
      async (method, where, pairs) => {
        const form = pairs.map(([key, text]) => `${escaped(key)}=${escaped(text)}`).join('&')
        const address = method === 'GET' ? `${where}?${form}` : where
        const reply = await world.raw(method, address, form)

        // 503: a busy machine, which refuses before it works.
        if (reply.status === 503) return
        answered += 1
        expect(reply.status, `${method} ${address} ${form} ${reply.text}`).toBeLessThan(500)
        expect(reply.json).toHaveProperty(reply.status < 400 ? 'object' : 'error')
      },
    ),
    { numRuns: 400 },
  )
  expect(answered).toBeGreaterThan(40)
})

function escaped(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80'
}
