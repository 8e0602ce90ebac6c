import type Stripe from 'stripe'
import { z } from 'zod'
import { emitEvent } from '../events/events.writes.ts'
import { automaticMethods, methodTypes } from '../intents/intents.parameters.ts'
import { isOpen, paymentMethodsOf, unexpectedState } from '../intents/intents.rules.ts'
import { cardChange } from '../intents/intents.writes.ts'
import { NewMethod } from '../payment-methods/payment-methods.writes.ts'
import type { Call } from '../requests/call.ts'
import { save } from '../store/store.ts'
import { refuseFraction } from '../wire/fractions.rules.ts'
import {
  address,
  boolean,
  integer,
  mergedMetadata,
  metadata,
  oneOf,
  present,
  text,
  unsettable,
  webAddress,
} from '../wire/parameters.rules.ts'
import { currencyOf, refuseUnchargeable } from './amounts.rules.ts'
import { newPayment } from './payment-intents.rules.ts'
import { confirmPayment, type StoredPayment } from './payment-intents.writes.ts'

const options = z.strictObject({
  card: z.strictObject({ request_three_d_secure: oneOf(['any', 'automatic', 'challenge']).optional() }).optional(),
})

/** Parameters of both an update and a confirmation. */
const shared = {
  payment_method: text().optional(),
  payment_method_data: NewMethod.optional(),
  payment_method_options: options.optional(),
  allowed_payment_method_types: methodTypes.optional(),
  receipt_email: unsettable(text(512)).optional(),
  setup_future_usage: unsettable(oneOf(['off_session', 'on_session'])).optional(),
  shipping: unsettable(
    z.strictObject({ address, name: text(), phone: unsettable(text()).optional(), carrier: text().optional() }),
  ).optional(),
}

export const details = {
  ...shared,
  amount: integer().optional(),
  currency: text(3).optional(),
  customer: text().optional(),
  description: unsettable(text(1000)).optional(),
  metadata: metadata.optional(),
}

/** Off-session payments; the two words are the kind of payment. */
const offSession = oneOf(['true', 'false', 'one_off', 'recurring']).transform((word) => word !== 'false')

const confirmation = {
  error_on_requires_action: boolean().optional(),
  mandate_data: z.unknown().optional(),
  off_session: offSession.optional(),
  return_url: webAddress().optional(),
  use_stripe_sdk: boolean().optional(),
}

export const confirmingParameters = { ...shared, ...confirmation, client_secret: text().optional() }

export const makingParameters = {
  ...details,
  ...confirmation,
  amount: integer(),
  currency: text(3),
  automatic_payment_methods: automaticMethods.optional(),
  confirm: boolean().optional(),
  confirmation_method: oneOf(['automatic', 'manual']).default('automatic'),
}

export async function createPayment(
  call: Call,
  given: z.output<z.ZodObject<typeof makingParameters>>,
): Promise<object> {
  const currency = currencyOf(given.currency)
  const object = newPayment(
    {
      amount: given.amount,
      currency,
      capture_method: 'automatic_async',
      confirmation_method: given.confirmation_method,
      ...paymentMethodsOf(given.allowed_payment_method_types, given.automatic_payment_methods),
    },
    call.now,
  )
  const hidden = { returnUrl: given.return_url ?? null, challenge: null, invoice: null }
  const stored = await withChange(call, { kind: 'payment_intent', object, hidden }, given)
  await emitEvent(call, { type: 'payment_intent.created', object: stored.object })
  return given.confirm === true ? confirmPayment(call, stored, given) : stored.object
}

export async function updatePayment(call: Call, stored: StoredPayment, given: Change): Promise<object> {
  const { metadata: _metadata, description: _description, ...more } = given
  if (Object.keys(more).length > 0 && !isOpen(stored.object)) throw unexpectedState(stored.object, 'update')
  return (await withChange(call, stored, given)).object
}

type Change = Partial<z.output<z.ZodObject<typeof details>>>

/** Applies the given parameters. With a card, the intent can be confirmed. */
export async function withChange(call: Call, stored: StoredPayment, given: Change): Promise<StoredPayment> {
  const { fields, hidden } = await cardChange(call, stored, given)
  const object: Stripe.PaymentIntent = { ...changedPayment(stored.object, given), ...fields }
  if (isOpen(object)) refuseUnchargeable(object.amount, object.currency)
  if ((given.amount ?? given.currency) !== undefined) refuseFraction(object.amount, object.currency)
  const changed = { ...stored, object, hidden: { ...stored.hidden, ...hidden } }
  await save(call.tx, changed)
  return changed
}

function changedPayment(before: Stripe.PaymentIntent, given: Change): Stripe.PaymentIntent {
  const asked = given.payment_method_options?.card?.request_three_d_secure
  const card = { installments: null, mandate_options: null, network: null, request_three_d_secure: asked ?? null }
  const { amount, currency, description, receipt_email, setup_future_usage, shipping } = given
  const { allowed_payment_method_types } = given
  return {
    ...before,
    ...present({ amount, description, receipt_email, setup_future_usage, allowed_payment_method_types }),
    ...(currency !== undefined && { currency: currencyOf(currency) }),
    ...(asked && { payment_method_options: { card } }),
    ...(shipping !== undefined && {
      shipping: shipping && { ...shipping, carrier: shipping.carrier ?? null, phone: shipping.phone ?? null },
    }),
    metadata: mergedMetadata(before.metadata, given.metadata),
  }
}
