import { DrizzleQueryError } from 'drizzle-orm'
import { isConnectionLost } from './database-failure.ts'

const silent = 'The database of DATABASE_URL does not answer. Is it running?'

const noTls =
  'The database of DATABASE_URL takes no TLS connections: turn them on there, or take sslmode out of DATABASE_URL.'

/** What the system and PostgreSQL say of the way to a database (PostgreSQL manual, Appendix A), for whoever runs us. */
const sentences: Readonly<Record<string, (error: Error) => string>> = {
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  ECONNREFUSED: () => silent,
  ETIMEDOUT: () => silent,
  EHOSTUNREACH: () => silent,
  ENETUNREACH: () => silent,
  '28P01': () => 'The database refuses the user or the password of DATABASE_URL.',
  '28000': () => 'The database refuses the user or the password of DATABASE_URL.',
  '3D000': () => 'The database named in DATABASE_URL does not exist.',
  '53100': () => 'The disk of the database is full.',
  '53300': ({ message }) =>
    `The database of DATABASE_URL has no connection left: ${message}. docs/operations.md says how many are needed.`,
  '55000': ({ message }) => `The database of DATABASE_URL takes no connections: ${message}.`,
  '57P03': ({ message }) => `The database of DATABASE_URL takes no connections yet: ${message}.`,
  '25006': () => 'The database is read-only.',
  DEPTH_ZERO_SELF_SIGNED_CERT: refusedCertificate,
  SELF_SIGNED_CERT_IN_CHAIN: refusedCertificate,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: refusedCertificate,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: refusedCertificate,
  CERT_HAS_EXPIRED: refusedCertificate,
  ERR_TLS_CERT_ALTNAME_INVALID: refusedCertificate,
}

function refusedCertificate({ message }: Error): string {
  return `The certificate of the database is refused: ${message}. NODE_EXTRA_CA_CERTS names that of an authority of your own.`
}

function unknownHost(error: Error): string {
  return `The host ${'hostname' in error ? error.hostname : ''} cannot be found. Is its name right in DATABASE_URL?`
}

/** Why the database cannot be used, as a sentence for whoever runs us; nothing where an error is about something else. */
export function databaseSentence(error: unknown): string | undefined {
  const cause = databaseCause(error)
  if (!(cause instanceof Error)) return undefined
  if (/timeout (expired|exceeded)|connection timeout|^connect ENOENT /.test(cause.message)) return silent
  if (cause.message === 'The server does not support SSL connections') return noTls
  const sentence = sentences[codeOf(cause)]
  if (sentence) return sentence(cause)
  return isConnectionLost(cause) ? 'The connection to the database was lost.' : undefined
}

/** What the driver threw: Drizzle wraps it, and `localhost` has two addresses and an error for each. */
export function databaseCause(error: unknown): unknown {
  const thrown = error instanceof DrizzleQueryError ? error.cause : error
  return thrown instanceof AggregateError ? thrown.errors[0] : thrown
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}
