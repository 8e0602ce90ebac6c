import type { PaymentMethodCreateParams, PaymentMethodResult } from '@stripe/stripe-js'
import type { Parameters } from '../wire/messages.ts'
import { detailParameters, refuseMissingDetails } from './billing-details.ts'
import type { Context } from './context.ts'
import { IntegrationError } from './integration-error.ts'
import type { ProviderElement } from './provider-element.ts'
import { isPaymentMethod, type Outcome, outcomeOf } from './replies.ts'
import { elementOf, groupOf } from './surfaces.ts'

/** All that `stripe.createPaymentMethod()` takes: `card`, `elements` or `element` says where the card is. */
export interface MethodOptions extends PaymentMethodCreateParams {
  card?: unknown
  elements?: unknown
  element?: unknown
  params?: PaymentMethodCreateParams
}

/** A payment method to create. The controller reads its card from the frames. */
export interface MethodData {
  parameters: Parameters
  frames: string[]
}

/** `stripe.createPaymentMethod()` @throws IntegrationError */
export async function createPaymentMethod(context: Context, options: MethodOptions): Promise<PaymentMethodResult> {
  const { value: data, error: fault } = await givenData(options)
  if (!data) return { error: fault }
  const reply = await context.controller.request({
    method: 'POST',
    path: '/v1/payment_methods',
    parameters: data.parameters,
    card: { frames: data.frames, at: '' },
  })
  const { value, error } = outcomeOf(reply, isPaymentMethod)
  return value ? { paymentMethod: value } : { error }
}

function givenData({ elements, element, params = {}, ...own }: MethodOptions): Promise<Outcome<MethodData>> {
  if (elements !== undefined) {
    const method = 'stripe.createPaymentMethod'
    return groupData(elements, { details: params, at: 'params', method })
  }
  return cardData(element === undefined ? own : { ...params, card: element })
}

interface GroupCall {
  details: PaymentMethodCreateParams
  /** Path of the details among the parameters of the call. */
  at: string
  /** `stripe.confirmSetup` */
  method: string
}

/** The card of a group of elements. @throws IntegrationError before `elements.submit()`, and when details are missing */
export async function groupData(elements: unknown, { details, at, method }: GroupCall): Promise<Outcome<MethodData>> {
  const group = groupOf(elements)
  const { mode, paymentMethodCreation } = group.options
  if (method === 'stripe.createPaymentMethod' && paymentMethodCreation !== 'manual') {
    throw new IntegrationError(
      "In order to call stripe.createPaymentMethod() with elements, you must pass paymentMethodCreation: 'manual' when creating the Elements group.",
    )
  }
  if (mode !== undefined && !group.isSubmitted) {
    throw new IntegrationError(
      `elements.submit() must be called before ${method}(). Call elements.submit() as soon as your customer presses pay, prior to any asynchronous work. Integration guide: https://stripe.com/docs/payments/accept-a-payment-deferred`,
    )
  }
  const [first] = group.mounted()
  if (!first) throw new IntegrationError(`Invalid value for ${method}(): elements should have a mounted Element.`)
  if (first.type === 'payment') {
    const { billing_details: given } = details
    refuseMissingDetails({ fields: first.options.fields, given, at: `${at}.billing_details`, method })
  }
  return dataOf(first, details)
}

/** The card of one element, or of a token. @throws IntegrationError for anything else */
export async function cardData({
  card,
  ...details
}: PaymentMethodCreateParams & { card?: unknown }): Promise<Outcome<MethodData>> {
  const element = elementOf(card)
  if (element) return dataOf(element, details)
  const token = typeof card === 'object' && card !== null && 'token' in card ? card.token : undefined
  if (typeof token === 'string') {
    return { value: { parameters: { type: 'card', ...detailParameters(details), card: { token } }, frames: [] } }
  }
  throw new IntegrationError(
    `Invalid value for card: it should be an object or element. You specified: ${String(card)}.`,
  )
}

async function dataOf(element: ProviderElement, details: PaymentMethodCreateParams): Promise<Outcome<MethodData>> {
  const parts = element.cardParts()
  const errors = await Promise.all(parts.map((part) => part.validate()))
  const error = errors.find((found) => found !== undefined)
  if (error) return { error }
  const parameters = { type: 'card', ...detailParameters(details) }
  return { value: { parameters, frames: parts.map(({ channel }) => channel) } }
}
