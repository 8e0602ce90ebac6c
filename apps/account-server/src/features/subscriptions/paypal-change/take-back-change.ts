import type { Tx } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import { daysLater } from '../../../db/calendar.rules.ts'
import { nextSyncNumber } from '../../../db/sync-numbers.queries.ts'
import type { Deps } from '../../../deps.ts'
import { takenBackPayments } from '../../orders/orders.queries.ts'
import { type OperationRow, providerOperations } from '../../payments/operations/operations.tables.ts'
import { forgetUnmatched, storeUnmatched } from '../../payments/unmatched/unmatched.writes.ts'
import type { PaidTime } from '../moving/kept-time.rules.ts'
import {
  changeMoved,
  type EndDeps,
  endUnkept,
  isUncharged,
  lockMoved,
  timePaidBeside,
  undecided,
} from '../moving/taken-back-time.ts'
import { isPlanOf } from '../paypal-revised.rules.ts'
import { syncPaypalSubscription } from '../paypal-subscriptions.sync.ts'
import { applyReadingIn } from '../projection.writes.ts'
import { liveProjection } from '../projection-deps.ts'
import { hasEnded } from '../subscription-flags.rules.ts'
import { type SubscriptionRow, subscriptions } from '../subscriptions.tables.ts'
import { boughtInPeriod } from './bought-in-period.queries.ts'
import { OrderedChange, OrderOutcome } from './ordered-change.ts'
import { keptPlan, keptReading, movedWith } from './paypal-grant.rules.ts'

/**
 * What a change has granted follows its payment while its period runs: it is gone once that was given or taken back wholly, and comes back
 * if it was not, after all.
 */
export async function followPayment(deps: Deps, { id }: Pick<OperationRow, 'id'>, captureId: string): Promise<void> {
  const providerId = await deps.db.transaction(async (tx) => {
    const [row] = await tx.select().from(providerOperations).where(eq(providerOperations.id, id)).for('update')
    if (row?.status !== 'succeeded') return undefined
    const outcome = OrderOutcome.parse(row.result)
    const input = OrderedChange.parse(row.input)
    const isOfIt = eq(subscriptions.providerId, input.providerId)
    const [stored] = await tx.select().from(subscriptions).where(isOfIt).for('update')
    const isTakenBack = (await takenBackPayments(tx, [captureId])).has(captureId)
    if (isTakenBack === (outcome.isTakenBack ?? false)) return undefined
    const asked = { input, captureId, isTakenBack }
    const followed = await (stored ? rebuild(tx, deps, stored, asked) : rebuildMoved(tx, deps, asked))
    if (followed === 'over') return undefined
    if (followed === 'failed') deps.logger.error({ operationId: id, captureId }, isTakenBack ? notTaken : notRestored)
    const result = { ...outcome, isTakenBack }
    await tx.update(providerOperations).set({ result }).where(eq(providerOperations.id, id))
    return stored ? input.providerId : undefined
  })
  // What PayPal bills next is said again.
  if (providerId) await syncPaypalSubscription(deps, providerId)
}

const notTaken = 'given back, and not known what it had taken the place of'
const notRestored = 'not given back after all, and what it had bought cannot come back by itself'

interface PaymentFate {
  input: OrderedChange
  captureId: string
  isTakenBack: boolean
}

/** `over`: nothing is left to take. `failed`: it is left to the operator. */
type Followed = 'done' | 'over' | 'failed'

/** Under the row's lock. */
async function rebuild(
  tx: Tx,
  deps: Deps,
  row: SubscriptionRow,
  { input, isTakenBack }: PaymentFate,
): Promise<Followed> {
  const { providerId, periodEnd } = input
  if (row.periodEnd?.getTime() !== periodEnd.getTime() || hasEnded(row.status)) return isTakenBack ? 'over' : 'failed'
  const bought = await boughtInPeriod(tx, input)
  if (!bought || !keptPlan(bought)) return 'failed'
  // It has ended with its period.
  if (periodEnd <= deps.clock() && isPlanOf(row, bought.base)) return isTakenBack ? 'over' : 'failed'
  const rebuilt = { providerId, bought, isMore: !isTakenBack }
  await applyReadingIn(tx, liveProjection(deps), keptReading(rebuilt, await nextSyncNumber(tx)))
  return 'done'
}

/** A transfer has given what it had changed to another Owner. */
async function rebuildMoved(tx: Tx, given: Deps, { input, captureId, isTakenBack }: PaymentFate): Promise<Followed> {
  const deps = { ...given, ...liveProjection(given) }
  const row = await lockMoved(tx, input.providerId)
  if (!row || hasEnded(row.status)) return isTakenBack ? 'over' : 'failed'
  const time = await timePaidBeside(tx, deps, { row, providerId: input.providerId })
  if (time !== 'nobody' || row.providerId !== null) return takeTime(tx, deps, { row, time, captureId, isTakenBack })
  if (row.periodEnd?.getTime() !== input.periodEnd.getTime()) return isTakenBack ? 'over' : 'failed'
  const bought = await boughtInPeriod(tx, input)
  const plan = bought && keptPlan(bought)
  const changed = plan && movedWith(row, plan)
  if (changed) await changeMoved(tx, deps, row, changed)
  return plan ? 'done' : 'failed'
}

interface PaidBeside extends Pick<PaymentFate, 'captureId' | 'isTakenBack'> {
  row: SubscriptionRow
  time: PaidTime | 'nobody' | 'unknown'
}

/** Of what others have paid for, too, or a card of an Owner since goes on with, the seats of one payment are not known any more. */
async function takeTime(tx: Tx, deps: EndDeps, { row, time, captureId, isTakenBack }: PaidBeside): Promise<Followed> {
  const object = { provider: 'paypal', kind: 'payment', objectId: captureId } as const
  if (!isTakenBack) {
    await forgetUnmatched(tx, object)
    const isKnown = row.providerId === null && typeof time === 'object'
    return isKnown && row.periodEnd && row.periodEnd < daysLater(time.until, -1) ? 'failed' : 'done'
  }
  const isWaiting = time === 'unknown' || (time === 'nobody' && (await isUncharged(tx, row, deps.clock())))
  const waits =
    typeof time === 'object'
      ? await endUnkept(tx, deps, { row, time, object })
      : isWaiting && undecided(deps, { ...object, row })
  if (waits) await storeUnmatched(tx, waits)
  return 'done'
}
