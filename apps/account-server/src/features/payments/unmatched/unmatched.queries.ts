import type { Reader } from '@atrium/server-kit/database.ts'
import { and, count, eq, isNotNull, isNull } from 'drizzle-orm'
import { type UnmatchedPurchase, unmatchedPurchases } from './unmatched.tables.ts'

type Provider = UnmatchedPurchase['provider']

/** Whether the operator, or of what is offered the member, has accepted the object as it is. */
export async function isAccepted(db: Reader, object: { provider: Provider; objectId: string }): Promise<boolean> {
  const { acceptedAt } = unmatchedPurchases
  const rows = await db
    .select({ acceptedAt })
    .from(unmatchedPurchases)
    .where(and(isObject(object.provider, object.objectId), isNotNull(acceptedAt)))
  return rows.length > 0
}

/** What waits at a provider for the operator or a repair, oldest first. */
export function openUnmatched(db: Reader, provider: Provider) {
  return db
    .select()
    .from(unmatchedPurchases)
    .where(and(eq(unmatchedPurchases.provider, provider), isNull(unmatchedPurchases.acceptedAt)))
    .orderBy(unmatchedPurchases.createdAt, unmatchedPurchases.id)
}

/** How many wait, by provider and reason. */
export function unmatchedCounts(db: Reader) {
  const { provider, reason, acceptedAt } = unmatchedPurchases
  return db
    .select({ provider, reason, count: count() })
    .from(unmatchedPurchases)
    .where(isNull(acceptedAt))
    .groupBy(provider, reason)
}

export function isObject(provider: Provider, objectId: string) {
  return and(eq(unmatchedPurchases.provider, provider), eq(unmatchedPurchases.objectId, objectId))
}
