import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Api } from '../requests/api.ts'
import { serveResource } from '../requests/resource.ts'
import { cardObjects } from '../store/cards.tables.ts'
import { byCreated, byCustomer } from '../store/filters.ts'
import { cancelSubscription } from '../subscriptions/cancel.ts'
import { createSubscription } from '../subscriptions/create.ts'
import { resumeSubscription } from '../subscriptions/pause.ts'
import { createParameters, resumeParameters, updateParameters } from '../subscriptions/subscriptions.parameters.ts'
import { updateSubscription } from '../subscriptions/update.ts'
import { oneOf } from '../wire/parameters.rules.ts'

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
  api.change('/subscriptions/:id', updateParameters, updateSubscription)
  api.change('/subscriptions/:id/resume', resumeParameters, resumeSubscription)

  api.serve({
    method: 'DELETE',
    path: '/subscriptions/:id',
    takes: {},
    run: (call, _given, { id }) => cancelSubscription(call, id),
  })

  serveResource(api, {
    kind: 'subscription',
    path: '/subscriptions',
    filters: {
      created: byCreated,
      customer: byCustomer,
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
