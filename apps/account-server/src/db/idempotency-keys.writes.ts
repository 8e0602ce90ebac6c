import type { Member } from '@atrium/server-kit/caller.ts'
import type { Reader, Tx } from '@atrium/server-kit/database.ts'
import type { IdempotencyKey } from '@atrium/server-kit/idempotency-key.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { and, eq } from 'drizzle-orm'
import { idempotencyKeys } from './idempotency-keys.tables.ts'

/** The state of a key: new, or used by an earlier request, with its provider operation if it has one. */
export type Claim = { isNew: true } | { isNew: false; operationId: string | null }

interface Claiming {
  idempotencyKey: IdempotencyKey | undefined
  now: Date
}

/**
 * Claims a key in the caller's transaction; a concurrent equal request waits for its end. Without a key every request is new.
 * @throws Problem `idempotency_mismatch` if the key was used for a different request
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
 * The provider operation of an earlier request with the same key.
 * @returns null if there was none, or it needed no operation
 * @throws Problem `idempotency_mismatch` if the key was used for a different request
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

/** Whether an earlier request with the same key took effect. */
export async function isKeyUsed(
  db: Reader,
  member: Pick<Member, 'id'>,
  idempotencyKey: IdempotencyKey | undefined,
): Promise<boolean> {
  if (!idempotencyKey) return false
  const { key, fingerprint } = idempotencyKey
  const isThis = and(eq(idempotencyKeys.memberId, member.id), eq(idempotencyKeys.key, key))
  const used = await db
    .select({ key: idempotencyKeys.key })
    .from(idempotencyKeys)
    .where(and(isThis, eq(idempotencyKeys.fingerprint, fingerprint)))
  return used.length > 0
}

/** Stores the provider operation of a key that was just claimed. */
export async function linkKeyToOperation(
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

/** The operation did nothing, so a request with its keys may start again. */
export async function releaseKeysOf(tx: Tx, operationId: string): Promise<void> {
  await tx.delete(idempotencyKeys).where(eq(idempotencyKeys.operationId, operationId))
}

/** Stores what a request without a provider operation answered, for its repetition. */
export async function storeAnswer(
  tx: Tx,
  member: Pick<Member, 'id'>,
  { idempotencyKey, answer }: { idempotencyKey: IdempotencyKey | undefined; answer: object },
): Promise<void> {
  if (!idempotencyKey) return
  await tx.update(idempotencyKeys).set({ answer }).where(isKey(member, idempotencyKey))
}

/** What an earlier request with the same key answered. */
export async function answerOfKey(
  tx: Tx,
  member: Pick<Member, 'id'>,
  idempotencyKey: IdempotencyKey | undefined,
): Promise<unknown> {
  if (!idempotencyKey) return undefined
  const [known] = await tx.select().from(idempotencyKeys).where(isKey(member, idempotencyKey))
  return known?.answer
}

function isKey(member: Pick<Member, 'id'>, { key }: IdempotencyKey) {
  return and(eq(idempotencyKeys.memberId, member.id), eq(idempotencyKeys.key, key))
}
