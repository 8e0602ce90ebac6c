import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { and, asc, eq, ne } from 'drizzle-orm'
import { lockMember } from '../../../db/members.queries.ts'
import { recordOperator } from '../../activity/activity.writes.ts'
import { providerCustomers } from '../../payments/customers/customers.tables.ts'
import { linkCustomers, unlinkCustomers } from '../../payments/customers/customers.writes.ts'
import { isProven } from '../../payments/customers/link-proofs.rules.ts'
import { isObject } from '../../payments/unmatched/unmatched.queries.ts'
import { unmatchedPurchases } from '../../payments/unmatched/unmatched.tables.ts'
import { memberOfVerifiedEmail } from '../../session/session.queries.ts'
import { subscriptions } from '../subscriptions.tables.ts'
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
  if (before && isProven(before.proof)) {
    const kind = before.memberId === memberId ? 'already_linked' : 'of_another_member'
    return { kind, memberId: before.memberId }
  }
  if (before && before.memberId !== memberId) await unlinkCustomers(tx, [customerId])
  await linkCustomers(tx, [{ customerId, memberId, proof: 'vendor' }], now)
  const { reason, customerId: bought } = unmatchedPurchases
  await tx.delete(unmatchedPurchases).where(and(eq(bought, customerId), eq(reason, 'not_mine')))
  const isOthers = and(eq(subscriptions.customerId, customerId), ne(subscriptions.memberId, memberId))
  const rows = await tx.select().from(subscriptions).where(isOthers).orderBy(asc(subscriptions.id)).for('update')
  await reassignPurchases(tx, { rows, memberId, proof: 'vendor', now })
  return { kind: 'linked', memberId, moved: rows.length }
}

/** One that was read, and is not listed, is listed as soon as it is read again. */
async function linkPaypal(tx: Tx, { objectId: providerId, memberId, now }: Linking): Promise<LinkOutcome> {
  const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.providerId, providerId)).for('update')
  const isIt = isObject('paypal', providerId)
  if (!row) {
    const reason = 'no_member' as const
    const set = { memberId, reason, acceptedAt: now }
    const { rowCount } = await tx.update(unmatchedPurchases).set(set).where(isIt)
    return rowCount ? { kind: 'linked', memberId, moved: 0 } : { kind: 'unknown_object' }
  }
  if (isProven(row.proof ?? 'vendor')) {
    return { kind: row.memberId === memberId ? 'already_linked' : 'of_another_member', memberId: row.memberId }
  }
  await tx.delete(unmatchedPurchases).where(isIt)
  if (row.memberId === memberId)
    await tx.update(subscriptions).set({ proof: 'vendor' }).where(eq(subscriptions.id, row.id))
  else await reassignPurchases(tx, { rows: [row], memberId, proof: 'vendor', now })
  return { kind: 'linked', memberId, moved: row.memberId === memberId ? 0 : 1 }
}
