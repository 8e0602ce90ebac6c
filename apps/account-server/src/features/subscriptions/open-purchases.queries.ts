import { inArray, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type OperationRow, providerOperations } from '../payments/operations/operations.tables.ts'
import { subscriptions } from './subscriptions.tables.ts'

export const openPurchases = alias(providerOperations, 'open_purchases')

interface Wanted<Value> {
  kinds: readonly OperationRow['kind'][]
  value: SQL<Value>
}

/**
 * A column: a value of the subscription's newest purchase that waits for the customer at the provider, for PayPal's approval or the
 * bank's question; null: none waits. PayPal may hold back a payment that they have approved: nothing is left for them to do then.
 */
export function ofOpenPurchase<Value>({ kinds, value }: Wanted<Value>): SQL<Value | null> {
  const { memberId, kind, subject, status, result, resolvedAt, createdAt } = openPurchases
  return sql<Value | null>`(
    select ${value} from ${providerOperations} ${openPurchases}
    where ${memberId} = ${subscriptions.memberId} and ${inArray(kind, [...kinds])} and ${subject} = ${subscriptions.id}
      and ${status} = 'requires_action' and ${resolvedAt} is null
      and coalesce(${result} ->> 'captureId', '') = ''
    order by ${createdAt} desc limit 1
  )`
}
