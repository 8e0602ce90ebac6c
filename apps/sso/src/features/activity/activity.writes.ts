import type { Visitor } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { activity } from './activity.tables.ts'

type Action =
  | 'account.created'
  | 'account.roles-changed'
  | 'account.sign-up-requested'
  | 'identity.linked'
  | 'identity.unlinked'
  | 'identity.code-sent'
  | 'identity.code-refused'
  | 'identity.popup-opened'
  | 'password.changed'
  | 'password.reset-requested'
  | 'password.code-sent'
  | 'password.code-refused'
  | 'password.popup-opened'
  | 'session.code-sent'
  | 'session.code-refused'
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
