/** Every table, for drizzle-kit: `npx drizzle-kit generate` writes the next migration from it. */
export * from '../features/cards/store/cards.tables.ts'
export * from '../features/clock/clock.tables.ts'
export * from '../features/mail/mail.tables.ts'
export * from '../features/paypal/store/paypal.tables.ts'
export * from '../features/provider-kit/schema-name.ts'
