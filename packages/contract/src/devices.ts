import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Flag } from './flag.ts'
import { ActivationMethod, CodeStatus, KeyCode } from './licenses.ts'
import { PageQuery } from './page.ts'
import { SubscriptionStatus } from './subscriptions.ts'
import { Line } from './text.ts'

/** A device activated with a key, 000 §3. */
export const KeyDevice = z.object({
  itemId: z.uuid(),
  /** Mask of the key (its serial number) that activated it. */
  sn: z.string(),
  macAddress: z.string(),
  pcName: z.string(),
  /** 0 is valid, anything else is not. */
  status: z.int(),
  /** ISO 8601: when it became inactive; null while it is active. */
  inactiveSince: z.string().nullable(),
  /** ISO 8601: when it was activated. */
  requestDate: z.string(),
  /** 1: the caller may deactivate it now. */
  canDeactivate: Flag,
  /** 1: activated by version 11 or earlier, which cannot be deactivated remotely. */
  earlierVersionTip: Flag,
})
export type KeyDevice = z.infer<typeof KeyDevice>

/** Devices of a key, newest first, and the allowance of the year. */
export const KeyDevices = z.object({
  log: z.array(KeyDevice),
  /** Of the devices found. */
  total: z.int(),
  /** Mask of the key. */
  activationKey: z.string(),
  licenseId: z.string(),
  productName: z.string(),
  /** An invalid license has no deactivations left. */
  isValid: z.boolean(),
  seats: z.int(),
  activeDevices: z.int(),
  /** Deactivations per rolling year, and how many of them are left. */
  deactivationAllowance: z.int(),
  deactivationsLeft: z.int(),
})
export type KeyDevices = z.infer<typeof KeyDevices>

/** The opaque id of a key. */
const KeyId = z.uuid()

export const maxDeviceSearch = 100

/** What devices are searched for, ignoring case. A MAC address is found from four digits on, however they are separated. */
const keyWord = Line(maxDeviceSearch).default('')

/** The masked keys of a license (000 §7: terms, productName), for its Holder. */
export const listKeyCodes = endpoint({
  method: 'GET',
  path: '/account/licenses/:licenseId/key-codes/',
  summary: 'Masked keys of a license, with their devices counted',
  params: z.object({ licenseId: z.string().min(1).max(64) }),
  query: PageQuery,
  support: 'read',
  reply: z.object({
    productName: z.string(),
    terms: z.object({
      activationMethod: ActivationMethod,
      /** Mask of the first key; empty if there is none. */
      activationKey: z.string(),
      activationKeyLists: z.array(KeyCode),
      codeStatus: CodeStatus.nullable(),
    }),
    total: z.int(),
  }),
  problems: { not_holder: 403 },
})

/** A key that a search found: by its own end, its license's id, or devices that it activated. */
export const FoundKey = KeyCode.extend({
  licenseId: z.string(),
  productName: z.string(),
  /** Names of the newest computers found, at most three; empty if the key or its license was found. */
  computers: z.array(z.string()),
  /** How many devices were found. */
  foundDevices: z.int(),
})
export type FoundKey = z.infer<typeof FoundKey>

/** Searches all keys of which the caller is the Holder, whatever product they are for. */
export const searchKeys = endpoint({
  method: 'GET',
  path: '/account/key-devices/keys/',
  summary: 'Keys by computer, MAC address, license id or the last characters of the key',
  limit: 'search',
  query: PageQuery.extend({ keyWord: Line(maxDeviceSearch).min(1) }),
  support: 'read',
  reply: z.object({ list: z.array(FoundKey), total: z.int() }),
})

export const listKeyDevices = endpoint({
  method: 'GET',
  path: '/account/key-devices/',
  summary: 'Devices activated with a key, newest first',
  /** `keyWord` searches computers and MAC addresses. */
  query: PageQuery.extend({ code: KeyId, licenseId: z.string().min(1).max(64).optional(), keyWord }),
  support: 'read',
  reply: KeyDevices,
  problems: { not_holder: 403 },
})

/**
 * Releases the activation immediately. The reply, and a refusal because of its state, contain the page of the list with the
 * device.
 */
export const deactivateKeyDevice = endpoint({
  method: 'POST',
  path: '/account/key-devices/:id/deactivate/',
  summary: 'Deactivate a device that was activated with a key',
  params: z.object({ id: z.uuid() }),
  body: PageQuery.extend({ code: KeyId, keyWord }),
  reply: KeyDevices,
  problems: {
    not_holder: 403,
    /** It is not active, or not any more. */
    device_not_active: { status: 409, data: KeyDevices },
    /** Version 11 and earlier cannot be deactivated here. */
    earlier_version: { status: 409, data: KeyDevices },
    license_expired: { status: 409, data: KeyDevices },
    no_deactivations_left: { status: 409, data: KeyDevices },
  },
})

/** `activation-records-{last 5 of key}-{yyyymmdd}.csv`, UTF-8 with BOM, base64. */
export const exportActivationRecord = endpoint({
  method: 'GET',
  path: '/account/key-devices/export/',
  summary: 'Activation record of a key as CSV',
  limit: 'document',
  query: z.object({ code: KeyId }),
  reply: z.object({ content: z.base64(), fileName: z.string() }),
  problems: { not_holder: 403 },
})

/** The device's id, for the page to deactivate it. */
export const EmailDevice = z.object({
  /** The device’s own id, with which the page deactivates it. */
  licenseId: z.uuid(),
  hostName: z.string(),
  mac: z.string(),
  appName: z.string(),
  /** Who activated it. */
  email: z.string(),
  /** Name of the subscription's product. */
  productName: z.string(),
  /** Status of the subscription, in the terms of 001 §4. */
  subStatus: SubscriptionStatus,
  /** ISO 8601. */
  updateDate: z.string(),
  /** `'0'`: active, and can be deactivated. */
  isDelete: z.enum(['0', '1']),
  /** ISO 8601: when it became inactive; null while it is active, or when that is not known. */
  inactiveSince: z.string().nullable(),
})
export type EmailDevice = z.infer<typeof EmailDevice>

/** Devices of the subscriptions in which the caller has a seat; an Owner also gets the other users' devices. */
export const listEmailDevices = endpoint({
  method: 'GET',
  path: '/account/email-devices/',
  summary: 'Devices activated by e-mail, newest first',
  /** `keyWord` searches computers, MAC addresses and the users' email addresses. */
  query: PageQuery.extend({ keyWord }),
  support: 'read',
  reply: z.object({ licenceList: z.array(EmailDevice), totalNum: z.int() }),
})

export const deactivateEmailDevice = endpoint({
  method: 'POST',
  path: '/account/email-devices/:licenceId/deactivate/',
  summary: 'Deactivate a device that was activated by e-mail',
  params: z.object({ licenceId: z.uuid() }),
  reply: EmailDevice,
  /** With the device's current state. */
  problems: { device_not_active: { status: 409, data: EmailDevice } },
})

/** At most so many devices of a computer are listed, and released at a time. */
export const maxComputerDevices = 50

/** Why a device of a computer cannot be released. */
export const ReleaseRefusal = z.enum([
  'earlier_version',
  'license_expired',
  'no_deactivations_left',
  /** It was the caller's when it was listed, and is not any more. */
  'not_yours',
])
export type ReleaseRefusal = z.infer<typeof ReleaseRefusal>

/** One activation on a computer, by email or with a key. */
export const ComputerDevice = z.object({
  id: z.uuid(),
  method: z.enum(['email', 'keycode']),
  productName: z.string(),
  /** By email: who activated it. Else empty. */
  email: z.string(),
  /** With a key: its mask, and its license. Else empty. */
  sn: z.string(),
  licenseId: z.string(),
  /** Null: it can be released, or it is. */
  refusal: ReleaseRefusal.nullable(),
})
export type ComputerDevice = z.infer<typeof ComputerDevice>

/**
 * What is active on one computer, known by its name and MAC address, in everything whose devices the caller may deactivate:
 * subscriptions that they own, seats that they have, and keys of which they are the Holder. `id` is any device on it.
 */
export const readComputer = endpoint({
  method: 'GET',
  path: '/account/computers/:id/',
  summary: 'Active devices of one computer',
  params: z.object({ id: z.uuid() }),
  reply: z.object({ name: z.string(), macAddress: z.string(), devices: z.array(ComputerDevice) }),
})

/**
 * Releases devices of a computer, each by its own rule and in its own transaction, and says what became of each. What is
 * inactive already counts as released, so that it can be sent again. An id of anything else is `not_found`, and nothing is done.
 */
export const releaseComputer = endpoint({
  method: 'POST',
  path: '/account/computers/:id/release/',
  summary: 'Release the devices of a computer that is replaced',
  params: z.object({ id: z.uuid() }),
  /** The devices that the caller was shown. */
  body: z.object({ devices: z.array(z.uuid()).min(1).max(maxComputerDevices) }),
  reply: z.object({ devices: z.array(ComputerDevice) }),
})
