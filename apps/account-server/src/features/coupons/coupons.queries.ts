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

interface Use {
  member: Pick<Member, 'id'>
  /** Upper case, unless it is the provider's. */
  code: string
  /** What it is to be used for. */
  subject: string
}

/**
 * How often a coupon was used, or is just being used: a payment that failed gives it back. The member's own order of PayPal for the same
 * subscription that waits for its approval is none: it gives way to the next one.
 */
export async function usesOf(db: Reader, { member, code, subject }: Use) {
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
        not(isWaitingOrder({ member, subject })),
      ),
    )
  return row ?? { all: 0, own: 0 }
}

function isWaitingOrder({ member, subject }: Pick<Use, 'member' | 'subject'>): SQL {
  const { memberId, kind, status, result, subject: about } = providerOperations
  const isOrder = sql`${kind} = 'subscription.change_by_order' and ${status} = 'requires_action'`
  const isSame = sql`${memberId} = ${member.id} and ${about} = ${subject}`
  return sql`(${isSame} and ${isOrder} and coalesce(${result} ->> 'captureId', '') = '')`
}
