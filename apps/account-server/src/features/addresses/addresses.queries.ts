import type { Member } from '@atrium/server-kit/caller.ts'
import { descending, prepared, type Reader } from '@atrium/server-kit/database.ts'
import { asc, desc, eq, sql } from 'drizzle-orm'
import { addresses } from './addresses.tables.ts'

/** A member's addresses, the default first, then the newest. */
export function addressesOf(db: Reader, member: Pick<Member, 'id'>) {
  return allAddresses(db).execute({ memberId: member.id })
}

const allAddresses = prepared('addresses_of_member', (db, name) =>
  db
    .select()
    .from(addresses)
    .where(eq(addresses.memberId, sql.placeholder('memberId')))
    .orderBy(desc(addresses.isDefault), descending(addresses.createdAt), asc(addresses.id))
    .prepare(name),
)
