/** Every table, for drizzle-kit: `npx drizzle-kit generate` writes the next migration from it. */

export * from '../features/activity/activity.tables.ts'
export * from '../features/catalog/catalog.tables.ts'
export * from '../features/dictionaries/dictionaries.tables.ts'
export * from '../features/orders/orders.tables.ts'
export * from '../features/session/session.tables.ts'
export * from './members.tables.ts'
export * from './schema-name.ts'
