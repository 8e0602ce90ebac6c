import type { ExitCode } from '@atrium/server-kit/command.ts'
import type { Db } from '@atrium/server-kit/database.ts'

/** Something that an operator may do: `npm run members -- NAME …`. */
export interface Command {
  usage: string
  /** Reads the arguments; nothing where they are not whole. */
  prepare(parameters: readonly string[]): ((db: Db, print: (line: string) => void) => Promise<ExitCode>) | undefined
}
