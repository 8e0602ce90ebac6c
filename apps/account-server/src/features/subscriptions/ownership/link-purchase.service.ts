import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { and, asc, eq, inArray, ne } from 'drizzle-orm'
import { lockMember } from '../../../db/members.queries.ts'
import { recordOperator } from '../../activity/activity.writes.ts'
import { providerCustomers } from '../../payments/customers/customers.tables.ts'
import { linkCustomers, unlinkCustomers } from '../../payments/customers/customers.writes.ts'
import { isProven } from '../../payments/customers/link-proofs.rules.ts'
import { openOperationOn } from '../../payments/operations/operations.queries.ts'
import { isObject } from '../../payments/unmatched/unmatched.queries.ts'
import { unmatchedPurchases } from '../../payments/unmatched/unmatched.tables.ts'
import { memberOfVerifiedEmail } from '../../session/session.queries.ts'
import { type SubscriptionRow, subscriptions } from '../subscriptions.tables.ts'
import { hasOwnCardAt } from './own-cards.queries.ts'
import { reassignPurchases } from './reassign.writes.ts'

interface Link {
  /** The member's verified address. */
  email: string
  /** A customer of the card provider (`cus_…`), or a subscription of PayPal (`I-…`). */
  objectId: string
  dryRun: boolean
  now: Date
}

export type LinkOutcome =
  | { kind: 'unknown_email' }
  /** PayPal's subscription was never read. */
  | { kind: 'unknown_object' }
  | { kind: 'already_linked'; memberId: string }
  /** It is known to be somebody else's. */
  | { kind: 'of_another_member'; memberId: string }
  /** Who has it now pays for it with a card of their own. */
  | { kind: 'own_card'; memberId: string }
  /** What was asked a provider for it is not done yet. */
  | { kind: 'being_changed'; memberId: string }
  /** Done, or, in a dry run, what would be done. `moved`: subscriptions that another member had, or nobody. */
  | { kind: 'linked'; memberId: string; moved: number }

class DryRun extends Error {}

/**
 * Links a customer of the card provider, or a subscription of PayPal, to the member with an e-mail address, as the vendor's word. What an
 * address had made somebody else's, or somebody has said is not theirs, is the member's.
 */
export async function linkPurchase(db: Db, link: Link): Promise<LinkOutcome> {
  let outcome: LinkOutcome = { kind: 'unknown_email' }
  try {
    await db.transaction(async (tx) => {
      outcome = await linkIn(tx, link)
      if (link.dryRun) throw new DryRun()
    })
  } catch (error) {
    if (!(error instanceof DryRun)) throw error
  }
  return outcome
}

async function linkIn(tx: Tx, { email, objectId, now }: Link): Promise<LinkOutcome> {
  const member = await memberOfVerifiedEmail(tx, email)
  if (!member) return { kind: 'unknown_email' }
  await lockMember(tx, member)
  const link = objectId.startsWith('cus_') ? linkCustomer : linkPaypal
  const outcome = await link(tx, { objectId, memberId: member.id, now })
  if (outcome.kind === 'linked')
    await recordOperator(tx, member.id, { action: 'customer.linked', target: objectId, now })
  return outcome
}

interface Linking {
  objectId: string
  memberId: string
  now: Date
}

async function linkCustomer(tx: Tx, { objectId: customerId, memberId, now }: Linking): Promise<LinkOutcome> {
  const isCustomer = eq(providerCustomers.customerId, customerId)
  const [before] = await tx.select().from(providerCustomers).where(isCustomer).for('update')
  const isKnown = before !== undefined && isProven(before.proof)
  if (isKnown && before.memberId !== memberId) return { kind: 'of_another_member', memberId: before.memberId }
  const isOthers = and(eq(subscriptions.customerId, customerId), ne(subscriptions.memberId, memberId))
  const rows = await tx.select().from(subscriptions).where(isOthers).orderBy(asc(subscriptions.id)).for('update')
  if (isKnown && rows.length === 0) return { kind: 'already_linked', memberId }
  const busy = await inTheWay(tx, rows, customerId)
  if (busy) return busy

  if (before && before.memberId !== memberId) await unlinkCustomers(tx, [customerId])
  await linkCustomers(tx, [{ customerId, memberId, proof: 'vendor' }], now)
  const { reason, customerId: bought } = unmatchedPurchases
  await tx.delete(unmatchedPurchases).where(and(eq(bought, customerId), eq(reason, 'not_mine')))
  await reassignPurchases(tx, { rows, memberId, proof: 'vendor', now })
  return { kind: 'linked', memberId, moved: rows.length }
}

/** A card of theirs would go on paying for somebody else, or what they have asked a provider for would change it. */
async function inTheWay(
  tx: Tx,
  rows: readonly SubscriptionRow[],
  customerId: string | null,
): Promise<LinkOutcome | undefined> {
  for (const { memberId, providerId } of rows) {
    if (customerId !== null && (await hasOwnCardAt(tx, { id: memberId }, customerId)))
      return { kind: 'own_card', memberId }
    if (providerId !== null && (await openOperationOn(tx, providerId))) return { kind: 'being_changed', memberId }
  }
  return undefined
}

/** One that was read, and is not listed, is listed as soon as it is read again. */
async function linkPaypal(tx: Tx, { objectId: providerId, memberId, now }: Linking): Promise<LinkOutcome> {
  const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.providerId, providerId)).for('update')
  const isIt = isObject('paypal', providerId)
  if (!row) {
    const reason = 'no_member' as const
    const set = { memberId, reason, isProven: true, acceptedAt: now }
    const { rowCount } = await tx.update(unmatchedPurchases).set(set).where(isIt)
    return rowCount ? { kind: 'linked', memberId, moved: 0 } : { kind: 'unknown_object' }
  }
  if (isProven(row.proof ?? 'vendor')) {
    return { kind: row.memberId === memberId ? 'already_linked' : 'of_another_member', memberId: row.memberId }
  }
  const { parentId, channel, proof } = subscriptions
  const isAddOn = and(eq(parentId, row.id), eq(channel, 'paypal'), eq(proof, 'address'))
  const addOns = await tx.select().from(subscriptions).where(isAddOn).orderBy(asc(subscriptions.id)).for('update')
  const all = [row, ...addOns]
  const busy = await inTheWay(tx, all, null)
  if (busy) return busy

  await tx.delete(unmatchedPurchases).where(isIt)
  const rows = all.filter((one) => one.memberId !== memberId)
  const ids = all.map(({ id }) => id)
  await tx.update(subscriptions).set({ proof: 'vendor' }).where(inArray(subscriptions.id, ids))
  await reassignPurchases(tx, { rows, memberId, proof: 'vendor', now })
  return { kind: 'linked', memberId, moved: rows.length }
}
