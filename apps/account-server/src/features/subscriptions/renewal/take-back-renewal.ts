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
import { Renewal, RenewalOutcome } from './renewal.input.ts'
import { endsOfRenewals, withoutRenewal } from './renewal.rules.ts'
import { extendedOf } from './renewal.writes.ts'

/** Takes back the year that a renewal has brought, once, if all that was paid for it was given back before that year is over. */
export async function takeBackRenewal(deps: Deps, invoiceId: string): Promise<void> {
  const made = await operationOfObject(deps.db, 'subscription.renew', invoiceId)
  if (!made) return
  await deps.db.transaction(async (tx) => {
    const [row] = await tx.select().from(providerOperations).where(eq(providerOperations.id, made.id)).for('update')
    const outcome = RenewalOutcome.parse(row?.result)
    if (row?.status !== 'succeeded' || outcome.isTakenBack) return
    if (!(await takenBackPayments(tx, [invoiceId])).has(invoiceId)) return
    await shorten(tx, deps, { row, outcome })
    const result = { ...outcome, isTakenBack: true }
    await tx.update(providerOperations).set({ result }).where(eq(providerOperations.id, row.id))
  })
}

interface Made {
  row: OperationRow
  outcome: RenewalOutcome
}

/** Under the row's lock. A file knows better: an end that it has brought stays, and the operator is told. */
async function shorten(tx: Tx, deps: Deps, { row, outcome: { invoiceId, extended } }: Made): Promise<void> {
  const { subject: id, id: operationId } = row
  const [before] = await tx.select().from(subscriptions).where(eq(subscriptions.id, id)).for('update')
  const now = deps.clock()
  const { periodStart, periodEnd: yearEnd } = Renewal.parse(row.input)
  const facts = { operationId, invoiceId, subscriptionId: id, periodEnd: before?.periodEnd }
  if (!before) return
  const held = extendedOf(before)
  const { before: until, after: made } = extended ?? {
    before: { ...held, periodEnd: periodStart },
    after: { ...held, periodEnd: yearEnd },
  }
  if (made.periodEnd !== null && made.periodEnd <= now) return
  if (!before.periodEnd || !(await leftEnds(tx, id)).includes(before.periodEnd.getTime())) {
    deps.logger.error(facts, 'the payment of a renewal was given back, and a file has brought another end since')
    return
  }
  const shortened = withoutRenewal(held, { before: until, after: made })
  await tx.update(subscriptions).set(shortened).where(eq(subscriptions.id, id))
  const after = { ...before, ...shortened }
  const changed = differences(before, after)
  const pick = (one: SubscriptionRow) => Object.fromEntries(changed.map((name) => [name, one[name]]))
  const details = { productCode: after.productCode, before: pick(before), after: pick(after) }
  await recordProvider(tx, after.memberId, { action: 'subscription.changed', target: id, details, now })
  await publishChange(deps, tx, { id, before, after, changed })
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
  return endsOfRenewals(ends, outcomes.filter(({ isTakenBack }) => isTakenBack).length)
}
