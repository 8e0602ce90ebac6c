import { z } from 'zod'
import { PageNumber } from '../../page/list-page.ts'

/** The search parameters of License Management while it shows the users of a subscription (000 §2). */
export const TeamSearch = z.object({
  subId: z.string().min(1).max(64).optional().catch(undefined),
  /** A part of the email address of the users that are listed. */
  user: z.string().trim().min(1).max(100).optional().catch(undefined),
  page: PageNumber,
})
