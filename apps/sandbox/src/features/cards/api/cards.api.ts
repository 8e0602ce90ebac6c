import type { FastifyInstance } from 'fastify'
import { apiVersion } from '../events/events.writes.ts'
import { answerFailure, newApi } from '../requests/api.ts'
import type { ApiDeps } from '../requests/call.ts'
import { refuseUnknownVersion } from '../wire/access.rules.ts'
import { invalidRequest } from '../wire/refusal.ts'
import { chargesApi } from './charges.api.ts'
import { couponsApi } from './coupons.api.ts'
import { customersApi } from './customers.api.ts'
import { eventsApi } from './events.api.ts'
import { invoiceItemsApi } from './invoice-items.api.ts'
import { invoicePaymentsApi } from './invoice-payments.api.ts'
import { invoicesApi } from './invoices.api.ts'
import { paymentIntentsApi } from './payment-intents.api.ts'
import { paymentMethodsApi } from './payment-methods.api.ts'
import { pricesApi } from './prices.api.ts'
import { productsApi } from './products.api.ts'
import { refundsApi } from './refunds.api.ts'
import { schedulesApi } from './schedules.api.ts'
import { setupIntentsApi } from './setup-intents.api.ts'
import { subscriptionsApi } from './subscriptions.api.ts'
import { webhookEndpointsApi } from './webhook-endpoints.api.ts'

/** CORS for any origin: the provider's browser SDK calls the API from the merchant's page. */
const forAnyOrigin = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, PUT, PATCH, POST, DELETE',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key, stripe-version, stripe-account',
  'access-control-expose-headers': 'request-id, stripe-should-retry, idempotent-replayed',
  'access-control-max-age': '300',
  'cross-origin-resource-policy': 'cross-origin',
}

/** The card provider's public HTTP API, below `/v1`. */
export function cardsApi(app: FastifyInstance, deps: ApiDeps): void {
  app.register(
    async (scope) => {
      takeForms(scope)
      scope.setErrorHandler(answerFailure)
      scope.setNotFoundHandler((request) => {
        const [path = ''] = request.url.split('?')
        throw invalidRequest(`Unrecognized request URL (${request.method}: ${path}).`, { status: 404 })
      })
      scope.addHook('onRequest', async (request, reply) => {
        const version = request.headers['stripe-version']
        refuseUnknownVersion(version)
        reply.headers({ ...forAnyOrigin, 'stripe-version': typeof version === 'string' ? version : apiVersion })
        if (request.headers['idempotency-key']) reply.header('idempotency-key', request.headers['idempotency-key'])
      })
      scope.options('/*', (_request, reply) => reply.code(204).send())

      const api = newApi(scope, deps)
      customersApi(api)
      paymentMethodsApi(api)
      setupIntentsApi(api)
      paymentIntentsApi(api)
      chargesApi(api)
      productsApi(api)
      pricesApi(api)
      couponsApi(api)
      subscriptionsApi(api)
      schedulesApi(api)
      invoicesApi(api)
      invoicePaymentsApi(api)
      invoiceItemsApi(api)
      refundsApi(api)
      eventsApi(api)
      webhookEndpointsApi(api)
    },
    { prefix: '/v1' },
  )
}

/** Accepts forms only, as text: their brackets are parsed by `form.rules.ts`. */
function takeForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, body),
  )
  scope.addContentTypeParser('*', (_request, _payload, done) => {
    done(invalidRequest('Invalid request: the content type must be application/x-www-form-urlencoded.'))
  })
}
