import { and, eq } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import type { BilledSubscription } from '../../../outside/card-provider/subscriptions.ts'
import { recordProvider } from '../../activity/activity.writes.ts'
import { linkOfCustomer, operatorsWordOn } from '../../payments/customers/customers.queries.ts'
import { movedAtOf } from '../moving/moving.queries.ts'
import { namedSubscription } from '../subscriptions.queries.ts'
import { type SubscriptionRow, subscriptions } from '../subscriptions.tables.ts'
import { hindranceIn, lockMembers } from './give-customer.ts'
import { reassignPurchases } from './reassign.writes.ts'

type Needs = Pick<Deps, 'db' | 'clock' | 'logger'>

/**
 * What nothing but a file says is a member's is of whom `link-customer` has named for its customer: of what a file has named and nobody had
 * read yet, the command did not know whose customer it was.
 */
export async function giveFiled(
  { db, clock, logger }: Needs,
  { id, customerId }: Pick<BilledSubscription, 'id' | 'customerId'>,
): Promise<void> {
  const stored = await namedSubscription(db, id)
  const link = await linkOfCustomer(db, customerId)
  if (!stored || !isFiled(stored) || !link || link.memberId === stored.memberId) return
  const { memberId } = link
  const hindrance = await db.transaction(async (tx) => {
    const memberIds = [memberId, stored.memberId]
    await lockMembers(tx, memberIds)
    const isSame = and(eq(subscriptions.id, stored.id), eq(subscriptions.memberId, stored.memberId))
    const rows = (await tx.select().from(subscriptions).where(isSame).for('update')).filter(isFiled)
    const isStillTheirs = (await linkOfCustomer(tx, customerId))?.memberId === memberId
    if (!isStillTheirs || (await operatorsWordOn(tx, { customerId, memberIds })) !== memberId) return undefined
    if (await movedAtOf(tx, id)) return undefined
    const hindrance = await hindranceIn(tx, { rows, others: rows.map((row) => row.memberId), customerId })
    if (hindrance) return hindrance
    const now = clock()
    await reassignPurchases(tx, { rows, memberId, proof: null, now })
    for (const { id: target } of rows) await recordProvider(tx, memberId, { action: 'customer.linked', target, now })
    return undefined
  })
  if (hindrance) logger.error({ subscriptionId: id, hindrance }, 'a subscription is another member’s, and is not yet')
}

/** Whether a file alone says that it is its Owner's. */
function isFiled({ proof, importedFor, memberId }: SubscriptionRow): boolean {
  return proof === 'vendor' && importedFor === memberId
}
