import { personalId } from '@atrium/contract/cloud.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { prepared, type Reader } from '@atrium/server-kit/database.ts'
import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { sessions } from '../session/session.tables.ts'
import { enterprises } from '../subscriptions/enterprises.tables.ts'
import { isOfMember } from '../subscriptions/subscription-list.queries.ts'
import { type AccessAt, accessAt, hasAccess } from '../subscriptions/subscriptions.rules.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { cloudAccounts } from './cloud.tables.ts'

/**
 * What a member has chosen, the ticket with which their session began, and their enterprises: those with a subscription that gives
 * access and that they own, or have a seat in. Undefined: the session has just ended.
 */
export async function cloudChoices(db: Reader, member: Pick<Member, 'id' | 'sessionId'>, access: AccessAt) {
  const { id: memberId, sessionId } = member
  const rows = await choices(db).execute({ memberId, sessionId, ...access })
  const [first] = rows
  if (!first) return undefined
  const { region, userTypeId, ticketHash } = first
  const own = rows.flatMap(({ enterpriseId: id, name }) => (id !== null && name !== null ? [{ id, name }] : []))
  return { region, userTypeId, ticketHash, enterprises: own }
}

const choices = prepared('cloud_choices', (db, name) => {
  const own = db
    .selectDistinct({ enterpriseId: enterprises.orgCode, name: enterprises.name })
    .from(subscriptions)
    .innerJoin(enterprises, eq(enterprises.orgCode, subscriptions.orgCode))
    .where(and(isOfMember(db), hasAccess(accessAt), ne(enterprises.orgCode, personalId)))
    .as('own')
  return db
    .select({
      region: cloudAccounts.region,
      userTypeId: cloudAccounts.userTypeId,
      ticketHash: sessions.ticketHash,
      enterpriseId: own.enterpriseId,
      name: own.name,
    })
    .from(sessions)
    .leftJoin(cloudAccounts, eq(cloudAccounts.memberId, sessions.memberId))
    .leftJoin(own, sql`true`)
    .where(and(eq(sessions.id, sql.placeholder('sessionId')), eq(sessions.memberId, sql.placeholder('memberId'))))
    .orderBy(asc(own.name), asc(own.enterpriseId))
    .prepare(name)
})
