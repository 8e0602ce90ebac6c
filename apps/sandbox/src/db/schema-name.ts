import { pgSchema } from 'drizzle-orm/pg-core'

/** All tables of the sandbox live in this schema, apart from those of the product. */
export const sandbox = pgSchema('sandbox')
