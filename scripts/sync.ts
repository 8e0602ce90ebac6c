import { runWithDatabase } from './start/run-with-database.ts'

/** `npm run sync -- catalog | customers | subscriptions | invoices`: brings the card provider and Atrium together (`docs/operations.md`). */
await runWithDatabase('apps/account-server/src/features/sync/sync-command.ts')
