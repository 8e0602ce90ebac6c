import { Problem } from '@atrium/server-kit/problem.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { type ProviderEvent, readCardEvent } from '../../../outside/card-provider/events.ts'
import { providerEvents } from './webhooks.tables.ts'

export const webhooksQueue = 'payments.webhooks'

/** What a job knows of an event: only which object it was about. */
export interface WebhookJob {
  provider: 'card'
  /** `setup_intent`, `subscription` … */
  objectType: string
  objectId: string
}

/**
 * One webhook route per provider. Verifies the raw bytes, stores the event once together with its job, and answers. The job
 * fetches the object, since events may arrive in any order.
 * Refusals: 400 for a signature that is missing, wrong or more than 300 s off, 413, 415.
 * While a job about an object waits, further events about it add none: the job will fetch the latest state.
 */
export function webhooksRoutes(app: FastifyInstance, deps: Deps): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    // Not rate limited: nothing is done before the signature is verified, and a busy day has thousands of events a minute.
    scope.post<{ Body: Buffer }>('/webhooks/stripe/', { config: { rateLimit: false } }, async (request, reply) => {
      const signature = request.headers['stripe-signature']
      const event =
        typeof signature === 'string' && Buffer.isBuffer(request.body)
          ? // Signatures use the wall clock, not the injected one.
            readCardEvent(request.body, { signature, secrets: deps.config.STRIPE_WEBHOOK_SECRETS, now: new Date() })
          : undefined
      if (!event) throw new Problem('malformed')
      await storeEvent(deps, event)
      return reply.send({ received: true })
    })
  })
}

async function storeEvent(
  { db, jobs, wallClock }: Deps,
  { id, type, objectType, objectId }: ProviderEvent,
): Promise<void> {
  await db.transaction(async (tx) => {
    const stored = await tx
      .insert(providerEvents)
      .values({ id, type, objectId, receivedAt: wallClock() })
      .onConflictDoNothing()
      .returning({ id: providerEvents.id })
    if (stored.length === 0) return
    const job: WebhookJob = { provider: 'card', objectType, objectId }
    await jobs.send(tx, webhooksQueue, job, `${objectType}:${objectId}`)
  })
}
