import { maxDeviceSearch } from '@atrium/contract/devices.ts'
import { z } from 'zod'
import { PageNumber } from '../../page/list-page.ts'

/** The search parameters of Device Management. */
export const DevicesSearch = z.object({
  /** The sub-tab; undefined: Activate via Email. */
  method: z.literal('keycode').optional().catch(undefined),
  /** The product whose licenses are listed; undefined: the first. */
  sku: z.string().min(1).max(64).optional().catch(undefined),
  /** The license whose keys are listed. */
  licenseId: z.string().min(1).max(64).optional().catch(undefined),
  /** Opaque id of the key whose devices are listed, so that no key appears in an address. */
  code: z.uuid().optional().catch(undefined),
  /** What the shown devices, or keys, are searched for. */
  keyWord: z.string().trim().min(1).max(maxDeviceSearch).optional().catch(undefined),
  page: PageNumber,
})
export type DevicesSearch = z.output<typeof DevicesSearch>
