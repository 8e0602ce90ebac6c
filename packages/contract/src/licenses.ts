import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { PageQuery } from './page.ts'
import { ListRange } from './range.ts'
import { Line } from './text.ts'

/** 000 §4: valid is shown as Active. */
export const licenseStatuses = ['valid', 'expired'] as const
export const LicenseStatus = z.enum(licenseStatuses)
export type LicenseStatus = z.infer<typeof LicenseStatus>

/** 000 §6. */
export const Relationship = z.enum(['Holder', 'Partner', 'Contact'])
export type Relationship = z.infer<typeof Relationship>

/** A member's role for a license in the vendor's system (000 §3); empty: none. */
export const UserRole = z.enum(['', 'ship', 'bill', 'sold', 'commercial'])
export type UserRole = z.infer<typeof UserRole>

/** `keycode`: devices are activated with a key; `email`: by signing in. */
export const ActivationMethod = z.enum(['keycode', 'email'])
export type ActivationMethod = z.infer<typeof ActivationMethod>

export const CodeStatus = z.enum(['active', 'revoked'])

/** What a license offers the caller (000 §6), decided by the server. In the Russian locale the page leaves out purchases. */
export const LicenseAction = z.enum([
  'get_key',
  'manage_devices',
  'manage_user',
  'admin_console',
  'purchase',
  'purchase_additional',
])
export type LicenseAction = z.infer<typeof LicenseAction>

/** License, 000 §3. */
export const License = z.object({
  licenseId: z.string(),
  productCode: z.string(),
  /** From the catalog. */
  productName: z.string(),
  version: z.string(),
  /** As written by the vendor: `en-us`, `Multilingual`. */
  language: z.string(),
  edition: z.string(),
  platform: z.string(),
  /** Number of seats. For a subscription's license: the seats of the subscription. */
  totalLicenseNum: z.int(),
  /** Epoch seconds; 0 means perpetual. */
  expirationDate: z.int(),
  /** ISO 8601. */
  createDate: z.string(),
  status: LicenseStatus,
  relationship: Relationship,
  userRole: UserRole,
  /** Set if the license can be converted to the new admin console. */
  acConvertInfo: z.object({ acLiceId: z.string() }).nullable(),
  terms: z.object({
    activationMethod: ActivationMethod,
    /** Mask of the first key; empty if there is none. */
    activationKey: z.string(),
    codeStatus: CodeStatus.nullable(),
  }),
  /** Platform → address on an allowed host. */
  downloadUrl: z.record(z.string(), z.string()),
  /** Set for a subscription's license. */
  subId: z.string().nullable(),
  /** Seats taken and paid, for those who manage them. */
  subUserInfo: z.object({ joinCount: z.int(), userCount: z.int() }).nullable(),
  actions: z.array(LicenseAction),
})
export type License = z.infer<typeof License>

/** `device`: only licenses whose devices the caller, as Holder, activates with a key; for Device Management. */
const From = z.enum(['device'])

/** Products of the caller's licenses, for tabs and selects (000 §7), in the vendor's order. */
export const listLicensedProducts = endpoint({
  method: 'GET',
  path: '/account/products/',
  summary: 'Products of which the caller has licenses',
  query: z.object({ from: From.optional() }),
  support: 'read',
  reply: z.object({
    list: z.array(
      z.object({
        sku: z.string(),
        name: z.string(),
        /** `data:` address of its first product's picture; empty if the vendor has none. */
        icon: z.string(),
      }),
    ),
  }),
})

/**
 * Licenses of one product, newest first, and the counts per sku (000 §7). Without `sku`, lists the first product in the
 * vendor's order. `keyWord` searches license ids.
 */
export const listLicenses = endpoint({
  method: 'GET',
  path: '/account/licenses/',
  summary: 'Licenses by product, newest first',
  query: PageQuery.extend({
    sku: z.string().min(1).max(64).optional(),
    status: LicenseStatus.optional(),
    range: ListRange.optional(),
    keyWord: Line(200).default(''),
    from: From.optional(),
  }),
  support: 'read',
  reply: z.object({
    /** The product whose licenses are listed; empty if there are none. */
    sku: z.string(),
    /** Of all products together, without filters. */
    total: z.int(),
    /** By sku: every product of the caller. Only the requested one has its list filled in. Counts follow the filters. */
    licenses: z.record(z.string(), z.object({ list: z.array(License), totalLicenseIdNum: z.int() })),
  }),
})

/** A key in a list: its mask and opaque id. */
export const KeyCode = z.object({
  /** The key's opaque id, so that no key appears in an address. */
  code: z.uuid(),
  /** First ten characters, asterisks, last five. */
  activationKey: z.string(),
  codeStatus: CodeStatus,
  seats: z.int(),
  activeDevices: z.int(),
})
export type KeyCode = z.infer<typeof KeyCode>

const LicenseParams = z.object({ licenseId: z.string().min(1).max(64) })

/** Get The Key: the only reply with full keys, only for a Holder. */
export const readLicenseKeys = endpoint({
  method: 'GET',
  path: '/account/licenses/:licenseId/keys/',
  summary: 'The keys of a license, in full',
  params: LicenseParams,
  reply: z.object({
    productName: z.string(),
    terms: z.object({
      activationMethod: ActivationMethod,
      /** The first key. */
      activationKey: z.string(),
      /** Those with a free seat first; revoked ones last. */
      activationKeyLists: z.array(
        z.object({ activationKey: z.string(), codeStatus: CodeStatus, seats: z.int(), activeDevices: z.int() }),
      ),
      codeStatus: CodeStatus.nullable(),
    }),
  }),
  problems: { not_holder: 403 },
})

/** The keys of a license as a text file (`keycodes-{licenseId}.txt`): a header block, then one key per line. Base64. */
export const downloadKeycodeFile = endpoint({
  method: 'GET',
  path: '/account/licenses/:licenseId/keycode-file/',
  summary: 'The keys of a license as a file',
  limit: 'document',
  params: LicenseParams,
  reply: z.object({ content: z.base64(), filename: z.string() }),
  problems: { not_holder: 403 },
})
