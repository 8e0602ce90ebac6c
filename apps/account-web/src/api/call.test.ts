import { type DataProblemCode, endpoint } from '@atrium/contract/endpoint.ts'
import { CallProblem } from '@atrium/ui/call-problem.ts'
import { afterEach, expect, expectTypeOf, test, vi } from 'vitest'
import { z } from 'zod'
import { call, callOnce, problemData } from './call.ts'
import { refuseCalls, resumeCalls } from './signed-out.ts'

const readThing = endpoint({
  method: 'GET',
  path: '/account/things/:id/',
  summary: 'A thing',
  params: z.object({ id: z.string() }),
  query: z.object({ page: z.coerce.number().default(1), keyWord: z.string().optional() }),
  reply: z.object({ name: z.string() }),
})

const renameThing = endpoint({
  method: 'PUT',
  path: '/account/things/:id/',
  summary: 'Rename a thing',
  params: z.object({ id: z.string() }),
  body: z.object({ name: z.string() }),
  reply: z.object({ name: z.string() }),
  problems: {
    locked: 403,
    stale: { status: 409, data: z.object({ name: z.string(), changed: z.coerce.date() }) },
    taken: { status: 409, data: z.object({ by: z.string() }) },
  },
})

/** The same code with other data. */
const removeThing = endpoint({ ...readThing, method: 'DELETE', problems: { stale: { status: 409, data: z.int() } } })

const request = { params: { id: 'a/b' }, query: { page: 2 } }

function answer(status: number, body: unknown, headers: Record<string, string> = {}) {
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })
}

function problem(status: number, code: string, more: object = {}) {
  return answer(status, { type: 'about:blank', title: code, status, code, requestId: 'r-1', ...more })
}

function network(...answers: (Response | Error)[]) {
  const fetched = vi.fn(async (_address: string, _init?: RequestInit) => {
    const next = answers.shift()
    if (!next) throw new Error('one call too many')
    if (next instanceof Error) throw next
    return next
  })
  vi.stubGlobal('fetch', fetched)
  return fetched
}

/** The first request is answered when `slow` is, the second finds the session ended, the rest succeed. */
function slowNetwork() {
  const slow = Promise.withResolvers<Response>()
  const fetched = vi.fn<() => Promise<Response>>()
  fetched.mockReturnValueOnce(slow.promise).mockResolvedValueOnce(problem(401, 'signed_out'))
  fetched.mockImplementation(async () => answer(200, { name: 'Ada' }))
  vi.stubGlobal('fetch', fetched)
  return { fetched, slow }
}

afterEach(() => {
  vi.unstubAllGlobals()
})

test('a call uses the endpoint’s address and parses the reply', async () => {
  const fetched = network(answer(200, { name: 'Ada', more: 'than asked' }))
  expect(await call(readThing, { ...request, query: { page: 2, keyWord: 'ä&b' } })).toEqual({ name: 'Ada' })
  expect(fetched.mock.calls[0]?.[0]).toBe('/account/things/a%2Fb/?page=2&keyWord=%C3%A4%26b')
})

test('a body is sent as JSON', async () => {
  const fetched = network(answer(200, { name: 'Grace' }))
  await call(renameThing, { params: { id: '1' }, body: { name: 'Grace' } })
  const init = fetched.mock.calls[0]?.[1]
  expect(init?.method).toBe('PUT')
  expect(init?.body).toBe('{"name":"Grace"}')
  expect(init?.headers).toMatchObject({ 'content-type': 'application/json' })
})

test('a problem has its code, fields, request id and Retry-After', async () => {
  const errors = [{ path: 'body.name', code: 'too_long', message: 'too_long' }]
  const body = { type: 'about:blank', title: 'x', status: 429, code: 'too_often', requestId: 'r-9', errors }
  network(answer(429, body, { 'retry-after': '30' }))
  const failure = await call(readThing, request).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(CallProblem)
  expect(failure).toMatchObject({ code: 'too_often', status: 429, requestId: 'r-9', retryAfter: 30, errors })
})

test('the data of a problem is read by its endpoint and code', async () => {
  const data = { name: 'Grace', changed: '2026-06-01T00:00:00Z', secret: 'not declared' }
  network(problem(409, 'stale', { data }), problem(403, 'locked', { data }))
  const rename = () => call(renameThing, { params: { id: '1' }, body: { name: 'x' } }).catch((error: unknown) => error)
  const [stale, locked] = [await rename(), await rename()]

  const fresh = problemData(stale, renameThing, 'stale')
  expect(fresh).toEqual({ name: 'Grace', changed: new Date('2026-06-01T00:00:00Z') })
  expect(problemData(stale, renameThing, 'stale', 'taken')).toEqual(fresh)
  expect(problemData(stale, renameThing, 'taken')).toBeUndefined()
  expect(problemData(stale, removeThing, 'stale')).toBeUndefined()
  expect(problemData(new Error('stale'), renameThing, 'stale')).toBeUndefined()
  expect(locked).toMatchObject({ code: 'locked', data: undefined })

  type Fresh = { name: string; changed: Date }
  expectTypeOf(fresh).toEqualTypeOf<Fresh | undefined>()
  expectTypeOf(problemData(stale, renameThing, 'stale', 'taken')).toEqualTypeOf<Fresh | { by: string } | undefined>()
  expectTypeOf<DataProblemCode<typeof renameThing>>().toEqualTypeOf<'stale' | 'taken'>()
})

test('a problem whose data is missing or invalid comes from another version', async () => {
  network(problem(409, 'stale'), problem(409, 'stale', { data: { name: 'Grace' } }))
  const rename = () => call(renameThing, { params: { id: '1' }, body: { name: 'x' } })
  await expect(rename()).rejects.toMatchObject({ code: 'outdated', status: 409, requestId: 'r-1' })
  await expect(rename()).rejects.toMatchObject({ code: 'outdated', status: 409, isRefusal: true })
})

test('a call without an answer is offline', async () => {
  network(new TypeError('Failed to fetch'))
  await expect(call(readThing, request)).rejects.toMatchObject({ code: 'offline', status: 0 })
})

test('a call that the page itself aborted is not a problem', async () => {
  network(new DOMException('gone', 'AbortError'))
  await expect(call(readThing, request)).rejects.toMatchObject({ name: 'AbortError' })
})

test('the error page of a proxy is a problem too', async () => {
  network(answer(502, '<html>Bad Gateway</html>'), answer(500, '<html>'))
  await expect(call(readThing, request)).rejects.toMatchObject({ code: 'overloaded', status: 502 })
  await expect(call(readThing, request)).rejects.toMatchObject({ code: 'internal', status: 500 })
})

test('a reply that does not match the contract is refused', async () => {
  network(answer(200, { title: 'no name' }), answer(200, 'no json'))
  await expect(call(readThing, request)).rejects.toMatchObject({ code: 'outdated' })
  await expect(call(readThing, request)).rejects.toMatchObject({ code: 'outdated' })
})

test('signed out, every call waits, and is repeated once after signing in again', async () => {
  const fetched = network(
    problem(401, 'signed_out'),
    problem(401, 'signed_out'),
    answer(200, { name: 'Ada' }),
    answer(200, { name: 'Ada' }),
  )
  const calls = Promise.all([call(readThing, request), call(renameThing, { params: { id: '1' }, body: { name: 'x' } })])
  await expect.poll(() => fetched).toHaveBeenCalledTimes(2)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(fetched).toHaveBeenCalledTimes(2)

  resumeCalls()
  expect(await calls).toEqual([{ name: 'Ada' }, { name: 'Ada' }])
  expect(fetched).toHaveBeenCalledTimes(4)
})

test('a call that finds the session ended again is not repeated a third time', async () => {
  const fetched = network(problem(401, 'signed_out'), problem(401, 'signed_out'))
  const outcome = call(readThing, request).catch((error: unknown) => error)
  await expect.poll(() => fetched).toHaveBeenCalledTimes(1)
  await new Promise((resolve) => setTimeout(resolve, 5))
  resumeCalls()
  expect(await outcome).toMatchObject({ code: 'signed_out' })
  expect(fetched).toHaveBeenCalledTimes(2)
})

test('after the dialog is closed, waiting calls fail', async () => {
  network(problem(401, 'signed_out'))
  const outcome = call(readThing, request).catch((error: unknown) => error)
  await new Promise((resolve) => setTimeout(resolve, 5))
  refuseCalls()
  expect(await outcome).toMatchObject({ code: 'signed_out', status: 401 })
})

test('refused for an old sign-in, a call waits and is repeated once, also if the session had ended before', async () => {
  const fetched = network(
    problem(401, 'signed_out'),
    problem(403, 'fresh_sign_in_required'),
    answer(200, { name: 'Ada' }),
    problem(403, 'fresh_sign_in_required'),
    problem(403, 'fresh_sign_in_required'),
  )
  const resumed = () => {
    resumeCalls()
    return fetched
  }
  const first = call(readThing, request)
  await expect.poll(() => fetched).toHaveBeenCalledTimes(1)
  await expect.poll(resumed).toHaveBeenCalledTimes(2)
  await expect.poll(resumed).toHaveBeenCalledTimes(3)
  expect(await first).toEqual({ name: 'Ada' })

  const second = call(readThing, request).catch((error: unknown) => error)
  await expect.poll(resumed).toHaveBeenCalledTimes(5)
  expect(await second).toMatchObject({ code: 'fresh_sign_in_required' })
})

test('who declines to sign in again learns why the call was refused, each call its own reason', async () => {
  const fetched = network(problem(401, 'signed_out'), problem(403, 'fresh_sign_in_required'))
  const outcomes = [call(readThing, request), call(readThing, request)].map((made) =>
    made.catch((error: unknown) => {
      if (error instanceof CallProblem) return `${error.status} ${error.code}`
      throw error
    }),
  )
  await expect.poll(() => fetched).toHaveBeenCalledTimes(2)
  await new Promise((resolve) => setTimeout(resolve, 5))
  refuseCalls()
  expect(await Promise.all(outcomes)).toEqual(['401 signed_out', '403 fresh_sign_in_required'])
})

test.each([
  ['declines', refuseCalls, { code: 'signed_out', status: 401 }, 1],
  ['signs in again', resumeCalls, { name: 'Ada' }, 2],
])('who %s has answered for a slower call that was sent before', async (_, answers, outcome, requests) => {
  const { fetched, slow } = slowNetwork()
  const slower = call(readThing, request).catch((error: unknown) => error)
  const faster = call(readThing, request).catch((error: unknown) => error)
  await new Promise((resolve) => setTimeout(resolve, 5))
  answers()
  await faster

  slow.resolve(problem(401, 'signed_out'))
  expect(await slower).toMatchObject(outcome)
  expect(fetched).toHaveBeenCalledTimes(2 * requests)
})

test('who signed in again because the session had ended is asked once more where a fresh sign-in is required', async () => {
  const { fetched, slow } = slowNetwork()
  const slower = call(readThing, request)
  const faster = call(readThing, request)
  await new Promise((resolve) => setTimeout(resolve, 5))
  resumeCalls()
  await faster

  slow.resolve(problem(403, 'fresh_sign_in_required'))
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(fetched).toHaveBeenCalledTimes(3)
  resumeCalls()
  expect(await slower).toEqual({ name: 'Ada' })
})

test('callOnce never waits for signing in', async () => {
  network(problem(401, 'signed_out'))
  await expect(callOnce(readThing, request)).rejects.toMatchObject({ code: 'signed_out' })
})
