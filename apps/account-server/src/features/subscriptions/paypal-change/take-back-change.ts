import type { Tx } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import { nextSyncNumber } from '../../../db/sync-numbers.queries.ts'
import type { Deps } from '../../../deps.ts'
import { takenBackPayments } from '../../orders/orders.queries.ts'
import { type OperationRow, providerOperations } from '../../payments/operations/operations.tables.ts'
import { storeUnmatched } from '../../payments/unmatched/unmatched.writes.ts'
import { changeMoved, lockMoved, taintedOf } from '../moving/taken-back-time.ts'
import { syncPaypalSubscription } from '../paypal-subscriptions.sync.ts'
import { applyReadingIn, type ProjectionDeps } from '../projection.writes.ts'
import { liveProjection } from '../projection-deps.ts'
import { hasEnded } from '../subscription-flags.rules.ts'
import { subscriptions } from '../subscriptions.tables.ts'
import { OrderedChange, OrderOutcome } from './ordered-change.ts'
import { movedWithout, takeBackReading } from './paypal-grant.rules.ts'

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
    if (!stored) {
      await takeBackMoved(tx, { ...deps, ...liveProjection(deps) }, { input, captureId })
      await tx
        .update(providerOperations)
        .set({ result: { ...outcome, isTakenBack: true } })
        .where(eq(providerOperations.id, id))
      return undefined
    }
    if (stored.periodEnd?.getTime() !== input.periodEnd.getTime()) return undefined
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

interface OfMoved {
  input: OrderedChange
  captureId: string
}

/** A transfer has given what it had changed to another Owner. */
async function takeBackMoved(tx: Tx, deps: Deps & ProjectionDeps, { input, captureId }: OfMoved): Promise<void> {
  const { providerId, periodEnd, granted } = input
  const row = await lockMoved(tx, providerId)
  if (!row || hasEnded(row.status)) return
  if (row.providerId !== null) {
    const waits = await taintedOf(tx, deps, { row, objectId: captureId, kind: 'payment' })
    if (waits) await storeUnmatched(tx, waits)
    return
  }
  if (row.periodEnd?.getTime() !== periodEnd.getTime()) return
  const without = movedWithout(row, granted)
  if (without) await changeMoved(tx, deps, row, without)
}
