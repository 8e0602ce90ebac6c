import { eq, isNotNull } from 'drizzle-orm'
import { z } from 'zod'
import { customer } from '../customers/customers.writes.ts'
import { emitEvent, previousOf } from '../events/events.writes.ts'
import { attachToCustomer, detach } from '../payment-methods/attachment.writes.ts'
import { refuseExpired } from '../payment-methods/card.rules.ts'
import {
  billingDetails,
  changedDetails,
  createPaymentMethod,
  newMethod,
  paymentMethod,
} from '../payment-methods/payment-methods.writes.ts'
import type { Api } from '../requests/api.ts'
import type { Call } from '../requests/call.ts'
import { cardObjects } from '../store/cards.tables.ts'
import { forBrowsers } from '../store/for-browsers.rules.ts'
import { listed, save } from '../store/store.ts'
import { integer, mergedMetadata, metadata, oneOf, paging, text } from '../wire/parameters.rules.ts'
import { invalidRequest, Refusal } from '../wire/refusal.ts'

const change = {
  allow_redisplay: oneOf(['always', 'limited', 'unspecified']).optional(),
  billing_details: billingDetails.optional(),
  card: z
    .strictObject({ exp_month: integer({ most: 9999 }).optional(), exp_year: integer({ most: 9999 }).optional() })
    .optional(),
  metadata: metadata.optional(),
}

const narrowing = { ...paging, type: oneOf(['card']).optional() }

export function paymentMethodsApi(api: Api): void {
  storedMethods(api)
  holding(api)
  lists(api)
}

function storedMethods(api: Api): void {
  api.serve({
    method: 'POST',
    path: '/payment_methods',
    takes: newMethod,
    forBrowsers: ['type', 'card', 'allow_redisplay', 'billing_details', 'metadata'],
    async run(call, given) {
      const { object } = await createPaymentMethod(call, given)
      return call.access === 'secret' ? object : forBrowsers(object)
    },
  })

  api.serve({
    method: 'GET',
    path: '/payment_methods/:id',
    takes: {},
    run: async (call, _given, { id }) => (await paymentMethod(call, id, { status: 404 })).object,
  })

  api.change('/payment_methods/:id', change, update)
}

/** Attaching a card to a customer, and detaching it. */
function holding(api: Api): void {
  api.serve({
    method: 'POST',
    path: '/payment_methods/:id/attach',
    takes: { customer: text() },
    async run(call, given, { id }) {
      const attached = await attachToCustomer(call, id, given.customer)
      return attached instanceof Refusal ? attached : attached.object
    },
  })

  api.serve({
    method: 'POST',
    path: '/payment_methods/:id/detach',
    takes: {},
    async run(call, _given, { id }) {
      const found = await paymentMethod(call, id, { status: 404 })
      if (found.object.customer === null) {
        throw invalidRequest(
          'The payment method you provided is not attached to a customer so detachment is impossible.',
        )
      }
      return (await detach(call, found)).object
    },
  })
}

function lists(api: Api): void {
  api.serve({
    method: 'GET',
    path: '/payment_methods',
    takes: { ...narrowing, customer: text().optional() },
    run: (call, { customer: holder, ...given }) => methods(call, { ...given, holder, url: '/v1/payment_methods' }),
  })

  api.serve({
    method: 'GET',
    path: '/customers/:id/payment_methods',
    takes: narrowing,
    run: (call, given, { id }) => methods(call, { ...given, holder: id, url: `/v1/customers/${id}/payment_methods` }),
  })
}

async function update(call: Call, id: string, given: z.output<z.ZodObject<typeof change>>): Promise<object> {
  const found = await paymentMethod(call, id, { status: 404 })
  const before = found.object
  if (before.customer === null) {
    throw invalidRequest('You must save this PaymentMethod to a customer before you can update it.')
  }
  const card = before.card && {
    ...before.card,
    exp_month: given.card?.exp_month ?? before.card.exp_month,
    exp_year: given.card?.exp_year ?? before.card.exp_year,
  }
  if (card && given.card) refuseExpired({ month: card.exp_month, year: card.exp_year }, call.now)
  const object = {
    ...before,
    ...(card && { card }),
    ...(given.allow_redisplay && { allow_redisplay: given.allow_redisplay }),
    billing_details: changedDetails(before.billing_details, given.billing_details ?? {}),
    metadata: mergedMetadata(before.metadata ?? {}, given.metadata),
  }
  await save(call.tx, { ...found, object })
  const changed = previousOf(before, object)
  if (Object.keys(changed).length > 0)
    await emitEvent(call, { type: 'payment_method.updated', object, before: changed })
  return object
}

interface Choice {
  limit: number
  starting_after?: string | undefined
  ending_before?: string | undefined
  holder: string | undefined
  url: string
}

/** Lists contain only cards that are attached to a customer. */
async function methods({ tx }: Call, { holder, url, ...page }: Choice): Promise<object> {
  if (holder !== undefined) await customer(tx, holder, { param: 'customer' })
  const where = [holder === undefined ? isNotNull(cardObjects.customer) : eq(cardObjects.customer, holder)]
  return listed(tx, { kind: 'payment_method', noun: 'PaymentMethod', url, page, where })
}
