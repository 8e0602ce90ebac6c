import { billingTerms } from '@atrium/contract/subscriptions.ts'
import { bigint, char, integer, numeric, text, timestamp } from 'drizzle-orm/pg-core'
import { account } from '../../db/schema-name.ts'

/** Discounts that the vendor imported. How often one was used is counted from the operations that named it. */
export const coupons = account.table('coupons', {
  /** Upper case. */
  code: text('code').primaryKey(),
  /** Percent; null: `amountOff`. */
  percentOff: numeric('percent_off', { precision: 5, scale: 2, mode: 'number' }),
  /** In minor units of `currency`. */
  amountOff: bigint('amount_off', { mode: 'number' }),
  /** Null: any. */
  currency: char('currency', { length: 3 }),
  /** Codes; empty: all. */
  products: text('products').array().notNull(),
  /** Empty: all. */
  terms: text('terms', { enum: billingTerms }).array().notNull(),
  /** ISO 3166; empty: all. */
  countries: text('countries').array().notNull(),
  validFrom: timestamp('valid_from', { withTimezone: true }),
  validUntil: timestamp('valid_until', { withTimezone: true }),
  /** Null: as often as customers like. */
  maxUses: integer('max_uses'),
  maxUsesPerCustomer: integer('max_uses_per_customer'),
})
