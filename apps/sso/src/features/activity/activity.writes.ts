import type { Visitor } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { networkOf } from '@atrium/server-kit/network.ts'
import { and, desc, eq, gt, sql } from 'drizzle-orm'
import { activity } from './activity.tables.ts'

type Action =
  | 'credentials.refused'
  | 'account.created'
  | 'account.roles-changed'
  | 'account.sign-up-requested'
  | 'identity.linked'
  | 'identity.unlinked'
  | 'identity.code-sent'
  | 'identity.popup-opened'
  | 'password.changed'
  | 'password.reset-requested'
  | 'password.code-sent'
  | 'password.popup-opened'
  | 'session.code-sent'
  | 'session.started'
  | 'session.ended'
  | 'ticket.issued'

interface Entry {
  now: Date
  action: Action
  userId: string | null
  /** Who sent the request; absent for jobs and operators. */
  caller?: Visitor
  /** No secrets. */
  details?: Record<string, unknown>
}

/** Writes an activity row, in the transaction of the change. */
export async function record(tx: Tx, { now, action, userId, caller, details = {} }: Entry): Promise<void> {
  await tx.insert(activity).values({
    at: now,
    action,
    userId,
    address: caller?.address ?? null,
    requestId: caller?.requestId ?? null,
    details,
  })
}

/** For how long refused credentials are counted in one row, in milliseconds. */
const countedMs = 600_000

export interface RefusedCredentials {
  userId: string
  /** What was wrong. */
  kind: 'password' | 'code'
  caller: Visitor
  now: Date
}

/**
 * Records a wrong password or code. All that one network sends to an account in ten minutes are one row, which counts them: guessing
 * cannot fill the log. The row names the network as the limits do, a single address of IPv4 or a /64 of IPv6.
 */
export async function recordRefusal(tx: Tx, { userId, kind, caller, now }: RefusedCredentials): Promise<void> {
  const network = networkOf(caller.address)
  // Concurrent guesses are counted, too, instead of having a row each.
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`credentials.refused ${userId} ${network}`}, 0))`,
  )
  const [counted] = await tx
    .select({ id: activity.id })
    .from(activity)
    .where(
      and(
        eq(activity.userId, userId),
        eq(activity.action, 'credentials.refused'),
        eq(activity.address, network),
        gt(activity.at, new Date(now.getTime() - countedMs)),
      ),
    )
    .orderBy(desc(activity.at))
    .limit(1)
  if (!counted) {
    const details = { count: 1, [kind]: 1, lastAt: now.toISOString() }
    return record(tx, { now, action: 'credentials.refused', userId, caller: { ...caller, address: network }, details })
  }
  await tx
    .update(activity)
    .set({
      details: sql`${activity.details} || jsonb_build_object(
        'count', (${activity.details} ->> 'count')::int + 1,
        ${kind}::text, coalesce((${activity.details} ->> ${kind})::int, 0) + 1,
        'lastAt', ${now.toISOString()}::text)`,
    })
    .where(eq(activity.id, counted.id))
}
