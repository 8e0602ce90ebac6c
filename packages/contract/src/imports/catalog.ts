import { z } from 'zod'
import { DictionaryType } from '../dictionaries.ts'
import { LocaleCode } from '../locale.ts'
import { billingTerms } from '../subscriptions.ts'
import { Amount, Currency, Text } from './fields.ts'

export const DictionaryRecord = z
  .strictObject({
    type: z.literal('dictionary'),
    dictionary: DictionaryType.describe(
      'Whose codes are named: statuses of orders, of licenses (`valid`, `expired`) and of subscriptions, reasons to cancel, states of roadmap items, plan cycles',
    ),
    code: Text(64).min(1),
    position: z.int().min(0).default(0).describe('Place in the list, from 0'),
    names: z
      .partialRecord(LocaleCode, Text(200).min(1))
      .refine((names) => names['en-us'] !== undefined, 'en-us is missing: the other languages fall back to it')
      .meta({ shape: `names by language code (${LocaleCode.options.map((code) => `\`${code}\``).join(' ')})` })
      .describe('`en-us` is needed: the others fall back to it'),
  })
  .meta({ description: 'What a code is called, by language.', naturalKey: ['dictionary', 'code'] })

const Link = z
  .url({ protocol: /^https$/ })
  .max(2000)
  .meta({ shape: 'https address' })

/** A picture within the address itself, so that no other host is asked for it. */
const Icon = z
  .string()
  .max(8000)
  .regex(
    /^data:image\/(svg\+xml|png|webp);base64,[A-Za-z0-9+/]+={0,2}$/,
    'must be an SVG, PNG or WebP as data:image/…;base64,…',
  )
  .meta({ shape: 'picture' })

export const ProductRecord = z
  .strictObject({
    type: z.literal('product'),
    code: z
      .string()
      .regex(/^[A-Z0-9][A-Z0-9_-]{0,63}$/i, 'must be 1 to 64 letters, digits, underscores and dashes')
      .meta({ shape: 'product code' })
      .describe('1 to 64 letters, digits, underscores and dashes; begins with a letter or digit'),
    name: Text(200).min(1),
    sku: Text(64).min(1).describe('Key of the tab under which its licenses stand'),
    skuName: Text(100).default('').describe('Label of that tab; empty: the name of its first product'),
    position: z.int().min(0).default(0).describe('Place in the catalog, from 0'),
    prices: z
      .array(
        z.strictObject({
          term: z.enum([...billingTerms, 'perpetual']),
          amount: Amount.min(0),
          currency: Currency,
        }),
      )
      .superRefine((prices, context) => {
        const seen = new Set<string>()
        for (const [place, { term, currency }] of prices.entries()) {
          const message = `is the second price for ${term} in ${currency}`
          if (seen.has(`${term} ${currency}`)) context.addIssue({ code: 'custom', path: [place], message })
          seen.add(`${term} ${currency}`)
        }
      })
      .default([])
      .describe('What one unit costs, by billing term; one price for each term and currency'),
    cap: z
      .strictObject({ cap: z.int().min(1), scope: z.enum(['subscription', 'member']) })
      .default({ cap: 999, scope: 'subscription' })
      .describe('The most seats of one subscription, or of all that a customer has'),
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
          'connectable',
          'cloud',
          'envelopeSharing',
          'roadmap',
          'msp',
        ]),
      )
      .default([])
      .describe(
        '`adminConsole`: has the external admin console. `individualSuite`: its users are not managed. `additionalLicenses`: more can be bought for a license. `aiAssistant`, `storage`, `redactServer`, `connector`: is that add-on. `connectable`: connectors can be bought for it. `envelopeSharing`: connectors need envelope sharing. `cloud`: is opened in the customer’s data region (`CLOUD_URL_…`), signed in, instead of at `launchUrl`. `roadmap`: has a roadmap. `msp`: is sold through service providers',
      ),
    upgrades: z
      .array(Text(64).min(1))
      .max(20)
      .default([])
      .describe('Codes of the products to which a subscription can be upgraded'),
    manageUrl: Link.or(z.literal(''))
      .default('')
      .describe('Where its subscriptions are managed instead of here, where the host is one of `LINK_HOSTS`'),
    downloads: z
      .array(z.strictObject({ platform: Text(40).min(1), url: Link }))
      .default([])
      .describe('Shown where the host is one of `DOWNLOAD_HOSTS`'),
    launchUrl: Link.or(z.literal(''))
      .default('')
      .describe('Where it is opened in the browser, where the host is one of `LINK_HOSTS`'),
    icon: Icon.or(z.literal(''))
      .default('')
      .describe(
        'A square SVG, PNG or WebP as `data:image/…;base64,…`, at most 8,000 characters; empty: its first letter',
      ),
    integrations: z.array(z.strictObject({ name: Text(100).min(1) })).default([]),
  })
  .meta({ description: 'A product of the catalog.', naturalKey: ['code'] })
