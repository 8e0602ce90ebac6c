import type { Member } from '@atrium/server-kit/caller.ts'
import type { Reader } from '@atrium/server-kit/database.ts'
import { and, count, eq, not, notInArray, type SQL, sql } from 'drizzle-orm'
import { couponOf, providerOperations } from '../payments/operations/operations.tables.ts'
import { coupons } from './coupons.tables.ts'

/** An imported coupon. @param code upper case */
export async function importedCoupon(db: Reader, code: string) {
  const [row] = await db.select().from(coupons).where(eq(coupons.code, code))
  return row
}

/**
 * How often a coupon was used, or is just being used: a payment that failed gives it back. The member's own order of PayPal that waits
 * for its approval is none: it gives way to the next one.
 */
export async function usesOf(db: Reader, member: Pick<Member, 'id'>, code: string) {
  const [row] = await db
    .select({
      all: count(),
      own: sql<number>`count(*) filter (where ${providerOperations.memberId} = ${member.id})`.mapWith(Number),
    })
    .from(providerOperations)
    .where(
      and(
        eq(couponOf(providerOperations), code),
        notInArray(providerOperations.status, ['failed', 'canceled']),
        not(isWaitingOrderOf(member)),
      ),
    )
  return row ?? { all: 0, own: 0 }
}

function isWaitingOrderOf({ id }: Pick<Member, 'id'>): SQL {
  const { memberId, kind, status, result } = providerOperations
  const isOrder = sql`${kind} = 'subscription.change_by_order' and ${status} = 'requires_action'`
  return sql`(${memberId} = ${id} and ${isOrder} and coalesce(${result} ->> 'captureId', '') = '')`
}
