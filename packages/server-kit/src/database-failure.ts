import { DrizzleQueryError } from 'drizzle-orm'

/** The connection ended before a COMMIT was answered: the transaction stands, or it does not. */
export class CommitOutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('the database did not answer a commit', { cause })
    this.name = 'CommitOutcomeUnknown'
  }
}

/** SQLSTATEs (PostgreSQL manual, Appendix A) with which a connection ends: classes 08 and 57P, idle in transaction too long. */
const endsConnection = /^(08\w{3}|57P\w{2}|25P03)$/

/** … and those that say nothing about the statement: resources, cancellation, locks, deadlock, a read-only standby. */
const passes = /^(53\w{3}|57014|55P03|40P01|40001|25P04|25006)$/

/** What the system says of an address that cannot be reached. */
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** node-postgres has no codes for its own errors; `database-connections.test.ts` makes them happen. */
const lostConnection =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout)/
const fullPool = /^timeout exceeded when trying to connect/

/** Whether the connection is of no further use: it ended, or does not answer. */
export function isConnectionLost(error: unknown): boolean {
  const { code, message } = driverError(error)
  return endsConnection.test(code) || networkCodes.has(code) || lostConnection.test(message)
}

/** Whether the database's state made it fail, and not the statement: the same may work in a moment. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const { code, message } = driverError(error)
  return isConnectionLost(error) || passes.test(code) || fullPool.test(message)
}

/**
 * What the driver said, without the statement that Drizzle wraps it in; other causes (a request that failed) are not the
 * database's. pg-boss hands on a copy of an error, which is an `Error` no longer.
 */
export function driverError(error: unknown): { code: string; message: string } {
  const thrown = error instanceof DrizzleQueryError ? error.cause : error
  if (typeof thrown !== 'object' || thrown === null) return { code: '', message: '' }
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : ''
  const message = 'message' in thrown && typeof thrown.message === 'string' ? thrown.message : ''
  return { code, message }
}
