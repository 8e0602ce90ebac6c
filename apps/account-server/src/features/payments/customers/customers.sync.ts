import type { Db } from '@atrium/server-kit/database.ts'
import { inArray } from 'drizzle-orm'
import { memberIdsByEmail } from '../../../db/members.queries.ts'
import type { CardProvider } from '../../../outside/card-provider/card-provider.ts'
import type { ListedCustomer } from '../../../outside/card-provider/customers.ts'
import { ifKnown } from '../../../outside/provider-failure.ts'
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
 * several customers with one e-mail the newest is linked. It may be interrupted and run again.
 * @returns how many were linked, had been linked before, and could not be matched
 */
export async function syncCustomers({ db, cards, now, say }: SyncDeps) {
  const counts = { linked: 0, known: 0, unmatched: 0 }
  let after: string | undefined
  do {
    const { customers, hasMore } = await cards.customersAfter(after)
    const unlinked = await unlinkedOf(db, customers)
    const linked = await link(db, unlinked, now)
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

interface LinkDeps {
  db: Db
  cards: Pick<CardProvider, 'readCustomer' | 'customersOf'>
  clock: () => Date
}

/**
 * The member of a customer of the card provider. One who bought elsewhere, such as in the vendor's shop, is linked now, by the same
 * rules as above.
 */
export async function memberOfCustomer(
  { db, cards, clock }: LinkDeps,
  customerId: string,
): Promise<string | undefined> {
  const known = await memberIdOfCustomer(db, customerId)
  if (known) return known
  const customer = await ifKnown(cards.readCustomer(customerId))
  if (customer) await link(db, [customer], clock())
  return memberIdOfCustomer(db, customerId)
}

/** Links a member to the newest customer with their verified address. @returns the customer's id, also of an earlier link */
export async function customerOfMember(
  { db, cards, clock }: LinkDeps,
  member: { id: string; email: string },
): Promise<string | undefined> {
  const known = await customerIdOf(db, member)
  if (known) return known
  await link(db, await cards.customersOf(member.email), clock())
  return customerIdOf(db, member)
}

async function unlinkedOf(db: Db, customers: readonly ListedCustomer[]): Promise<ListedCustomer[]> {
  const { customerId } = providerCustomers
  const ids = customers.map(({ id }) => id)
  const known = await db.select({ customerId }).from(providerCustomers).where(inArray(customerId, ids))
  const linked = new Set(known.map((row) => row.customerId))
  return customers.filter(({ id }) => !linked.has(id))
}

/** @returns the ids of those that were linked */
async function link(db: Db, customers: readonly ListedCustomer[], now: Date): Promise<Set<string>> {
  return db.transaction(async (tx) => {
    const members = await memberIdsByEmail(
      tx,
      customers.map(({ email }) => email),
    )
    const rows = new Map<string, typeof providerCustomers.$inferInsert>()
    for (const { id, email } of customers) {
      const memberId = members.get(email)
      if (memberId && !rows.has(memberId)) rows.set(memberId, { memberId, customerId: id, createdAt: now })
    }
    if (rows.size === 0) return new Set()
    const made = await tx
      .insert(providerCustomers)
      .values([...rows.values()])
      .onConflictDoNothing()
      .returning({ id: providerCustomers.customerId })
    return new Set(made.map(({ id }) => id))
  })
}
