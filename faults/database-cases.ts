import type { StageDatabase } from './stage-database.ts'

export interface DatabaseCase {
  name: string
  /** What happens, for a full run or a short one; ends when the database is back. */
  happen(database: StageDatabase, isShort: boolean): Promise<void>
}

export const databaseCases: readonly DatabaseCase[] = [
  {
    name: 'every connection terminated, again and again',
    happen: (database, isShort) => database.terminateConnections(isShort ? 1500 : 5000),
  },
  { name: 'kill -9 of PostgreSQL', happen: (database) => database.kill() },
  {
    name: 'PostgreSQL stopped (SIGSTOP)',
    // Longer than a statement is waited for, in any case.
    happen: (database, isShort) => database.stop(isShort ? 8000 : 20_000),
  },
  { name: 'a full pool', happen: (database) => database.block(4000) },
  { name: 'failover to another port', happen: (database) => database.failOver() },
]
