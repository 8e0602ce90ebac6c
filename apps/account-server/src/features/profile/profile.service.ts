import type { ProfileEdit } from '@atrium/contract/profile.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Db } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { eq } from 'drizzle-orm'
import { lockCaller } from '../../db/members.queries.ts'
import { members, profileFields } from '../../db/members.tables.ts'
import { record } from '../activity/activity.writes.ts'
import { profileOf } from './profile.rules.ts'

interface ProfileUpdate {
  member: Member
  edit: ProfileEdit
  now: Date
}

/** Without e-mail and country, which the member cannot change (000 §6). */
export function updateProfile(db: Db, { member, edit, now }: ProfileUpdate) {
  return db.transaction(async (tx) => {
    const before = await lockCaller(tx, member)

    const changed = profileFields.filter((field) => edit[field] !== before[field])
    const editedFields = [...new Set([...before.editedFields, ...changed])]
    const [after] = await tx
      .update(members)
      .set({ ...edit, editedFields })
      .where(eq(members.id, member.id))
      .returning()
    if (!after) throw new Problem('not_found')

    const { firstName, lastName, phone, company } = before
    const details = { before: { firstName, lastName, phone, company }, after: edit }
    await record(tx, member, { action: 'profile.updated', target: member.id, details, now })
    return { member: profileOf(after, now) }
  })
}
