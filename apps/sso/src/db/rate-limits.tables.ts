import { bigint, index, integer, text } from 'drizzle-orm/pg-core'
import { sso } from './schema-name.ts'

/** The state of rate limits, shared by every copy of the server. */
export const rateLimits = sso.table(
  'rate_limits',
  {
    key: text('key').primaryKey(),
    points: integer('points').notNull().default(0),
    /** Epoch milliseconds. */
    expire: bigint('expire', { mode: 'number' }),
  },
  (table) => [index('rate_limits_expire').on(table.expire)],
)
