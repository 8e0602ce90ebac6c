import type { ActivityAction, SsoActivity } from '@atrium/contract/activity.ts'
import { and, desc, eq, inArray, not, type SQL } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { activity } from '../activity/activity.tables.ts'

/** What the owner of an account is shown, by the action here; what only leads to one of these is left out. */
const shown: Readonly<Record<string, ActivityAction>> = {
  'account.created': 'account.created',
  'identity.linked': 'identity.linked',
  'identity.unlinked': 'identity.unlinked',
  'password.changed': 'password.changed',
  'credentials.refused': 'credentials.refused',
  'session.started': 'session.started',
  'session.ended': 'session.ended',
}

/** How many entries are sent at most. Others can cause refusals, which must not push out what the owner did. */
const most = 450
const mostRefusals = 50

const isRefusal = eq(activity.action, 'credentials.refused')

/** The latest activity of an account, newest first. */
export async function accountActivity({ db }: Deps, userId: string): Promise<SsoActivity[]> {
  const latest = (which: SQL, limit: number) =>
    db
      .select()
      .from(activity)
      .where(and(eq(activity.userId, userId), inArray(activity.action, Object.keys(shown)), which))
      .orderBy(desc(activity.at), desc(activity.id))
      .limit(limit)
  const rows = await Promise.all([latest(not(isRefusal), most), latest(isRefusal, mostRefusals)])
  return rows
    .flat()
    .sort((one, other) => other.at.getTime() - one.at.getTime() || other.id - one.id)
    .flatMap(shownRow)
}

function shownRow({ id, at, action: stored, address, details }: typeof activity.$inferSelect): SsoActivity[] {
  const action = shown[stored]
  if (!action) return []
  return [
    {
      id: `sso-${id}`,
      at: at.toISOString(),
      who: whoDid(stored, details),
      action,
      subject: subjectOf(details),
      address,
    },
  ]
}

function whoDid(stored: string, { by }: Record<string, unknown>): SsoActivity['who'] {
  if (stored === 'credentials.refused') return 'unknown'
  return by === 'operator' ? 'vendor' : 'member'
}

/** The login provider; or how often it happened, if more than once. */
function subjectOf({ provider, count }: Record<string, unknown>): string {
  if (typeof provider === 'string') return provider
  return typeof count === 'number' && count > 1 ? `×${count}` : ''
}
