import type { Member } from '@atrium/server-kit/caller.ts'
import type { Reader, Tx } from '@atrium/server-kit/database.ts'
import type { IdempotencyKey } from '@atrium/server-kit/idempotency-key.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { and, eq } from 'drizzle-orm'
import { idempotencyKeys } from './idempotency-keys.tables.ts'

/** What is known of a key: it is this request's, or that of an earlier one, with its provider operation if it has one. */
export type Claim = { isNew: true } | { isNew: false; operationId: string | null }

interface Claiming {
  idempotencyKey: IdempotencyKey | undefined
  now: Date
}

/**
 * Claims a key in the caller's transaction; an equal request beside it waits for the end of that. Without a key every
 * request is new.
 * @throws Problem `idempotency_mismatch` where the key stands for another request
 */
export async function claimKey(tx: Tx, member: Pick<Member, 'id'>, { idempotencyKey, now }: Claiming): Promise<Claim> {
  if (!idempotencyKey) return { isNew: true }
  const { key, fingerprint } = idempotencyKey
  const stored = await tx
    .insert(idempotencyKeys)
    .values({ memberId: member.id, key, fingerprint, createdAt: now })
    .onConflictDoNothing()
    .returning({ key: idempotencyKeys.key })
  if (stored.length > 0) return { isNew: true }

  return { isNew: false, operationId: await operationOfKey(tx, member, idempotencyKey) }
}

/**
 * The provider operation of a request that came before with the same key.
 * @returns null where none did, or it had its effect without one
 * @throws Problem `idempotency_mismatch` where the key stands for another request
 */
export async function operationOfKey(
  db: Reader,
  member: Pick<Member, 'id'>,
  idempotencyKey: IdempotencyKey | undefined,
): Promise<string | null> {
  if (!idempotencyKey) return null
  const [known] = await db
    .select()
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.memberId, member.id), eq(idempotencyKeys.key, idempotencyKey.key)))
  if (known && known.fingerprint !== idempotencyKey.fingerprint) throw new Problem('idempotency_mismatch')
  return known?.operationId ?? null
}

/** Says which provider operation does what was asked under a key that was just claimed. */
export async function keyStandsFor(
  tx: Tx,
  member: Pick<Member, 'id'>,
  { idempotencyKey, operationId }: { idempotencyKey: IdempotencyKey | undefined; operationId: string },
): Promise<void> {
  if (!idempotencyKey) return
  await tx
    .update(idempotencyKeys)
    .set({ operationId })
    .where(and(eq(idempotencyKeys.memberId, member.id), eq(idempotencyKeys.key, idempotencyKey.key)))
}

/** The operation did nothing: a request under its keys begins anew. */
export async function releaseKeysOf(tx: Tx, operationId: string): Promise<void> {
  await tx.delete(idempotencyKeys).where(eq(idempotencyKeys.operationId, operationId))
}
