import { z } from 'zod'

/** The search parameters of My Products. Without a list, the online one is shown; without a product, all. */
export const ProductsSearch = z.object({
  list: z.literal('offline').optional().catch(undefined),
  /** A tab: the key of a product line, for its trials with `:trial`. */
  product: z.string().min(1).max(80).optional().catch(undefined),
})
