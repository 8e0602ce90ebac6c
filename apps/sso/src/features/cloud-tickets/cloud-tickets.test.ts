import { createHash, randomUUID } from 'node:crypto'
import { generateKeyPair } from 'jose'
import { expect, test } from 'vitest'
import { account, demoPassword, newWorld as newSsoWorld, type World } from '../../test/world.ts'
import * as wire from '../../wire.ts'

const [us, eu] = ['http://localhost:3002/cloud/us', 'http://localhost:3002/cloud/eu']
const page = `${account}/account?signin=abc`

const newWorld = ({ work = false } = {}) =>
  newSsoWorld({ config: { SSO_CLOUD_SERVICES: [us, eu], SSO_SERVICES: [account, us, eu] }, work })

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Somebody who signed in, at the account page or another service: the SHA-256 of that ticket names the session. */
async function signedIn(world: World, { service = page, isValidated = true } = {}) {
  const user = await world.newUser()
  const browser = world.browser()
  const { body } = await browser.send(wire.signIn, { body: { email: user.email, password: demoPassword, service } })
  const ticket = new URL(body.redirectUrl).searchParams.get('ticket') ?? ''
  if (isValidated) expect((await validate(world, service, ticket)).authenticationSuccess.user).toBe(user.id)
  return { user, browser, session: sha256(ticket) }
}

async function validate(world: World, service: string, ticket: string) {
  const query = { service, ticket, format: 'JSON' }
  const reply = await world.app.inject({ url: '/cas/p3/serviceValidate', query })
  return reply.json().serviceResponse
}

type Fault = Parameters<World['tokens']>[1]

async function request(world: World, session: string, service = us, fault: Fault = {}) {
  const claims = { purpose: 'cloud-ticket', service, ...fault.claims }
  const token = await world.tokens(session, { ...fault, claims })
  return send(world, token)
}

async function send(world: World, token: string) {
  const reply = await world.app.inject({ method: 'POST', url: '/sso/cloud-tickets/', payload: { request: token } })
  const { code, ticket = '' } = reply.json()
  return { status: reply.statusCode, code, ticket }
}

test('a cloud service signs in the person of that session, once', async () => {
  await using world = await newWorld()
  const { user, session } = await signedIn(world)
  const { status, ticket } = await request(world, session)

  expect([status, ticket]).toEqual([200, expect.stringMatching(/^ST-[0-9A-Za-z]{24}$/)])
  const { authenticationSuccess } = await validate(world, us, ticket)
  expect(authenticationSuccess).toMatchObject({
    user: user.id,
    attributes: { email: user.email, isFromNewLogin: false, firstName: 'Ada' },
  })
  expect((await validate(world, us, ticket)).authenticationFailure.code).toBe('INVALID_TICKET')
  expect((await world.acts(user.id)).filter((action) => action === 'ticket.issued')).toHaveLength(2)
})

test('a ticket is void in another region and after 30 seconds', async () => {
  await using world = await newWorld()
  const { session } = await signedIn(world)
  const foreign = await request(world, session)
  expect((await validate(world, eu, foreign.ticket)).authenticationFailure.code).toBe('INVALID_SERVICE')
  expect((await validate(world, us, foreign.ticket)).authenticationFailure.code).toBe('INVALID_TICKET')

  const late = await request(world, session, eu)
  world.wait(31)
  expect((await validate(world, eu, late.ticket)).authenticationFailure.code).toBe('INVALID_TICKET')
})

test.each([
  ['a program that is not a cloud service', page],
  ['an address below one', `${us}/evil`],
  ['another spelling of one', `${us}/`],
  ['a stranger', 'https://evil.example/'],
  ['the own machine', 'http://127.0.0.1:4000/'],
])('%s gets no ticket', async (_name, service) => {
  await using world = await newWorld()
  const { session } = await signedIn(world)

  expect(await request(world, session, service)).toEqual({ status: 403, code: 'service_refused', ticket: '' })
})

test('an ended or expired session gives no ticket, nor one that is not the account page’s', async () => {
  await using world = await newWorld({ work: true })
  const ended = { status: 410, code: 'session_ended', ticket: '' }
  const { browser, session } = await signedIn(world)
  expect((await request(world, session)).status).toBe(200)
  expect((await browser.get('/cas/logout')).statusCode).toBe(200)
  expect(await request(world, session)).toEqual(ended)

  const expired = await signedIn(world)
  world.wait(world.deps.config.SSO_SESSION_IDLE_MINUTES * 60 + 1)
  expect(await request(world, expired.session)).toEqual(ended)

  for (const other of [{ service: us }, { isValidated: false }]) {
    expect(await request(world, (await signedIn(world, other)).session)).toEqual(ended)
  }
  expect(await request(world, sha256('ST-unknown'))).toEqual(ended)
})

test('after a new sign-in of the same person in that browser, the account page’s session goes on', async () => {
  await using world = await newWorld()
  const { user, browser, session } = await signedIn(world)
  await browser.send(wire.signIn, { body: { email: user.email, password: demoPassword } })

  const { ticket } = await request(world, session)
  expect((await validate(world, us, ticket)).authenticationSuccess.user).toBe(user.id)
})

test('opening the cloud service counts as using the session', async () => {
  await using world = await newWorld()
  const { session } = await signedIn(world)
  const half = (world.deps.config.SSO_SESSION_IDLE_MINUTES * 60) / 2 + 60
  world.wait(half)
  expect((await request(world, session)).status).toBe(200)
  world.wait(half)
  expect((await request(world, session)).status).toBe(200)
})

test('only a fresh token that the account page signed for this purpose is accepted', async () => {
  await using world = await newWorld()
  const { user, session } = await signedIn(world)
  const stranger = await generateKeyPair('EdDSA')
  const issuedAt = Math.floor(world.deps.clock().getTime() / 1000)
  const faults: Fault[] = [
    { key: stranger.privateKey },
    { claims: { purpose: 'password-reset' } },
    { claims: { aud: 'http://localhost:3002' } },
    { claims: { iss: 'http://evil.test' } },
    { claims: { iat: issuedAt - 120, exp: issuedAt + 60 } },
    { claims: { exp: issuedAt - 60 } },
    { claims: { service: undefined } },
    { claims: { jti: undefined } },
    // Who the person is never counts.
    { claims: { sub: user.id } },
  ]
  for (const fault of faults) {
    expect(await request(world, session, us, fault)).toEqual({ status: 403, code: 'token_refused', ticket: '' })
  }
  expect((await send(world, 'no.token.at-all')).code).toBe('token_refused')
  expect((await send(world, '')).status).toBe(422)
  expect((await request(world, randomUUID())).code).toBe('token_refused')
})

test('a request gives one ticket, even if it is repeated concurrently', async () => {
  await using world = await newWorld()
  const { session } = await signedIn(world)
  const token = await world.tokens(session, { claims: { purpose: 'cloud-ticket', service: us } })
  const replies = await Promise.all([send(world, token), send(world, token), send(world, token)])
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 403, 403])
  expect(await send(world, token)).toEqual({ status: 403, code: 'token_refused', ticket: '' })
  expect((await request(world, session)).status).toBe(200)
})

test('while the account page’s keys cannot be fetched, a ticket can be requested later', async () => {
  await using world = await newWorld()
  const { session } = await signedIn(world)
  world.deps.accountKeys = async () => {
    throw new TypeError('fetch failed')
  }

  expect(await request(world, session)).toMatchObject({ status: 503, code: 'overloaded' })
})
