import { runWithDatabase } from './start/run-with-database.ts'

/** `npm run import -- FILE [--dry-run]`: loads a vendor's data (`docs/imports.md`). */
await runWithDatabase('apps/account-server/src/features/imports/import-command.ts')
