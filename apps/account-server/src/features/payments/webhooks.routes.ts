import { Problem } from '@atrium/server-kit/problem.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { readCardEvent } from '../../outside/card-events.ts'
import type { ProviderEvent } from '../../outside/cards.ts'
import { providerEvents } from './payments.tables.ts'

export const providerEventsQueue = 'payments.events'

/** What a job carries: of what the provider told, and our attempt as far as it said. */
export interface EventJob {
  objectId: string
  attemptId: string | null
}

/**
 * Where the card provider tells of events. The raw bytes are checked, the event is stored once with its job in one
 * transaction, and answered; what it is about is fetched afterwards, since order is not promised. Refusals: 400 for a
 * signature that is missing, wrong or more than 300 s off, 413, 415.
 * While a job about an object waits, further events about it add none: it will fetch what is true by then.
 */
export function providerEventRoutes(app: FastifyInstance, deps: Deps): void {
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

async function storeEvent({ db, jobs, clock }: Deps, { id, type, objectId, attemptId }: ProviderEvent): Promise<void> {
  await db.transaction(async (tx) => {
    const stored = await tx
      .insert(providerEvents)
      .values({ id, type, objectId, receivedAt: clock() })
      .onConflictDoNothing()
      .returning({ id: providerEvents.id })
    if (stored.length === 0) return
    const job: EventJob = { objectId, attemptId: attemptId ?? null }
    await jobs.send(tx, providerEventsQueue, job, objectId)
  })
}
