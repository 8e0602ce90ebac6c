import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import { ownerRowOf } from '../../../db/nobody.queries.ts'
import type { Deps } from '../../../deps.ts'
import type { PaypalSubscription } from '../../../outside/paypal/subscriptions.ts'
import { recordProvider } from '../../activity/activity.writes.ts'
import { isCorrectable, isProven, type LinkProof, yieldsTo } from '../../payments/customers/link-proofs.rules.ts'
import { ownerOfPayer } from '../../payments/customers/payers.queries.ts'
import { isObject } from '../../payments/unmatched/unmatched.queries.ts'
import { type UnmatchedReason, unmatchedPurchases } from '../../payments/unmatched/unmatched.tables.ts'
import { forgetDeclined } from '../../payments/unmatched/unmatched.writes.ts'
import { isOfObject, namedSubscription } from '../subscriptions.queries.ts'
import { subscriptions } from '../subscriptions.tables.ts'
import { type EndingNeeds, endTeams } from './end-team.writes.ts'
import { type GivenOutcome, hindranceIn, lockMembers } from './give-customer.ts'
import { reassignPurchases } from './reassign.writes.ts'

interface Gift {
  providerId: string
  memberId: string
  proof: LinkProof
  /** Whether it is the operator's word about this very subscription. */
  isOperators?: boolean
  now: Date
}

/** Reasons of which nothing is left once it is known whose it is. */
export const ownerReasons: readonly UnmatchedReason[] = ['no_member', 'offered', 'not_mine']

/**
 * Gives a subscription of PayPal that a word which yields to this one made somebody else's, with its add-ons, to whose it is, without the
 * team of who had it.
 * @returns undefined: it is not stored
 */
export async function givePaypal(deps: EndingNeeds, tx: Tx, gift: Gift): Promise<GivenOutcome | undefined> {
  const { providerId, memberId, proof, isOperators = false, now } = gift
  const isSubscription = isOfObject(providerId)
  const [known] = await tx.select({ owner: subscriptions.memberId }).from(subscriptions).where(isSubscription)
  await lockMembers(tx, [memberId, ...(known ? [known.owner] : [])])
  const [row] = await tx.select().from(subscriptions).where(isSubscription).for('update')
  if (!row) return undefined
  if (row.memberId !== known?.owner) return { kind: 'being_changed', memberId: row.memberId }
  const stored = row.proof ?? 'vendor'
  if (row.memberId === memberId && isProven(stored)) return { kind: 'already_linked', memberId }
  const { isErasedPerson: isErased } = await ownerRowOf(tx, row.memberId)
  if (!isErased && !yieldsTo(stored, isOperators ? 'ours' : proof))
    return { kind: 'of_another_member', memberId: row.memberId }
  const { parentId, channel } = subscriptions
  const isAddOn = and(eq(parentId, row.id), eq(channel, 'paypal'), eq(subscriptions.proof, 'address'))
  const addOns = await tx.select().from(subscriptions).where(isAddOn).orderBy(asc(subscriptions.id)).for('update')
  const all = [row, ...addOns]
  const hindrance = await hindranceIn(tx, { rows: all, others: [], customerId: null })
  if (hindrance) return hindrance

  const isIt = isObject('paypal', providerId)
  const { reason, amount } = unmatchedPurchases
  // What was paid and not granted has waited before somebody said that it is not theirs.
  const isPaidBeside = and(isIt, eq(reason, 'not_mine'), gt(amount, 0))
  await tx.update(unmatchedPurchases).set({ reason: 'paid_too_little' }).where(isPaidBeside)
  await tx.delete(unmatchedPurchases).where(and(isIt, inArray(reason, ownerReasons)))
  await forgetDeclined(tx, { provider: 'paypal', objectId: providerId, memberId })
  await tx.update(unmatchedPurchases).set({ memberId, isProven: true }).where(isIt)
  const rows = all.filter((one) => one.memberId !== memberId)
  const ids = all.map(({ id }) => id)
  await tx.update(subscriptions).set({ proof }).where(inArray(subscriptions.id, ids))
  await endTeams(deps, tx, { rows, memberId, now })
  await reassignPurchases(tx, { rows, memberId, proof, now })
  return { kind: 'linked', memberId, moved: rows.length }
}

type Needs = EndingNeeds & { db: Db; config: Pick<Deps['config'], 'SHOP_SIGNING_SECRET'> } & Pick<
    Deps,
    'clock' | 'logger'
  >

/** A reference that is signed for another member may be the vendor's first word of it: its member is here only now, or it is new there. */
export async function givePaypalToSigned(deps: Needs, given: PaypalSubscription): Promise<void> {
  const { db, logger, config } = deps
  const stored = await namedSubscription(db, given.id)
  if (!stored || !isCorrectable(stored.proof ?? 'vendor')) return
  const owner = await ownerOfPayer(db, given, { secrets: config.SHOP_SIGNING_SECRET })
  if (!owner || !yieldsTo(stored.proof ?? 'vendor', owner.proof) || owner.memberId === stored.memberId) return
  const { memberId, proof } = owner
  const gift = { providerId: given.id, memberId, proof, now: deps.clock() }
  const outcome = await db.transaction(async (tx) => {
    const outcome = await givePaypal(deps, tx, gift)
    if (outcome?.kind === 'linked')
      await recordProvider(tx, memberId, { action: 'customer.linked', target: given.id, now: gift.now })
    return outcome
  })
  if (outcome?.kind === 'being_changed') {
    logger.error(
      { subscriptionId: given.id, outcome },
      'a subscription is proven to be another member’s, and is not yet',
    )
  }
}
