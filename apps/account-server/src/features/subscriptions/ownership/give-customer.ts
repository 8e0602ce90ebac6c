import type { Tx } from '@atrium/server-kit/database.ts'
import { and, asc, eq, ne, or, type SQL } from 'drizzle-orm'
import { lockMember } from '../../../db/members.queries.ts'
import { providerCustomers } from '../../payments/customers/customers.tables.ts'
import { type Link, linkCustomers, unlinkCustomers } from '../../payments/customers/customers.writes.ts'
import { isProven } from '../../payments/customers/link-proofs.rules.ts'
import { openOperationOn } from '../../payments/operations/operations.queries.ts'
import { unmatchedPurchases } from '../../payments/unmatched/unmatched.tables.ts'
import { type SubscriptionRow, subscriptions } from '../subscriptions.tables.ts'
import { type EndingNeeds, endTeams } from './end-team.writes.ts'
import { hasOwnCardAt } from './own-cards.queries.ts'
import { isNobody, reassignPurchases } from './reassign.writes.ts'

export type GivenOutcome =
  | { kind: 'already_linked'; memberId: string }
  /** It is known to be somebody else's. */
  | { kind: 'of_another_member'; memberId: string }
  | Hindrance
  /** `moved`: subscriptions that another member had, or nobody. */
  | { kind: 'linked'; memberId: string; moved: number }

export type Hindrance =
  /** Who has it now has a card of their own on file there. */
  | { kind: 'own_card'; memberId: string }
  /** What was asked a provider for it is not done yet. */
  | { kind: 'being_changed'; memberId: string }

interface Gift extends Link {
  /** What the customer has bought and others have: all of it, as the operator's word, or what nothing says is theirs. */
  takes: 'all' | 'unproven'
  now: Date
}

/**
 * Gives a customer of the card provider, with what they bought, to whom it is proven to be. What an address had made somebody else's, or
 * somebody has said is not theirs, is the member's, without the team of who had it by an address.
 */
export async function giveCustomer(deps: EndingNeeds, tx: Tx, { takes, now, ...link }: Gift): Promise<GivenOutcome> {
  const { customerId, memberId } = link
  const involved = await involvedIn(tx, customerId)
  await lockMembers(tx, [memberId, ...involved])
  const isCustomer = eq(providerCustomers.customerId, customerId)
  const [before] = await tx.select().from(providerCustomers).where(isCustomer).for('update')
  const isKnown = before !== undefined && isProven(before.proof)
  const isBetter = before?.isPartlyProven === true && !link.isPartlyProven
  if (isKnown && before.memberId !== memberId) return { kind: 'of_another_member', memberId: before.memberId }
  const rows = await tx
    .select()
    .from(subscriptions)
    .where(takes === 'all' ? isOthers(link) : isUnproven({ ...link, before: before?.memberId }))
    .orderBy(asc(subscriptions.id))
    .for('update')
  if (isKnown && !isBetter && rows.length === 0) return { kind: 'already_linked', memberId }
  const others = [...rows, ...(before ? [before] : [])].map((row) => row.memberId).filter((id) => id !== memberId)
  const hindrance = notLocked(others, involved) ?? (await hindranceIn(tx, { rows, others, customerId }))
  if (hindrance) return hindrance

  if (before && before.memberId !== memberId) await unlinkCustomers(tx, [customerId])
  await linkCustomers(tx, [link], now)
  const { reason, customerId: bought } = unmatchedPurchases
  await tx.delete(unmatchedPurchases).where(and(eq(bought, customerId), eq(reason, 'not_mine')))
  // What says itself that it is a third one's was known by more than the address.
  const mistaken = rows.filter((row) => row.proof === 'address' || (!isKnown && row.memberId === before?.memberId))
  await endTeams(deps, tx, { rows: mistaken, memberId, now })
  await reassignPurchases(tx, { rows, memberId, proof: link.proof, now })
  return { kind: 'linked', memberId, moved: rows.length }
}

type OfMember = Pick<Link, 'customerId' | 'memberId'>

function isOthers({ customerId, memberId }: OfMember): SQL | undefined {
  return and(eq(subscriptions.customerId, customerId), ne(subscriptions.memberId, memberId))
}

/**
 * Nobody's, what an address alone made its Owner's, as a trial that they have added, or of whom an address alone has made the customer's:
 * what says itself that it is a third one's stays theirs.
 * @param before who that is; undefined: nobody
 */
export function isUnproven({ before, ...of }: OfMember & { before: string | undefined }): SQL | undefined {
  const { memberId, proof } = subscriptions
  const isOfBefore = before === undefined ? undefined : eq(memberId, before)
  return and(isOthers(of), or(isNobody(memberId), eq(proof, 'address'), isOfBefore))
}

/** Who has the customer, or something that they bought. */
async function involvedIn(tx: Tx, customerId: string): Promise<string[]> {
  const { memberId: linked, customerId: ofLink } = providerCustomers
  const { memberId: owner, customerId: ofSubscription } = subscriptions
  const links = await tx.select({ id: linked }).from(providerCustomers).where(eq(ofLink, customerId))
  const owners = await tx.select({ id: owner }).from(subscriptions).where(eq(ofSubscription, customerId))
  return [...links, ...owners].map(({ id }) => id)
}

/** Members are locked in the order of their ids: nothing that one of them asks for is decided meanwhile. */
export async function lockMembers(tx: Tx, memberIds: readonly string[]): Promise<void> {
  for (const id of [...new Set(memberIds)].sort()) await lockMember(tx, { id })
}

/** Somebody else has got something of it since: another try locks them, too. */
function notLocked(others: readonly string[], involved: readonly string[]): Hindrance | undefined {
  const [memberId] = others.filter((id) => !involved.includes(id))
  return memberId === undefined ? undefined : { kind: 'being_changed', memberId }
}

interface Held {
  rows: readonly SubscriptionRow[]
  /** Who has it now. */
  others: readonly string[]
  /** Null: PayPal has it. */
  customerId: string | null
}

/** A card of theirs would go on paying for somebody else, or what they have asked a provider for would change it. */
export async function hindranceIn(tx: Tx, { rows, others, customerId }: Held): Promise<Hindrance | undefined> {
  for (const memberId of new Set(others)) {
    if (customerId !== null && (await hasOwnCardAt(tx, { id: memberId }, customerId)))
      return { kind: 'own_card', memberId }
  }
  for (const { memberId, providerId } of rows) {
    if (providerId !== null && (await openOperationOn(tx, providerId))) return { kind: 'being_changed', memberId }
  }
  return undefined
}
