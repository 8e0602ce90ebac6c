import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import { recordOperator } from '../../activity/activity.writes.ts'
import { operatorsWordOn } from '../../payments/customers/customers.queries.ts'
import { isObject } from '../../payments/unmatched/unmatched.queries.ts'
import { unmatchedPurchases } from '../../payments/unmatched/unmatched.tables.ts'
import { memberOfVerifiedEmail } from '../../session/session.queries.ts'
import { movedObjects } from '../moving/moved-objects.tables.ts'
import { type Transferred, transferredFrom } from '../moving/moving.queries.ts'
import { subscriptions } from '../subscriptions.tables.ts'
import type { EndingNeeds } from './end-team.writes.ts'
import { type GivenOutcome, giveCustomer } from './give-customer.ts'
import { givePaypal, ownerReasons } from './give-paypal.ts'

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
  | (GivenOutcome & {
      /** What the customer has bought, and a transfer has given to others: it stays theirs. */
      transferred?: readonly Transferred[]
    })

class DryRun extends Error {}

interface LinkDeps extends EndingNeeds {
  db: Db
}

/**
 * Links a customer of the card provider, or a subscription of PayPal, to the member with an e-mail address, as the vendor's word about it.
 * What an address, a file or `--confirmed-until` had made somebody else's, or somebody has said is not theirs, is the member's.
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
  if (outcome.kind === 'linked' || (outcome.kind === 'already_linked' && (await isNews(tx, member, objectId))))
    await recordOperator(tx, member.id, { action: 'customer.linked', target: objectId, now })
  return outcome
}

/** Whether a file, or what stands there, has said so, and not yet the operator: what a file says of the customer's next purchase gives way. */
async function isNews(tx: Tx, { id }: { id: string }, customerId: string): Promise<boolean> {
  return (await operatorsWordOn(tx, { customerId, memberIds: [id] })) === undefined
}

interface Linking extends EndingNeeds {
  objectId: string
  memberId: string
  now: Date
}

async function linkCustomer(tx: Tx, { jobs, objectId: customerId, ...to }: Linking): Promise<LinkOutcome> {
  const given = await giveCustomer({ jobs }, tx, { customerId, proof: 'vendor', takes: 'all', ...to })
  return { ...given, transferred: await transferredFrom(tx, { customerId, memberId: to.memberId }) }
}

/** One that was read, and is not listed, is listed as soon as it is read again. */
async function linkPaypal(tx: Tx, { jobs, ...link }: Linking): Promise<LinkOutcome> {
  const { objectId: providerId, memberId, now } = link
  const given = await givePaypal({ jobs }, tx, { providerId, memberId, proof: 'vendor', isOperators: true, now })
  return given ?? linkUnmatched(tx, { jobs, ...link })
}

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
