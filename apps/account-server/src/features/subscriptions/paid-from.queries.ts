import { type SQL, sql } from 'drizzle-orm'
import { placeOfCustomer } from '../payments/customers/customers.queries.ts'
import { providerOperations } from '../payments/operations/operations.tables.ts'
import { subscriptions } from './subscriptions.tables.ts'

/** Where the cards of a subscription are: what its customer is to the member. A card that the member has put on file there is theirs. */
export function paidFrom(): SQL<'account' | 'other' | 'checkout'> {
  const { ownCard, memberId } = subscriptions
  const isOwn = sql`exists (select from ${providerOperations} added
    where added.member_id = ${memberId} and added.kind = 'card.add' and added.status = 'succeeded'
      and added.subject = ${ownCard})`
  const place = placeOfCustomer(subscriptions)
  return sql<'account' | 'other' | 'checkout'>`coalesce(nullif(${place}, 'checkout'),
    case when ${isOwn} then 'other' else 'checkout' end)`
}
