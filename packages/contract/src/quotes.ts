import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { LocaleCode } from './locale.ts'
import { Lines, RequiredLine } from './text.ts'

/** The entries of the quote dialog: Get a Quote, Request renewal quote, Request Quote of the Volume Discount. */
export const QuoteKind = z.enum(['new', 'renewal', 'volume'])
export type QuoteKind = z.infer<typeof QuoteKind>

export const quoteLimits = { seats: 100_000, company: 256, message: 2000 } as const

export const quoteTerms = ['monthly', 'yearly', 'three-year', 'perpetual'] as const

export const QuoteRequest = z.object({
  kind: QuoteKind,
  /** From the catalog. */
  productCode: z.string().min(1, 'product_required').max(64),
  seats: z.int('seats_required').min(1, 'seats_required').max(quoteLimits.seats, 'too_many_seats'),
  term: z.enum(quoteTerms),
  company: RequiredLine(quoteLimits.company, 'company_required'),
  /** ISO 3166-1 alpha-2. */
  country: z.string().regex(/^[A-Z]{2}$/, 'country_required'),
  message: Lines(quoteLimits.message).default(''),
  /** Language of the customer's copy. */
  lang: LocaleCode.default('en-us'),
})
export type QuoteRequest = z.infer<typeof QuoteRequest>

/** Stores a lead, and sends emails to sales and to the customer. At most five a day per member, then 429. */
export const requestQuote = endpoint({
  method: 'POST',
  path: '/account/quotes/',
  summary: 'Ask sales for a quote',
  limit: 'document',
  body: QuoteRequest,
  reply: z.object({ quoteId: z.uuid() }),
  problems: {
    /** The catalog does not have the product, or not any more. */
    unknown_product: 409,
  },
})

/** What the dialog needs to show its form. */
export const readQuoteForm = endpoint({
  method: 'GET',
  path: '/account/quotes/form/',
  summary: 'Products, countries and what is known of the member, for the quote dialog',
  query: z.object({ lang: LocaleCode.default('en-us') }),
  reply: z.object({
    products: z.array(z.object({ code: z.string(), name: z.string() })),
    countryList: z.array(z.object({ code: z.string(), name: z.string() })),
    company: z.string(),
    country: z.string(),
  }),
})
