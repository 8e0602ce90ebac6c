import type { Member } from '@atrium/server-kit/caller.ts'
import { descending, prepared, type Reader } from '@atrium/server-kit/database.ts'
import { and, asc, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import { members } from '../../db/members.tables.ts'
import { addresses } from './addresses.tables.ts'

/** A member's addresses, the default first, then the newest. */
export function addressesOf(db: Reader, member: Pick<Member, 'id'>) {
  return allAddresses(db).execute({ memberId: member.id })
}

/** Changes whenever a field that receipts show changes. */
export const addressFingerprint = sql<string>`md5(jsonb_build_array(${addresses.firstName}, ${addresses.lastName},
  ${addresses.street}, ${addresses.city}, ${addresses.state}, ${addresses.zip}, ${addresses.country})::text)`

/** A member's default address with its fingerprint. */
export async function defaultAddressOf(db: Reader, member: Pick<Member, 'id'>) {
  const [row] = await db
    .select({ address: addresses, fingerprint: addressFingerprint })
    .from(addresses)
    .where(and(eq(addresses.memberId, member.id), eq(addresses.isDefault, true)))
  return row
}

const allAddresses = prepared('addresses_of_member', (db, name) =>
  db
    .select({ ...getTableColumns(addresses), company: members.company })
    .from(addresses)
    .innerJoin(members, eq(members.id, addresses.memberId))
    .where(eq(addresses.memberId, sql.placeholder('memberId')))
    .orderBy(desc(addresses.isDefault), descending(addresses.createdAt), asc(addresses.id))
    .prepare(name),
)
