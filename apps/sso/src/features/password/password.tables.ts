import { text, timestamp } from 'drizzle-orm/pg-core'
import { sso } from '../../db/schema-name.ts'

/** Jobs that have written their reset email: delivered again, they write no second one. */
export const answeredResets = sso.table('answered_resets', {
  jobId: text('job_id').primaryKey(),
  answeredAt: timestamp('answered_at', { withTimezone: true }).notNull(),
})
