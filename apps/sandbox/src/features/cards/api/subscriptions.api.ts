import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Api } from '../requests/api.ts'
import { cardObjects } from '../store/cards.tables.ts'
import { find, listed } from '../store/store.ts'
import { cancelSubscription } from '../subscriptions/cancel.ts'
import { createSubscription } from '../subscriptions/create.ts'
import { noSuchSubscription } from '../subscriptions/locked.ts'
import { cancellationDetails, createParameters, updateParameters } from '../subscriptions/subscriptions.parameters.ts'
import { updateSubscription } from '../subscriptions/update.ts'
import { boolean, createdRange, oneOf, paging, text } from '../wire/parameters.rules.ts'
import { noSuch } from '../wire/refusal.ts'

const statuses = [
  'active',
  'all',
  'canceled',
  'ended',
  'incomplete',
  'incomplete_expired',
  'past_due',
  'paused',
  'trialing',
  'unpaid',
] as const

export function subscriptionsApi(api: Api): void {
  api.serve({ method: 'POST', path: '/subscriptions', takes: createParameters, run: createSubscription })

  api.serve({
    method: 'GET',
    path: '/subscriptions/:id',
    takes: {},
    async run({ tx }, _given, { id }) {
      const found = await find(tx, 'subscription', id)
      if (!found) throw noSuchSubscription(id)
      return found.object
    },
  })

  api.serve({
    method: 'POST',
    path: '/subscriptions/:id',
    takes: updateParameters,
    run: (call, given, { id }) => updateSubscription(call, id, given),
  })

  api.serve({
    method: 'DELETE',
    path: '/subscriptions/:id',
    takes: {
      cancellation_details: cancellationDetails.optional(),
      invoice_now: boolean().optional(),
      prorate: boolean().optional(),
    },
    run: (call, given, { id }) => cancelSubscription(call, id, given),
  })

  api.serve({
    method: 'GET',
    path: '/subscriptions',
    takes: {
      ...paging,
      created: createdRange.optional(),
      customer: text().optional(),
      price: text().optional(),
      status: oneOf(statuses).optional(),
    },
    run: ({ tx }, { created, customer, price, status, ...page }) =>
      listed(tx, {
        kind: 'subscription',
        noun: 'subscription',
        url: '/v1/subscriptions',
        page,
        created,
        where: [
          customer === undefined ? undefined : eq(cardObjects.customer, customer),
          price === undefined ? undefined : hasPrice(price),
          ofStatus(status),
        ],
      }),
  })

  items(api)
}

/** Without a status, everything but what was canceled. */
function ofStatus(status: (typeof statuses)[number] | undefined): SQL | undefined {
  if (status === 'all') return undefined
  if (status === 'ended') return inArray(cardObjects.status, ['canceled', 'incomplete_expired'])
  return status === undefined ? sql`${cardObjects.status} <> 'canceled'` : eq(cardObjects.status, status)
}

function hasPrice(price: string): SQL {
  return sql`exists (
    select from json_array_elements(${cardObjects.stored} #> '{object,items,data}') item
    where item -> 'price' ->> 'id' = ${price}
  )`
}

/** Items are changed with their subscription, and can be listed alone. */
function items(api: Api): void {
  api.serve({
    method: 'GET',
    path: '/subscription_items',
    takes: { ...paging, subscription: text() },
    async run({ tx }, { subscription, limit }) {
      const found = await find(tx, 'subscription', subscription)
      if (!found) throw noSuch('subscription', subscription, { param: 'subscription' })
      const { data } = found.object.items
      return {
        object: 'list',
        data: data.slice(0, limit),
        has_more: data.length > limit,
        url: '/v1/subscription_items',
      }
    },
  })
}
