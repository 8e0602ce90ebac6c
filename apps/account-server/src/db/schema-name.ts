import { pgSchema } from 'drizzle-orm/pg-core'

/** The schema of all tables of account-server; sso has its own. */
export const account = pgSchema('account')
