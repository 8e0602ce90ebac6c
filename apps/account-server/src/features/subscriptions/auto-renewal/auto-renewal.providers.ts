import { nextSyncNumber } from '../../../db/sync-numbers.queries.ts'
import type { Deps } from '../../../deps.ts'
import type { BilledSubscription } from '../../../outside/card-provider/subscriptions.ts'
import { ifKnown } from '../../../outside/provider-failure.ts'
import { applyReading } from '../projection.writes.ts'
import { liveProjection } from '../projection-deps.ts'
import { afterChange, readCard, readPaypal } from '../provider-readings.ts'
import { readAtProvider } from '../read-at-provider.ts'
import type { Reading } from '../reading.ts'
import type { ListedSubscription } from '../subscription-list.queries.ts'
import { cardReading, liveCards } from '../subscriptions.sync.ts'

/** The provider's own id, and the operation's, which is the idempotency key. */
interface Asked {
  providerId: string
  operationId: string
}

/**
 * Reads what is to stop where it is billed; the rows show it afterwards.
 * @returns ids of what the card provider has planned, since it is dropped, by the provider's id of their subscription
 */
export async function readSchedules(
  deps: Deps,
  stopping: readonly ListedSubscription[],
): Promise<ReadonlyMap<string, string>> {
  const schedules = new Map<string, string>()
  for (const { channel, providerId } of stopping) {
    if (channel === 'paypal') await readAtProvider(deps, { channel, providerId })
    if (channel !== 'card' || providerId === null) continue
    const syncNumber = await nextSyncNumber(deps.db)
    const billed = await ifKnown(deps.cards.readSubscription(providerId))
    if (!billed) continue
    await applyReading(liveProjection(deps), () => cardReading(liveCards(deps), billed, syncNumber))
    if (billed.schedule) schedules.set(providerId, billed.schedule.id)
  }
  return schedules
}

/** Whether it ends, or has ended. */
export function isEnding({ cancelAt, endedAt }: Pick<BilledSubscription, 'cancelAt' | 'endedAt'>): boolean {
  return cancelAt !== null || endedAt !== null
}

export async function endAtCard(
  deps: Deps,
  { providerId: id, operationId, cancelAt }: Asked & { cancelAt: Date | null },
): Promise<Reading> {
  await deps.cards.turnOffRenewal({ id, cancelAt, operationId })
  return afterChange(readCard(deps, id, isEnding))
}

export async function resumeAtCard(
  deps: Deps,
  { providerId: id, operationId, paymentMethodId }: Asked & { paymentMethodId: string },
): Promise<Reading> {
  // First: renewed with what somebody else entered, it would be charged to them.
  if (paymentMethodId !== '') await deps.cards.payBy(id, paymentMethodId)
  await deps.cards.turnOnRenewal({ id, operationId })
  return afterChange(readCard(deps, id, (billed) => !isEnding(billed)))
}

/** PayPal's cancellation is at once and final, so auto-renewal is suspended instead. */
export async function suspend(deps: Deps, { providerId: id }: Pick<Asked, 'providerId'>): Promise<Reading> {
  await deps.paypal.suspendSubscription({ id, reason: 'Auto-renewal was turned off' })
  return afterChange(readPaypal(deps, id, ({ status }) => status !== 'ACTIVE'))
}

/** Nothing is paid that could be used until its end. */
export async function endBeforeStart(deps: Deps, { providerId: id }: Pick<Asked, 'providerId'>): Promise<Reading> {
  await deps.paypal.cancelSubscription({ id, reason: 'Auto-renewal was turned off' })
  return afterChange(readPaypal(deps, id, ({ status }) => status !== 'ACTIVE'))
}

export async function activate(deps: Deps, { providerId: id }: Pick<Asked, 'providerId'>): Promise<Reading> {
  await deps.paypal.activateSubscription({ id, reason: 'Auto-renewal was turned on' })
  return afterChange(readPaypal(deps, id, ({ status }) => status === 'ACTIVE'))
}
