import { sql } from 'drizzle-orm'
import { bigint, check, integer, timestamp } from 'drizzle-orm/pg-core'
import { sandbox } from '../provider-kit/schema-name.ts'

/** One row: where the business clock of the stand-ins is. Without it, the clock shows the real time. */
export const businessClock = sandbox.table(
  'business_clock',
  {
    id: integer('id').primaryKey().default(1),
    /** How far it is ahead of the real time, in milliseconds. */
    ahead: bigint('ahead', { mode: 'number' }).notNull(),
    /** The moment at which it stands while it is moved; null while it runs. */
    standsAt: timestamp('stands_at', { withTimezone: true }),
  },
  (table) => [check('business_clock_one_row', sql`${table.id} = 1`)],
)
