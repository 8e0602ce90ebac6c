import { refuseForeignOrigin } from '@atrium/server-kit/origin.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { rollCertificate } from '../events/certificates.ts'
import type { PaypalDeps } from '../wire/call.ts'
import { forgetFaults, planFault, plannedFaults } from '../wire/faults.ts'
import { buyersEndpoints, eventsEndpoints, expireTokensEndpoint, faultsEndpoints } from './control.endpoints.ts'
import { deliveriesOfLatest } from './control.queries.ts'
import {
  answerFor,
  cancelSubscription,
  ensureWebhook,
  expireTokens,
  refundRest,
  resendToAll,
  setFunds,
  setLateness,
  voidUnpaidOrder,
} from './control.writes.ts'

/** The control API of the PayPal-type provider, for tests and for the start of the stack. */
export function controlApi(app: FastifyInstance, deps: PaypalDeps): void {
  app.register(async (scope) => {
    scope.addHook('onRequest', async (request) => refuseOtherPages(app, request))
    faults(scope, deps)
    buyers(scope, deps)
    events(scope, deps)
    serve(scope, expireTokensEndpoint, async () => {
      await expireTokens(deps)
      return {}
    })
  })
}

/** Programs send no origin. Browsers do, and only our own page may change anything. */
function refuseOtherPages(app: FastifyInstance, request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  const isPage = origin !== undefined || site !== undefined
  if (isPage && request.method !== 'GET') refuseForeignOrigin(app, request)
}

function faults(app: FastifyInstance, { db }: PaypalDeps): void {
  const planned = async () => ({ list: await plannedFaults(db) })
  serve(app, faultsEndpoints.plan, async ({ body }) => {
    await planFault(db, body)
    return planned()
  })
  serve(app, faultsEndpoints.list, planned)
  serve(app, faultsEndpoints.forget, async () => {
    await forgetFaults(db)
    return planned()
  })
}

function buyers(app: FastifyInstance, deps: PaypalDeps): void {
  serve(app, buyersEndpoints.answer, async ({ body }) => ({
    location: (await answerFor(deps, body.link, body.answer)) ?? null,
  }))
  serve(app, buyersEndpoints.funds, async ({ params, body }) => {
    await setFunds(deps, params.id, body.hasFunds)
    return {}
  })
  serve(app, buyersEndpoints.lateness, async ({ params, body }) => {
    await setLateness(deps, params.id, body.hours)
    return {}
  })
  serve(app, buyersEndpoints.cancel, async ({ params, body }) => {
    await cancelSubscription(deps, params.id, body.by)
    return {}
  })
  serve(app, buyersEndpoints.voidOrder, async ({ params }) => {
    await voidUnpaidOrder(deps, params.id)
    return {}
  })
  serve(app, buyersEndpoints.refund, async ({ params }) => {
    await refundRest(deps, params.id)
    return {}
  })
}

function events(app: FastifyInstance, deps: PaypalDeps): void {
  serve(app, eventsEndpoints.ensure, ({ body }) => ensureWebhook(deps, body))
  serve(app, eventsEndpoints.deliveries, async () => ({ list: await deliveriesOfLatest(deps.db) }))
  serve(app, eventsEndpoints.resend, async ({ params }) => {
    await resendToAll(deps, params.id)
    return {}
  })
  serve(app, eventsEndpoints.roll, async () => ({ id: (await rollCertificate(deps.db)).id }))
}
