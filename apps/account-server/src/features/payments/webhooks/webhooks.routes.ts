import { networkOf } from '@atrium/server-kit/network.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { readCardEvent } from '../../../outside/card-provider/events.ts'
import { paypalEvents } from '../../../outside/paypal/events.ts'
import { isEvent, type NotAnEvent, type ProviderEvent } from '../../../outside/provider-event.ts'
import { ProviderFailure } from '../../../outside/provider-failure.ts'
import { storeEvent, type WebhookJob } from './webhooks.writes.ts'

/** Reads an event from a request. @returns undefined if it is not the provider's; a reason if it is, and is not an event */
type ReadEvent = (body: Buffer, request: FastifyRequest) => Promise<ProviderEvent | NotAnEvent | undefined>

/**
 * One webhook route per provider. Verifies the raw bytes, stores the event once together with its job, and answers. The job
 * fetches the object, since events may arrive in any order.
 * Refusals: 400 for a signature that is missing, wrong, or too old (300 s; PayPal: four days), 413, 415; 503 while the certificate
 * of PayPal's signature cannot be fetched, so that the delivery is repeated.
 * While a job about an object waits, further events about it add none: the job will fetch the latest state.
 */
export function webhooksRoutes(app: FastifyInstance, deps: Deps): void {
  const { config } = deps
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    const receive = (path: string, provider: WebhookJob['provider'], readEvent: ReadEvent) =>
      // Not rate limited: nothing is done before the signature is verified, and a busy day has thousands of events a minute.
      scope.post<{ Body: Buffer }>(path, { config: { rateLimit: false } }, async (request, reply) => {
        const { body } = request
        const event = Buffer.isBuffer(body) ? await readEvent(body, request) : undefined
        if (!event) throw new Problem('malformed')
        if (!isEvent(event)) {
          request.log.warn({ provider, reason: event.reason }, 'a signed body is not an event')
          throw new Problem('malformed')
        }
        await storeEvent(deps, provider, event)
        return reply.send({ received: true })
      })

    if (config.CARD_PROVIDER !== 'none') receive('/webhooks/stripe/', 'card', cardEventReader(deps))
    if (config.PAYPAL !== 'none') receive('/webhooks/paypal/', 'paypal', paypalEventReader(deps))
  })
}

/** Signatures use the real time, not the injected one. */
function cardEventReader({ config }: Deps): ReadEvent {
  return async (body, { headers: { 'stripe-signature': signature } }) =>
    typeof signature === 'string'
      ? readCardEvent(body, { signature, secrets: config.STRIPE_WEBHOOK_SECRETS, now: new Date() })
      : undefined
}

function paypalEventReader({ config, logger }: Deps): ReadEvent {
  const read = paypalEvents(config)
  return async (body, { headers, ip }) => {
    try {
      return await read({ body, headers, network: networkOf(ip) }, new Date())
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      logger.warn({ err: error }, 'an event of PayPal cannot be verified now')
      throw new Problem('overloaded')
    }
  }
}
