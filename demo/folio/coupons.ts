import { daysBefore } from './dates.ts'
import type { FolioRecord } from './record.ts'

/** A percentage, an amount in one currency, one for another country, and one that has expired. */
export function* couponRecords(today: Date): Generator<FolioRecord> {
  yield { type: 'coupon', code: 'THANKS20', percentOff: 20, maxUsesPerCustomer: 100 }
  yield { type: 'coupon', code: 'FIVE', amountOff: 500, currency: 'USD', maxUsesPerCustomer: 100 }
  yield { type: 'coupon', code: 'TOKYO', percentOff: 15, countries: ['JP'] }
  yield { type: 'coupon', code: 'SUMMER', percentOff: 25, validUntil: daysBefore(today, 60).toISOString() }
}
