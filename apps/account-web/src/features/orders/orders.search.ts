import { z } from 'zod'

/** What stands in the address while My Orders is open. */
export const OrdersSearch = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).optional().catch(undefined),
})
