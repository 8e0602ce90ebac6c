import type { Tx } from '@atrium/server-kit/database.ts'
import { and, eq } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import type { BilledSubscription } from '../../../outside/card-provider/subscriptions.ts'
import { recordProvider } from '../../activity/activity.writes.ts'
import { type Owner, ownersOf } from '../../payments/customers/customer-claims.queries.ts'
import { linkOfCustomer } from '../../payments/customers/customers.queries.ts'
import type { LinkDeps } from '../../payments/customers/customers.sync.ts'
import { providerCustomers } from '../../payments/customers/customers.tables.ts'
import {
  isCorrectable,
  isProven,
  isWhollyProven,
  type LinkProof,
  type Proven,
  yieldsTo,
} from '../../payments/customers/link-proofs.rules.ts'
import { isObject } from '../../payments/unmatched/unmatched.queries.ts'
import { unmatchedPurchases } from '../../payments/unmatched/unmatched.tables.ts'
import { forgetDeclined } from '../../payments/unmatched/unmatched.writes.ts'
import { namedSubscription } from '../subscriptions.queries.ts'
import { type SubscriptionRow, subscriptions } from '../subscriptions.tables.ts'
import { type EndingNeeds, endTeams } from './end-team.writes.ts'
import { type Hindrance, hindranceIn, lockMembers } from './give-customer.ts'
import { idleCardsAt } from './own-cards.queries.ts'
import { reassignPurchases } from './reassign.writes.ts'

type Needs = LinkDeps &
  Pick<Deps, 'logger'> &
  EndingNeeds & { cards: Pick<Deps['cards'], 'cards' | 'subscriptionsPaidBy'> }

/**
 * A subscription that the vendor's key or shop has written a member to is that member's, whatever a file, or the word about its customer,
 * has said, and whose the customer is on account of another purchase. What weighs as much stays.
 */
export async function giveNamed(
  deps: Needs,
  { id, customerId, claim }: Pick<BilledSubscription, 'id' | 'customerId' | 'claim'>,
): Promise<void> {
  const { db, config, logger } = deps
  const stored = await namedSubscription(db, id)
  if (!stored || !isCorrectable(stored.proof ?? 'address')) return
  const [owner] = await ownersOf(db, [{ ...claim, email: '' }], { secrets: config.SHOP_SIGNING_SECRET })
  if (!owner || owner.memberId === stored.memberId) return
  const idle = await idleCardsAt(deps, { customerId, memberIds: [stored.memberId], only: id })
  const hindrance = await db.transaction((tx) => giveIn(tx, deps, { stored, customerId, owner, idle }))
  if (hindrance)
    logger.error({ subscriptionId: id, hindrance }, 'a subscription is proven to be another member’s, and is not yet')
}

/** How it is known whose it is: by itself, or as its customer is its Owner's as a whole. Beside its customer a file alone has named an Owner. */
function proofOf({ memberId, proof }: SubscriptionRow, link: { memberId: string } & Proven): LinkProof {
  const isOwners = link.memberId === memberId
  const own = proof ?? (isOwners ? 'address' : 'vendor')
  return isOwners && isWhollyProven(link) && yieldsTo(own, link.proof) ? link.proof : own
}

interface Named {
  stored: SubscriptionRow
  customerId: string
  owner: Owner
  /** Ids of cards of its Owner that do not pay for it. */
  idle: readonly string[]
}

/** @returns what stands in the way */
async function giveIn(tx: Tx, deps: Needs, { stored, customerId, owner, idle }: Named): Promise<Hindrance | undefined> {
  const { memberId, proof } = owner
  await lockMembers(tx, [memberId, stored.memberId])
  await tx.select().from(providerCustomers).where(eq(providerCustomers.customerId, customerId)).for('update')
  const link = await linkOfCustomer(tx, customerId)
  if (!link || !isProven(link.proof)) return undefined
  const isSame = and(eq(subscriptions.id, stored.id), eq(subscriptions.memberId, stored.memberId))
  const rows = (await tx.select().from(subscriptions).where(isSame).for('update')).filter((row) =>
    yieldsTo(proofOf(row, link), proof),
  )
  const hindrance = await hindranceIn(tx, { rows, others: rows.map((row) => row.memberId), customerId, idle })
  if (hindrance) return hindrance
  const now = deps.clock()
  await endTeams(deps, tx, { rows, memberId, now })
  await reassignPurchases(tx, { rows, memberId, proof, now })
  const isAbout = isObject('card', stored.providerId ?? stored.id)
  await tx.delete(unmatchedPurchases).where(and(isAbout, eq(unmatchedPurchases.reason, 'not_mine')))
  await forgetDeclined(tx, { provider: 'card', objectId: stored.providerId ?? stored.id, memberId })
  for (const { id: target } of rows) await recordProvider(tx, memberId, { action: 'customer.linked', target, now })
  return undefined
}
