import type { Tx } from '@atrium/server-kit/database.ts'
import { and, isNull } from 'drizzle-orm'
import { isObject } from './unmatched.queries.ts'
import { type UnmatchedPurchase, unmatchedPurchases } from './unmatched.tables.ts'

type Writer = Pick<Tx, 'insert' | 'delete'>

export type Unmatched = Omit<typeof unmatchedPurchases.$inferInsert, 'id' | 'acceptedAt'>

/** Stores that an object of a provider is nobody's here, or not granted, and why; the row of an earlier reading is replaced. */
export async function storeUnmatched(db: Writer, purchase: Unmatched): Promise<void> {
  const { createdAt: _first, ...facts } = purchase
  const { provider, objectId } = unmatchedPurchases
  await db
    .insert(unmatchedPurchases)
    .values(purchase)
    .onConflictDoUpdate({ target: [provider, objectId], set: facts })
}

/** The object was matched: nothing waits any more. What was accepted stays, since it is asked again with each reading. */
export async function forgetUnmatched(
  db: Writer,
  { provider, objectId }: Pick<UnmatchedPurchase, 'provider' | 'objectId'>,
): Promise<void> {
  await db.delete(unmatchedPurchases).where(and(isObject(provider, objectId), isNull(unmatchedPurchases.acceptedAt)))
}
