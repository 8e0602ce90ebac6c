import { pgSchema } from 'drizzle-orm/pg-core'

/** The PostgreSQL schema of sso's tables, so that account-server can share the database. */
export const sso = pgSchema('sso')
