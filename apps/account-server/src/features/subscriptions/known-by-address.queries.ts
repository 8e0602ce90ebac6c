import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { isTypedPurchase } from '../payments/customers/customers.queries.ts'
import { subscriptions } from './subscriptions.tables.ts'

type Of = Record<'channel' | 'customerId' | 'memberId' | 'proof', AnyPgColumn>

/** Whether nothing but a typed address says that a subscription of the statement is its Owner's. */
export function isKnownByAddressAlone(of: Of = subscriptions): SQL<boolean> {
  const { channel, proof } = of
  return sql<boolean>`(case when ${channel} = 'paypal' then ${proof} is not distinct from 'address'
    else ${isTypedPurchase(of)} end)`
}
