import { minorUnitDigits } from '@atrium/contract/minor-units.ts'

/** The provider counts these without a minor unit, and these in thousandths. Krónur and Ugandan shillings have hundredths there. */
const whole = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '))
const thousandths = new Set('BHD JOD KWD OMR TND'.split(' '))

function providerDigits(currency: string): number {
  if (whole.has(currency)) return 0
  return thousandths.has(currency) ? 3 : 2
}

/**
 * What an amount that is charged, credited or refunded at the card provider has to be a multiple of, in minor units of ISO 4217: of three decimals the
 * last is 0 (https://docs.stripe.com/currencies, "Three-decimal currencies"), and there is none that the provider does not count.
 * Krónur and Ugandan shillings have no decimals here.
 */
export function chargeStep(currency: string): number {
  const digits = providerDigits(currency)
  return digits === 3 ? 10 : 10 ** Math.max(0, minorUnitDigits(currency) - digits)
}

/** Minor units of ISO 4217, of an amount as the provider counts it. @param currency upper case */
export function minorUnits(amount: number, currency: string): number {
  return Math.round(amount * 10 ** (minorUnitDigits(currency) - providerDigits(currency)))
}

/** An amount as the provider counts it, of minor units of ISO 4217. */
export function providerAmount(amount: number, currency: string): number {
  return Math.round(amount * 10 ** (providerDigits(currency) - minorUnitDigits(currency)))
}
