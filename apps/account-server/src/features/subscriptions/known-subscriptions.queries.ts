import type { Reader } from '@atrium/server-kit/database.ts'
import { and, eq, isNotNull } from 'drizzle-orm'
import { isNobody } from '../../db/nobody.queries.ts'
import type { KnownSubscriptions } from '../orders/order-owners.queries.ts'
import { isTypedPurchase } from '../payments/customers/customers.queries.ts'
import { endedForMove } from './moving/moving.queries.ts'
import { subscriptions } from './subscriptions.tables.ts'

/** What the orders ask of the subscriptions that they are of. */
export const knownSubscriptions: KnownSubscriptions = { endedForMove, ownerOf }

async function ownerOf(db: Reader, subscriptionId: string) {
  const { memberId, proof, providerId, customerId } = subscriptions
  const [row] = await db
    .select({ memberId, proof, isTyped: isTypedPurchase(subscriptions), isNobody: isNobody(memberId).mapWith(Boolean) })
    .from(subscriptions)
    .where(and(eq(providerId, subscriptionId), isNotNull(customerId)))
  if (!row || row.proof === null) return undefined
  if (row.isNobody) return null
  // At a customer who is the Owner's as a whole, all that is there is.
  const known = row.proof === 'address' ? 'vendor' : row.proof
  return { memberId: row.memberId, proof: row.isTyped ? ('address' as const) : known }
}
