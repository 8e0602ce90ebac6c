import { once } from 'node:events'
import { createServer } from 'node:http'
import { createAccountLinkToken, readLinkedAccounts } from '@atrium/contract/linked-accounts.ts'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { newWorld, type WorldOptions } from '../../test/world.ts'

const listed = {
  providers: ['google'],
  accounts: [{ id: '1', provider: 'google', email: 'a@b.test', institution: null, linkedAt: 1, canUnlink: true }],
}

interface Answer {
  status: number
  body: string
}

/** A single sign-on host that answers as it is told, and remembers what it was sent. */
async function hostAnswering(answer: Answer) {
  const sent: { path: string; body: { accessToken: string } }[] = []
  const server = createServer(async (request, reply) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    sent.push({ path: request.url ?? '', body: JSON.parse(text) })
    reply.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    sent,
    url: `http://localhost:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const worldAt = (url: string, options: WorldOptions = {}) =>
  newWorld({ now: new Date().toISOString(), ...options, settings: { SSO_URL: url, ...options.settings } })

const problem = (status: number, code: string): Answer => ({
  status,
  body: JSON.stringify({ type: 'about:blank', title: code, status, code, requestId: 'r' }),
})

test('the list comes from the single sign-on, for whom a token of this purpose names', async () => {
  await using host = await hostAnswering({ status: 200, body: JSON.stringify(listed) })
  await using world = await worldAt(host.url)
  const member = await world.member()
  expect((await world.as(member).send(readLinkedAccounts, {})).body).toEqual(listed)

  const [call] = host.sent
  expect(call?.path).toBe('/sso/linked-accounts/')
  const keys = createLocalJWKSet((await world.request({ url: '/.well-known/jwks.json' })).json())
  const { payload } = await jwtVerify(call?.body.accessToken ?? '', keys, { audience: host.url })
  expect(payload).toMatchObject({ sub: `subject-${member.id}`, purpose: 'linked-accounts' })
})

test('the popups’ token is for linking and unlinking, and cannot be used to list', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const { accessToken } = (await world.as(member).send(createAccountLinkToken, {})).body
  const [, payload = ''] = accessToken.split('.')
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ purpose: 'account-link' })
  expect((await world.visitor.send(createAccountLinkToken, {})).status).toBe(401)
  expect((await world.visitor.send(readLinkedAccounts, {})).status).toBe(401)
})

test.each([
  problem(403, 'token_refused'),
  { status: 200, body: '{"accounts":"no"}' },
  { status: 500, body: 'not JSON' },
])('what is not a list counts as unreachable', async (answer) => {
  await using host = await hostAnswering(answer)
  await using world = await worldAt(host.url)
  const reply = await world.as(await world.member()).send(readLinkedAccounts, {})
  expect([reply.status, reply.body.code]).toEqual([503, 'accounts_unreachable'])
})

test('a single sign-on that is away is reported, with a time to try again', async () => {
  await using world = await worldAt('http://localhost:9')
  const reply = await world.as(await world.member()).send(readLinkedAccounts, {})
  expect([reply.status, reply.body.code, reply.headers['retry-after']]).toEqual([503, 'accounts_unreachable', '5'])
})

test('a CAS server of the vendor has no linked accounts: not asked, or without the call', async () => {
  await using host = await hostAnswering({ status: 404, body: 'Not Found' })
  await using world = await worldAt(host.url)
  const none = { providers: [], accounts: [] }
  expect((await world.as(await world.member()).send(readLinkedAccounts, {})).body).toEqual(none)

  await using elsewhere = await worldAt(host.url, { settings: { PASSWORD_URL: 'https://cas.example.com/password' } })
  expect((await elsewhere.as(await elsewhere.member()).send(readLinkedAccounts, {})).body).toEqual(none)
  expect(host.sent).toHaveLength(1)
})
