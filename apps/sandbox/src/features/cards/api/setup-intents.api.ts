import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { z } from 'zod'
import { emitEvent } from '../events/events.writes.ts'
import { automaticMethods, confirmedByBrowsers, methodTypes } from '../intents/intents.parameters.ts'
import {
  isOpen,
  noSuchIntent,
  paymentMethodsOf,
  refuseForeignSecret,
  unexpectedState,
} from '../intents/intents.rules.ts'
import { cardChange } from '../intents/intents.writes.ts'
import { NewMethod } from '../payment-methods/payment-methods.writes.ts'
import type { Api } from '../requests/api.ts'
import type { Call } from '../requests/call.ts'
import { serveList } from '../requests/resource.ts'
import { newSetup, setupForBrowsers } from '../setup-intents/setup-intents.rules.ts'
import { answerSetup, cancelSetup, confirmSetup, type StoredSetup } from '../setup-intents/setup-intents.writes.ts'
import { cardObjects } from '../store/cards.tables.ts'
import { byColumn, byCreated, byCustomer } from '../store/filters.ts'
import { findLocked, save } from '../store/store.ts'
import {
  boolean,
  mergedMetadata,
  metadata,
  oneOf,
  present,
  text,
  unsettable,
  webAddress,
} from '../wire/parameters.rules.ts'
import { serveIntents } from './intents.api.ts'

const options = z.strictObject({
  card: z
    .strictObject({
      request_three_d_secure: oneOf(['any', 'automatic', 'challenge']).optional(),
    })
    .optional(),
})

const details = {
  customer: text().optional(),
  description: unsettable(text(1000)).optional(),
  metadata: metadata.optional(),
  payment_method: text().optional(),
  payment_method_data: NewMethod.optional(),
  payment_method_options: options.optional(),
  allowed_payment_method_types: unsettable(methodTypes).optional(),
}

const confirming = {
  allowed_payment_method_types: methodTypes.optional(),
  client_secret: text().optional(),
  mandate_data: z.unknown().optional(),
  payment_method: text().optional(),
  payment_method_data: NewMethod.optional(),
  payment_method_options: options.optional(),
  return_url: webAddress().optional(),
  use_stripe_sdk: boolean().optional(),
}

const making = {
  ...details,
  allowed_payment_method_types: methodTypes.optional(),
  automatic_payment_methods: automaticMethods.optional(),
  confirm: boolean().optional(),
  mandate_data: z.unknown().optional(),
  return_url: webAddress().optional(),
  usage: oneOf(['off_session', 'on_session']).default('off_session'),
  use_stripe_sdk: boolean().optional(),
}

export function setupIntentsApi(api: Api): void {
  serveIntents(api, { path: '/setup_intents', find: setupIntent, answer: answerSetup, forBrowsers: setupForBrowsers })
  storedSetups(api)
  setupActions(api)
}

function storedSetups(api: Api): void {
  api.serve({ method: 'POST', path: '/setup_intents', takes: making, run: createSetup })
  api.change('/setup_intents/:id', details, updateSetup)

  serveList(api, {
    kind: 'setup_intent',
    path: '/setup_intents',
    filters: { created: byCreated, customer: byCustomer, payment_method: byColumn(cardObjects.paymentMethod) },
  })

  serveList(api, {
    kind: 'setup_attempt',
    path: '/setup_attempts',
    filters: { created: byCreated, setup_intent: text().transform((intent) => eq(cardObjects.intent, intent)) },
  })
}

function setupActions(api: Api): void {
  api.serve({
    method: 'POST',
    path: '/setup_intents/:id/confirm',
    takes: confirming,
    forBrowsers: confirmedByBrowsers,
    async run(call, given, { id }) {
      const stored = await setupIntent(call, id)
      refuseForeignSecret(stored.object, call.access, given.client_secret)
      if (!isOpen(stored.object)) throw unexpectedState(stored.object, 'confirm')
      const result = await confirmSetup(call, await withChange(call, stored, given), given)
      return call.access === 'secret' ? result : setupForBrowsers((await setupIntent(call, id)).object, result)
    },
  })

  api.serve({
    method: 'POST',
    path: '/setup_intents/:id/cancel',
    takes: { cancellation_reason: oneOf(['abandoned', 'duplicate', 'requested_by_customer']).optional() },
    run: async (call, { cancellation_reason: reason }, { id }) =>
      cancelSetup(call, await setupIntent(call, id), reason ?? null),
  })
}

async function createSetup(call: Call, given: z.output<z.ZodObject<typeof making>>): Promise<object> {
  const object = newSetup(
    {
      usage: given.usage,
      ...paymentMethodsOf(given.allowed_payment_method_types, given.automatic_payment_methods),
    },
    call.now,
  )
  const hidden = { returnUrl: given.return_url ?? null, challenge: null }
  const stored = await withChange(call, { kind: 'setup_intent', object, hidden }, given)
  await emitEvent(call, { type: 'setup_intent.created', object: stored.object })
  return given.confirm === true ? confirmSetup(call, stored, given) : stored.object
}

async function updateSetup(call: Call, id: string, given: z.output<z.ZodObject<typeof details>>): Promise<object> {
  const stored = await setupIntent(call, id)
  const { metadata: _metadata, description: _description, ...more } = given
  if (Object.keys(more).length > 0 && !isOpen(stored.object)) throw unexpectedState(stored.object, 'update')
  return (await withChange(call, stored, given)).object
}

type Change = Partial<z.output<z.ZodObject<typeof details>>>

/** Applies the given parameters. With a card, the intent can be confirmed. */
async function withChange(call: Call, stored: StoredSetup, given: Change): Promise<StoredSetup> {
  const before = stored.object
  const { fields, hidden } = await cardChange(call, stored, given)
  const asked = given.payment_method_options?.card?.request_three_d_secure
  const card = { mandate_options: null, network: null, request_three_d_secure: asked ?? 'automatic' }
  const object: Stripe.SetupIntent = {
    ...before,
    ...fields,
    ...present({
      description: given.description,
      allowed_payment_method_types: given.allowed_payment_method_types,
    }),
    ...(asked && { payment_method_options: { card } }),
    metadata: mergedMetadata(before.metadata ?? {}, given.metadata),
  }
  const changed = { ...stored, object, hidden }
  await save(call.tx, changed)
  return changed
}

async function setupIntent(call: Call, id: string): Promise<StoredSetup> {
  const found = await findLocked(call.tx, 'setup_intent', id)
  if (!found) throw noSuchIntent('setup', id)
  return found
}
