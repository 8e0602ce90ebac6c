import { membersParts } from './start/members-parts.ts'
import { runWithDatabase } from './start/run-with-database.ts'

/** `npm run members -- NAME …`: what an operator does with members (`docs/sign-on.md`, `docs/operations.md`). */
await runWithDatabase(...membersParts(process.argv.slice(2)))
