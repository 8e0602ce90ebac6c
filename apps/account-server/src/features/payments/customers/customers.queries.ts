import type { Member } from '@atrium/server-kit/caller.ts'
import { prepared, type Reader } from '@atrium/server-kit/database.ts'
import { and, asc, desc, eq, gt, inArray, lte, ne, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { activity } from '../../activity/activity.tables.ts'
import { addressFingerprint } from '../../addresses/addresses.queries.ts'
import { addresses } from '../../addresses/addresses.tables.ts'
import { providerCustomers } from './customers.tables.ts'
import type { Proven } from './link-proofs.rules.ts'

/**
 * The member's main customer at the card provider, where cards are put on file and new purchases begin; undefined until one was
 * needed.
 */
export async function mainCustomerId(db: Reader, member: Pick<Member, 'id'>): Promise<string | undefined> {
  const [row] = await mainCustomerOfMember(db).execute({ memberId: member.id })
  return row?.customerId
}

const mainCustomerOfMember = prepared('provider_customer_of_member', (db, name) =>
  db
    .select({ customerId: providerCustomers.customerId })
    .from(providerCustomers)
    .where(and(eq(providerCustomers.memberId, sql.placeholder('memberId')), providerCustomers.isMain))
    .prepare(name),
)

export type CustomerLink = Pick<
  typeof providerCustomers.$inferSelect,
  'customerId' | 'proof' | 'isPartlyProven' | 'isMain'
>

/** All customers who are a member at the card provider, without deleted ones: the main one first, then the oldest. */
export function customersOfMember(db: Reader, member: Pick<Member, 'id'>): Promise<CustomerLink[]> {
  return allCustomersOfMember(db).execute({ memberId: member.id })
}

const allCustomersOfMember = prepared('provider_customers_of_member', (db, name) =>
  db
    .select({
      ...{ customerId: providerCustomers.customerId, proof: providerCustomers.proof },
      ...{ isPartlyProven: providerCustomers.isPartlyProven, isMain: providerCustomers.isMain },
    })
    .from(providerCustomers)
    .where(and(eq(providerCustomers.memberId, sql.placeholder('memberId')), eq(providerCustomers.isDeleted, false)))
    .orderBy(desc(providerCustomers.isMain), asc(providerCustomers.createdAt), asc(providerCustomers.customerId))
    .prepare(name),
)

/** The member whose customer it is, how that is known, and since when; undefined for a customer whom nobody here is. */
export async function linkOfCustomer(
  db: Reader,
  customerId: string,
): Promise<({ memberId: string; createdAt: Date } & Proven) | undefined> {
  const { memberId, proof, isPartlyProven, createdAt } = providerCustomers
  const [row] = await db
    .select({ memberId, proof, isPartlyProven, createdAt })
    .from(providerCustomers)
    .where(eq(providerCustomers.customerId, customerId))
  return row
}

/** Of some members, whom the operator has named last as a customer, with `link-customer`; undefined: none of them. */
export async function operatorsWordOn(
  db: Reader,
  { customerId, memberIds }: { customerId: string; memberIds: readonly string[] },
): Promise<string | undefined> {
  const { id, memberId, actor, action, target } = activity
  const isLinking = and(eq(actor, 'operator'), eq(action, 'customer.linked'), eq(target, customerId))
  const [last] = await db
    .select({ memberId })
    .from(activity)
    .where(and(inArray(memberId, [...memberIds]), isLinking))
    .orderBy(desc(id))
    .limit(1)
  return last?.memberId ?? undefined
}

interface Bought {
  customerId: AnyPgColumn
  memberId: AnyPgColumn
  /** How it is known to be its Owner's; null: as its customer is. */
  proof: AnyPgColumn
}

/**
 * Where the cards of a customer are, of a subscription in an outer statement: `account`, with the main one, or there is none; `other`, with
 * another one who is wholly proven; `checkout`: they were entered by whoever knew the member's address, as far as is known.
 */
export function placeOfCustomer({
  customerId,
  memberId,
}: Omit<Bought, 'proof'>): SQL<'account' | 'other' | 'checkout'> {
  return sql<'account' | 'other' | 'checkout'>`(case when ${customerId} is null then 'account' else coalesce((
    select case when payer.member_id <> ${memberId} then 'checkout' when payer.is_main then 'account'
      when payer.proof <> 'address' and not payer.is_partly_proven then 'other' else 'checkout' end
    from ${providerCustomers} payer where payer.customer_id = ${customerId}), 'checkout') end)`
}

/**
 * Whether nothing but a typed address says whose a purchase at the card provider is, of a subscription in an outer statement: of a customer
 * who is partly proven, what has no proof of its own.
 */
export function isTypedPurchase({ customerId, memberId, proof }: Bought): SQL<boolean> {
  const isOfCustomer = sql`(
    select payer.proof = 'address'
      or (${proof} is not null and (payer.is_partly_proven or payer.member_id <> ${memberId}))
    from ${providerCustomers} payer where payer.customer_id = ${customerId})`
  return sql<boolean>`(${customerId} is not null and (${proof} is null or ${proof} = 'address')
    and coalesce(${isOfCustomer}, true))`
}

interface PagePlace {
  last: string | undefined
  end: string | undefined
  limit: number
}

/**
 * The next page of members by id who are wholly proven customers, and whether one of these has another default address than the member.
 * @param place `last`: id of the previous page; `end`: the last id of all
 */
export function customersAfter(db: Reader, { last, end, limit }: PagePlace) {
  return db
    .select({
      id: providerCustomers.memberId,
      isStale: sql<boolean>`bool_or(${addresses.id} is not null
        and ${providerCustomers.addressFingerprint} is distinct from ${addressFingerprint})`,
    })
    .from(providerCustomers)
    .leftJoin(addresses, and(eq(addresses.memberId, providerCustomers.memberId), addresses.isDefault))
    .where(
      and(
        ne(providerCustomers.proof, 'address'),
        eq(providerCustomers.isPartlyProven, false),
        eq(providerCustomers.isDeleted, false),
        last ? gt(providerCustomers.memberId, last) : undefined,
        end ? lte(providerCustomers.memberId, end) : undefined,
      ),
    )
    .groupBy(providerCustomers.memberId)
    .orderBy(asc(providerCustomers.memberId))
    .limit(limit)
}
