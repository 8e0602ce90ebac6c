import { Writable } from 'node:stream'
import pino from 'pino'
import { expect, test } from 'vitest'
import { newPool } from './database.ts'
import { logSerializers } from './logging.ts'

/** The log line of an error. */
function lineOf(error: unknown): string {
  let line = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      line += chunk
      done()
    },
  })
  pino({ serializers: logSerializers }, stream).error({ err: error }, 'failed')
  return line
}

test('an error of the database is logged without the parameters of its statement, whatever they look like', () => {
  const cause = new Error('duplicate key')
  const line = lineOf(new Error('Failed query: insert\nparams: Ada\n    at home,secret-token', { cause }))

  expect(line).not.toContain('secret-token')
  expect(line).toContain('Failed query: insert')
  expect(line).toContain('duplicate key')
  expect(line).toContain('logging.test.ts')
})

test('for a host with several addresses, the failure of each is logged', async () => {
  // Node tries both, and the aggregate error has no message.
  const pool = newPool({ connectionString: 'postgres://atrium@localhost:1/atrium' })
  const error = await pool.query('select 1').catch((thrown: unknown) => thrown)
  await pool.end()

  expect(lineOf(error)).toMatch(/connect ECONNREFUSED (127\.0\.0\.1|::1):1/)
})
