import type {
  ConfirmCardPaymentData,
  ConfirmCardPaymentOptions,
  ConfirmCardSetupData,
  ConfirmCardSetupOptions,
  PaymentIntent,
  PaymentIntentOrSetupIntentResult,
  PaymentIntentResult,
  SetupIntent,
  SetupIntentResult,
  Stripe,
  StripeConstructorOptions,
  StripeElementsOptions,
} from '@stripe/stripe-js'
import { type ConfirmOptions, confirmCard, confirmElements, handleAction } from './confirmations.ts'
import { type Context, localeOf } from './context.ts'
import { newController } from './controller.ts'
import { Group } from './group.ts'
import { IntegrationError } from './integration-error.ts'
import { payments, retrieve, setups } from './intents.ts'
import { createPaymentMethod, type MethodOptions } from './payment-methods.ts'
import type { Outcome } from './replies.ts'
import { groupSurface } from './surfaces.ts'

/** `Stripe(key)` @throws IntegrationError for a key that is none, and for a secret one */
export function newStripe(key: unknown, options: StripeConstructorOptions = {}) {
  const locale = localeOf(options.locale)
  const context: Context = { controller: newController({ key: publishable(key), locale }), locale }

  return {
    elements: (given: StripeElementsOptions = {}) => groupSurface(new Group(context, given)),
    createPaymentMethod: (given: MethodOptions) => createPaymentMethod(context, given),
    ...setupMethods(context),
    ...paymentMethods(context),
    handleNextAction: (given: Action) => handleNextAction(context, given.clientSecret),
    async createToken() {
      throw new IntegrationError('The sandbox makes no tokens: use stripe.createPaymentMethod().')
    },
    // For telemetry of libraries, which the sandbox does not collect.
    registerAppInfo() {},
    _registerWrapper() {},
  } satisfies Methods & Record<string, unknown>
}

type Methods = Pick<
  Stripe,
  | 'confirmCardPayment'
  | 'confirmCardSetup'
  | 'createPaymentMethod'
  | 'createToken'
  | 'handleCardAction'
  | 'handleNextAction'
  | 'registerAppInfo'
  | 'retrievePaymentIntent'
  | 'retrieveSetupIntent'
>

function setupMethods(context: Context) {
  const kind = setups
  return {
    async confirmSetup(options: ConfirmOptions) {
      return setupResult(await confirmElements(kind, { context, method: 'stripe.confirmSetup', options }))
    },
    async confirmCardSetup(secret: string, data?: ConfirmCardSetupData, options: ConfirmCardSetupOptions = {}) {
      const handlesActions = options.handleActions !== false
      const method = 'stripe.confirmCardSetup'
      return setupResult(await confirmCard(kind, { context, secret, method, data, handlesActions }))
    },
    async retrieveSetupIntent(secret: string) {
      return setupResult(await retrieve(kind, { context, secret, method: 'stripe.retrieveSetupIntent' }))
    },
  }
}

function paymentMethods(context: Context) {
  const kind = payments
  return {
    async confirmPayment(options: ConfirmOptions) {
      return paymentResult(await confirmElements(kind, { context, method: 'stripe.confirmPayment', options }))
    },
    async confirmCardPayment(secret: string, data?: ConfirmCardPaymentData, options: ConfirmCardPaymentOptions = {}) {
      const handlesActions = options.handleActions !== false
      const method = 'stripe.confirmCardPayment'
      return paymentResult(await confirmCard(kind, { context, secret, method, data, handlesActions }))
    },
    async handleCardAction(secret: string) {
      return paymentResult(await handleAction(kind, { context, secret, method: 'stripe.handleCardAction' }))
    },
    async retrievePaymentIntent(secret: string) {
      return paymentResult(await retrieve(kind, { context, secret, method: 'stripe.retrievePaymentIntent' }))
    },
  }
}

interface Action {
  clientSecret?: string
  /** For shared payment tokens, which the sandbox does not have. */
  hashedValue?: string
}

async function handleNextAction(
  context: Context,
  secret: string | undefined,
): Promise<PaymentIntentOrSetupIntentResult> {
  const call = { context, secret, method: 'stripe.handleNextAction' }
  return secret?.startsWith('seti_')
    ? setupResult(await handleAction(setups, call))
    : paymentResult(await handleAction(payments, call))
}

function setupResult({ value, error }: Outcome<SetupIntent>): SetupIntentResult {
  return value ? { setupIntent: value } : { error }
}

function paymentResult({ value, error }: Outcome<PaymentIntent>): PaymentIntentResult {
  return value ? { paymentIntent: value } : { error }
}

function publishable(key: unknown): string {
  if (typeof key !== 'string' || key === '') {
    const said = key === '' ? 'an empty string' : String(key)
    throw new IntegrationError(`Please call Stripe() with your publishable key. You used ${said}.`)
  }
  if (/^(sk|rk)_/.test(key)) {
    throw new IntegrationError(
      'You should not use your secret key with Stripe.js. Please pass a publishable key instead.',
    )
  }
  return key
}
