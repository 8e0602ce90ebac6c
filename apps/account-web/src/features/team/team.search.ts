import { z } from 'zod'
import { PageNumber } from '../../page/list-page.ts'

/** The search parameters of License Management while it shows the users of a subscription (000 §2). */
export const TeamSearch = z.object({
  subId: z.string().min(1).max(64).optional().catch(undefined),
  page: PageNumber,
})
