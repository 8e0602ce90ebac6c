import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import { refuseOtherPages } from '../../../page/own-page.ts'
import { deliveriesApi } from '../../provider-kit/deliveries.control.ts'
import { faultsApi } from '../../provider-kit/faults.control.ts'
import { rollCertificate } from '../events/certificates.ts'
import { deliveriesOf, resendEvent } from '../events/events.queries.ts'
import { faults } from '../store/faults.ts'
import type { PaypalDeps } from '../wire/call.ts'
import { buyersEndpoints, eventsEndpoints, expireTokensEndpoint } from './control.endpoints.ts'
import { latest } from './control.queries.ts'
import {
  answerFor,
  cancelSubscription,
  clearPayment,
  ensureWebhook,
  expireTokens,
  refundRest,
  setEchecks,
  setFunds,
  setLateness,
  voidUnpaidOrder,
} from './control.writes.ts'

/** The control API of the PayPal-type provider, for tests and for the start of the stack. */
export function controlApi(app: FastifyInstance, deps: PaypalDeps): void {
  app.register(async (scope) => {
    scope.addHook('onRequest', async (request) => refuseOtherPages(app, request))
    faultsApi(scope, '/paypal', { db: deps.db, faults })
    deliveriesApi(scope, '/paypal', {
      latestEvents: () => latest(deps.db, 'event'),
      deliveriesOf: (ids) => deliveriesOf(deps.db, ids),
      resend: (id) => resendEvent(deps.db, id),
      onEvents: deps.onEvents,
    })
    buyers(scope, deps)
    events(scope, deps)
    serve(scope, expireTokensEndpoint, async () => {
      await expireTokens(deps)
      return {}
    })
  })
}

function buyers(app: FastifyInstance, deps: PaypalDeps): void {
  serve(app, buyersEndpoints.answer, async ({ body }) => ({
    location: (await answerFor(deps, body)) ?? null,
  }))
  serve(app, buyersEndpoints.funds, async ({ params, body }) => {
    await setFunds(deps, params.id, body.hasFunds)
    return {}
  })
  serve(app, buyersEndpoints.lateness, async ({ params, body }) => {
    await setLateness(deps, params.id, body.hours)
    return {}
  })
  serve(app, buyersEndpoints.echecks, async ({ params, body }) => {
    await setEchecks(deps, params.id, body.paysByEcheck)
    return {}
  })
  serve(app, buyersEndpoints.clear, async ({ params, body }) => {
    await clearPayment(deps, params.id, body.isCleared)
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
  serve(app, eventsEndpoints.roll, async () => ({ id: (await rollCertificate(deps.db)).id }))
}
