import { expect, test } from 'vitest'
import { formOf } from './api.ts'

test('parameters are written as the API reads them', () => {
  const form = formOf({
    type: 'card',
    card: { number: '4242424242424242', exp_month: 12 },
    billing_details: { name: 'Ada & Sons', email: null, phone: undefined, address: { line2: '' } },
    use_stripe_sdk: true,
  })

  expect(Object.fromEntries(form)).toEqual({
    type: 'card',
    'card[number]': '4242424242424242',
    'card[exp_month]': '12',
    'billing_details[name]': 'Ada & Sons',
    'billing_details[email]': '',
    'billing_details[address][line2]': '',
    use_stripe_sdk: 'true',
  })
})
