import { invalidRequest } from './refusal.ts'

/**
 * What an amount has to be a multiple of: of three decimals the last is 0, and of krónur and Ugandan shillings both are
 * (https://docs.stripe.com/currencies, "Three-decimal currencies" and "Special cases").
 */
const steps: Readonly<Record<string, number>> = { bhd: 10, jod: 10, kwd: 10, omr: 10, tnd: 10, isk: 100, ugx: 100 }

/**
 * For a payment and a refund that a request asks for. What an invoice asks for is computed by the provider, and not documented to be
 * refused.
 * @param amount in minor units
 * @throws Refusal for one that the card networks do not take to the last digit
 */
export function refuseFraction(amount: number, currency: string): void {
  const step = steps[currency] ?? 1
  if (amount % step === 0) return
  throw invalidRequest(`Invalid amount: in ${currency} it must be a multiple of ${step}.`, {
    // Documented for krónur alone (https://support.stripe.com/questions/deprecation-of-fractional-isk-charges-and-refunds).
    ...(currency === 'isk' && { code: 'invalid_charge_amount_no_decimal_compatible' }),
    param: 'amount',
  })
}
