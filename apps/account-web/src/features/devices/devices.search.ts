import { z } from 'zod'
import { PageNumber } from '../../page/list-page.ts'

/** What stands in the address while Device Management is open. */
export const DevicesSearch = z.object({
  /** The sub-tab; absent: Activate via Email. */
  method: z.literal('keycode').optional().catch(undefined),
  /** Key of the product whose licenses are listed; absent: the first. */
  sku: z.string().min(1).max(64).optional().catch(undefined),
  /** The license whose keys are listed. */
  licenseId: z.string().min(1).max(64).optional().catch(undefined),
  /** Opaque id of the key whose devices are listed. A key itself never stands in an address. */
  code: z.uuid().optional().catch(undefined),
  page: PageNumber,
})
export type DevicesSearch = z.output<typeof DevicesSearch>
