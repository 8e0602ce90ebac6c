import { randomUUID } from 'node:crypto'
import type { Reader, Tx } from '@atrium/server-kit/database.ts'
import { and, asc, eq, inArray, isNull, ne, not, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { lockMember } from '../../../db/members.queries.ts'
import { isErased, isNobody } from '../../../db/nobody.queries.ts'
import { removalsAt } from '../../cards/own-cards.ts'
import { providerCustomers } from '../../payments/customers/customers.tables.ts'
import { chooseMain, type Link, linkCustomers, unlinkCustomers } from '../../payments/customers/customers.writes.ts'
import { correctableProofs, isProven, isWhollyProven, yieldsTo } from '../../payments/customers/link-proofs.rules.ts'
import { openOperationOn } from '../../payments/operations/operations.queries.ts'
import { insertFollowUps } from '../../payments/operations/perform-operation.ts'
import { declinedPurchases, unmatchedPurchases } from '../../payments/unmatched/unmatched.tables.ts'
import { forgetDeclined } from '../../payments/unmatched/unmatched.writes.ts'
import { type SubscriptionRow, subscriptions } from '../subscriptions.tables.ts'
import { type EndingNeeds, endTeams } from './end-team.writes.ts'
import { hasOwnCardAt } from './own-cards.queries.ts'
import { reassignPurchases } from './reassign.writes.ts'

export type GivenOutcome =
  | { kind: 'already_linked'; memberId: string }
  /** It is known to be somebody else's. */
  | { kind: 'of_another_member'; memberId: string }
  | Hindrance
  /** `moved`: subscriptions that another member had, or nobody. */
  | ({ kind: 'linked'; memberId: string; moved: number } & Staying)

interface Staying {
  /** Who was the customer before. */
  from?: string
  /** Who goes on being the customer, since something that they bought there is proven by itself. */
  customerOf?: string
  /** Subscriptions that stay others', since that is proven by itself. */
  kept?: number
}

export type Hindrance =
  /** Who has it now has a card of their own on file there. */
  | { kind: 'own_card'; memberId: string }
  /** What was asked a provider for it is not done yet. */
  | { kind: 'being_changed'; memberId: string }

interface Gift extends Link {
  /** What the customer has bought and others have: all that it corrects, as the operator's word about this customer, or what nothing says is theirs. */
  takes: 'all' | 'unproven'
  /** Ids of cards that others have put on file there, and that pay for nothing by the provider; left out: none is known to. */
  idle?: readonly string[]
  now: Date
}

/**
 * Gives a customer of the card provider, with what they bought, to whom it is proven to be. What a word that yields to this one had made
 * somebody else's, or somebody has said is not theirs, is the member's, without the team of whoever had it. What is proven by
 * itself stays whose it is, and with it the customer of its Owner, whose cards are there.
 */
export async function giveCustomer(deps: EndingNeeds, tx: Tx, gift: Gift): Promise<GivenOutcome> {
  const { takes, idle, now, ...link } = gift
  const { customerId, memberId, proof, isPartlyProven = false } = link
  const involved = await involvedIn(tx, customerId)
  await lockMembers(tx, [memberId, ...involved])
  const isCustomer = eq(providerCustomers.customerId, customerId)
  const [before] = await tx.select().from(providerCustomers).where(isCustomer).for('update')
  const isKnown = before !== undefined && isProven(before.proof)
  const isElsewhere = isKnown && before.memberId !== memberId
  const stands = isElsewhere && isWhollyProven(before) && !yieldsTo(before.proof, takes === 'all' ? 'ours' : proof)
  // One purchase says nothing of a customer who is proven to be somebody else.
  if (isElsewhere && (isPartlyProven || stands)) return ofAnother(before)
  const isBetter = before?.isPartlyProven === true && !isPartlyProven
  const of = { customerId, memberId, isPartlyProven, before: before?.memberId }
  const rows = await tx
    .select()
    .from(subscriptions)
    .where(takes === 'all' ? isOthers(of) : isUnproven(of))
    .orderBy(asc(subscriptions.id))
    .for('update')
  if (isKnown && !isElsewhere && !isBetter && rows.length === 0) return { kind: 'already_linked', memberId }
  const stays = isElsewhere && (await hasProvenPurchase(tx, before))
  if (stays && rows.length === 0) return ofAnother(before)
  const held = [...rows, ...(before && !stays ? [before] : [])]
  const others = held.map((row) => row.memberId).filter((id) => id !== memberId)
  const hindrance = notLocked(others, involved) ?? (await hindranceIn(tx, { rows, others, customerId, idle }))
  if (hindrance) return hindrance
  if (!stays) await detachIdle(tx, { others, customerId, now })

  await forgetAnswers(tx, of)
  if (before && before.memberId !== memberId && !stays) {
    await unlinkCustomers(tx, [customerId])
    await chooseMain(tx, before.memberId)
  }
  if (!stays) await linkCustomers(tx, [link], now)
  await endTeams(deps, tx, { rows, memberId, now })
  const said = stays ? proof : null
  await reassignPurchases(tx, { rows, memberId, proof: isPartlyProven ? 'address' : said, now })
  const kept = await tx.$count(subscriptions, isOfOthers(of))
  const whose = stays ? { customerOf: before.memberId } : isElsewhere && { from: before.memberId }
  return { kind: 'linked', memberId, moved: rows.length, kept, ...whose }
}

function ofAnother({ memberId }: { memberId: string }): GivenOutcome {
  return { kind: 'of_another_member', memberId }
}

type OfMember = Pick<Link, 'customerId' | 'memberId'>

function isOfOthers({ customerId, memberId }: OfMember): SQL | undefined {
  return and(eq(subscriptions.customerId, customerId), ne(subscriptions.memberId, memberId))
}

/** Others' at the customer, but for what the vendor's key or shop has written to them, and what ended before they were erased. */
function isOthers(of: OfMember): SQL | undefined {
  const { proof, memberId, endedAt } = subscriptions
  const isOver = sql`(${isErased(memberId)} and ${endedAt} is not null)`
  return and(isOfOthers(of), or(isNull(proof), inArray(proof, correctableProofs)), not(isOver))
}

interface Unproven extends OfMember {
  /** Whether a single purchase proves the customer: what the member has said is not theirs is not. */
  isPartlyProven: boolean
  /** Whose an address alone has made the customer; undefined: nobody's. */
  before: string | undefined
}

/**
 * Nobody's, what an address alone made its Owner's, as a trial that they have added, or of whom an address alone has made the customer's,
 * or what was stored while its customer became somebody else's: what says itself that it is a third one's stays theirs.
 */
export function isUnproven({ before, isPartlyProven, ...of }: Unproven): SQL | undefined {
  const { memberId, proof, providerId } = subscriptions
  const isOfBefore = before === undefined ? undefined : eq(memberId, before)
  const isLeft = isPartlyProven ? undefined : isAsCustomer()
  const isTyped = or(isNobody(memberId), eq(proof, 'address'), isOfBefore, isLeft)
  const { objectId, memberId: decliner } = declinedPurchases
  const isDeclined = sql`exists (select from ${declinedPurchases}
    where ${objectId} = ${providerId} and ${decliner} = ${of.memberId})`
  // What a file has said of one purchase stays beside what another one says.
  const isOther = and(sql`${proof} is distinct from 'vendor'`, not(isDeclined))
  return and(isOthers(of), isTyped, isPartlyProven ? isOther : undefined)
}

/** What is its Owner's only as its customer is. An earlier version of this program stored no proof of what a file has said. */
export function isAsCustomer(): SQL | undefined {
  const { memberId, proof, importedFor } = subscriptions
  return and(isNull(proof), sql`${importedFor} is distinct from ${memberId}`)
}

/** Whether the vendor's key or shop has written to something of a member's customer that it is theirs. */
async function hasProvenPurchase(tx: Tx, { customerId, memberId }: OfMember): Promise<boolean> {
  const isTheirs = and(eq(subscriptions.customerId, customerId), eq(subscriptions.memberId, memberId))
  return (await tx.$count(subscriptions, and(isTheirs, notInArray(subscriptions.proof, correctableProofs)))) > 0
}

/** What others have said is not theirs is the member's; of a single purchase, not what the member has said so of. */
async function forgetAnswers(tx: Tx, { customerId, memberId, isPartlyProven }: Unproven): Promise<void> {
  const { reason, customerId: bought, memberId: decliner } = unmatchedPurchases
  const isOthers = isPartlyProven ? sql`${decliner} is distinct from ${memberId}` : undefined
  await tx.delete(unmatchedPurchases).where(and(eq(bought, customerId), eq(reason, 'not_mine'), isOthers))
  if (!isPartlyProven) await forgetDeclined(tx, { customerId, memberId })
}

/** Who has the customer, or something that they bought. */
export async function involvedIn(tx: Reader, customerId: string): Promise<string[]> {
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
  /** Ids of cards that pay for nothing there. */
  idle?: readonly string[] | undefined
}

/** A card of theirs would go on paying for somebody else, or what they have asked a provider for would change it. */
export async function hindranceIn(tx: Tx, { rows, others, customerId, ...held }: Held): Promise<Hindrance | undefined> {
  // One that was idle when the provider was read may pay since.
  const idle = held.idle?.filter((id) => !rows.some(({ autoRenew, ownCard }) => autoRenew && ownCard === id))
  for (const memberId of new Set(others)) {
    if (customerId !== null && (await hasOwnCardAt(tx, { id: memberId }, { customerId, idle })))
      return { kind: 'own_card', memberId }
  }
  for (const { memberId, providerId } of rows) {
    if (providerId !== null && (await openOperationOn(tx, providerId))) return { kind: 'being_changed', memberId }
  }
  return undefined
}

/** A card of theirs that pays for nothing there is removed: with the customer, it would be another's. */
async function detachIdle(
  tx: Tx,
  { others, customerId, now }: { others: readonly string[]; customerId: string; now: Date },
): Promise<void> {
  for (const memberId of new Set(others)) {
    const next = await removalsAt(tx, { id: memberId }, customerId)
    const from = { memberId, address: null, requestId: 'purchase-given', parentId: randomUUID() }
    await insertFollowUps(tx, { ...from, next, now })
  }
}
