import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { and, eq, inArray } from 'drizzle-orm'
import { memberData } from '../../db/member-data.queries.ts'
import { identities } from '../../db/members.tables.ts'
import { recordOperator } from '../activity/activity.writes.ts'
import { addIdentity, lockIdentities } from './identities.writes.ts'
import { memberOfSubject, memberOfVerifiedEmail, signOnProvider, subjectsOf } from './session.queries.ts'
import { sessions } from './session.tables.ts'

interface Link {
  /** The member's verified address. */
  email: string
  subject: string
  /** Allows that another identity is unlinked, or a member with data left without one. */
  replace: boolean
  dryRun: boolean
  now: Date
}

export interface LinkPlan {
  memberId: string
  /** Subjects that will no longer sign in as this member. */
  replaced: readonly string[]
  /**
   * The member as whom the subject signed in before, with the number of rows by table. Their data stays; their verified address
   * still opens it.
   */
  left: { memberId: string; data: Readonly<Record<string, number>> } | undefined
  endedSessions: number
}

export type LinkOutcome =
  | { kind: 'unknown_email' }
  | { kind: 'already_linked'; memberId: string }
  /** Refused: a sign-in would be lost. */
  | { kind: 'needs_replace'; plan: LinkPlan }
  /** Done, or, in a dry run, what would be done. */
  | { kind: 'linked'; plan: LinkPlan }

/** Links an identity to the member with an e-mail address, on behalf of an operator. Nothing is merged or deleted. */
export function linkIdentity(db: Db, { email, subject, replace, dryRun, now }: Link): Promise<LinkOutcome> {
  return db.transaction(async (tx) => {
    const member = await lockMemberToLink(tx, email, subject)
    if (!member) return { kind: 'unknown_email' }
    const before = await memberOfSubject(tx, subject)
    if (before?.id === member.id) return { kind: 'already_linked', memberId: member.id }

    const plan = await planOf(tx, { memberId: member.id, subject, leftId: before?.id })
    const hasLoss = plan.replaced.length > 0 || Object.keys(plan.left?.data ?? {}).length > 0
    if (hasLoss && !replace) return { kind: 'needs_replace', plan }
    if (!dryRun) await apply(tx, { subject, plan, now })
    return { kind: 'linked', plan }
  })
}

/** The member, locked against first sign-ins of their subjects and of the new one. */
async function lockMemberToLink(tx: Tx, email: string, subject: string) {
  const found = await memberOfVerifiedEmail(tx, email)
  if (!found) return undefined
  await lockIdentities(tx, [subject, ...(await subjectsOf(tx, found.id))], email)
  return found
}

interface Move {
  memberId: string
  subject: string
  leftId: string | undefined
}

async function planOf(tx: Tx, { memberId, subject, leftId }: Move): Promise<LinkPlan> {
  const replaced = await subjectsOf(tx, memberId)
  return {
    memberId,
    replaced,
    left: leftId === undefined ? undefined : { memberId: leftId, data: await memberData(tx, leftId) },
    endedSessions: await tx.$count(sessions, sessionsOf([subject, ...replaced])),
  }
}

function sessionsOf(subjects: readonly string[]) {
  return inArray(sessions.subject, [...subjects])
}

async function apply(tx: Tx, { subject, plan, now }: { subject: string; plan: LinkPlan; now: Date }): Promise<void> {
  const { memberId, replaced, left } = plan
  await tx
    .delete(identities)
    .where(and(eq(identities.provider, signOnProvider), inArray(identities.subject, [subject, ...replaced])))
  await addIdentity(tx, subject, memberId, now)
  await tx.delete(sessions).where(sessionsOf([subject, ...replaced]))
  const details = { replaced, from: left?.memberId ?? null, endedSessions: plan.endedSessions }
  await recordOperator(tx, memberId, { action: 'identity.linked', target: subject, details, now })
}
