import { z } from 'zod'
import { PageNumber } from '../../page/list-page.ts'

/** What stands in the address of License Management while the users of a subscription are shown (000 §2). */
export const TeamSearch = z.object({
  subId: z.string().min(1).max(64).optional().catch(undefined),
  page: PageNumber,
})
