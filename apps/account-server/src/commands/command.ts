import type { Db } from '@atrium/server-kit/database.ts'

/** What the shell is told when a command ends. */
export const exitCodes = {
  done: 0,
  /** Nothing was changed, for the reason that was printed. */
  refused: 1,
  /** The arguments or the settings are wrong. */
  usage: 2,
  /** The database does not answer, or has no tables yet; or did not answer a commit, which may have been done. */
  database: 3,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Something that an operator may do: `npm run members -- NAME …`. */
export interface Command {
  usage: string
  /** Reads the arguments; nothing where they are not whole. */
  prepare(parameters: readonly string[]): ((db: Db, print: (line: string) => void) => Promise<ExitCode>) | undefined
}
