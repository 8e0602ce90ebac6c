import { invalidRequest } from '../wire/refusal.ts'

/** Minimum charges in minor units; for every other currency it is one. */
const least: Readonly<Record<string, number>> = {
  usd: 50,
  eur: 50,
  gbp: 30,
  jpy: 50,
  cad: 50,
  aud: 50,
  chf: 50,
  brl: 50,
  inr: 50,
  nzd: 50,
  sgd: 50,
  sek: 300,
  nok: 300,
  dkk: 250,
  pln: 200,
  mxn: 1000,
  hkd: 400,
}

const most = 99_999_999

const currencies = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()))

/**
 * A currency as the provider writes it, in lower case.
 * @throws Refusal for an unknown code
 */
export function currencyOf(code: string): string {
  const currency = code.toLowerCase()
  if (currencies.has(currency)) return currency
  throw invalidRequest(`Invalid currency: ${code}.`, { param: 'currency' })
}

/** The smallest amount of a currency that can be charged. */
export function leastCharge(currency: string): number {
  return least[currency] ?? 1
}

/** @param amount in minor units; @throws Refusal for too little and too much */
export function refuseUnchargeable(amount: number, currency: string): void {
  if (amount < leastCharge(currency)) {
    throw invalidRequest(`The amount must be at least ${leastCharge(currency)} in the smallest unit of ${currency}.`, {
      code: 'amount_too_small',
      param: 'amount',
    })
  }
  if (amount > most) {
    throw invalidRequest(`The amount must be no more than ${most} in the smallest unit of ${currency}.`, {
      code: 'amount_too_large',
      param: 'amount',
    })
  }
}
