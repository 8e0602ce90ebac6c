import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { asc, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { memberIdsByEmail } from '../../../db/members.queries.ts'
import { members } from '../../../db/members.tables.ts'
import type { Deps } from '../../../deps.ts'
import type { CardProvider } from '../../../outside/card-provider/card-provider.ts'
import type { ListedCustomer } from '../../../outside/card-provider/customers.ts'
import { ifKnown } from '../../../outside/provider-failure.ts'
import { recordProvider } from '../../activity/activity.writes.ts'
import { enqueuePurchases } from '../../session/purchases.writes.ts'
import { customerIdOf, memberIdOfCustomer } from './customers.queries.ts'
import { providerCustomers } from './customers.tables.ts'

interface SyncDeps {
  db: Db
  cards: Pick<CardProvider, 'customersAfter'>
  now: Date
  /** Says what could not be matched. */
  say(sentence: string): void
}

/**
 * Links the card provider's customers to members: a stored link stays, others are found by the member's verified e-mail. Of
 * several customers with one e-mail the newest is linked; one that Atrium created for a member is nobody else's. It may be
 * interrupted and run again.
 * @returns how many were linked, had been linked before, and could not be matched
 */
export async function syncCustomers({ db, cards, now, say }: SyncDeps) {
  const counts = { linked: 0, known: 0, unmatched: 0 }
  let after: string | undefined
  do {
    const { customers, hasMore } = await cards.customersAfter(after)
    const unlinked = await unlinkedOf(db, customers)
    const linked = await db.transaction((tx) => link(tx, unlinked, now))
    counts.known += customers.length - unlinked.length
    counts.linked += linked.size
    for (const { id, email } of unlinked.filter((customer) => !linked.has(customer.id))) {
      counts.unmatched += 1
      say(`${id}${email && ` (${email})`}: no member has this verified address, or that member has another customer`)
    }
    after = hasMore ? customers.at(-1)?.id : undefined
  } while (after)
  return counts
}

interface LinkDeps extends Pick<Deps, 'db' | 'clock'> {
  cards: Pick<CardProvider, 'readCustomer' | 'customersOf'>
}

/**
 * The member of a customer of the card provider. One who bought elsewhere, such as in the vendor's shop, is linked now, by the same
 * rules as above; what they bought before follows.
 */
export async function memberOfCustomer(
  deps: LinkDeps & Pick<Deps, 'jobs' | 'config'>,
  customerId: string,
): Promise<string | undefined> {
  const { db, cards, clock } = deps
  const known = await memberIdOfCustomer(db, customerId)
  if (known) return known
  const customer = await ifKnown(cards.readCustomer(customerId))
  if (!customer) return undefined
  await db.transaction(async (tx) => {
    for (const memberId of (await link(tx, [customer], clock())).values()) await enqueuePurchases(deps, tx, memberId)
  })
  return memberIdOfCustomer(db, customerId)
}

/** Links a member to the newest customer with their verified address. @returns the customer's id, also of an earlier link */
export async function customerOfMember(
  { db, cards, clock }: LinkDeps,
  member: { id: string; email: string },
): Promise<string | undefined> {
  const known = await customerIdOf(db, member)
  if (known) return known
  const customers = await cards.customersOf(member.email)
  await db.transaction((tx) => link(tx, customers, clock()))
  return customerIdOf(db, member)
}

async function unlinkedOf(db: Db, customers: readonly ListedCustomer[]): Promise<ListedCustomer[]> {
  const { customerId } = providerCustomers
  const ids = customers.map(({ id }) => id)
  const known = await db.select({ customerId }).from(providerCustomers).where(inArray(customerId, ids))
  const linked = new Set(known.map((row) => row.customerId))
  return customers.filter(({ id }) => !linked.has(id))
}

/** @returns the members who were linked, by customer id */
async function link(tx: Tx, customers: readonly ListedCustomer[], now: Date): Promise<Map<string, string>> {
  const memberIds = await memberIdsByEmail(
    tx,
    customers.map(({ email }) => email),
  )
  const existing = await existingMembers(tx, customers)
  const rows = new Map<string, typeof providerCustomers.$inferInsert>()
  for (const { id, email, memberId: madeFor } of customers) {
    const memberId = memberIds.get(email)
    if (!memberId || rows.has(memberId)) continue
    if (existing.has(madeFor) && madeFor !== memberId) continue
    rows.set(memberId, { memberId, customerId: id, createdAt: now })
  }
  if (rows.size === 0) return new Map()

  // A member's row is locked before what belongs to it: an operation may be storing a customer of the member now.
  await tx
    .select({ id: members.id })
    .from(members)
    .where(inArray(members.id, [...rows.keys()]))
    .orderBy(asc(members.id))
    .for('key share')
  const { memberId, customerId } = providerCustomers
  const linked = await tx
    .insert(providerCustomers)
    .values([...rows.values()])
    .onConflictDoNothing()
    .returning({ memberId, customerId })
  for (const made of linked) {
    await recordProvider(tx, made.memberId, { action: 'customer.linked', target: made.customerId, now })
  }
  return new Map(linked.map((made) => [made.customerId, made.memberId]))
}

/** Members for whom Atrium created one of these customers, and who are still here: an earlier installation had other ids. */
async function existingMembers(tx: Tx, customers: readonly ListedCustomer[]): Promise<Set<string>> {
  const ids = customers.map(({ memberId }) => memberId).filter((id) => z.uuid().safeParse(id).success)
  if (ids.length === 0) return new Set()
  const rows = await tx.select({ id: members.id }).from(members).where(inArray(members.id, ids))
  return new Set(rows.map(({ id }) => id))
}
