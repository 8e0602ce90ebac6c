import { billingTerms } from '@atrium/contract/subscriptions.ts'
import { sql } from 'drizzle-orm'
import { bigint, boolean, char, index, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { account } from '../../db/schema-name.ts'
import { products } from './catalog.tables.ts'

/**
 * Which product and term a price of a provider stands for, written by `npm run sync -- catalog`. A price that the catalog has
 * changed since stays for those who pay it.
 */
export const providerPrices = account.table(
  'provider_prices',
  {
    id: text('id').primaryKey(),
    provider: text('provider', { enum: ['card', 'paypal'] }).notNull(),
    /** The provider's product. */
    productId: text('product_id').notNull(),
    productCode: text('product_code')
      .notNull()
      .references(() => products.code),
    /** Null: an interval that no term has. */
    term: text('term', { enum: billingTerms }),
    /** Of one unit, in minor units; null if it is not per unit. */
    amount: bigint('amount', { mode: 'number' }),
    currency: char('currency', { length: 3 }).notNull(),
    /** The one at which it is sold now. */
    isCurrent: boolean('is_current').notNull(),
  },
  (table) => [
    index('provider_prices_product').on(table.productCode),
    uniqueIndex('provider_prices_current')
      .on(table.provider, table.productCode, table.term, table.currency)
      .where(sql`${table.isCurrent}`),
  ],
)
