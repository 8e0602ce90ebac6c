import type { Tx } from '@atrium/server-kit/database.ts'
import { and, eq, gt, sql } from 'drizzle-orm'
import { activity } from '../../activity/activity.tables.ts'

interface Changes {
  /** In whose activity they are. */
  ownerId: string
  /** The member who made them. */
  managerId: string
  /** Of the person whose role it is. */
  email: string
  since: Date
}

/** When a manager has changed a person's role, in all teams of an Owner; each time, that person was emailed. */
export function roleChanges(tx: Tx, { ownerId, managerId, email, since }: Changes): Promise<{ sentAt: Date }[]> {
  const { at, memberId, actor, action, details } = activity
  const isOfPerson = eq(sql`${details} ->> 'email'`, email)
  const isByManager = and(eq(memberId, ownerId), eq(actor, managerId), eq(action, 'seat.role_changed'))
  return tx
    .select({ sentAt: at })
    .from(activity)
    .where(and(isByManager, gt(at, since), isOfPerson))
    .orderBy(at)
}
