/** What can be wrong with a field, by the provider's code. */
export const faults = [
  'incomplete_number',
  'invalid_number',
  'incomplete_expiry',
  'invalid_expiry_month',
  'invalid_expiry_month_past',
  'invalid_expiry_year',
  'invalid_expiry_year_past',
  'incomplete_cvc',
  'incomplete_zip',
] as const

export type Fault = (typeof faults)[number]

/**
 * How a field stands. A field that is not finished is at fault only once it was left or is to be used: its `fault` says
 * with what.
 */
export type Verdict =
  | { state: 'complete' }
  | { state: 'invalid'; fault: Fault }
  | { state: 'empty' | 'partial'; fault: Fault }

export const complete = { state: 'complete' } as const
