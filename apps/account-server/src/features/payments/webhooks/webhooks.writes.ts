import type { Deps } from '../../../deps.ts'
import type { ProviderEvent } from '../../../outside/provider-event.ts'
import { providerEvents } from './webhooks.tables.ts'

export const webhooksQueue = 'payments.webhooks'

/** What a job knows of an event: only which object it was about. */
export interface WebhookJob {
  provider: 'card' | 'paypal'
  /** `setup_intent`, `subscription` … */
  objectType: string
  objectId: string
}

/** Stores an event once, together with its job. */
export async function storeEvent(
  { db, jobs, wallClock }: Deps,
  provider: WebhookJob['provider'],
  { id, type, objectType, objectId }: ProviderEvent,
): Promise<void> {
  await db.transaction(async (tx) => {
    const stored = await tx
      .insert(providerEvents)
      .values({ id, type, objectId, receivedAt: wallClock() })
      .onConflictDoNothing()
      .returning({ id: providerEvents.id })
    if (stored.length === 0) return
    const job: WebhookJob = { provider, objectType, objectId }
    await jobs.send(tx, webhooksQueue, job, `${provider}:${objectType}:${objectId}`)
  })
}
