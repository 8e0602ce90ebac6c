import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { members } from '../../../db/members.tables.ts'

const prefix = 'nobody-'

/** Of the row that stands for nobody with this id: no mail is sent there. */
export const addressOfNobody = (id: string) => `${prefix}${id}@invalid`

/** Whether a member's id in an outer statement is of such a row. */
export function isNobody(memberId: AnyPgColumn): SQL {
  return sql`exists (select from ${members} none where none.id = ${memberId} and none.email = ${prefix} || none.id || '@invalid')`
}
