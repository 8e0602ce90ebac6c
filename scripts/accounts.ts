import { runWithDatabase } from './start/run-with-database.ts'

/** `npm run accounts -- FILE …`: makes accounts for a trial (`docs/sign-on.md`). */
await runWithDatabase('apps/sso/src/commands/accounts.ts')
