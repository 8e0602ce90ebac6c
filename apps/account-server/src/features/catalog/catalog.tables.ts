import type { ImportRecord } from '@atrium/contract/imports.ts'
import { boolean, index, integer, jsonb, text } from 'drizzle-orm/pg-core'
import { account } from '../../db/schema-name.ts'

type Product = Extract<ImportRecord, { type: 'product' }>

/** The vendor's products. Rules check flags, never codes. */
export const products = account.table(
  'products',
  {
    code: text('code').primaryKey(),
    name: text('name').notNull(),
    /** Key of the tab that lists its licenses. */
    sku: text('sku').notNull(),
    /** Label of that tab; empty: the name of its first product. */
    skuName: text('sku_name').notNull().default(''),
    position: integer('position').notNull(),
    prices: jsonb('prices').$type<Product['prices']>().notNull(),
    cap: jsonb('cap').$type<Product['cap']>().notNull(),
    flags: text('flags').array().$type<Product['flags']>().notNull(),
    upgrades: text('upgrades').array().notNull().default([]),
    manageUrl: text('manage_url').notNull().default(''),
    /** Where it is opened in the browser; empty: nowhere. */
    launchUrl: text('launch_url').notNull().default(''),
    /** A `data:` address; empty: none. */
    icon: text('icon').notNull().default(''),
    downloads: jsonb('downloads').$type<Product['downloads']>().notNull(),
    /** Of a provider, and not of the vendor's catalog: made for the subscriptions to it, and not for sale. */
    isForeign: boolean('is_foreign').notNull().default(false),
    integrations: jsonb('integrations').$type<Product['integrations']>().notNull(),
  },
  (table) => [index('products_position').on(table.position, table.code)],
)
