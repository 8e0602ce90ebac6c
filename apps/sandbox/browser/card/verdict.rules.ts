/** The faults of fields, by the provider's codes. */
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
 * The state of a field. An incomplete value becomes a fault only when the field is left or submitted; `fault` is its code.
 */
export type Verdict =
  | { state: 'complete' }
  | { state: 'invalid'; fault: Fault }
  | { state: 'empty' | 'partial'; fault: Fault }

export const complete = { state: 'complete' } as const
