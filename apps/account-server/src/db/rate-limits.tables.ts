import { bigint, index, integer, text } from 'drizzle-orm/pg-core'
import { account } from './schema-name.ts'

/** Limits shared by all copies of the server (`newLimit`). */
export const rateLimits = account.table(
  'rate_limits',
  {
    key: text('key').primaryKey(),
    points: integer('points').notNull().default(0),
    /** Epoch milliseconds. */
    expire: bigint('expire', { mode: 'number' }),
  },
  (table) => [index('rate_limits_expire').on(table.expire)],
)
