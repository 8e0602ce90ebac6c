import type {
  ConfirmCardPaymentData,
  ConfirmCardSetupData,
  ConfirmPaymentData,
  ConfirmSetupData,
  PaymentIntent,
  SetupIntent,
} from '@stripe/stripe-js'
import type { Parameters } from '../wire/messages.ts'
import type { Context } from './context.ts'
import { IntegrationError } from './integration-error.ts'
import { confirm, type IntentKind, retrieve } from './intents.ts'
import { leaveFor, performNextAction } from './next-action.ts'
import { cardData, groupData } from './payment-methods.ts'
import type { Outcome } from './replies.ts'
import { groupOf } from './surfaces.ts'

type AnyIntent = SetupIntent | PaymentIntent

interface CardConfirmation {
  context: Context
  secret: unknown
  method: string
  data?: ConfirmCardSetupData | ConfirmCardPaymentData | undefined
  /** Otherwise the merchant performs the next action itself. */
  handlesActions: boolean
}

/** `stripe.confirmCardSetup()` and `stripe.confirmCardPayment()` @throws IntegrationError */
export async function confirmCard<Intent extends AnyIntent>(
  kind: IntentKind<Intent>,
  { context, secret, method, data = {}, handlesActions }: CardConfirmation,
): Promise<Outcome<Intent>> {
  const { payment_method: given, ...rest } = data
  const card = typeof given === 'object' ? await cardData(given) : undefined
  if (card?.error) return card
  const confirmed = await confirm(kind, {
    context,
    secret,
    method,
    parameters: { ...confirmingParameters(rest), ...(typeof given === 'string' && { payment_method: given }) },
    data: card?.value,
  })
  return confirmed.value && handlesActions ? performNextAction(kind, context, confirmed.value) : confirmed
}

/** All that `stripe.confirmSetup()` and `stripe.confirmPayment()` take. */
export interface ConfirmOptions {
  elements?: unknown
  clientSecret?: string
  confirmParams?: Partial<ConfirmSetupData & ConfirmPaymentData>
  redirect?: 'always' | 'if_required'
}

interface Confirmation {
  context: Context
  method: string
  options: ConfirmOptions
}

/** `stripe.confirmSetup()` and `stripe.confirmPayment()` @throws IntegrationError */
export async function confirmElements<Intent extends AnyIntent>(
  kind: IntentKind<Intent>,
  { context, method, options }: Confirmation,
): Promise<Outcome<Intent>> {
  const { elements, confirmParams = {}, redirect = 'always' } = options
  const { payment_method_data: details = {}, payment_method: id, return_url: returnUrl } = confirmParams
  if (redirect === 'always' && returnUrl === undefined) {
    throw new IntegrationError(
      `${method}(): the \`confirmParams.return_url\` argument is required unless \`redirect\` is 'if_required'.`,
    )
  }
  const secret = options.clientSecret ?? (elements === undefined ? undefined : groupOf(elements).options.clientSecret)
  const data =
    elements === undefined
      ? undefined
      : await groupData(elements, { details, at: 'confirmParams.payment_method_data', method })
  if (data?.error) return data

  const parameters = { ...confirmingParameters(confirmParams), ...(id !== undefined && { payment_method: id }) }
  const confirmed = await confirm(kind, { context, secret, method, parameters, data: data?.value })
  const outcome = confirmed.value ? await performNextAction(kind, context, confirmed.value) : confirmed
  return outcome.value && redirect === 'always' && returnUrl !== undefined
    ? leaveFor(addressAfter(kind, outcome.value, returnUrl))
    : outcome
}

/** `stripe.handleNextAction()` and `stripe.handleCardAction()` @throws IntegrationError for an intent that waits for nothing */
export async function handleAction<Intent extends AnyIntent>(
  kind: IntentKind<Intent>,
  call: { context: Context; secret: unknown; method: string },
): Promise<Outcome<Intent>> {
  const outcome = await retrieve(kind, call)
  if (!outcome.value) return outcome
  if (outcome.value.status !== 'requires_action') {
    const name = call.method.replace(/^stripe\./, '')
    throw new IntegrationError(`${name}: The ${kind.noun} supplied is not in the requires_action state.`)
  }
  return performNextAction(kind, call.context, outcome.value)
}

/** The parameters of a confirmation that are passed on unchanged. */
function confirmingParameters({
  return_url,
  mandate_data,
  ...rest
}: Partial<ConfirmSetupData & ConfirmPaymentData>): Parameters {
  const { receipt_email, setup_future_usage, shipping } = rest
  return {
    ...(return_url !== undefined && { return_url: new URL(return_url, location.href).href }),
    ...(mandate_data && { mandate_data: { ...mandate_data } }),
    ...(receipt_email !== undefined && { receipt_email }),
    ...(setup_future_usage && { setup_future_usage }),
    ...(shipping && { shipping: { ...shipping, address: { ...shipping.address } } }),
  }
}

/** The return address with the outcome. */
function addressAfter<Intent extends AnyIntent>(kind: IntentKind<Intent>, intent: Intent, returnUrl: string): string {
  const address = new URL(returnUrl, location.href)
  address.searchParams.set(kind.name, intent.id)
  address.searchParams.set(`${kind.name}_client_secret`, intent.client_secret ?? '')
  address.searchParams.set('redirect_status', intent.status === 'succeeded' ? 'succeeded' : 'pending')
  return address.href
}
