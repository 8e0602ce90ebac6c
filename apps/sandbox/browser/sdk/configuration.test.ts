import type { StripeElementsOptions } from '@stripe/stripe-js'
import { expect, test } from 'vitest'
import { Configuration } from '../wire/messages.ts'
import { configurationOf, type ElementOptions } from './configuration.ts'

function configured(element: ElementOptions, group: StripeElementsOptions = { mode: 'setup' }) {
  const configuration = configurationOf({ type: 'payment', element, group, locale: 'en' })
  expect(Configuration.safeParse(configuration).success).toBe(true)
  return configuration
}

test('without options an element has its defaults, and a card that is set up is saved', () => {
  expect(configured({})).toMatchObject({
    locale: 'en',
    appearance: { theme: 'stripe', variables: {}, rules: {} },
    isDisabled: false,
    isSaved: true,
    payment: { layout: 'plain', hasTerms: true, country: 'auto', postalCode: 'auto' },
  })
})

test('a card that is only charged is not saved, unless it is for future use', () => {
  const payment = { mode: 'payment', amount: 100, currency: 'usd' } as const

  expect(configured({}, payment).isSaved).toBe(false)
  expect(configured({}, { ...payment, setupFutureUsage: 'off_session' }).isSaved).toBe(true)
})

test('fields can be disabled individually or all together', () => {
  const fieldsOf = (fields: ElementOptions['fields']) => configured(fields ? { fields } : {}).payment

  expect(fieldsOf({ billingDetails: 'never' })).toMatchObject({ country: 'never', postalCode: 'never' })
  expect(fieldsOf({ billingDetails: { address: 'never' } })).toMatchObject({ country: 'never', postalCode: 'never' })
  expect(fieldsOf({ billingDetails: { address: { postalCode: 'never' } } })).toMatchObject({
    country: 'auto',
    postalCode: 'never',
  })
  expect(fieldsOf({ billingDetails: { name: 'never' } })).toMatchObject({ country: 'auto', postalCode: 'auto' })
})

test('an accordion is collapsed and marked as configured', () => {
  expect(configured({ layout: { type: 'accordion', defaultCollapsed: true, radios: 'always' } }).payment).toMatchObject(
    { layout: 'accordion', isCollapsed: true, hasRadio: true },
  )
  expect(configured({ layout: 'tabs' }).payment).toMatchObject({ layout: 'plain', isCollapsed: false })
})

test('options that frames do not know are left out', () => {
  const group: StripeElementsOptions = { mode: 'setup' }
  const variables = { colorText: undefined, fontSizeBase: '15px' }
  Object.assign(group, { appearance: { theme: 'minimal', variables, rules: { '.Input': { x: 1 } } } })
  const element: ElementOptions = {}
  const base = { color: 'red', fontWeight: 500, ':focus': { color: 'blue', x: undefined } }
  Object.assign(element, { style: { base, invalid: undefined } })

  expect(configured(element, group)).toMatchObject({
    appearance: { theme: 'stripe', variables: { fontSizeBase: '15px' }, rules: { '.Input': {} } },
    style: { base: { color: 'red', fontWeight: 500, ':focus': { color: 'blue' } }, invalid: {} },
  })
})
