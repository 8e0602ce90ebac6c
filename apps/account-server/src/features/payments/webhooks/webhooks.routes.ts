import { Problem } from '@atrium/server-kit/problem.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { type ProviderEvent, readCardEvent } from '../../../outside/card-provider/events.ts'
import { providerEvents } from './webhooks.tables.ts'

export const webhooksQueue = 'payments.webhooks'

/** What a job carries of an event: what it was about, no more. */
export interface WebhookJob {
  provider: 'card'
  /** `setup_intent`, `subscription` … */
  objectType: string
  objectId: string
}

/**
 * Where providers send their events, a route a provider. The raw bytes are verified, the event is stored once with its job in
 * one transaction, and answered; what it is about is fetched afterwards, since order is not promised. Refusals: 400 for a
 * signature that is missing, wrong or more than 300 s off, 413, 415.
 * While a job about an object waits, further events about it add none: it will fetch what is true by then.
 */
export function webhooksRoutes(app: FastifyInstance, deps: Deps): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    // Nothing is done for anybody before the signature holds, and a busy day has thousands a minute.
    scope.post<{ Body: Buffer }>('/webhooks/stripe/', { config: { rateLimit: false } }, async (request, reply) => {
      const signature = request.headers['stripe-signature']
      const event =
        typeof signature === 'string' && Buffer.isBuffer(request.body)
          ? // Signatures are by the wall clock, whatever ours says.
            readCardEvent(request.body, { signature, secrets: deps.config.STRIPE_WEBHOOK_SECRETS, now: new Date() })
          : undefined
      if (!event) throw new Problem('malformed')
      await storeEvent(deps, event)
      return reply.send({ received: true })
    })
  })
}

async function storeEvent({ db, jobs, clock }: Deps, { id, type, objectType, objectId }: ProviderEvent): Promise<void> {
  await db.transaction(async (tx) => {
    const stored = await tx
      .insert(providerEvents)
      .values({ id, type, objectId, receivedAt: clock() })
      .onConflictDoNothing()
      .returning({ id: providerEvents.id })
    if (stored.length === 0) return
    const job: WebhookJob = { provider: 'card', objectType, objectId }
    await jobs.send(tx, webhooksQueue, job, `${objectType}:${objectId}`)
  })
}
