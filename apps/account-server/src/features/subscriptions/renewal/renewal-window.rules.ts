/** The specification's code of a renewal (001 §4), whatever the customer bought. */
export const renewalType = 'techsoup-renew'

/** What a prepaid term is renewed by: a year. */
export const renewedTerm = 'paid_yearly' as const

/** A prepaid term can be renewed from so many days before its end, until so many after it. */
const daysBefore = 90
const daysAfter = 30

const dayMs = 86_400_000

/** @param periodEnd null: it never ends */
export function isInRenewalWindow(periodEnd: Date | null, now: Date): boolean {
  if (periodEnd === null) return false
  const left = periodEnd.getTime() - now.getTime()
  return left <= daysBefore * dayMs && left >= -daysAfter * dayMs
}
