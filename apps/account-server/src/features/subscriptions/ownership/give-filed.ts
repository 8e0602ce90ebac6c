import type { Reader } from '@atrium/server-kit/database.ts'
import { and, eq } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import type { BilledSubscription } from '../../../outside/card-provider/subscriptions.ts'
import { recordProvider } from '../../activity/activity.writes.ts'
import { linkOfCustomer, operatorsWordOn } from '../../payments/customers/customers.queries.ts'
import { isProven, isWhollyProven } from '../../payments/customers/link-proofs.rules.ts'
import { isDeclined } from '../../payments/unmatched/unmatched.queries.ts'
import { movedAtOf } from '../moving/moving.queries.ts'
import { namedSubscription } from '../subscriptions.queries.ts'
import { type SubscriptionRow, subscriptions } from '../subscriptions.tables.ts'
import { type EndingNeeds, endTeams } from './end-team.writes.ts'
import { hindranceIn, lockMembers } from './give-customer.ts'
import { leaveToNobody } from './leave-to-nobody.writes.ts'
import { reassignPurchases } from './reassign.writes.ts'

type Needs = Pick<Deps, 'db' | 'clock' | 'logger'> & EndingNeeds

/**
 * What nothing but a file says is a member's, and nobody had read yet, gives way to what was said of its customer meanwhile: neither
 * `link-customer` nor *Not mine* knew that the customer had bought it.
 */
export async function giveFiled(
  { db, clock, logger, jobs }: Needs,
  { id, customerId }: Pick<BilledSubscription, 'id' | 'customerId'>,
): Promise<void> {
  const stored = await namedSubscription(db, id)
  const owner = stored && (await otherOwner(db, stored, customerId))
  if (!stored || owner === undefined) return
  const hindrance = await db.transaction(async (tx) => {
    await lockMembers(tx, owner === nobody ? [stored.memberId] : [owner, stored.memberId])
    const isSame = and(eq(subscriptions.id, stored.id), eq(subscriptions.memberId, stored.memberId))
    const [row] = await tx.select().from(subscriptions).where(isSame).for('update')
    // Somebody has said something else since: the next reading asks again.
    if (!row || (await otherOwner(tx, row, customerId)) !== owner || (await movedAtOf(tx, id))) return undefined
    const { memberId } = row
    const hindrance = await hindranceIn(tx, { rows: [row], others: [memberId], customerId })
    if (hindrance) return hindrance
    const now = clock()
    await endTeams({ jobs }, tx, { rows: [row], memberId: owner ?? memberId, now })
    if (owner === nobody) {
      await leaveToNobody(tx, [{ ...row, customerId }], { memberId, now })
      logger.warn(
        { subscriptionId: id, customerId, memberId },
        'a file names who has said that its customer is another',
      )
      return undefined
    }
    await reassignPurchases(tx, { rows: [row], memberId: owner, proof: null, now })
    await recordProvider(tx, owner, { action: 'customer.linked', target: row.id, now })
    return undefined
  })
  if (hindrance) logger.error({ subscriptionId: id, hindrance }, 'a subscription is another member’s, and is not yet')
}

const nobody = null

/** @returns whose it is instead; undefined: it stays its Owner's */
async function otherOwner(
  db: Reader,
  { memberId, proof, importedFor, customerId: known }: SubscriptionRow,
  customerId: string,
): Promise<string | typeof nobody | undefined> {
  if (proof !== 'vendor' || importedFor !== memberId) return undefined
  const link = await linkOfCustomer(db, customerId)
  const other = link?.memberId === memberId ? undefined : link
  const memberIds = [memberId, ...(other ? [other.memberId] : [])]
  if (other && (await operatorsWordOn(db, { customerId, memberIds })) === other.memberId) return other.memberId
  // Once it was read, the file's word has stood beside the customer when they said so.
  const isOwners = link !== undefined && !other && isProven(link.proof)
  if (known !== null || isOwners || !(await isDeclined(db, { customerId, memberId }))) return undefined
  return other && isWhollyProven(other) ? other.memberId : nobody
}
