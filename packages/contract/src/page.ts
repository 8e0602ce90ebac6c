import { z } from 'zod'

/** Pages count from 1. The default page size is 10 (000 §9), the maximum 100. */
export const PageQuery = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(100).default(10),
})
export type PageQuery = z.infer<typeof PageQuery>
