import { type SQL, sql } from 'drizzle-orm'
import { isTypedPurchase } from '../payments/customers/customers.queries.ts'
import { subscriptions } from './subscriptions.tables.ts'

/** Whether nothing but a typed address says that a subscription of the statement is its Owner's. */
export function isKnownByAddressAlone(): SQL<boolean> {
  const { channel, proof } = subscriptions
  return sql<boolean>`(case when ${channel} = 'paypal' then ${proof} is not distinct from 'address'
    else ${isTypedPurchase(subscriptions)} end)`
}
