import { Writable } from 'node:stream'
import pino from 'pino'
import { expect, test } from 'vitest'
import { logSerializers } from './logging.ts'

test('an error of the database is logged without the parameters of its statement, whatever they look like', () => {
  let line = ''
  const logger = pino(
    { serializers: logSerializers },
    new Writable({
      write(chunk, _encoding, done) {
        line += chunk
        done()
      },
    }),
  )
  const cause = new Error('duplicate key')
  logger.error({ err: new Error('Failed query: insert\nparams: Ada\n    at home,secret-token', { cause }) }, 'failed')

  expect(line).not.toContain('secret-token')
  expect(line).toContain('Failed query: insert')
  expect(line).toContain('duplicate key')
  expect(line).toContain('logging.test.ts')
})
