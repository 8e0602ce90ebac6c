import { LicenseStatus } from '@atrium/contract/licenses.ts'
import { ListRange } from '@atrium/contract/range.ts'
import { z } from 'zod'
import { PageNumber } from '../../page/list-page.ts'

/** The search parameters of License Management. */
export const LicensesSearch = z.object({
  /** The product whose licenses are listed; undefined: the first. */
  sku: z.string().min(1).max(64).optional().catch(undefined),
  status: LicenseStatus.optional().catch(undefined),
  range: ListRange.optional().catch(undefined),
  /** Part of a license id. */
  keyWord: z.string().trim().min(1).max(200).optional().catch(undefined),
  page: PageNumber,
})
export type LicensesSearch = z.output<typeof LicensesSearch>
