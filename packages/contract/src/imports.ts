import { z } from 'zod'
import { addressLimits, streetCountries } from './addresses.ts'
import { DictionaryType } from './dictionaries.ts'
import { ActivationMethod, Relationship, UserRole } from './licenses.ts'
import { LocaleCode } from './locale.ts'
import { CurrencyCode, MinorUnits } from './money.ts'
import { OrderStatus } from './orders.ts'
import { profileLimits } from './profile.ts'
import { SubscriptionStatus } from './subscriptions.ts'
import { SeatType } from './team.ts'

/** Trimmed, without the characters that PostgreSQL refuses. */
const Text = (max: number) => z.string().trim().max(max)

const Email = z.email().max(254).toLowerCase()

/** ISO 8601 with a time zone. */
const Instant = z.iso.datetime({ offset: true })

/**
 * Epoch seconds, or milliseconds (the specification's "trailing 000"); 0 for none. Not past the year 2243, so that a date
 * can be made of it.
 */
const EpochTime = z
  .int()
  .min(0)
  .max(8_640_000_000_000)
  .transform((value) => (value > 100_000_000_000 ? Math.trunc(value / 1000) : value))

/** A customer. Natural key: `email`. */
export const MemberRecord = z.object({
  type: z.literal('member'),
  email: Email,
  firstName: Text(profileLimits.name).default(''),
  lastName: Text(profileLimits.name).default(''),
  phone: Text(profileLimits.phone).default(''),
  company: Text(profileLimits.company).default(''),
  /** ISO 3166-1 alpha-2. */
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .or(z.literal(''))
    .default(''),
  grantLoginExpireTime: EpochTime.default(0),
})

/** A billing address. Natural key: `email` and `addressId`. A member's first one becomes the default. */
export const AddressRecord = z
  .object({
    type: z.literal('address'),
    /** Of the vendor's own system. */
    addressId: Text(64).min(1),
    /** The member it belongs to, imported before. Names and contact are the profile's. */
    email: Email,
    /** ISO 3166-1 alpha-2. */
    country: z.string().regex(/^[A-Z]{2}$/),
    /** Code of the country's state list: ISO 3166-2 without the country. Empty where there is no list. */
    state: Text(addressLimits.state).default(''),
    city: Text(addressLimits.city).default(''),
    zip: Text(addressLimits.zip).min(1),
    address: Text(addressLimits.address).default(''),
    created: Instant,
  })
  .superRefine((address, context) => {
    if (!streetCountries.includes(address.country)) return
    for (const field of ['address', 'city'] as const) {
      if (address[field] === '') context.addIssue({ code: 'custom', path: [field], message: 'is missing' })
    }
  })

/**
 * Who a member is at the card provider, for a vendor who has customers there already: their cards show at once.
 * Natural key: `email`.
 */
export const ProviderCustomerRecord = z.object({
  type: z.literal('provider-customer'),
  /** The member, imported before. */
  email: Email,
  /** The provider’s id of the customer. */
  customerId: z.string().regex(/^cus_\w{1,250}$/),
})

/** What a code is called, by language. Natural key: `dictionary` and `code`. */
export const DictionaryRecord = z.object({
  type: z.literal('dictionary'),
  dictionary: DictionaryType,
  code: Text(64).min(1),
  /** Place in the list, from 0. */
  position: z.int().min(0).default(0),
  /** English must be there; the other languages fall back to it. */
  names: z.partialRecord(LocaleCode, Text(200).min(1)).refine((names) => names['en-us'] !== undefined, {
    message: 'en-us is missing',
  }),
})

const Link = z.url({ protocol: /^https$/ }).max(2000)

/** A product of the catalogue. Natural key: `code`. */
export const ProductRecord = z.object({
  type: z.literal('product'),
  code: z.string().regex(/^[A-Z0-9][A-Z0-9_-]{0,63}$/i),
  name: Text(200).min(1),
  /** Key of the tab under which its licenses stand. */
  sku: Text(64).min(1),
  /** Label of that tab; empty: the name of its first product. */
  skuName: Text(100).default(''),
  position: z.int().min(0).default(0),
  /** What one unit costs, by billing term. */
  prices: z
    .array(
      z.object({
        term: z.enum(['monthly', 'yearly', 'perpetual']),
        amount: MinorUnits.min(0),
        currency: CurrencyCode,
      }),
    )
    .default([]),
  /** The most that one subscription can hold (001 §9), or a customer. */
  cap: z.object({ cap: z.int().min(1), scope: z.enum(['subscription', 'member']) }).default({
    cap: 999,
    scope: 'subscription',
  }),
  /** Roles of products in rules (000 §6), instead of codes in the program. */
  flags: z
    .array(
      z.enum([
        'adminConsole',
        'individualSuite',
        'additionalLicenses',
        'aiAssistant',
        'storage',
        'redactServer',
        'connector',
        'roadmap',
        'msp',
      ]),
    )
    .default([]),
  downloads: z.array(z.object({ platform: Text(40).min(1), url: Link })).default([]),
  integrations: z.array(z.object({ name: Text(100).min(1) })).default([]),
})

/** An order made outside the store. Natural key: `orderNumber`. */
export const OfflineOrderRecord = z.object({
  type: z.literal('offline-order'),
  orderNumber: Text(64).min(1),
  /** The member it belongs to, imported before. */
  email: Email,
  /** One entry a product line. */
  lines: z.array(Text(500).min(1)).min(1).max(100),
  amount: MinorUnits,
  currency: CurrencyCode,
  date: Instant,
})

/** An order made in the store. Natural key: `orderNumber`. */
export const OrderRecord = z.object({
  type: z.literal('order'),
  orderNumber: Text(64).min(1),
  /** The member it belongs to, imported before. */
  email: Email,
  invoiceNumber: Text(64).default(''),
  status: OrderStatus,
  /** One entry a product line. */
  lines: z
    .array(
      z.object({
        text: Text(500).min(1),
        /** Of the catalogue, for the download. */
        productCode: Text(64).default(''),
        /** Of the line, in minor units; left out where the vendor's system does not say. */
        amount: MinorUnits.optional(),
      }),
    )
    .min(1)
    .max(100),
  /** What was paid, tax included. */
  amount: MinorUnits,
  /** Part of `amount`; left out where the vendor's system does not say. */
  tax: MinorUnits.min(0).optional(),
  currency: CurrencyCode,
  date: Instant,
  /** The vendor's own PDF: a path beside the import file, or an https address at an allowed host; empty: none. */
  invoiceFile: Text(2000).default(''),
})

/** Stands in addresses and file names. */
const LicenseId = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be letters, digits, dots, dashes')
const SubscriptionId = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be letters, digits, dots, dashes')

/** A subscription. Natural key: `subscriptionId`. */
export const SubscriptionRecord = z.object({
  type: z.literal('subscription'),
  subscriptionId: SubscriptionId,
  /** Its Owner, a member imported before. */
  email: Email,
  /** Of the catalogue. */
  productCode: Text(64).min(1),
  status: SubscriptionStatus,
  /** Seats paid. */
  userCount: z.int().min(1).max(1_000_000),
  origin: z.enum(['online', 'offline', 'given']),
  channel: z.enum(['card', 'paypal', 'invoice']),
  autoRenewal: z.boolean().default(false),
  periodStart: Instant,
  /** Left out: it has no end. */
  periodEnd: Instant.optional(),
  trialEnd: Instant.optional(),
  /** Set when it was told to end before its time, or not to renew. */
  cancelAt: Instant.optional(),
  pastDueSince: Instant.optional(),
  endedAt: Instant.optional(),
  orgCode: Text(64).default(''),
})

/** Somebody's seat in a subscription, the Owner's too. Natural key: `subscriptionId` and `email`. */
export const SeatRecord = z.object({
  type: z.literal('seat'),
  subscriptionId: SubscriptionId,
  /** Of a member, or of somebody who was invited and is none yet. */
  email: Email,
  /** 0 Member, 1 Admin, 2 Owner, 3 Setup Admin. */
  seatType: SeatType,
  status: z.enum(['Pending', 'Accepted']),
  /** Whether a license is held. */
  isUse: z.boolean(),
  invited: Instant,
})

/** A license. Natural key: `licenseId`. Of a subscription's license product, seats and end are the subscription's. */
export const LicenseRecord = z
  .object({
    type: z.literal('license'),
    licenseId: LicenseId,
    /** Of a subscription's license; then there is no product, no number of seats and no end here. */
    subscriptionId: SubscriptionId.optional(),
    /** Of the catalogue. */
    productCode: Text(64).min(1).optional(),
    seats: z.int().min(1).max(1_000_000).optional(),
    /** 0: perpetual. */
    expirationDate: EpochTime.optional(),
    version: Text(40).default(''),
    edition: Text(100).default(''),
    language: Text(40).default(''),
    platform: Text(40).default(''),
    created: Instant,
    /** Set when the vendor took it back. */
    revoked: Instant.optional(),
    activationMethod: ActivationMethod,
    /** Of a license that can be converted to the new admin console. */
    acLiceId: Text(64).default(''),
  })
  .superRefine((license, context) => {
    const own = ['productCode', 'seats', 'expirationDate'] as const
    for (const field of own) {
      if (license.subscriptionId === undefined && license[field] === undefined)
        context.addIssue({ code: 'custom', path: [field], message: 'is missing: the license is of no subscription' })
      if (license.subscriptionId !== undefined && license[field] !== undefined)
        context.addIssue({ code: 'custom', path: [field], message: 'must be left out: it is the subscription’s' })
    }
  })

/** What a member is to a license. Natural key: `licenseId` and `email`. */
export const LicenseContactRecord = z.object({
  type: z.literal('license-contact'),
  licenseId: LicenseId,
  email: Email,
  /** The Holder of a subscription's license is the subscription's Owner, whatever stands here. */
  relationship: Relationship,
  userRole: UserRole.default(''),
})

/** A key of a license. Natural key: `key`. */
export const LicenseKeyRecord = z.object({
  type: z.literal('license-key'),
  key: Text(100).min(16),
  licenseId: LicenseId,
  /** Devices it may activate at once; left out: as many as the license has seats. */
  seats: z.int().min(1).max(1_000_000).optional(),
  revoked: Instant.optional(),
})

const MacAddress = z.string().regex(/^[0-9A-F]{2}(:[0-9A-F]{2}){5}$/, 'must be like 3C:06:30:12:9A:04')

/** A device activated with a key. Natural key: `key`, `macAddress` and `requestDate`. */
export const KeyDeviceRecord = z.object({
  type: z.literal('key-device'),
  key: Text(100).min(1),
  macAddress: MacAddress,
  pcName: Text(200).min(1),
  appVersion: z.string().regex(/^\d{1,5}(\.\d{1,10}){0,3}$/, 'must be like 12.1.0'),
  requestDate: Instant,
  deactivated: Instant.optional(),
})

/** A device activated by e-mail. Natural key: `subscriptionId`, `email`, `mac` and `appName`. */
export const EmailDeviceRecord = z.object({
  type: z.literal('email-device'),
  subscriptionId: SubscriptionId,
  /** Of the seat. */
  email: Email,
  hostName: Text(200).min(1),
  mac: MacAddress,
  appName: Text(200).min(1),
  appVersion: z.string().regex(/^\d{1,5}(\.\d{1,10}){0,3}$/, 'must be like 12.1.0'),
  updated: Instant,
  deactivated: Instant.optional(),
})

/** One line of an import file (`docs/imports.md`). */
export const ImportRecord = z.discriminatedUnion('type', [
  MemberRecord,
  AddressRecord,
  ProviderCustomerRecord,
  DictionaryRecord,
  ProductRecord,
  OfflineOrderRecord,
  OrderRecord,
  SubscriptionRecord,
  SeatRecord,
  LicenseRecord,
  LicenseContactRecord,
  LicenseKeyRecord,
  KeyDeviceRecord,
  EmailDeviceRecord,
])
export type ImportRecord = z.output<typeof ImportRecord>
