import { nextSyncNumber } from '../../../db/sync-numbers.queries.ts'
import type { Deps } from '../../../deps.ts'
import type { Reading } from '../projection.writes.ts'
import { afterChange, readingOfCard, readPaypal } from '../provider-readings.ts'

/** The provider's own id, and the operation's, which is the idempotency key. */
interface Asked {
  providerId: string
  operationId: string
}

export async function endAtCard(
  deps: Deps,
  { providerId: id, operationId, cancelAt }: Asked & { cancelAt: Date | null },
): Promise<Reading> {
  const syncNumber = await nextSyncNumber(deps.db)
  return readingOfCard(deps, await deps.cards.turnOffRenewal({ id, cancelAt, operationId }), syncNumber)
}

export async function resumeAtCard(
  deps: Deps,
  { providerId: id, operationId, paymentMethodId }: Asked & { paymentMethodId: string },
): Promise<Reading> {
  // First: renewed with what somebody else entered, it would be charged to them.
  if (paymentMethodId !== '') await deps.cards.payBy(id, paymentMethodId)
  const syncNumber = await nextSyncNumber(deps.db)
  return readingOfCard(deps, await deps.cards.turnOnRenewal({ id, operationId }), syncNumber)
}

/** PayPal's cancellation is at once and final, so auto-renewal is suspended instead (behaviour.md, "Cancel"). */
export async function suspend(deps: Deps, { providerId: id }: Pick<Asked, 'providerId'>): Promise<Reading> {
  await deps.paypal.suspendSubscription({ id, reason: 'Auto-renewal was turned off' })
  return afterChange(readPaypal(deps, id, () => true))
}

/** Nothing is paid that could be used until its end. */
export async function endBeforeStart(deps: Deps, { providerId: id }: Pick<Asked, 'providerId'>): Promise<Reading> {
  await deps.paypal.cancelSubscription({ id, reason: 'Auto-renewal was turned off before it began' })
  return afterChange(readPaypal(deps, id, () => true))
}

export async function activate(deps: Deps, { providerId: id }: Pick<Asked, 'providerId'>): Promise<Reading> {
  await deps.paypal.activateSubscription({ id, reason: 'Auto-renewal was turned on' })
  return afterChange(readPaypal(deps, id, () => true))
}
