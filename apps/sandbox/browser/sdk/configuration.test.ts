import type { StripeElementsOptions } from '@stripe/stripe-js'
import { expect, test } from 'vitest'
import { Configuration } from '../wire/messages.ts'
import { configurationOf, type ElementOptions } from './configuration.ts'

function configured(element: ElementOptions, group: StripeElementsOptions = { mode: 'setup' }) {
  const configuration = configurationOf({ type: 'payment', element, group, locale: 'en' })
  expect(Configuration.safeParse(configuration).success).toBe(true)
  return configuration
}

test('without options an element is plain, and a card that is set up is kept', () => {
  expect(configured({})).toMatchObject({
    locale: 'en',
    appearance: { theme: 'stripe', variables: {}, rules: {} },
    isDisabled: false,
    isKept: true,
    payment: { layout: 'plain', hasTerms: true, country: 'auto', postalCode: 'auto' },
  })
})

test('a card that is only paid with is not kept, unless it is to be used again', () => {
  const payment = { mode: 'payment', amount: 100, currency: 'usd' } as const

  expect(configured({}, payment).isKept).toBe(false)
  expect(configured({}, { ...payment, setupFutureUsage: 'off_session' }).isKept).toBe(true)
})

test('fields are switched off one by one, or all at once', () => {
  const fieldsOf = (fields: ElementOptions['fields']) => configured(fields ? { fields } : {}).payment

  expect(fieldsOf({ billingDetails: 'never' })).toMatchObject({ country: 'never', postalCode: 'never' })
  expect(fieldsOf({ billingDetails: { address: 'never' } })).toMatchObject({ country: 'never', postalCode: 'never' })
  expect(fieldsOf({ billingDetails: { address: { postalCode: 'never' } } })).toMatchObject({
    country: 'auto',
    postalCode: 'never',
  })
  expect(fieldsOf({ billingDetails: { name: 'never' } })).toMatchObject({ country: 'auto', postalCode: 'auto' })
})

test('an accordion is folded and marked as the merchant says', () => {
  expect(configured({ layout: { type: 'accordion', defaultCollapsed: true, radios: 'always' } }).payment).toMatchObject(
    { layout: 'accordion', isCollapsed: true, hasRadio: true },
  )
  expect(configured({ layout: 'tabs' }).payment).toMatchObject({ layout: 'plain', isCollapsed: false })
})

test('what no frame would understand is left out', () => {
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
