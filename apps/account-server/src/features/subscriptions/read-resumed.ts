import { nextSyncNumber } from '../../db/sync-numbers.queries.ts'
import type { Deps } from '../../deps.ts'
import { pausedPaid } from '../../outside/card-provider/paused-status.ts'
import type { BilledSubscription } from '../../outside/card-provider/subscriptions.ts'
import { ProviderFailure } from '../../outside/provider-failure.ts'

type Asked = Pick<Deps, 'db' | 'cards' | 'clock' | 'logger'>

/**
 * Reads a subscription of the card provider. One that was paused since a payment failed, and has been paid since, is resumed first: the
 * provider leaves it paused unless the vendor has set that up. Once the period that was paid is over, resuming it would bill another one,
 * which is for the vendor to decide.
 * @throws ProviderFailure
 */
export async function readResumed(
  deps: Asked,
  id: string,
): Promise<{ billed: BilledSubscription; syncNumber: number }> {
  const read = async () => {
    const syncNumber = await nextSyncNumber(deps.db)
    return { syncNumber, billed: await deps.cards.readSubscription(id) }
  }
  const found = await read()
  const isInPeriod = found.billed.items.some(({ periodEnd }) => periodEnd > deps.clock())
  if (found.billed.status !== pausedPaid || !isInPeriod) return found
  await resume(deps, id)
  return read()
}

async function resume({ cards, logger }: Asked, id: string): Promise<void> {
  try {
    await cards.resumePaid(id)
  } catch (error) {
    // Also if another request was first.
    if (!(error instanceof ProviderFailure && error.kind === 'invalid')) throw error
    logger.warn({ error, subscriptionId: id }, 'a subscription that was paid was not resumed')
  }
}
