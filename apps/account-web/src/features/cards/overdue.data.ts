import { listSubscriptions, type Subscription } from '@atrium/contract/subscriptions.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import type { Due } from '../../page/use-pay-overdue.ts'

/** A subscription, and what is open of it. */
export interface Overdue {
  subscription: Subscription
  due: Due
}

const pastDueQuery = queryOptions({
  queryKey: ['subscriptions', 'overdue'],
  queryFn: ({ signal }) => call(listSubscriptions, { query: { status: 'past_due', pageSize: 100 } }, { signal }),
  // Whoever pays elsewhere comes back to the truth.
  refetchOnWindowFocus: 'always',
})

/** The member's own subscriptions whose payment by card has failed, and can be made here. */
export const overdueQuery = queryOptions({ ...pastDueQuery, select: ({ list }) => list.flatMap(overdueOf) })

/** The member's own subscriptions whose payment by card has failed, for a page on which nothing is paid. A partner's is not ours to explain. */
export const unpaidQuery = queryOptions({
  ...pastDueQuery,
  select: ({ list }) =>
    list.filter(({ payType, whetherHiddenPrice }) => payType === 'card' && whetherHiddenPrice !== 1),
})

/** The member's subscriptions of which a renewal was declined, and that are paid by now. */
export const declinedQuery = queryOptions({
  queryKey: ['subscriptions', 'declined'],
  queryFn: ({ signal }) => call(listSubscriptions, { query: { status: 'active', pageSize: 100 } }, { signal }),
  // A card may have been declined for several: the latest day is shown.
  select: ({ list }) =>
    list
      .filter(({ lastDecline }) => lastDecline !== undefined)
      .sort((one, other) => (other.lastDecline?.at ?? '').localeCompare(one.lastDecline?.at ?? '')),
})

/**
 * What is paid from elsewhere cannot be paid with the default card. Without an amount there is nothing that the page could ask for,
 * as where prices are hidden.
 */
function overdueOf(subscription: Subscription): Overdue[] {
  const { payType, paidFrom, dueAmount: amount, currency } = subscription
  if (paidFrom !== 'account') return []
  if (payType !== 'card' || !amount || !currency) return []
  return [{ subscription, due: { amount, currency } }]
}
