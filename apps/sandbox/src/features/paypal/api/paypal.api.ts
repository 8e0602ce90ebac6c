import type { FastifyInstance } from 'fastify'
import { refuseStrangers } from '../access/access.routes.ts'
import { answerFailure, newApi } from '../wire/api.ts'
import type { PaypalDeps } from '../wire/call.ts'
import { notFound } from '../wire/refusal.ts'
import { eventsApi } from './events.api.ts'
import { ordersApi } from './orders.api.ts'
import { paymentsApi, salesApi } from './payments.api.ts'
import { plansApi } from './plans.api.ts'
import { productsApi } from './products.api.ts'
import { subscriptionsApi } from './subscriptions.api.ts'
import { webhooksApi } from './webhooks.api.ts'

/** The paths of PayPal's public API. The card provider's is on the same host, with other paths below `/v1`. */
const roots = ['/v1/catalogs', '/v1/billing', '/v1/payments', '/v1/notifications', '/v2']

/** PayPal's public REST API. Every request needs an access token. */
export function paypalApi(app: FastifyInstance, deps: PaypalDeps): void {
  app.register(async (scope) => {
    // Bodies are parsed by the operation: some need the text as it was sent.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser<string>('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    scope.setErrorHandler(answerFailure)
    scope.addHook('onRequest', (request) => refuseStrangers(deps, request))
    for (const root of roots) {
      scope.all(`${root}/*`, () => {
        throw notFound()
      })
    }

    const api = newApi(scope, deps)
    productsApi(api)
    plansApi(api)
    subscriptionsApi(api)
    ordersApi(api)
    paymentsApi(api)
    salesApi(api)
    webhooksApi(api)
    eventsApi(api)
  })
}
