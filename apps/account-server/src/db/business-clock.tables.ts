import { sql } from 'drizzle-orm'
import { bigint, boolean, check } from 'drizzle-orm/pg-core'
import { account } from './schema-name.ts'

/** One row: how far business time is ahead of real time, where a trial may move it (`BUSINESS_CLOCK`). */
export const businessClock = account.table(
  'business_clock',
  {
    id: boolean('id').primaryKey().default(true),
    milliseconds: bigint('milliseconds', { mode: 'number' }).notNull(),
  },
  (table) => [check('business_clock_one', sql`${table.id}`)],
)
