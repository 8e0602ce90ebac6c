import { createServer, type RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { cloudTicketFetcher } from './cloud-tickets.ts'

/** A single sign-on that answers so. */
async function singleSignOn(answer: RequestListener, timeoutMs?: number) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    fetchTicket: cloudTicketFetcher({ SSO_URL: `http://127.0.0.1:${address.port}/login` }, timeoutMs),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('the request is posted to the single sign-on, and its ticket returned', async () => {
  const heard: unknown[] = []
  await using sso = await singleSignOn((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      heard.push([request.method, request.url, request.headers['content-type'], JSON.parse(body)])
      response.end('{"ticket":"ST-abc"}')
    })
  })

  expect(await sso.fetchTicket('a.signed.request')).toEqual({ ticket: 'ST-abc' })
  expect(heard).toEqual([['POST', '/login/sso/cloud-tickets/', 'application/json', { request: 'a.signed.request' }]])
})

const answers: readonly (readonly [string, number, string, object])[] = [
  ['an ended session', 410, '{"code":"session_ended"}', { failure: 'refused', detail: 'session_ended' }],
  ['another service', 403, '{"code":"service_refused"}', { failure: 'refused', detail: 'service_refused' }],
  ['an overload', 503, '{"code":"overloaded"}', { failure: 'status', detail: '503' }],
  ['a CAS server without such tickets', 404, '<html>', { failure: 'status', detail: '404' }],
  ['a page', 200, '<html>', { failure: 'malformed', detail: 'not a ticket' }],
  ['a ticket that is an address', 200, '{"ticket":"ST-&from=https://evil"}', { failure: 'malformed' }],
  ['too much', 200, 'x'.repeat(70_000), { failure: 'too_long' }],
]

test.each(answers)('%s is a failure that says what it is', async (_name, status, body, failure) => {
  await using sso = await singleSignOn((_request, response) => response.writeHead(status).end(body))

  expect(await sso.fetchTicket('a.signed.request')).toMatchObject(failure)
})

test('a redirect is not followed, and a lost or refused connection is a failure', async () => {
  await using evil = await singleSignOn((_request, response) => response.end('{"ticket":"ST-evil"}'))
  expect(await evil.fetchTicket('x')).toEqual({ ticket: 'ST-evil' })
  await using sso = await singleSignOn((_request, response) => response.writeHead(307, { location: '/' }).end())
  expect(await sso.fetchTicket('x')).toMatchObject({ failure: 'status', detail: '307' })

  const lost = await singleSignOn((request) => request.socket.destroy())
  expect(await lost.fetchTicket('x')).toMatchObject({ failure: 'connection' })
  await lost[Symbol.asyncDispose]()
  expect(await lost.fetchTicket('x')).toMatchObject({ failure: 'connection_refused' })
})

test('a single sign-on that does not answer is not waited for', async () => {
  await using sso = await singleSignOn(() => undefined, 100)

  expect(await sso.fetchTicket('x')).toMatchObject({ failure: 'timeout' })
})
