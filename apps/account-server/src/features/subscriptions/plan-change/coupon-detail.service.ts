import type { checkCoupon } from '@atrium/contract/coupons.ts'
import type { EndpointAnswer } from '@atrium/contract/endpoint.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { newLimit } from '@atrium/server-kit/limits.ts'
import { and, eq, sql } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import { usableCoupon } from '../../coupons/usable-coupon.ts'
import { atProvider, couponUse } from './change-price.ts'
import { quotableChange } from './change-quotes.service.ts'
import { type AskedChange, changeQuotes } from './change-quotes.tables.ts'

/** What a coupon takes off a change (001 §7). @throws Problem of `quotableChange` and `usableCoupon` */
export async function couponDetail(
  deps: Deps,
  member: Member,
  { sid, asked }: { sid: string; asked: AskedChange },
): Promise<EndpointAnswer<typeof checkCoupon>> {
  const quotable = await quotableChange(deps.db, deps, member, { sid, asked })
  const wanted = couponUse(quotable, asked.couponCode, 'code')
  const { percentOff, amountOff, terms } = await atProvider(() => usableCoupon(deps, member, wanted))
  return {
    discount: percentOff ?? amountOff ?? 0,
    discountType: percentOff === null ? 'amount' : 'percentage',
    applicableLicenseType: [...terms],
  }
}

/** Ten tries an hour. A coupon that the member has a quote with is none: it was tried before. */
export function couponTries({ db }: Pick<Deps, 'db'>) {
  const tries = newLimit(db, { name: 'coupon', points: 10, seconds: 3600, schema: 'account' })

  return async (member: Member, code: string): Promise<void> => {
    if (code === '') return
    const [quoted] = await db
      .select({ id: changeQuotes.id })
      .from(changeQuotes)
      .where(
        and(eq(changeQuotes.memberId, member.id), sql`lower(${changeQuotes.asked} ->> 'couponCode') = lower(${code})`),
      )
      .limit(1)
    if (!quoted) await tries.take(member.id)
  }
}
