import type { EndpointAnswer } from '@atrium/contract/endpoint.ts'
import type { listPaymentsBeingChecked } from '@atrium/contract/orders.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Reader } from '@atrium/server-kit/database.ts'
import { and, asc, eq, gt, isNull, notInArray, or } from 'drizzle-orm'
import { billedSubscription } from '../payments/unmatched/unmatched.queries.ts'
import { unmatchedPurchases } from '../payments/unmatched/unmatched.tables.ts'
import { hasHiddenPrice } from './hidden-prices.queries.ts'

const shown = 20

/** What a member has paid, as more than an address says, and what waits for the operator. What a partner sold is named without its amount. */
export async function paymentsBeingChecked(
  db: Reader,
  member: Pick<Member, 'id'>,
): Promise<EndpointAnswer<typeof listPaymentsBeingChecked>> {
  const { id, provider, boughtAt, amount, currency, payments, memberId, isProven, reason, acceptedAt } =
    unmatchedPurchases
  const rows = await db
    .select({ id, provider, boughtAt, amount, currency, payments, isPriceHidden: hasHiddenPrice(billedSubscription()) })
    .from(unmatchedPurchases)
    .where(
      and(
        eq(memberId, member.id),
        isProven,
        isNull(acceptedAt),
        or(isNull(amount), gt(amount, 0)),
        notInArray(reason, ['offered', 'not_mine', 'no_member']),
      ),
    )
    .orderBy(asc(boughtAt), asc(id))
    .limit(shown)
  return { list: rows.flatMap(checkedPayments).slice(0, shown) }
}

type Row = Pick<
  typeof unmatchedPurchases.$inferSelect,
  'id' | 'provider' | 'boughtAt' | 'amount' | 'currency' | 'payments'
> & { isPriceHidden: boolean }

function checkedPayments({ id, provider, boughtAt, currency, payments, isPriceHidden, ...single }: Row) {
  const paidAt = (at: Date) => Math.floor(at.getTime() / 1000)
  const paid = (amount: number | null) =>
    amount === null || currency === null || isPriceHidden ? {} : { amount, currency }
  if (payments.length > 1) {
    return payments.map((one, place) => ({
      ...{ id: `${id}-${place}`, provider, paidAt: paidAt(new Date(one.at)), ...paid(one.amount) },
    }))
  }
  return [{ id, provider, paidAt: paidAt(boughtAt), ...paid(single.amount) }]
}
