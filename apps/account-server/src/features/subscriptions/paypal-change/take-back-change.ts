import { eq } from 'drizzle-orm'
import { nextSyncNumber } from '../../../db/sync-numbers.queries.ts'
import type { Deps } from '../../../deps.ts'
import { takenBackPayments } from '../../orders/orders.queries.ts'
import { type OperationRow, providerOperations } from '../../payments/operations/operations.tables.ts'
import { syncPaypalSubscription } from '../paypal-subscriptions.sync.ts'
import { applyReadingIn } from '../projection.writes.ts'
import { liveProjection } from '../projection-deps.ts'
import { subscriptions } from '../subscriptions.tables.ts'
import { OrderedChange, OrderOutcome } from './ordered-change.ts'
import { takeBackReading } from './paypal-grant.rules.ts'

/** Takes back what a change has granted, once, if its payment was given or taken back wholly while its period runs. */
export async function takeBackChange(deps: Deps, { id }: Pick<OperationRow, 'id'>, captureId: string): Promise<void> {
  const providerId = await deps.db.transaction(async (tx) => {
    const [row] = await tx.select().from(providerOperations).where(eq(providerOperations.id, id)).for('update')
    const outcome = OrderOutcome.parse(row?.result)
    if (row?.status !== 'succeeded' || outcome.isTakenBack) return undefined
    if (!(await takenBackPayments(tx, [captureId])).has(captureId)) return undefined
    const input = OrderedChange.parse(row.input)
    const { periodEnd, providerId } = subscriptions
    const isOfIt = eq(providerId, input.providerId)
    const [stored] = await tx.select({ periodEnd }).from(subscriptions).where(isOfIt).for('update')
    if (stored?.periodEnd?.getTime() !== input.periodEnd.getTime()) return undefined
    const facts = { operationId: id, captureId }
    if (!input.granted.replaced) deps.logger.error(facts, 'given back, and not known what it had taken the place of')
    await applyReadingIn(tx, liveProjection(deps), takeBackReading(input, await nextSyncNumber(tx)))
    const result = { ...outcome, isTakenBack: true }
    await tx.update(providerOperations).set({ result }).where(eq(providerOperations.id, id))
    return input.providerId
  })
  // What PayPal bills next is said again.
  if (providerId) await syncPaypalSubscription(deps, providerId)
}
