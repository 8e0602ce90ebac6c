import { tmpdir } from 'node:os'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openDatabase } from './database.ts'
import { isDatabaseUnavailable } from './database-failure.ts'
import { databaseSentence } from './database-sentence.ts'
import { newEmptyDatabase } from './test-database.ts'

test('a database that takes no TLS connections, where sslmode asks for one, is a sentence', async () => {
  await using database = await newEmptyDatabase()
  const client = new pg.Client({ connectionString: `${database.url}?sslmode=verify-full` })
  const failure = await client.connect().catch((error: unknown) => error)
  expect(databaseSentence(failure)).toBe(
    'The database of DATABASE_URL takes no TLS connections: turn them on there, or take sslmode out of DATABASE_URL.',
  )
})

test('a database that has stopped, and with it its Unix socket, is away', async () => {
  const url = `postgres://atrium@${encodeURIComponent(tmpdir())}:1/atrium`
  const db = openDatabase({ url, applicationName: 'test' })
  const failure = await db.execute('select 1').catch((error: unknown) => error)
  await db.$client.end()
  expect(isDatabaseUnavailable(failure)).toBe(true)
  expect(databaseSentence(failure)).toBe('The database of DATABASE_URL does not answer. Is it running?')
})

test.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unable to get local issuer certificate'],
  ['CERT_HAS_EXPIRED', 'certificate has expired'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', "Hostname/IP does not match certificate's altnames"],
])('a certificate of the database that is refused is a sentence: %s', (code, message) => {
  expect(databaseSentence(Object.assign(new Error(message), { code }))).toBe(
    `The certificate of the database is refused: ${message}. NODE_EXTRA_CA_CERTS names that of an authority of your own.`,
  )
})
