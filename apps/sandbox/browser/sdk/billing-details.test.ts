import type { FieldsOption, PaymentMethodCreateParams } from '@stripe/stripe-js'
import { expect, test } from 'vitest'
import { detailParameters, refuseMissingDetails } from './billing-details.ts'

type Given = PaymentMethodCreateParams.BillingDetails

function refuse(fields: FieldsOption, given?: Given) {
  refuseMissingDetails({ fields, given, at: 'params.billing_details', method: 'stripe.createPaymentMethod' })
}

const whole: Given = {
  name: 'Ada',
  email: '',
  phone: null,
  address: { line1: 'Main St 1', line2: '', city: 'Berlin', state: '', country: 'DE', postal_code: '10117' },
}

test('a value whose field is switched off is asked of the merchant, by name', () => {
  expect(() => refuse({ billingDetails: 'never' })).toThrow('but did not pass params.billing_details.name')
  expect(() =>
    refuse({ billingDetails: { address: { postalCode: 'never' } } }, { address: { country: 'DE' } }),
  ).toThrow('params.billing_details.address.postal_code when calling stripe.createPaymentMethod')
  expect(() => refuse({ card: { billingDetails: { email: 'never' } } }, { name: 'Ada' })).toThrow('email')
})

test('a value that is passed, be it empty, is there', () => {
  expect(() => refuse({ billingDetails: 'never' }, whole)).not.toThrow()
  expect(() => refuse({}, undefined)).not.toThrow()
  expect(() =>
    refuse({ billingDetails: { address: { country: 'never' } } }, { address: { country: null } }),
  ).not.toThrow()
})

test('details go to the API as they are', () => {
  expect(detailParameters({ billing_details: whole, metadata: { plan: 7 }, allow_redisplay: 'always' })).toEqual({
    billing_details: whole,
    metadata: { plan: 7 },
    allow_redisplay: 'always',
  })
})
