import { pgSchema } from 'drizzle-orm/pg-core'

/** The PostgreSQL schema of the sandbox's tables, separate from those of the product. */
export const sandbox = pgSchema('sandbox')
