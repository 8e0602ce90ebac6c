import type { Tx } from '@atrium/server-kit/database.ts'
import { and, eq } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import { recordProvider } from '../../activity/activity.writes.ts'
import { takenBackPayments } from '../../orders/orders.queries.ts'
import { operationOfObject } from '../../payments/operations/operations.queries.ts'
import { type OperationRow, providerOperations } from '../../payments/operations/operations.tables.ts'
import { differences } from '../projection.rules.ts'
import { publishChange } from '../subscription-changes.writes.ts'
import { type SubscriptionRow, subscriptions } from '../subscriptions.tables.ts'
import { type Extended, Renewal, RenewalOutcome } from './renewal.input.ts'
import { endsOfRenewals, withoutRenewal, withRenewal } from './renewal.rules.ts'
import { extendedOf } from './renewal.writes.ts'

/**
 * The year that a renewal has brought follows what was paid for it until that year is over: it is gone once all of that was given back, and
 * comes back if it was not, after all.
 */
export async function followRenewal(deps: Deps, invoiceId: string): Promise<void> {
  const made = await operationOfObject(deps.db, 'subscription.renew', invoiceId)
  if (!made) return
  await deps.db.transaction(async (tx) => {
    const [row] = await tx.select().from(providerOperations).where(eq(providerOperations.id, made.id)).for('update')
    const outcome = RenewalOutcome.parse(row?.result)
    if (row?.status !== 'succeeded') return
    const isTakenBack = (await takenBackPayments(tx, [invoiceId])).has(invoiceId)
    if (isTakenBack === (outcome.isTakenBack ?? false)) return
    if (!(await follow(tx, deps, { row, outcome, isTakenBack }))) return
    const result = { ...outcome, isTakenBack }
    await tx.update(providerOperations).set({ result }).where(eq(providerOperations.id, row.id))
  })
}

interface Followed {
  row: OperationRow
  outcome: RenewalOutcome
  isTakenBack: boolean
}

/**
 * Under the row's lock. A file knows better: an end that it has brought stays, and the operator is told.
 * @returns whether it has changed
 */
async function follow(tx: Tx, deps: Deps, { row, outcome, isTakenBack }: Followed): Promise<boolean> {
  const { subject: id, id: operationId } = row
  const { invoiceId } = outcome
  const [before] = await tx.select().from(subscriptions).where(eq(subscriptions.id, id)).for('update')
  if (!before) return false
  const held = extendedOf(before)
  const change = changeOf({ row, outcome }, held)
  const { periodEnd: yearEnd } = change.after
  const isOver = yearEnd !== null && yearEnd <= deps.clock()
  if (isOver && isTakenBack) return false
  const isLeft = before.periodEnd !== null && (await leftEnds(tx, id)).includes(before.periodEnd.getTime())
  const isCanceled = before.status === 'canceled' && !isTakenBack
  if (!isLeft || isOver || isCanceled) {
    const facts = { operationId, invoiceId, subscriptionId: id, periodEnd: before.periodEnd }
    deps.logger.error(facts, isTakenBack ? notShortened : notRestored)
    return false
  }
  const values = isTakenBack ? withoutRenewal(held, change) : withRenewal(held, change)
  await tx.update(subscriptions).set(values).where(eq(subscriptions.id, id))
  const after = { ...before, ...values }
  const changed = differences(before, after)
  const pick = (one: SubscriptionRow) => Object.fromEntries(changed.map((name) => [name, one[name]]))
  const details = { productCode: after.productCode, before: pick(before), after: pick(after) }
  await recordProvider(tx, after.memberId, { action: 'subscription.changed', target: id, details, now: deps.clock() })
  await publishChange(deps, tx, { id, before, after, changed })
  return true
}

const notShortened = 'the payment of a renewal was given back, and a file has brought another end since'
const notRestored = 'the refund of a renewal has failed, and its year cannot come back by itself'

/** What a renewal has changed. An earlier version of this program stored no more than its year. */
function changeOf({ row, outcome: { extended } }: Pick<Followed, 'row' | 'outcome'>, held: Extended) {
  if (extended) return extended
  const { periodStart, periodEnd } = Renewal.parse(row.input)
  return { before: { ...held, periodEnd: periodStart }, after: { ...held, periodEnd } }
}

/** In milliseconds. */
async function leftEnds(tx: Tx, subscriptionId: string): Promise<number[]> {
  const { kind, subject, status, input, result } = providerOperations
  const rows = await tx
    .select({ input, result })
    .from(providerOperations)
    .where(and(eq(kind, 'subscription.renew'), eq(subject, subscriptionId), eq(status, 'succeeded')))
  const outcomes = rows.map((row) => ({ ...RenewalOutcome.parse(row.result), ...Renewal.parse(row.input) }))
  const ends = outcomes.flatMap(({ extended, periodEnd }) => (extended ? (extended.after.periodEnd ?? []) : periodEnd))
  const countOf = (isGone: boolean) => outcomes.filter(({ isTakenBack }) => isTakenBack === isGone).length
  return endsOfRenewals(ends, { gone: countOf(true), back: countOf(false) })
}
