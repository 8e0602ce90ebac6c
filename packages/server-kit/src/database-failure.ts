import { DrizzleQueryError } from 'drizzle-orm'

/** The connection ended before a COMMIT was answered: the transaction may or may not be committed. */
export class CommitOutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('the database did not answer a commit', { cause })
    this.name = 'CommitOutcomeUnknown'
  }
}

/** SQLSTATEs (PostgreSQL manual, Appendix A) that end the connection: classes 08 and 57P, idle in transaction too long. */
const endsConnection = /^(08\w{3}|57P\w{2}|25P03)$/

/** … and those that are temporary: resources, cancellation, locks, deadlock, a read-only standby. */
const passes = /^(53\w{3}|57014|55P03|40P01|40001|25P04|25006)$/

/** System errors for an address that cannot be reached. */
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

/**
 * node-postgres has no codes for its own errors; `database-connections.test.ts` provokes them. A server that has stopped has removed its
 * Unix socket.
 */
const lostConnection =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|connect ENOENT )/
const fullPool = /^timeout exceeded when trying to connect/

/** Whether the connection is unusable: it ended, or does not answer. */
export function isConnectionLost(error: unknown): boolean {
  const { code, message } = driverError(error)
  return endsConnection.test(code) || networkCodes.has(code) || lostConnection.test(message)
}

/** Whether the failure is temporary and not the statement's fault: the same may work in a moment. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const { code, message } = driverError(error)
  return isConnectionLost(error) || passes.test(code) || fullPool.test(message)
}

/**
 * The driver's error without Drizzle's wrapper. Other causes (a failed request, say) are not the database's.
 * pg-boss passes on a copy that is not an `Error` any more.
 */
export function driverError(error: unknown): { code: string; message: string } {
  const thrown = error instanceof DrizzleQueryError ? error.cause : error
  if (typeof thrown !== 'object' || thrown === null) return { code: '', message: '' }
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : ''
  const message = 'message' in thrown && typeof thrown.message === 'string' ? thrown.message : ''
  return { code, message }
}
