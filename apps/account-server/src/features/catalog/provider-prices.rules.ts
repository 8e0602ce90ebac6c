import { type BillingTerm, billingTerms } from '@atrium/contract/subscriptions.ts'
import type { ProviderPrice } from '../../outside/card-provider/prices.ts'

/** How the card provider bills a term; null: paid once, since a prepaid term does not renew. */
export const intervals: Readonly<Record<BillingTerm, 'month' | 'year' | null>> = {
  monthly: 'month',
  yearly: 'year',
  paid_monthly: null,
  paid_yearly: null,
  yearly_paid_monthly: 'month',
}

/** The name of a price at the card provider: `{code}-{term}-{currency}`. */
export function lookupKeyOf(price: { code: string; term: BillingTerm; currency: string }): string {
  return `${price.code}-${price.term}-${price.currency}`.toLowerCase()
}

/** The term of a price: from its lookup key, else, for prices that the vendor had before, from its interval. */
export function termOf({ lookupKey, interval }: Pick<ProviderPrice, 'lookupKey' | 'interval'>): BillingTerm | null {
  const named = billingTerms.find((term) => new RegExp(`-${term}-[a-z]{3}$`).test(lookupKey))
  if (named) return named
  if (interval?.count !== 1) return null
  if (interval.unit === 'month') return 'monthly'
  return interval.unit === 'year' ? 'yearly' : null
}
