import { createServer, type RequestListener, type Server } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { ProviderFailure } from '../provider-failure.ts'
import { paypalClient } from './client.ts'

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

interface Answer {
  status?: number
  text?: string
  /** Never answers. */
  isSilent?: boolean
  location?: string
}

const token = { text: JSON.stringify({ access_token: 'T', expires_in: 3600 }) }
const fine = { text: JSON.stringify({ id: 'P-1' }) }
const refusal = (status: number, issue: string) => ({
  status,
  text: JSON.stringify({
    name: 'UNPROCESSABLE_ENTITY',
    debug_id: '1',
    message: 'no',
    details: [{ issue, description: 'no' }],
  }),
})

/** PayPal with given answers to the calls, in turn; the last one is repeated. */
async function paypalWith(answers: readonly Answer[], tokens: readonly Answer[] = [token]) {
  const calls: { path: string; requestId: string | undefined; authorization: string | undefined }[] = []
  let asked = 0
  const answer: RequestListener = (request, response) => {
    const isToken = request.url === '/v1/oauth2/token'
    if (isToken) asked += 1
    else {
      const { 'paypal-request-id': id, authorization } = request.headers
      calls.push({ path: request.url ?? '', requestId: id?.toString(), authorization })
    }
    const given: Answer | undefined = isToken
      ? (tokens[asked - 1] ?? tokens.at(-1))
      : (answers[calls.length - 1] ?? answers.at(-1))
    const { status = 200, text = '', isSilent = false, location } = given ?? {}
    if (isSilent) return
    response.writeHead(status, { 'content-type': 'application/json', ...(location && { location }) }).end(text)
  }
  server = createServer(answer)
  await new Promise<void>((resolve) => server?.listen(0, 'localhost', resolve))
  const address = server.address()
  const url = `http://localhost:${typeof address === 'object' && address ? address.port : 0}`
  const config = { PAYPAL_API_URL: url, PAYPAL_CLIENT_ID: 'client_x', PAYPAL_CLIENT_SECRET: 'secret_x' }
  const call = paypalClient(config, { timeout: 200 })
  const Plan = z.object({ id: z.string() })
  return {
    calls,
    asked: () => asked,
    read: () => call({ method: 'GET', path: '/v1/billing/plans/P-1' }, Plan),
    create: (requestId?: string) =>
      call({ method: 'POST', path: '/v1/billing/plans', body: {}, ...(requestId && { requestId }) }, Plan),
  }
}

const kindOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: unknown) => (error instanceof ProviderFailure ? error.kind : String(error)),
  )

test('one access token serves many calls; one that PayPal no longer takes is replaced', async () => {
  const invalid = { status: 401, text: JSON.stringify({ error: 'invalid_token' }) }
  const paypal = await paypalWith([fine, fine, invalid, fine])
  for (let i = 0; i < 3; i += 1) expect(await paypal.read()).toEqual({ id: 'P-1' })
  expect([paypal.calls.length, paypal.asked()]).toEqual([4, 2])
})

test('wrong credentials: nothing was asked for', async () => {
  const paypal = await paypalWith([fine], [{ status: 401, text: JSON.stringify({ error: 'invalid_client' }) }])
  expect(await kindOf(paypal.create('key'))).toBe('unavailable')
  expect(paypal.calls).toEqual([])
})

const gateway: readonly [what: string, answer: Answer][] = [
  ['no answer', { isSilent: true }],
  ['HTML', { text: '<html>' }],
  ['a gateway’s 502', { status: 502, text: '<html>' }],
  ['a gateway’s 403', { status: 403, text: JSON.stringify({ message: 'Forbidden' }) }],
  ['a mere string', { text: '"ok"' }],
  ['a redirect', { status: 302, location: 'http://localhost:1/' }],
  ['PayPal’s own 500', { status: 500, text: JSON.stringify({ name: 'INTERNAL_SERVER_ERROR' }) }],
  ['an answer of another shape', { text: JSON.stringify({ no: 'id' }) }],
]

test.each(gateway)('%s is an unknown outcome', async (_what, answer) => {
  const paypal = await paypalWith([answer])
  expect(await kindOf(paypal.create('key'))).toBe('unknown')
  expect(await kindOf(paypal.create())).toBe('unknown')
})

test('what has a key is sent once more with it after a lost answer, and what has none is not', async () => {
  const withKey = await paypalWith([{ isSilent: true }, fine])
  expect(await withKey.create('key')).toEqual({ id: 'P-1' })
  expect(withKey.calls.map(({ requestId }) => requestId)).toEqual(['key', 'key'])
  server?.close()
  const without = await paypalWith([{ isSilent: true }, fine])
  expect(await kindOf(without.create())).toBe('unknown')
  expect(without.calls).toHaveLength(1)
})

test('too many requests after a lost answer: the first one may have been executed', async () => {
  const tooMany = { status: 429, text: JSON.stringify({ name: 'RATE_LIMIT_REACHED' }) }
  expect(await kindOf((await paypalWith([tooMany])).create('key'))).toBe('unavailable')
  server?.close()
  expect(await kindOf((await paypalWith([{ isSilent: true }, tooMany])).create('key'))).toBe('unknown')
})

test.each([
  [404, 'INVALID_RESOURCE_ID', 'missing'],
  [422, 'INSTRUMENT_DECLINED', 'refused'],
  [422, 'PAYER_ACTION_REQUIRED', 'action_required'],
  [422, 'PLAN_STATUS_INVALID', 'invalid'],
  [400, 'INVALID_PARAMETER', 'invalid'],
  [403, 'PERMISSION_DENIED', 'unavailable'],
])('%i %s is %s', async (status, issue, kind) => {
  const paypal = await paypalWith([refusal(status, issue)])
  expect(await kindOf(paypal.create('key'))).toBe(kind)
  expect(paypal.calls).toHaveLength(1)
})
