import { type DataProblemCode, endpoint, type ProblemAnswer } from '@atrium/contract/endpoint.ts'
import { pino } from 'pino'
import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { newApp } from './app.ts'
import { logSerializers } from './logging.ts'
import { Problem, problemWithData } from './problem.ts'
import { serve } from './serve.ts'

const Row = z.object({ name: z.string(), changed: z.date().transform((date) => date.toISOString()) })

const readThing = endpoint({
  method: 'GET',
  path: '/things/',
  summary: 'A thing',
  access: 'anyone',
  reply: z.object({}),
  problems: {
    locked: 403,
    stale: { status: 409, data: Row },
    limit: { status: 409, data: z.object({ most: z.int() }) },
  },
})

const readOther = endpoint({ ...readThing, path: '/others/', problems: { locked: 403 } })
const readPlain = endpoint({ method: 'GET', path: '/plain/', summary: 'Nothing fails', reply: z.object({}) })

const row = { name: 'Ada', changed: new Date(0) }

/** The reply to a problem that a handler throws, and its log lines. */
async function answerTo(problem: Problem, definition: typeof readThing | typeof readOther = readThing) {
  const lines: string[] = []
  const logger = pino(
    { level: 'error', serializers: logSerializers },
    { write: (line: string) => void lines.push(line) },
  )
  const app = await newApp({ logger, publicUrl: 'http://localhost:3000', trustedProxies: [] })
  serve(app, definition, () => {
    throw problem
  })
  const reply = await app.inject(definition.path)
  await app.close()
  return { status: reply.statusCode, body: reply.json(), logged: lines.map((line) => JSON.parse(line)) }
}

test('problemWithData accepts only codes that carry data, and data of their shape', () => {
  expectTypeOf<DataProblemCode<typeof readThing>>().toEqualTypeOf<'stale' | 'limit'>()
  expectTypeOf<DataProblemCode<typeof readOther>>().toBeNever()
  expectTypeOf<DataProblemCode<typeof readPlain>>().toBeNever()
  expectTypeOf<ProblemAnswer<typeof readThing, 'stale'>>().toEqualTypeOf<{ name: string; changed: Date }>()
  expectTypeOf(problemWithData<typeof readThing, 'stale'>).toBeCallableWith(readThing, 'stale', row)
  type Given<Code extends 'stale' | 'limit'> = Parameters<typeof problemWithData<typeof readThing, Code>>
  expectTypeOf<Given<'stale'>>().toEqualTypeOf<[_: typeof readThing, code: 'stale', data: typeof row]>()
  expectTypeOf<Given<'limit'>>().toEqualTypeOf<[_: typeof readThing, code: 'limit', data: { most: number }]>()
})

test('the data of a problem is sent as its schema parses it, and nothing else', async () => {
  const secret = { ...row, passwordHash: 'x' }
  const { status, body, logged } = await answerTo(problemWithData(readThing, 'stale', secret))

  expect(status).toBe(409)
  expect(body).toEqual({
    type: 'about:blank',
    title: 'Stale',
    status: 409,
    code: 'stale',
    requestId: expect.any(String),
    data: { name: 'Ada', changed: '1970-01-01T00:00:00.000Z' },
  })
  expect(logged).toEqual([])
})

test.each([
  ['without its data', {}],
  ['with data of another shape', { data: { name: 'Ada' } }],
])('a problem %s is a bug: logged, and 500', async (_name, details) => {
  const { status, body, logged } = await answerTo(new Problem('stale', details))

  expect([status, body.code, body.data]).toEqual([500, 'internal', undefined])
  expect(logged).toMatchObject([
    {
      msg: 'undeclared failure',
      route: '/things/',
      reqId: body.requestId,
      err: { code: 'stale', stack: expect.stringContaining('problem-data.test.ts'), cause: { type: 'ZodError' } },
    },
  ])
})

test('an endpoint that declares no data sends none', async () => {
  const { status, body } = await answerTo(new Problem('locked', { data: row }), readOther)
  expect([status, body.code, 'data' in body]).toEqual([403, 'locked', false])
})

test('a problem that another endpoint declares is a bug', async () => {
  const { status, logged } = await answerTo(problemWithData(readThing, 'stale', row), readOther)
  expect([status, logged.length]).toEqual([500, 1])
})
