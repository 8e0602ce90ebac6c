import type { Member } from '@atrium/server-kit/caller.ts'
import { prepared, type Reader } from '@atrium/server-kit/database.ts'
import { and, asc, eq, gt, lte, sql } from 'drizzle-orm'
import { addressFingerprint } from '../../addresses/addresses.queries.ts'
import { addresses } from '../../addresses/addresses.tables.ts'
import { providerCustomers } from './customers.tables.ts'

/** A member's customer id at the card provider; undefined until one was needed. */
export async function customerIdOf(db: Reader, member: Pick<Member, 'id'>): Promise<string | undefined> {
  const [row] = await customerOfMember(db).execute({ memberId: member.id })
  return row?.customerId
}

const customerOfMember = prepared('provider_customer_of_member', (db, name) =>
  db
    .select({ customerId: providerCustomers.customerId })
    .from(providerCustomers)
    .where(eq(providerCustomers.memberId, sql.placeholder('memberId')))
    .prepare(name),
)

/** The member whose customer it is; undefined for a customer whom nobody here is. */
export async function memberIdOfCustomer(db: Reader, customerId: string): Promise<string | undefined> {
  return (await linkOfCustomer(db, customerId))?.memberId
}

/** The member whose customer it is, and since when Atrium knows that. */
export async function linkOfCustomer(
  db: Reader,
  customerId: string,
): Promise<{ memberId: string; createdAt: Date } | undefined> {
  const { memberId, createdAt } = providerCustomers
  const [row] = await db
    .select({ memberId, createdAt })
    .from(providerCustomers)
    .where(eq(providerCustomers.customerId, customerId))
  return row
}

interface PagePlace {
  last: string | undefined
  end: string | undefined
  limit: number
}

/**
 * The next page of customers by member id, and whether the provider has another default address than the member.
 * @param place `last`: id of the previous page; `end`: the last id of all
 */
export function customersAfter(db: Reader, { last, end, limit }: PagePlace) {
  return db
    .select({
      id: providerCustomers.memberId,
      isStale: sql<boolean>`${addresses.id} is not null
        and ${providerCustomers.addressFingerprint} is distinct from ${addressFingerprint}`,
    })
    .from(providerCustomers)
    .leftJoin(addresses, and(eq(addresses.memberId, providerCustomers.memberId), addresses.isDefault))
    .where(
      and(
        last ? gt(providerCustomers.memberId, last) : undefined,
        end ? lte(providerCustomers.memberId, end) : undefined,
      ),
    )
    .orderBy(asc(providerCustomers.memberId))
    .limit(limit)
}
