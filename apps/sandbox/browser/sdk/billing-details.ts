import type { BillingDetailsFieldsOption, FieldsOption, PaymentMethodCreateParams } from '@stripe/stripe-js'
import type { Parameters } from '../wire/messages.ts'
import { IntegrationError } from './integration-error.ts'

type BillingDetails = PaymentMethodCreateParams.BillingDetails

/** The billing details of a payment method, as the API accepts them. */
export function detailParameters({
  billing_details,
  metadata,
  allow_redisplay,
}: PaymentMethodCreateParams): Parameters {
  return {
    ...(billing_details && {
      billing_details: { ...billing_details, address: billing_details.address && { ...billing_details.address } },
    }),
    ...(metadata && { metadata: { ...metadata } }),
    ...(allow_redisplay && { allow_redisplay }),
  }
}

interface Call {
  fields: FieldsOption | undefined
  given: BillingDetails | undefined
  /** Where the details stand: `params.billing_details`. */
  at: string
  /** `stripe.createPaymentMethod` */
  method: string
}

/** @throws IntegrationError if a field is disabled in the payment element and its value is not passed instead */
export function refuseMissingDetails({ fields, given, at, method }: Call): void {
  const off = switchedOff(fields?.card?.billingDetails ?? fields?.billingDetails ?? 'auto')
  const missing = off.find((name) => detailOf(given, name) === undefined)
  if (missing === undefined) return
  throw new IntegrationError(
    `You specified "never" for fields.billing_details.${missing} when creating the payment Element, but did not pass ${at}.${missing} when calling ${method}. If you opt out of collecting data via the payment Element using the fields option, the data must be passed in when calling ${method}.`,
  )
}

const plain = ['name', 'email', 'phone'] as const
const ofAddress = {
  line1: 'line1',
  line2: 'line2',
  city: 'city',
  state: 'state',
  country: 'country',
  postalCode: 'postal_code',
} as const

type Name = (typeof plain)[number] | `address.${(typeof ofAddress)[keyof typeof ofAddress]}`

function switchedOff(fields: BillingDetailsFieldsOption): Name[] {
  const isOff = (name: (typeof plain)[number]) => (typeof fields === 'string' ? fields : fields[name]) === 'never'
  const address = typeof fields === 'string' ? fields : (fields.address ?? 'auto')
  const lines = (['line1', 'line2', 'city', 'state', 'country', 'postalCode'] as const).filter(
    (line) => (typeof address === 'string' ? address : address[line]) === 'never',
  )
  return [...plain.filter(isOff), ...lines.map((line) => `address.${ofAddress[line]}` as const)]
}

function detailOf(given: BillingDetails | undefined, name: Name): string | null | undefined {
  const found = Object.entries({ ...given?.address }).find(([line]) => `address.${line}` === name)
  if (found) return found[1]
  return name === 'name' || name === 'email' || name === 'phone' ? given?.[name] : undefined
}
