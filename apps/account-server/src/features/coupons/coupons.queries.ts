import type { Member } from '@atrium/server-kit/caller.ts'
import type { Reader } from '@atrium/server-kit/database.ts'
import { and, count, eq, notInArray, sql } from 'drizzle-orm'
import { couponOf, providerOperations } from '../payments/operations/operations.tables.ts'
import { coupons } from './coupons.tables.ts'

/** An imported coupon. @param code upper case */
export async function importedCoupon(db: Reader, code: string) {
  const [row] = await db.select().from(coupons).where(eq(coupons.code, code))
  return row
}

/** How often a coupon was used, or is just being used: a payment that failed gives it back. */
export async function usesOf(db: Reader, member: Pick<Member, 'id'>, code: string) {
  const [row] = await db
    .select({
      all: count(),
      own: sql<number>`count(*) filter (where ${providerOperations.memberId} = ${member.id})`.mapWith(Number),
    })
    .from(providerOperations)
    .where(and(eq(couponOf(providerOperations), code), notInArray(providerOperations.status, ['failed', 'canceled'])))
  return row ?? { all: 0, own: 0 }
}
