import { pgSchema } from 'drizzle-orm/pg-core'

/** All tables of account-server live in this schema, beside those of sso. */
export const account = pgSchema('account')
