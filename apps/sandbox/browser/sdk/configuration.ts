import type {
  Appearance,
  FieldsOption,
  StripeCardElementOptions,
  StripeCardNumberElementOptions,
  StripeElementsOptions,
  StripePaymentElementOptions,
} from '@stripe/stripe-js'
import type { Configuration, ElementType } from '../wire/messages.ts'
import { localeOf } from './context.ts'

/** Options of any element; each type reads its own. */
export type ElementOptions = StripePaymentElementOptions & StripeCardElementOptions & StripeCardNumberElementOptions

const themes = ['stripe', 'night', 'flat'] as const

interface Options {
  type: ElementType
  element: ElementOptions
  group: StripeElementsOptions
  /** Of the `Stripe` object. */
  locale: string
}

/** The configuration of an element's frame, from the merchant's options. */
export function configurationOf({ type, element, group, locale }: Options): Configuration {
  const { country, postal_code } = element.defaultValues?.billingDetails?.address ?? {}
  return {
    type,
    locale: group.locale ? localeOf(group.locale) : locale,
    appearance: appearanceOf(group.appearance),
    style: styleOf(element.style),
    ...(typeof element.placeholder === 'string' && { placeholder: element.placeholder }),
    isDisabled: element.disabled ?? element.readOnly ?? false,
    hasIcon: type === 'card' ? element.hideIcon !== true : element.showIcon === true,
    isSaved: group.mode === 'setup' || group.mode === 'subscription' || isReused(group),
    payment: {
      ...layoutOf(element.layout),
      hasTerms: element.terms?.card !== 'never',
      ...(typeof element.business?.name === 'string' && { business: element.business.name }),
      ...askedFields(element.fields, type === 'card' && element.hidePostalCode === true),
    },
    known: {
      ...(typeof country === 'string' && { country }),
      ...knownPostalCode(element.value?.postalCode ?? postal_code),
    },
  }
}

function isReused(group: StripeElementsOptions): boolean {
  if (group.mode === undefined) return false
  return Boolean(group.setupFutureUsage ?? group.setup_future_usage)
}

function appearanceOf({ theme, variables, rules }: Appearance = {}): Configuration['appearance'] {
  const known = themes.find((one) => one === theme)
  return { theme: known ?? 'stripe', variables: valuesOf(variables, isText), rules: rulesOf(rules) }
}

function rulesOf(rules: Appearance['rules'] = {}) {
  return Object.fromEntries(Object.entries(rules).map(([selector, given]) => [selector, valuesOf(given, isText)]))
}

/** States such as `:focus` are one level deeper. */
function styleOf(style: StripeCardElementOptions['style'] = {}): Configuration['style'] {
  return Object.fromEntries(
    Object.entries(style).map(([variant, given]) => {
      const states = valuesOf({ ...given }, (value): value is object => typeof value === 'object' && value !== null)
      const inner = Object.entries(states).map(([state, inside]) => [state, valuesOf({ ...inside }, isValue)] as const)
      return [variant, { ...valuesOf({ ...given }, isValue), ...Object.fromEntries(inner) }]
    }),
  )
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isValue = (value: unknown): value is string | number => isText(value) || typeof value === 'number'

/** What a frame would not understand is left out, `undefined` above all. */
function valuesOf<Value>(
  given: Readonly<Record<string, unknown>> = {},
  isWanted: (value: unknown) => value is Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(given).filter((entry): entry is [string, Value] => isWanted(entry[1])))
}

function layoutOf(layout: StripePaymentElementOptions['layout'] = 'auto') {
  const given = typeof layout === 'string' ? { type: layout } : layout
  const isAccordion = given.type === 'accordion'
  return {
    // Cards are the only payment method, so there are no tabs.
    layout: isAccordion ? ('accordion' as const) : ('plain' as const),
    isCollapsed: isAccordion && given.defaultCollapsed === true,
    hasRadio: given.radios === 'always',
  }
}

/** `card` asks for the postal code alone; of the others only the payment element asks. */
function askedFields(fields: FieldsOption | undefined, isPostalCodeHidden: boolean) {
  const billing = fields?.card?.billingDetails ?? fields?.billingDetails
  const address = typeof billing === 'object' ? billing.address : billing
  const { country, postalCode } = typeof address === 'object' ? address : { country: address, postalCode: address }
  return { country: choiceOf(country), postalCode: isPostalCodeHidden ? 'never' : choiceOf(postalCode) } as const
}

function choiceOf(given: unknown) {
  return given === 'never' ? 'never' : 'auto'
}

function knownPostalCode(postalCode: string | undefined) {
  return typeof postalCode === 'string' ? { postalCode } : {}
}
