import pg from 'pg'
import { ConfigError } from './config.ts'
import { databaseCause, databaseSentence } from './database-sentence.ts'
import { listenSentence } from './listen.ts'

/** Why a program could not start, as a sentence for the operator; a bug keeps its stack. */
export function startErrorSentence(error: unknown): string {
  if (error instanceof ConfigError || error instanceof MigrationError) return error.message
  const cause = databaseCause(error)
  if (!(cause instanceof Error)) return String(error)
  if ('syscall' in cause && cause.syscall === 'listen') return listenSentence(cause) ?? cause.message
  return databaseSentence(cause) ?? cause.stack ?? cause.message
}

/** A failed migration of one program; its transaction was rolled back. */
class MigrationError extends Error {
  constructor(program: string, error: unknown) {
    const cause = databaseCause(error)
    const reason = cause instanceof Error ? cause.message : String(cause)
    // The rows in the way: `Key (…)=(…) is duplicated.`
    const detail = cause instanceof pg.DatabaseError && cause.detail ? ` ${cause.detail}` : ''
    super(`The tables of ${program} could not be migrated, and are as they were: ${reason}.${detail}`, { cause })
    this.name = 'MigrationError'
  }
}

/** Waits for a program's migrations; names the program in the error, unless the database could not be reached. */
export async function namingMigration(program: string, migrations: Promise<void>): Promise<void> {
  try {
    await migrations
  } catch (error) {
    throw databaseSentence(error) ? error : new MigrationError(program, error)
  }
}
