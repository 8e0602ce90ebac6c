import { pgSchema } from 'drizzle-orm/pg-core'

/** All our tables stand in this PostgreSQL schema, so that the account server can share the database. */
export const sso = pgSchema('sso')
