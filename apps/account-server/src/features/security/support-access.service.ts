import type { AccessDuration, SupportAccess } from '@atrium/contract/security.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Db } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { eq } from 'drizzle-orm'
import { lockCaller, memberRow } from '../../db/members.queries.ts'
import { grantedUntil } from '../../db/members.rules.ts'
import { members } from '../../db/members.tables.ts'
import { record } from '../activity/activity.writes.ts'
import { supportSessions } from '../support-sessions/support-sessions.tables.ts'
import { endSupportSessions } from '../support-sessions/support-sessions.writes.ts'
import { accessChoices, accessEnd } from './support-access.rules.ts'

export async function supportAccess(db: Db, member: Member, now: Date): Promise<SupportAccess> {
  const row = await memberRow(db, member)
  if (!row) throw new Problem('not_found')
  return { grantLoginExpireTime: grantedUntil(row.supportAccessUntil, now), durations: accessChoices(now) }
}

interface Grant {
  member: Member
  duration: AccessDuration
  now: Date
}

/** Grants, changes or withdraws support access (000 §4). The server computes the end. */
export function setSupportAccess(db: Db, { member, duration, now }: Grant): Promise<SupportAccess> {
  return db.transaction(async (tx) => {
    const before = await lockCaller(tx, member)

    const end = accessEnd(duration, now)
    await tx.update(members).set({ supportAccessUntil: end }).where(eq(members.id, member.id))

    if (end === null) {
      await endSupportSessions(tx, eq(supportSessions.memberId, member.id), { by: 'member', actor: member, now })
    }
    const details = { duration, before: before.supportAccessUntil, after: end }
    const action = end === null ? 'support_access.withdrawn' : 'support_access.granted'
    await record(tx, member, { action, target: member.id, details, now })
    return { grantLoginExpireTime: grantedUntil(end, now), durations: accessChoices(now) }
  })
}
