import { text, timestamp } from 'drizzle-orm/pg-core'
import { sso } from '../../db/schema-name.ts'

/** Jobs that have sent their reset email, so that a repeated job does not send another. */
export const answeredResets = sso.table('answered_resets', {
  jobId: text('job_id').primaryKey(),
  answeredAt: timestamp('answered_at', { withTimezone: true }).notNull(),
})
