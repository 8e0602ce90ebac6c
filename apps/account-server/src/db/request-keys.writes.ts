import type { Act } from '@atrium/server-kit/act.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { and, eq } from 'drizzle-orm'
import { requestKeys } from './request-keys.tables.ts'

/**
 * Whether an act happens for the first time: then it is remembered in the caller's transaction, and an equal request
 * beside it waits for its end. Without a key every act is the first.
 * @throws Problem `idempotency_mismatch` where the key stands for another request
 */
export async function isFirstTime(
  tx: Tx,
  member: Pick<Member, 'id'>,
  act: Act | undefined,
  now: Date,
): Promise<boolean> {
  if (!act) return true
  const stored = await tx
    .insert(requestKeys)
    .values({ memberId: member.id, key: act.key, print: act.print, createdAt: now })
    .onConflictDoNothing()
    .returning({ key: requestKeys.key })
  if (stored.length > 0) return true

  const [known] = await tx
    .select({ print: requestKeys.print })
    .from(requestKeys)
    .where(and(eq(requestKeys.memberId, member.id), eq(requestKeys.key, act.key)))
  if (known?.print !== act.print) throw new Problem('idempotency_mismatch')
  return false
}
