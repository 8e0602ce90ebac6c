/**
 * What a customer is credited or given back, in steps of what can be charged: rather more than less.
 * @param amount in minor units
 * @param step of the provider, in minor units: `chargeStep`, `paypalStep`
 */
export function wholeSteps(amount: number, step: number): number {
  return Math.ceil(amount / step) * step
}
