import type { ExitCode } from '@atrium/server-kit/command.ts'
import type { Db } from '@atrium/server-kit/database.ts'
import type { z } from 'zod'
import type { MembersSettings } from '../config.ts'

/** The settings, and business time. */
export type MembersConfig = Omit<z.output<typeof MembersSettings>, 'BUSINESS_CLOCK'> & { now: Date }

/** Something that an operator may do: `npm run members -- NAME …`. */
export interface Command {
  usage: string
  /** Reads the arguments; nothing where they are not whole. */
  prepare(
    parameters: readonly string[],
  ): ((db: Db, print: (line: string) => void, config: MembersConfig) => Promise<ExitCode>) | undefined
}
