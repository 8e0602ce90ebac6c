import { z } from 'zod'
import { DictionaryType } from './dictionaries.ts'
import { LocaleCode } from './locale.ts'
import { CurrencyCode, MinorUnits } from './money.ts'
import { profileLimits } from './profile.ts'

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

/** One line of an import file (`docs/imports.md`). */
export const ImportRecord = z.discriminatedUnion('type', [
  MemberRecord,
  DictionaryRecord,
  ProductRecord,
  OfflineOrderRecord,
])
export type ImportRecord = z.output<typeof ImportRecord>
