import type Stripe from 'stripe'

/** Percent of the standard rate, by country. */
const rates: Readonly<Record<string, number>> = {
  DE: 19,
  FR: 20,
  IT: 22,
  ES: 21,
  NL: 21,
  PT: 23,
  AT: 20,
  GB: 20,
  CH: 8.1,
  JP: 10,
  TW: 5,
  AU: 10,
  BR: 0,
}

/** What a line is taxed as that names no product, or one without a tax code: the standard rate, as this account has set. */
export const presetTaxCode = 'txcd_10000000'

/** Percent of what has another rate than the standard one, by country and tax code: books that are read on a screen. */
const otherRates: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  DE: { txcd_10302000: 7 },
  FR: { txcd_10302000: 5.5 },
  ES: { txcd_10302000: 4 },
}

/** Percent by state of the USA; in all others nothing is collected. */
const stateRates: Readonly<Record<string, number>> = { CA: 7.25, NY: 4, TX: 6.25, WA: 6.5, FL: 6, IL: 6.25, PA: 6 }

/** What an address is taxed with. */
export interface Taxation {
  /** `tax_rate` of the lines. */
  rate: string
  percent: number
  /** Of tax codes with another one. */
  percentOf?: Readonly<Record<string, number>>
  reason: Stripe.InvoiceLineItem.Tax.TaxabilityReason
}

/**
 * The taxation of a customer by the address.
 * @returns `undefined` if the address does not say where the customer is
 */
export function taxationOf({ address, tax_exempt }: Pick<Stripe.Customer, 'address' | 'tax_exempt'>) {
  const country = address?.country?.toUpperCase()
  if (!country || !/^[A-Z]{2}$/.test(country)) return undefined
  const state = address?.state?.toUpperCase() ?? ''
  // In the USA the country alone does not say the rate.
  if (country === 'US' && state === '' && !address?.postal_code) return undefined
  const place = country === 'US' ? `us_${state.toLowerCase()}` : country.toLowerCase()
  const percent = (country === 'US' ? stateRates[state] : rates[country]) ?? 0
  const taxation = { rate: `txr_sandbox_${place}`, percent, reason: reasonOf(country, percent) }
  return exempted({ ...taxation, percentOf: otherRates[country] ?? {} }, tax_exempt)
}

function reasonOf(country: string, percent: number): Taxation['reason'] {
  if (percent > 0) return 'standard_rated'
  return country in rates ? 'zero_rated' : 'not_collecting'
}

function exempted(taxation: Taxation, exempt: Stripe.Customer['tax_exempt']): Taxation {
  const none = { rate: taxation.rate, percent: 0 }
  if (exempt === 'exempt') return { ...none, reason: 'customer_exempt' }
  return exempt === 'reverse' ? { ...none, reason: 'reverse_charge' } : taxation
}
