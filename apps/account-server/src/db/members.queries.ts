import type { Member } from '@atrium/server-kit/caller.ts'
import { type Db, prepared, type Reader, type Tx } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { members } from './members.tables.ts'

/** The caller's row; it exists as long as the session. */
export async function memberRow(db: Db, member: Pick<Member, 'id'>) {
  const [row] = await memberById(db).execute({ id: member.id })
  return row
}

/**
 * The same, locked, whether erased or not: for jobs and commands. `no key`: a row elsewhere may refer to the member meanwhile;
 * else who holds a subscription, and stores who has invited somebody to it, would wait for who waits for the subscription.
 */
export async function lockMember(tx: Tx, member: Pick<Member, 'id'>) {
  const [row] = await tx.select().from(members).where(eq(members.id, member.id)).for('no key update')
  return row
}

/**
 * The caller's row, locked: how a change begins that stores what a member typed.
 * @throws Problem `signed_out` if the member was erased while the request was under way
 */
export async function lockCaller(tx: Tx, member: Pick<Member, 'id'>) {
  const row = await lockMember(tx, member)
  if (!row || row.erasedAt) throw new Problem('signed_out')
  return row
}

const memberById = prepared('member_by_id', (db, name) =>
  db
    .select()
    .from(members)
    .where(eq(members.id, sql.placeholder('id')))
    .prepare(name),
)

/** Ids of imported members by verified e-mail; the map omits unknown ones. */
export async function memberIdsByEmail(tx: Reader, emails: readonly string[]): Promise<Map<string, string>> {
  return idsByEmail(await membersOf(tx, emails))
}

/** The same, with their rows locked in the order of their ids: nothing that one of them asks for is decided meanwhile. */
export async function lockMembersByEmail(tx: Tx, emails: readonly string[]): Promise<Map<string, string>> {
  return idsByEmail(await membersOf(tx, emails).orderBy(asc(members.id)).for('no key update'))
}

function membersOf(tx: Reader, emails: readonly string[]) {
  return tx
    .select({ id: members.id, email: members.email })
    .from(members)
    .where(and(inArray(members.email, [...new Set(emails)]), eq(members.emailVerified, true)))
}

function idsByEmail(rows: readonly { id: string; email: string }[]): Map<string, string> {
  return new Map(rows.map(({ id, email }) => [email, id]))
}
