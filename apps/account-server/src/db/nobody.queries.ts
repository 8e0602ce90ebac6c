import type { Reader } from '@atrium/server-kit/database.ts'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { members } from './members.tables.ts'

const prefix = 'nobody-'

/** Of the row that stands for nobody with this id: no mail is sent there. */
export const addressOfNobody = (id: string) => `${prefix}${id}@invalid`

interface MemberRow {
  id: string
  email: string
  erasedAt: Date | null
}

/** Whether a row stands for nobody: what they have stays theirs, as whoever it was bought by goes on paying. */
function standsForNobody({ id, email }: Pick<MemberRow, 'id' | 'email'>): boolean {
  return email === addressOfNobody(id)
}

/** Whether a row was a person's who was erased. */
export function isErasedPerson(member: MemberRow): boolean {
  return member.erasedAt !== null && !standsForNobody(member)
}

/** What an Owner's row is, if it is nobody's who signs in. */
export async function ownerRowOf(db: Reader, memberId: string) {
  const { id, email, erasedAt } = members
  const [row] = await db.select({ id, email, erasedAt }).from(members).where(eq(id, memberId))
  return {
    isNobody: row !== undefined && standsForNobody(row),
    isErasedPerson: row !== undefined && isErasedPerson(row),
  }
}

/** Whether a member's id in an outer statement is of such a row. */
export function isNobody(memberId: AnyPgColumn): SQL {
  return sql`exists (select from ${members} none where none.id = ${memberId} and none.email = ${prefix} || none.id || '@invalid')`
}

/** Whether a member's id in an outer statement is of a person who was erased. */
export function isErased(memberId: AnyPgColumn): SQL {
  return sql`exists (select from ${members} erased where erased.id = ${memberId} and erased.erased_at is not null
    and erased.email <> ${prefix} || erased.id || '@invalid')`
}
