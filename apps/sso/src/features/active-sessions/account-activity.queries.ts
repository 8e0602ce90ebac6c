import type { ActivityAction, SsoActivity } from '@atrium/contract/activity.ts'
import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { activity } from '../activity/activity.tables.ts'

/** What the owner of an account is shown, by the action here; what only leads to one of these is left out. */
const shown: Readonly<Record<string, ActivityAction>> = {
  'account.created': 'account.created',
  'identity.linked': 'identity.linked',
  'identity.unlinked': 'identity.unlinked',
  'password.changed': 'password.changed',
  'session.started': 'session.started',
  'session.ended': 'session.ended',
}

/** How many entries are sent at most. */
const most = 500

/** The latest activity of an account, newest first. */
export async function accountActivity({ db }: Deps, userId: string): Promise<SsoActivity[]> {
  const rows = await db
    .select()
    .from(activity)
    .where(and(eq(activity.userId, userId), inArray(activity.action, Object.keys(shown))))
    .orderBy(desc(activity.at), desc(activity.id))
    .limit(most)
  return rows.flatMap(({ id, at, action: stored, address, details }) => {
    const action = shown[stored]
    if (!action) return []
    const { provider, by } = details
    return {
      id: `sso-${id}`,
      at: at.toISOString(),
      who: by === 'operator' ? 'vendor' : 'member',
      action,
      subject: typeof provider === 'string' ? provider : '',
      address,
    }
  })
}
