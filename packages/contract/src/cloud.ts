import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { LocaleCode } from './locale.ts'

/** Where a cloud service stores and processes a customer's documents (001 §9). */
export const regions = ['us', 'eu', 'ca', 'au'] as const
export const Region = z.enum(regions)
export type Region = z.infer<typeof Region>

/** The user type of a person who acts for themselves and not for an enterprise (001 §6). */
export const personalId = '0'

/** For whom a person uses the cloud service: for themselves, or for an enterprise whose subscriptions they own or use. */
const UserType = z.object({
  /** `0`: personal; otherwise the vendor's code of the enterprise. */
  id: z.string(),
  /** Of the enterprise; empty: personal. */
  name: z.string(),
})
export type UserType = z.infer<typeof UserType>

export const CloudAccount = z.object({
  /** Empty: not chosen yet. Never changes afterwards. */
  region: Region.or(z.literal('')),
  /** The regions that the vendor has a cloud service in; a chosen one may no longer be among them. */
  regions: z.array(Region),
  /** Personal, then enterprises by name. */
  userTypes: z.array(UserType),
  /** The `id` of the last launch, if it still is one of `userTypes`; otherwise personal. */
  userTypeId: z.string(),
})
export type CloudAccount = z.infer<typeof CloudAccount>

/** The region lookup (001 §7). */
export const lookUpRegion = endpoint({
  method: 'GET',
  path: '/account/cloud/region/',
  summary: 'The data region of the member, and for whom they may open the cloud service',
  reply: CloudAccount,
})

/** Once and for all: moving a customer's documents is not ours to do. */
export const chooseRegion = endpoint({
  method: 'POST',
  path: '/account/cloud/region/',
  summary: 'Choose the data region, once',
  body: z.object({ region: Region }),
  reply: CloudAccount,
  problems: { region_chosen: { status: 409, data: CloudAccount }, region_not_offered: 409 },
})

/** The cloud login ticket (001 §7). The address is used immediately: a ticket is valid for 30 seconds. */
export const openCloud = endpoint({
  method: 'POST',
  path: '/account/cloud/login-ticket/',
  summary: 'The address at which the cloud service opens, signed in',
  limit: 'provider',
  body: z.object({
    /** One of `userTypes`; another one is not found. */
    userTypeId: z.string().min(1).max(64),
    /** Of the account page to which the cloud service can lead back (`from`). */
    lang: LocaleCode.default('en-us'),
  }),
  /**
   * The cloud service of the member's region, with `casService`, `from`, `enterpriseId` unless personal, and `ticket` unless the single
   * sign-on issued none.
   */
  reply: z.object({ url: z.url() }),
  problems: { region_missing: 409, region_not_offered: 409 },
})
