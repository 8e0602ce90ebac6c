import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import { recordOperator } from '../../activity/activity.writes.ts'
import { isProven } from '../../payments/customers/link-proofs.rules.ts'
import { isObject } from '../../payments/unmatched/unmatched.queries.ts'
import { type UnmatchedReason, unmatchedPurchases } from '../../payments/unmatched/unmatched.tables.ts'
import { memberOfVerifiedEmail } from '../../session/session.queries.ts'
import { movedObjects } from '../moving/moved-objects.tables.ts'
import { subscriptions } from '../subscriptions.tables.ts'
import { type EndingNeeds, endTeams } from './end-team.writes.ts'
import { type GivenOutcome, giveCustomer, hindranceIn, lockMembers } from './give-customer.ts'
import { reassignPurchases } from './reassign.writes.ts'

interface Link {
  /** The member's verified address. */
  email: string
  /** A customer of the card provider (`cus_…`), or a subscription of PayPal (`I-…`). */
  objectId: string
  dryRun: boolean
  now: Date
}

/** `linked`: done, or, in a dry run, what would be done. */
export type LinkOutcome =
  | { kind: 'unknown_email' }
  /** PayPal's subscription was never read. */
  | { kind: 'unknown_object' }
  /** A transfer has given what PayPal's subscription stood for to a member. */
  | { kind: 'moved'; memberId: string }
  | GivenOutcome

class DryRun extends Error {}

interface LinkDeps extends EndingNeeds {
  db: Db
}

/**
 * Links a customer of the card provider, or a subscription of PayPal, to the member with an e-mail address, as the vendor's word. What an
 * address had made somebody else's, or somebody has said is not theirs, is the member's.
 */
export async function linkPurchase({ db, jobs }: LinkDeps, link: Link): Promise<LinkOutcome> {
  let outcome: LinkOutcome = { kind: 'unknown_email' }
  try {
    await db.transaction(async (tx) => {
      outcome = await linkIn({ jobs }, tx, link)
      if (link.dryRun) throw new DryRun()
    })
  } catch (error) {
    if (!(error instanceof DryRun)) throw error
  }
  return outcome
}

async function linkIn({ jobs }: EndingNeeds, tx: Tx, { email, objectId, now }: Link): Promise<LinkOutcome> {
  const member = await memberOfVerifiedEmail(tx, email)
  if (!member) return { kind: 'unknown_email' }
  const link = objectId.startsWith('cus_') ? linkCustomer : linkPaypal
  const outcome = await link(tx, { jobs, objectId, memberId: member.id, now })
  if (outcome.kind === 'linked')
    await recordOperator(tx, member.id, { action: 'customer.linked', target: objectId, now })
  return outcome
}

interface Linking extends EndingNeeds {
  objectId: string
  memberId: string
  now: Date
}

function linkCustomer(tx: Tx, { jobs, objectId: customerId, ...to }: Linking): Promise<LinkOutcome> {
  return giveCustomer({ jobs }, tx, { customerId, proof: 'vendor', takes: 'all', ...to })
}

/** One that was read, and is not listed, is listed as soon as it is read again. */
async function linkPaypal(tx: Tx, { jobs, objectId: providerId, memberId, now }: Linking): Promise<LinkOutcome> {
  const isIt = isObject('paypal', providerId)
  const isSubscription = eq(subscriptions.providerId, providerId)
  const [known] = await tx.select({ owner: subscriptions.memberId }).from(subscriptions).where(isSubscription)
  await lockMembers(tx, [memberId, ...(known ? [known.owner] : [])])
  const [row] = await tx.select().from(subscriptions).where(isSubscription).for('update')
  if (!row) return linkUnmatched(tx, { jobs, objectId: providerId, memberId, now })
  if (row.memberId !== known?.owner) return { kind: 'being_changed', memberId: row.memberId }
  if (isProven(row.proof ?? 'vendor')) {
    return { kind: row.memberId === memberId ? 'already_linked' : 'of_another_member', memberId: row.memberId }
  }
  const { parentId, channel, proof } = subscriptions
  const isAddOn = and(eq(parentId, row.id), eq(channel, 'paypal'), eq(proof, 'address'))
  const addOns = await tx.select().from(subscriptions).where(isAddOn).orderBy(asc(subscriptions.id)).for('update')
  const all = [row, ...addOns]
  const hindrance = await hindranceIn(tx, { rows: all, others: [], customerId: null })
  if (hindrance) return hindrance

  const { reason, amount } = unmatchedPurchases
  // What was paid and not granted has waited before somebody said that it is not theirs.
  const isPaidBeside = and(isIt, eq(reason, 'not_mine'), gt(amount, 0))
  await tx.update(unmatchedPurchases).set({ reason: 'paid_too_little' }).where(isPaidBeside)
  await tx.delete(unmatchedPurchases).where(and(isIt, inArray(reason, ownerReasons)))
  await tx.update(unmatchedPurchases).set({ memberId, isProven: true }).where(isIt)
  const rows = all.filter((one) => one.memberId !== memberId)
  const ids = all.map(({ id }) => id)
  await tx.update(subscriptions).set({ proof: 'vendor' }).where(inArray(subscriptions.id, ids))
  await endTeams({ jobs }, tx, { rows, memberId, now })
  await reassignPurchases(tx, { rows, memberId, proof: 'vendor', now })
  return { kind: 'linked', memberId, moved: rows.length }
}

/** Reasons of which nothing is left once it is known whose it is. */
const ownerReasons: readonly UnmatchedReason[] = ['no_member', 'offered', 'not_mine']

/** What was paid for it, and is not granted, waits for the operator as before. */
async function linkUnmatched(tx: Tx, { objectId, memberId, now }: Linking): Promise<LinkOutcome> {
  const [moved] = await tx
    .select({ memberId: subscriptions.memberId })
    .from(movedObjects)
    .innerJoin(subscriptions, eq(subscriptions.id, movedObjects.subscriptionId))
    .where(eq(movedObjects.providerId, objectId))
  if (moved) return { kind: 'moved', ...moved }
  const [row] = await tx.select().from(unmatchedPurchases).where(isObject('paypal', objectId)).for('update')
  if (!row) return { kind: 'unknown_object' }
  const owner = row.isProven ? row.memberId : null
  if (owner !== null) return { kind: owner === memberId ? 'already_linked' : 'of_another_member', memberId: owner }
  const isAboutOwner = ownerReasons.includes(row.reason)
  const answer = isAboutOwner ? ({ reason: 'no_member', acceptedAt: now } as const) : {}
  await tx
    .update(unmatchedPurchases)
    .set({ memberId, isProven: true, ...answer })
    .where(eq(unmatchedPurchases.id, row.id))
  return { kind: 'linked', memberId, moved: 0 }
}
