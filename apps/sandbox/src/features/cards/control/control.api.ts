import { Problem } from '@atrium/server-kit/problem.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { refuseOtherPages } from '../../../page/own-page.ts'
import { deliveriesApi } from '../../provider-kit/deliveries.control.ts'
import { faultsApi } from '../../provider-kit/faults.control.ts'
import { createEndpoint } from '../api/webhook-endpoints.api.ts'
import { type ApiDeps, ownCall } from '../requests/call.ts'
import { faults } from '../store/faults.ts'
import { findLocked, save } from '../store/store.ts'
import { collectionApi } from './collection.api.ts'
import { deliveriesOf, latest, resend } from './control.queries.ts'
import { keysApi } from './keys.api.ts'

const Endpoint = z.object({ id: z.string(), url: z.string(), enabledEvents: z.array(z.string()) })
const Id = z.object({ id: z.string().max(100) })

const base = { access: 'device' } as const

const ensureWebhookEndpoint = {
  ...base,
  method: 'PUT',
  path: '/cards/control/webhook-endpoints/',
  summary: 'An address is told of events, signed with a secret of the caller’s choice',
  body: z.object({
    url: z.url({ protocol: /^https?$/ }),
    secret: z.string().regex(/^whsec_\w{16,100}$/),
    enabledEvents: z.array(z.string()).min(1).default(['*']),
  }),
  reply: Endpoint,
} as const

const replaceExpiry = {
  ...base,
  method: 'PUT',
  path: '/cards/control/payment-methods/:id/expiry/',
  summary: 'As if a card had been added long ago: it ends then, also in the past, and as ever in silence',
  params: Id,
  body: z.object({ month: z.int().min(1).max(12), year: z.int().min(2000).max(2099) }),
  reply: z.object({}),
} as const

/** The control API of the card provider, for tests and for the start of the stack. */
export function controlApi(app: FastifyInstance, deps: ApiDeps): void {
  app.register(async (scope) => {
    scope.addHook('onRequest', async (request) => refuseOtherPages(app, request))
    faultsApi(scope, '/cards', { db: deps.db, faults })
    deliveriesApi(scope, '/cards', {
      latestEvents: async () => (await latest(deps.db, 'event')).map(({ object }) => object),
      deliveriesOf: (ids) => deliveriesOf(deps.db, ids),
      resend: (id) => resend(deps.db, id, deps.clock()),
      onEvents: deps.onEvents,
    })
    controlEndpoints(scope, deps)
    collectionApi(scope, deps)
    keysApi(scope, deps)
  })
}

function controlEndpoints(app: FastifyInstance, deps: ApiDeps): void {
  serve(app, ensureWebhookEndpoint, ({ body }) => ensureEndpoint(deps, body))
  serve(app, replaceExpiry, async ({ params, body: { month, year } }) => {
    await deps.db.transaction(async (tx) => {
      const found = await findLocked(tx, 'payment_method', params.id)
      if (!found?.object.card) throw new Problem('not_found')
      const card = { ...found.object.card, exp_month: month, exp_year: year }
      await save(tx, { ...found, object: { ...found.object, card } })
    })
    return {}
  })
}

interface Wanted {
  url: string
  secret: string
  enabledEvents: string[]
}

/** An endpoint with the same address is updated with the new secret and events. */
function ensureEndpoint(deps: ApiDeps, { url, secret, enabledEvents }: Wanted) {
  return deps.db.transaction(async (tx) => {
    const call = await ownCall(tx, deps)
    const known = (await latest(tx, 'webhook_endpoint')).find(({ object }) => object.url === url)
    const found = known && (await findLocked(tx, 'webhook_endpoint', known.object.id))
    if (!found) {
      const { id } = await createEndpoint(call, { url, secret, enabled_events: enabledEvents })
      return { id, url, enabledEvents }
    }
    const object = { ...found.object, enabled_events: enabledEvents, status: 'enabled' }
    await save(tx, { ...found, object, hidden: { secret } })
    return { id: object.id, url, enabledEvents }
  })
}
