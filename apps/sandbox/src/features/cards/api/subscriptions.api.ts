import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Api } from '../requests/api.ts'
import { serveResource } from '../requests/resource.ts'
import { cardObjects } from '../store/cards.tables.ts'
import { byCreated, byCustomer } from '../store/filters.ts'
import { find } from '../store/store.ts'
import { cancelSubscription } from '../subscriptions/cancel.ts'
import { createSubscription } from '../subscriptions/create.ts'
import { cancellationDetails, createParameters, updateParameters } from '../subscriptions/subscriptions.parameters.ts'
import { updateSubscription } from '../subscriptions/update.ts'
import { boolean, oneOf, paging, text } from '../wire/parameters.rules.ts'
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

  items(api)

  serveResource(api, {
    kind: 'subscription',
    path: '/subscriptions',
    filters: {
      created: byCreated,
      customer: byCustomer,
      price: text().transform(hasPrice).optional(),
      status: oneOf(statuses).optional().transform(ofStatus),
    },
  })
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
