import type { Tx } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import { record } from '../../activity/activity.writes.ts'
import type { Operation } from '../../payments/operations/definition.ts'
import { differences } from '../projection.rules.ts'
import { publishChange } from '../subscription-changes.writes.ts'
import { emailOwner } from '../subscription-emails.writes.ts'
import { type SubscriptionRow, subscriptions } from '../subscriptions.tables.ts'
import type { Renewal } from './renewal.input.ts'
import { isAsPaid, renewedQuantities, yearLater } from './renewal.rules.ts'
import { renewedTerm } from './renewal-window.rules.ts'

/**
 * A year more, under the row's lock, from the end that it has by now; access and license follow the row. In the transaction of the
 * operation. What a file has changed since the renewal was quoted is kept, and the operator is told what was paid for.
 */
export async function extendTerm(tx: Tx, deps: Deps, operation: Operation<Renewal>): Promise<void> {
  const { subject: id, input, memberId } = operation
  const [before] = await tx.select().from(subscriptions).where(eq(subscriptions.id, id)).for('update')
  if (!before) throw new Error('the subscription of a renewal is gone')
  if (!isAsPaid(before, operation)) {
    const { productCode, userCount, storageCapacity, connectors, periodEnd } = before
    const now = { productCode, userCount, storageCapacity, connectors, periodEnd }
    const facts = { operationId: operation.id, subscriptionId: id, paid: { ...input.paidFor, from: input.periodStart } }
    deps.logger.error({ ...facts, now }, 'a renewal was paid for other than a file has made of the subscription since')
  }
  const { userCount, storageCapacity, connectors, price } = renewedQuantities(before, input)
  const extended = {
    ...{ status: 'active', term: renewedTerm, userCount, storageCapacity, connectors, price },
    periodEnd: yearLater(before.periodEnd ?? input.periodStart),
    autoRenew: false,
    cancelAt: null,
    endedAt: null,
  } as const satisfies Partial<SubscriptionRow>
  await tx.update(subscriptions).set(extended).where(eq(subscriptions.id, id))
  const after = { ...before, ...extended }
  const changed = differences(before, after)
  const pick = (row: SubscriptionRow) => Object.fromEntries(changed.map((name) => [name, row[name]]))
  const details = { productCode: after.productCode, before: pick(before), after: pick(after) }
  const happening = { action: 'subscription.changed' as const, target: id, details, now: deps.clock() }
  await record(tx, { ...operation, id: memberId }, happening)
  await publishChange(deps, tx, { id, before, after, changed })
  await emailOwner(deps, tx, { id, email: 'renewed' })
}
