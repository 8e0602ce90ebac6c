import { roadmapStatuses } from '@atrium/contract/roadmap.ts'
import { integer, text } from 'drizzle-orm/pg-core'
import { account } from '../../db/schema-name.ts'

/**
 * What the vendor plans and has released, the same for all customers. Some hundred rows, which are read as a whole: an index would
 * save nothing.
 */
export const roadmapItems = account.table('roadmap_items', {
  /** The vendor's own id. */
  key: text('key').primaryKey(),
  productType: text('product_type').notNull(),
  summary: text('summary').notNull(),
  status: text('status', { enum: roadmapStatuses }).notNull(),
  /** A quarter, `2026-Q4`: in the order of time as a text. */
  planCycle: text('plan_cycle').notNull(),
  /** Place within its quarter, from 0. */
  position: integer('position').notNull(),
})
