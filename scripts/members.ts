import { runWithDatabase } from './start/run-with-database.ts'

/** Both programs have something about a person; account-server refuses what must not be erased, and runs first. */
const isAboutPerson = ['erase', 'export', 'sessions'].includes(process.argv[2] ?? '')

/** `npm run members -- NAME …`: what an operator does with members (`docs/sign-on.md`, `docs/operations.md`). */
await runWithDatabase(
  'apps/account-server/src/commands/members.ts',
  ...(isAboutPerson ? ['apps/sso/src/commands/members.ts'] : []),
)
