import { regions } from '@atrium/contract/cloud.ts'
import { text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { members } from '../../db/members.tables.ts'
import { account } from '../../db/schema-name.ts'

/** The data region of each member who has chosen one. Its row is inserted once: of two tabs, one chooses. */
export const cloudAccounts = account.table('cloud_accounts', {
  memberId: uuid('member_id')
    .primaryKey()
    .references(() => members.id),
  region: text('region', { enum: regions }).notNull(),
  chosenAt: timestamp('chosen_at', { withTimezone: true }).notNull(),
  /** For whom it was opened last: '0' is personal, otherwise an enterprise's code. */
  userTypeId: text('user_type_id').notNull(),
})
