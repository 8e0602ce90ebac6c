import { z } from 'zod'

/**
 * PayPal's id of an account (`ppaas_payer_id_v3`): its number, masked, the same in `payer_id` and `account_id` of all its APIs, which only
 * PayPal writes (`readOnly`). Anything else is none.
 */
export const AccountId = z
  .string()
  .regex(/^[2-9A-HJ-NP-Z]{13}$/)
  .catch('')
