import type { Reader } from '@atrium/server-kit/database.ts'
import { and, eq, isNull } from 'drizzle-orm'
import { paidFrom } from './paid-from.queries.ts'
import { subscriptions } from './subscriptions.tables.ts'

/** Whose subscription it is, by its id at the provider, and until when its stored period lasts; undefined if it is not here. */
export async function storedSubscription(db: Reader, providerId: string) {
  const [row] = await db
    .select({ memberId: subscriptions.memberId, proof: subscriptions.proof, periodEnd: subscriptions.periodEnd })
    .from(subscriptions)
    .where(eq(subscriptions.providerId, providerId))
  return row
}

/** A member's subscription that is no add-on, by its id at the provider, and how it is known to be theirs. */
export async function subscriptionOfProvider(
  db: Reader,
  { providerId, memberId }: { providerId: string; memberId: string },
) {
  const { id, customerId, channel, proof } = subscriptions
  const [row] = await db
    .select({ id, customerId, channel, proof, paidFrom: paidFrom() })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.providerId, providerId),
        eq(subscriptions.memberId, memberId),
        isNull(subscriptions.parentId),
      ),
    )
  return row
}
