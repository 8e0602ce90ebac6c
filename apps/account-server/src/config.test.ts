import { expect, test } from 'vitest'
import { readAccountConfig } from './config.ts'

const real = {
  DATABASE_URL: 'postgres://localhost/atrium',
  STRIPE_SECRET_KEY: 'sk_live_real',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_real',
  STRIPE_WEBHOOK_SECRETS: 'whsec_real',
  STRIPE_API_URL: 'https://api.stripe.com',
  STRIPE_SCRIPT_URL: 'https://js.stripe.com/endive/stripe.js',
}

test('a real card provider is taken as a whole', () => {
  expect(readAccountConfig(real).STRIPE_SECRET_KEY).toBe('sk_live_real')
})

test.each([
  ['STRIPE_PUBLISHABLE_KEY', 'pk_test_sandbox'],
  ['STRIPE_WEBHOOK_SECRETS', 'whsec_real, whsec_sandboxsandboxsandbox'],
  ['STRIPE_WEBHOOK_SECRETS', ','],
  ['STRIPE_API_URL', 'http://api.stripe.com'],
  ['STRIPE_SCRIPT_URL', 'http://localhost:3002/cards/js/endive/stripe.js'],
])('with a live key, %s is not %s', (name, value) => {
  expect(() => readAccountConfig({ ...real, [name]: value })).toThrow(name)
})
