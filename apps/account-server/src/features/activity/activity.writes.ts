import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { activity } from './activity.tables.ts'

interface Happening {
  /** `area.verb`. */
  action: string
  /** Id of what was changed. */
  target: string
  /** Before and after of fields that are no secrets. */
  details?: Readonly<Record<string, unknown>>
  now: Date
}

/** Who did it, and from where. */
type Actor = Pick<Member, 'id' | 'address' | 'requestId'>

/** Writes what a member did in their own account; call it in the transaction that does it. */
export async function record(tx: Tx, member: Actor, { action, target, details = {}, now }: Happening): Promise<void> {
  await tx.insert(activity).values({
    at: now,
    memberId: member.id,
    actor: member.id,
    actorKind: 'member',
    action,
    target,
    details,
    address: member.address,
    requestId: member.requestId,
  })
}

/** Writes what a file of the vendor's brought: one row for the whole file. */
export async function recordImport(tx: Tx, { action, target, details = {}, now }: Happening): Promise<void> {
  await tx.insert(activity).values({ at: now, actor: 'import', actorKind: 'vendor', action, target, details })
}

/** Writes what a program did in a member's account, on its own or for whoever uses it. */
export async function recordSystem(
  tx: Tx,
  {
    actor,
    memberId,
    address,
    requestId,
  }: { actor: string; memberId: string | null; address: string; requestId: string },
  { action, target, details = {}, now }: Happening,
): Promise<void> {
  const row = { at: now, memberId, actor, actorKind: 'system', action, target, details, address, requestId } as const
  await tx.insert(activity).values(row)
}
