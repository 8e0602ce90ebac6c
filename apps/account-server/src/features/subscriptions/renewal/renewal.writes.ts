import type { Tx } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import { record } from '../../activity/activity.writes.ts'
import type { Operation } from '../../payments/operations/definition.ts'
import { differences } from '../projection.rules.ts'
import { publishChange } from '../subscription-changes.writes.ts'
import { emailOwner } from '../subscription-emails.writes.ts'
import { type SubscriptionRow, subscriptions } from '../subscriptions.tables.ts'
import type { Extended, Renewal } from './renewal.input.ts'
import { isAsPaid, renewedQuantities, renewedTime } from './renewal.rules.ts'

/**
 * A year more, under the row's lock, from the end that it has by now; access and license follow the row. In the transaction of the
 * operation. What a file has changed since the renewal was quoted is kept, and the operator is told what was paid for.
 * @returns what it has changed
 */
export async function extendTerm(tx: Tx, deps: Deps, operation: Operation<Renewal>) {
  const { subject: id, input, memberId } = operation
  const [before] = await tx.select().from(subscriptions).where(eq(subscriptions.id, id)).for('update')
  if (!before) throw new Error('the subscription of a renewal is gone')
  if (!isAsPaid(before, operation)) {
    const { currency, periodStart: from } = input
    const paid = { memberId, ...input.paidFor, currency, from }
    const facts = { operationId: operation.id, subscriptionId: id, paid, now: comparable(before) }
    deps.logger.error(facts, 'a renewal was paid for other than a file has made of the subscription since')
  }
  const { userCount, storageCapacity, connectors, price } = renewedQuantities(before, input)
  const extended = {
    ...{ userCount, storageCapacity, connectors, price },
    ...renewedTime(before, input),
  } satisfies Extended
  await tx.update(subscriptions).set(extended).where(eq(subscriptions.id, id))
  const after = { ...before, ...extended }
  const changed = differences(before, after)
  const pick = (row: SubscriptionRow) => Object.fromEntries(changed.map((name) => [name, row[name]]))
  const details = { productCode: after.productCode, before: pick(before), after: pick(after) }
  const happening = { action: 'subscription.changed' as const, target: id, details, now: deps.clock() }
  await record(tx, { ...operation, id: memberId }, happening)
  await publishChange(deps, tx, { id, before, after, changed })
  await emailOwner(deps, tx, { id, email: 'renewed' })
  return { before: extendedOf(before), after: extended }
}

export function extendedOf(row: SubscriptionRow): Extended {
  const { userCount, storageCapacity, connectors, price, status, term, autoRenew, periodEnd, cancelAt, endedAt } = row
  return { userCount, storageCapacity, connectors, price, status, term, autoRenew, periodEnd, cancelAt, endedAt }
}

/** What decides whether a renewal has paid for it, and the end that the payment moves. */
function comparable(row: SubscriptionRow) {
  const { memberId, productCode, userCount, storageCapacity, connectors, currency, periodEnd, status } = row
  const { origin, channel, term, providerId, isPriceHidden, cancelAt, endedAt } = row
  return {
    ...{ memberId, productCode, userCount, storageCapacity, connectors, currency, periodEnd, status },
    ...{ origin, channel, term, providerId, isPriceHidden, cancelAt, endedAt },
  }
}
