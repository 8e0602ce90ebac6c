import { runWithDatabase } from './start/run-with-database.ts'

/** `npm run members -- NAME …`: what an operator does with members (`docs/sign-on.md`). */
await runWithDatabase('apps/account-server/src/commands/members.ts')
