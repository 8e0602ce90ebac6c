import type { Tx } from '@atrium/server-kit/database.ts'
import { and, asc, eq, inArray, ne, not, or, sql } from 'drizzle-orm'
import { members } from '../../../db/members.tables.ts'
import { declinedCustomers } from '../unmatched/unmatched.queries.ts'
import { providerCustomers } from './customers.tables.ts'
import { isCorrectable, isProven, type LinkProof } from './link-proofs.rules.ts'

/** A customer of the card provider, whose it is, and how that is known. */
export interface Link {
  customerId: string
  memberId: string
  proof: LinkProof
  /** Left out: what the customer itself says proves it, or the vendor. */
  isPartlyProven?: boolean | undefined
}

/** What of it is new here. */
interface Linked {
  /** Linked now, by customer id: whose. */
  linked: ReadonlyMap<string, string>
  /** Ids of customers whose proof is better now. */
  raised: readonly string[]
}

/**
 * Links customers to members. A stored link stays; one that is known by an address alone, or partly proven, takes a better proof of the same
 * member. The first wholly proven customer of a member without a main one becomes it. A customer of whom the member has said that it is not
 * theirs is linked only by what stands there itself: a file, or another word about many, may have been read before they said so.
 */
export async function linkCustomers(tx: Tx, asked: readonly Link[], now: Date): Promise<Linked> {
  if (asked.length === 0) return { linked: new Map(), raised: [] }
  // A member's row is locked before what belongs to it: an operation may be storing a customer of the member now.
  await tx
    .select({ id: members.id })
    .from(members)
    .where(
      inArray(
        members.id,
        asked.map(({ memberId }) => memberId),
      ),
    )
    .orderBy(asc(members.id))
    .for('no key update')
  const links = await undeclined(tx, asked)
  if (links.length === 0) return { linked: new Map(), raised: [] }
  const rows = links.map((link) => ({ ...link, isMain: false, createdAt: now }))
  const { memberId, customerId } = providerCustomers
  const made = await tx.insert(providerCustomers).values(rows).onConflictDoNothing().returning({ memberId, customerId })
  const linked = new Map(made.map((row) => [row.customerId, row.memberId]))
  const raised = await raise(
    tx,
    links.filter((link) => !linked.has(link.customerId) && isProven(link.proof)),
  )
  for (const link of links.filter(({ proof }) => isProven(proof))) await makeMain(tx, link)
  return { linked, raised }
}

async function undeclined(tx: Tx, links: readonly Link[]): Promise<readonly Link[]> {
  const general = links.filter(({ proof }) => isCorrectable(proof))
  if (general.length === 0) return links
  const declined = await declinedCustomers(
    tx,
    general.map(({ customerId }) => customerId),
  )
  return links.filter((link) => !isCorrectable(link.proof) || !declined.get(link.customerId)?.has(link.memberId))
}

async function raise(tx: Tx, links: readonly Link[]): Promise<string[]> {
  const raised: string[] = []
  const isTyped = eq(providerCustomers.proof, 'address')
  for (const { customerId, memberId, proof, isPartlyProven = false } of links) {
    const isSame = and(eq(providerCustomers.customerId, customerId), eq(providerCustomers.memberId, memberId))
    const isWorse = isPartlyProven ? isTyped : or(isTyped, providerCustomers.isPartlyProven)
    const { rowCount } = await tx.update(providerCustomers).set({ proof, isPartlyProven }).where(and(isSame, isWorse))
    if (rowCount) raised.push(customerId)
  }
  return raised
}

/** Whether it may be the main one. */
const isUsable = and(
  ...[ne(providerCustomers.proof, 'address'), not(providerCustomers.isPartlyProven)],
  not(providerCustomers.isDeleted),
)

/**
 * Methods are put on file there, and new purchases begin.
 * @param replaces whether it takes the place of another main one; otherwise that stays
 */
export async function makeMain(
  tx: Tx,
  { customerId, memberId }: Pick<Link, 'customerId' | 'memberId'>,
  { replaces = false } = {},
): Promise<void> {
  const isMembers = eq(providerCustomers.memberId, memberId)
  const isThis = eq(providerCustomers.customerId, customerId)
  // One that cannot be it takes nobody's place: the vendor may have deleted it since.
  if (replaces && (await tx.$count(providerCustomers, and(isThis, isMembers, isUsable))) > 0) {
    const isOther = and(isMembers, providerCustomers.isMain, not(isThis))
    await tx.update(providerCustomers).set({ isMain: false }).where(isOther)
  }
  const hasMain = sql`exists (select from ${providerCustomers} c where c.member_id = ${memberId}::uuid and c.is_main)`
  await tx
    .update(providerCustomers)
    .set({ isMain: true })
    .where(and(isThis, isMembers, isUsable, not(hasMain)))
}

/** Makes the oldest of a member's proven customers the main one, if there is none. */
export async function chooseMain(tx: Tx, memberId: string): Promise<void> {
  const [oldest] = await tx
    .select({ customerId: providerCustomers.customerId })
    .from(providerCustomers)
    .where(and(eq(providerCustomers.memberId, memberId), isUsable))
    .orderBy(providerCustomers.createdAt, providerCustomers.customerId)
    .limit(1)
  if (oldest) await makeMain(tx, { ...oldest, memberId })
}

/** Nobody here is these customers any more. */
export async function unlinkCustomers(tx: Tx, customerIds: readonly string[]): Promise<void> {
  if (customerIds.length === 0) return
  await tx.delete(providerCustomers).where(inArray(providerCustomers.customerId, [...customerIds]))
}
