import type { Reader } from '@atrium/server-kit/database.ts'
import { and, eq, isNull } from 'drizzle-orm'
import { isTypedCustomer } from '../payments/customers/customers.queries.ts'
import { subscriptions } from './subscriptions.tables.ts'

/** A subscription as it is stored, by its id at the provider; undefined if it is not here. */
export async function storedSubscription(db: Reader, providerId: string) {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.providerId, providerId))
  return row
}

/** A member's subscription that is no add-on, by its id at the provider, and how it is known to be theirs. */
export async function subscriptionOfProvider(
  db: Reader,
  { providerId, memberId }: { providerId: string; memberId: string },
) {
  const { id, customerId, channel, proof } = subscriptions
  const [row] = await db
    .select({ id, customerId, channel, proof, isOfTypedCustomer: isTypedCustomer(customerId) })
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
