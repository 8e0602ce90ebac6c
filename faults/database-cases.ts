import type { StageDatabase } from './stage-database.ts'

export interface DatabaseCase {
  name: string
  /** Breaks the database; resolves when it is back. */
  run(database: StageDatabase, isShort: boolean): Promise<void>
}

export const databaseCases: readonly DatabaseCase[] = [
  {
    name: 'every connection terminated repeatedly',
    run: (database, isShort) => database.terminateConnections(isShort ? 1500 : 5000),
  },
  { name: 'kill -9 of PostgreSQL', run: (database) => database.kill() },
  {
    name: 'PostgreSQL stopped (SIGSTOP)',
    // Longer than the statement timeout in both cases.
    run: (database, isShort) => database.stop(isShort ? 8000 : 20_000),
  },
  { name: 'a full pool', run: (database) => database.block(4000) },
  { name: 'failover to another port', run: (database) => database.failOver() },
]
