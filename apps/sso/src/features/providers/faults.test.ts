import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { startSandboxProgram } from '@atrium/server-kit/test-program.ts'
import { afterAll, expect, test } from 'vitest'
import * as providers from '../../provider-wire.ts'
import { answerAt, providersAt } from '../../test/person-at-provider.ts'
import { answerOf, pendingIn, signInWith } from '../../test/provider-browser.ts'
import { demoPassword, newWorld, type World } from '../../test/world.ts'
import * as wire from '../../wire.ts'
import { sessions } from '../accounts/accounts.tables.ts'

const sandbox = await startSandboxProgram()
afterAll(() => sandbox[Symbol.asyncDispose]())
const settings = providersAt(sandbox.url)
const newPerson = () => ({ email: `${randomUUID()}@example.test`, firstName: 'Grace', lastName: 'Okafor' })

const sessionCount = (world: World) => world.db.$count(sessions)

test.each(['audience', 'expired', 'nonce', 'signature', 'issuer'] as const)(
  'a token or an answer with a wrong %s is refused, and nobody is signed in',
  async (fault) => {
    await using world = await newWorld({ settings })
    const before = await sessionCount(world)
    const reply = await signInWith(world.browser(), { provider: 'google', person: { ...newPerson(), fault } })
    expect([reply.status, reply.body.code]).toEqual([409, 'provider_refused'])
    expect(reply.cookies.map(({ name }) => name)).not.toContain('sso_session')
    expect(await sessionCount(world)).toBe(before)
  },
)

test.each(['google', 'facebook', 'microsoft'] as const)(
  '%s: a cancellation and an error are told apart',
  async (provider) => {
    await using world = await newWorld({ settings })
    const browser = world.browser()
    for (const [answer, code] of [
      ['cancel', 'provider_canceled'],
      ['fail', 'provider_refused'],
    ] as const) {
      const started = await browser.send(providers.startProvider, { body: { provider } })
      const query = await answerAt(started.body.redirectUrl, newPerson(), answer)
      const reply = await browser.send(providers.finishProvider, { body: { provider, answer: query } })
      expect([reply.status, reply.body.code]).toEqual([409, code])
    }
  },
)

test('an answer is redeemed once, even by concurrent requests', async () => {
  await using world = await newWorld({ settings })
  const browser = world.browser()
  const answer = await answerOf(browser, { provider: 'google', person: newPerson() })
  const finish = () => browser.send(providers.finishProvider, { body: { provider: 'google', answer } })
  const replies = await Promise.all([finish(), finish(), finish(), finish()])
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410])
  expect((await finish()).body.code).toBe('flow_spent')
})

test('a code that was used, or belongs to another sign-in, is refused with a new state', async () => {
  await using world = await newWorld({ settings })
  const browser = world.browser()
  const used = await answerOf(browser, { provider: 'google', person: newPerson() })
  await browser.send(providers.finishProvider, { body: { provider: 'google', answer: used } })
  const unused = await answerOf(browser, { provider: 'google', person: newPerson() })

  for (const code of [used, unused].map((answer) => new URLSearchParams(answer).get('code') ?? '')) {
    const fresh = new URLSearchParams(await answerOf(browser, { provider: 'google', person: newPerson() }))
    fresh.set('code', code)
    const reply = await browser.send(providers.finishProvider, { body: { provider: 'google', answer: `?${fresh}` } })
    expect(reply.body.code).toBe('provider_refused')
  }
})

test('an answer is of use only in the browser that began, and stays usable there', async () => {
  await using world = await newWorld({ settings })
  const victim = world.browser()
  const attacker = world.browser()
  const answer = await answerOf(attacker, { provider: 'google', person: newPerson() })
  const body = { provider: 'google' as const, answer }
  expect((await victim.send(providers.finishProvider, { body })).body.code).toBe('flow_spent')
  expect((await attacker.send(providers.finishProvider, { body })).status).toBe(200)
})

test('an answer of one provider is not taken for one of another (RFC 9207)', async () => {
  await using world = await newWorld({ settings })
  const browser = world.browser()
  const answer = await answerOf(browser, { provider: 'google', person: newPerson() })
  const mixed = await browser.send(providers.finishProvider, { body: { provider: 'lenovo', answer } })
  expect(mixed.body.code).toBe('flow_spent')

  const parameters = new URLSearchParams(answer)
  for (const iss of [settings.LENOVO_ISSUER ?? '', undefined]) {
    const query = new URLSearchParams(await answerOf(browser, { provider: 'google', person: newPerson() }))
    if (iss === undefined) query.delete('iss')
    else query.set('iss', iss)
    const reply = await browser.send(providers.finishProvider, { body: { provider: 'google', answer: `?${query}` } })
    expect([iss, reply.body.code]).toEqual([iss, 'provider_refused'])
  }
  expect(parameters.get('iss')).toBe(settings.GOOGLE_ISSUER)
})

test('a sign-in at a provider may take a quarter of an hour', async () => {
  await using world = await newWorld({ settings })
  const browser = world.browser()
  const answer = await answerOf(browser, { provider: 'google', person: newPerson() })
  world.wait(901)
  const reply = await browser.send(providers.finishProvider, { body: { provider: 'google', answer } })
  expect([reply.status, reply.body.code]).toEqual([410, 'flow_spent'])
})

test('an answer without a state, a code or any sense is refused', async () => {
  await using world = await newWorld({ settings })
  const browser = world.browser()
  for (const answer of ['', '?', '?state=', '?code=x', '?state=x&state=y', `?state=${'x'.repeat(8000)}`]) {
    const reply = await browser.send(providers.finishProvider, { body: { provider: 'google', answer } })
    expect([answer.slice(0, 20), reply.body.code]).toEqual([answer.slice(0, 20), 'flow_spent'])
  }
  const query = new URLSearchParams(await answerOf(browser, { provider: 'google', person: newPerson() }))
  query.delete('code')
  const reply = await browser.send(providers.finishProvider, { body: { provider: 'google', answer: `?${query}` } })
  expect(reply.body.code).toBe('provider_refused')
})

/** A server in the place of a provider: its metadata, and what it answers to a code. */
async function brokenProvider(
  answer: { status: number; type: string; body: string } | 'hang up',
  { path = '', authorization }: { path?: string; authorization?: string } = {},
) {
  const server = createServer((request, reply) => {
    const issuer = `http://localhost:${portOf()}${path}`
    if (request.url?.endsWith('openid-configuration')) {
      reply.setHeader('content-type', 'application/json')
      const endpoint = (path: string) => `${issuer}/${path}`
      reply.end(
        JSON.stringify({
          issuer,
          authorization_endpoint: authorization ?? endpoint('auth'),
          token_endpoint: endpoint('token'),
          jwks_uri: endpoint('jwks'),
        }),
      )
      return
    }
    if (answer === 'hang up') return request.socket.destroy()
    reply.writeHead(answer.status, { 'content-type': answer.type })
    reply.end(answer.body)
  })
  const portOf = () => {
    const address = server.address()
    return typeof address === 'object' && address ? address.port : 0
  }
  server.listen(0, 'localhost')
  await once(server, 'listening')
  return {
    issuer: `http://localhost:${portOf()}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const html = { type: 'text/html', body: '<h1>Sorry</h1>' }

test.each([
  ['hangs up', 'hang up', 503, 'provider_unreachable'],
  ['answers 503', { status: 503, ...html }, 503, 'provider_unreachable'],
  ['answers a page', { status: 200, ...html }, 409, 'provider_refused'],
  ['answers nonsense', { status: 200, type: 'application/json', body: '[1]' }, 409, 'provider_refused'],
] as const)('a provider that %s in the middle of a sign-in', async (_name, answer, status, code) => {
  await using broken = await brokenProvider(answer)
  await using world = await newWorld({ settings: { ...settings, LENOVO_ISSUER: broken.issuer } })
  const browser = world.browser()
  const started = await browser.send(providers.startProvider, { body: { provider: 'lenovo' } })
  const state = new URL(started.body.redirectUrl).searchParams.get('state')
  const body = { provider: 'lenovo' as const, answer: `?code=x&state=${state}` }
  const reply = await browser.send(providers.finishProvider, { body })
  expect([reply.status, reply.body.code]).toEqual([status, code])
  // The other providers and passwords are not affected.
  expect((await signInWith(browser, { provider: 'google', person: newPerson() })).status).toBe(200)
})

test('a provider that is away when a sign-in begins is reported in a sentence, with a time to try again', async () => {
  await using world = await newWorld({ settings: { ...settings, GOOGLE_ISSUER: 'http://localhost:9' } })
  const reply = await world.browser().send(providers.startProvider, { body: { provider: 'google' } })
  expect([reply.status, reply.body.code, reply.headers['retry-after']]).toEqual([503, 'provider_unreachable', '5'])
})

test('metadata of another issuer are refused', async () => {
  await using world = await newWorld({
    settings: { ...settings, LENOVO_ISSUER: `${sandbox.url}/identity/linkedin/../google` },
  })
  const reply = await world.browser().send(providers.startProvider, { body: { provider: 'lenovo' } })
  expect([reply.status, reply.body.code]).toEqual([409, 'provider_refused'])
})

test('the browser is sent to an address of the issuer’s protocol only', async () => {
  await using broken = await brokenProvider('hang up', { authorization: 'javascript:alert(1)' })
  await using world = await newWorld({ settings: { ...settings, LENOVO_ISSUER: broken.issuer } })
  const reply = await world.browser().send(providers.startProvider, { body: { provider: 'lenovo' } })
  expect([reply.status, reply.body.code]).toEqual([409, 'provider_refused'])
})

test('the log names the error that a provider reports, such as a wrong secret', async () => {
  await using world = await newWorld({ settings: { ...settings, GOOGLE_CLIENT_SECRET: 'not this one' } })
  const logged: unknown[] = []
  world.app.addHook('onError', async (_request, _reply, error) => {
    logged.push(error.cause instanceof Error && error.cause.message)
  })
  const reply = await signInWith(world.browser(), { provider: 'google', person: newPerson() })
  expect([reply.body.code, logged]).toEqual(['provider_refused', ['the provider reported invalid_client']])
})

test('the metadata of Microsoft’s personal accounts name their tenant, and no other', async () => {
  const personal = '/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0'
  for (const [path, status] of [
    [personal, 200],
    ['/5f0c6a1e-0b1d-4a8e-9c5a-2f4b8f0d7c11/v2.0', 409],
  ] as const) {
    await using microsoft = await brokenProvider('hang up', { path })
    const issuer = `${microsoft.issuer}/consumers/v2.0`
    await using world = await newWorld({ settings: { ...settings, MICROSOFT_ISSUER: issuer } })
    const reply = await world.browser().send(providers.startProvider, { body: { provider: 'microsoft' } })
    expect([path, reply.status]).toEqual([path, status])
  }
})

test('another site’s page can neither begin nor finish a sign-in', async () => {
  await using world = await newWorld({ settings })
  const browser = world.browser()
  const answer = await answerOf(browser, { provider: 'google', person: newPerson() })
  const foreign = { origin: 'https://evil.example' }
  const start = await browser.send(providers.startProvider, { body: { provider: 'google' } }, foreign)
  const finish = await browser.send(providers.finishProvider, { body: { provider: 'google', answer } }, foreign)
  expect([start.body.code, finish.body.code]).toEqual(['foreign_origin', 'foreign_origin'])
})

test('who goes back to the sign-in page drops the identity, which nobody else can', async () => {
  await using world = await newWorld({ settings, work: true })
  const { email } = await world.newUser()
  const browser = world.browser()
  const person = { ...newPerson(), sharing: 'unconfirmed' as const }
  const body = { pendingId: pendingIn(await signInWith(browser, { provider: 'google', person })) }
  const confirm = { ...body, email, password: 'not this one' }
  const codeNow = async () => (await browser.send(providers.confirmProviderPassword, { body: confirm })).body.code

  expect((await world.browser().send(providers.dropIdentity, { body })).body.code).toBe('flow_spent')
  expect((await browser.send(providers.sendProviderCode, { body: { ...body, email } })).status).toBe(200)
  expect((await browser.send(providers.dropIdentity, { body })).status).toBe(200)
  expect((await browser.send(providers.dropIdentity, { body })).body.code).toBe('flow_spent')
  expect(await codeNow()).toBe('wrong_credentials')
  const right = { ...confirm, password: demoPassword }
  expect((await browser.send(providers.confirmProviderPassword, { body: right })).body.code).toBe('flow_spent')
})

test('a new identity that was not confirmed is of no use in the browser after a sign-out', async () => {
  await using world = await newWorld({ settings, work: true })
  const [before, after] = [await world.newUser(), await world.newUser()]
  const browser = world.browser()
  const person = { email: before.email, sharing: 'unconfirmed' as const }
  const pendingId = pendingIn(await signInWith(browser, { provider: 'microsoft', person }))
  await browser.send(wire.signIn, { body: { email: before.email, password: demoPassword } })
  await browser.get('/cas/logout')

  const body = { pendingId, email: after.email, password: demoPassword }
  expect((await browser.send(providers.confirmProviderPassword, { body })).body.code).toBe('flow_spent')
})
