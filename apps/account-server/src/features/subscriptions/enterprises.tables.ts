import { text } from 'drizzle-orm/pg-core'
import { account } from '../../db/schema-name.ts'

/** Organizations that have subscriptions, by the code that a subscription carries. */
export const enterprises = account.table('enterprises', {
  orgCode: text('org_code').primaryKey(),
  name: text('name').notNull(),
  /** Its own admin console; empty: none. */
  consoleUrl: text('console_url').notNull(),
})
