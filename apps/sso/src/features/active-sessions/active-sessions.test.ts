import { createHash } from 'node:crypto'
import { type SsoSession, ssoEndSessions } from '@atrium/contract/active-sessions.ts'
import { expect, test } from 'vitest'
import { account, demoPassword, newWorld as newSsoWorld, type World } from '../../test/world.ts'
import * as wire from '../../wire.ts'

const page = `${account}/account?signin=abc`
const hashOf = (ticket: string) => createHash('sha256').update(ticket).digest('hex')

/** With jobs: the end of a session is reported to its services. */
const newWorld = () => newSsoWorld({ work: true })

interface User {
  id: string
  email: string
}

/** Signs in at the account page in another browser. @returns the browser, and the hash of its ticket */
async function signIn(world: World, { email }: User) {
  const browser = world.browser()
  const { body } = await browser.send(wire.signIn, { body: { email, password: demoPassword, service: page } })
  const ticket = new URL(body.redirectUrl).searchParams.get('ticket') ?? ''
  const query = { service: page, ticket, format: 'JSON' }
  await world.app.inject({ url: '/cas/p3/serviceValidate', query })
  return { browser, ticket: hashOf(ticket) }
}

async function post(world: World, url: string, payload: object) {
  const reply = await world.app.inject({ method: 'POST', url, payload })
  return { status: reply.statusCode, body: reply.json() }
}

async function list(world: World, userId: string): Promise<SsoSession[]> {
  const accessToken = await world.tokens(userId, { claims: { purpose: 'sessions' } })
  return (await post(world, '/sso/sessions/', { accessToken })).body.sessions
}

type Ended = (typeof ssoEndSessions)['body']['_zod']['input']['ended']

async function end(world: World, userId: string, ended: Ended) {
  const accessToken = await world.tokens(userId, { claims: { purpose: 'end-sessions' } })
  return post(world, ssoEndSessions.path, { accessToken, ended })
}

const isSignedIn = async (browser: ReturnType<World['browser']>) =>
  (await browser.get('/cas/login')).body.includes('signed-in')

test('the sessions of an account are listed with the tickets that opened the account page', async () => {
  await using world = await newWorld()
  const user = await world.newUser()
  await signIn(world, await world.newUser())
  const first = await signIn(world, user)
  const second = await signIn(world, user)
  await first.browser.send(wire.signIn, { body: { email: user.email, password: demoPassword } })

  const sessions = await list(world, user.id)
  expect(sessions.map(({ tickets }) => tickets).sort()).toEqual([[first.ticket], [second.ticket]].sort())
  expect(sessions[0]).toMatchObject({ address: '192.0.2.1', usedAt: expect.any(Number) })

  world.wait(world.deps.config.SSO_SESSION_IDLE_MINUTES * 60 + 1)
  expect(await list(world, user.id)).toEqual([])
})

test('one session is ended, at its services too, and no other', async () => {
  await using world = await newWorld()
  const user = await world.newUser()
  const [here, there] = [await signIn(world, user), await signIn(world, user)]
  const listed = await list(world, user.id)
  const id = listed.find(({ tickets }) => tickets.includes(there.ticket))?.id ?? ''

  expect((await end(world, user.id, { which: 'one', id })).status).toBe(200)
  expect([await isSignedIn(here.browser), await isSignedIn(there.browser)]).toEqual([true, false])
  expect((await world.acts(user.id)).filter((action) => action === 'session.ended')).toHaveLength(1)
  // Again, it has ended already.
  expect((await end(world, user.id, { which: 'one', id })).status).toBe(200)
})

test('all but one are ended; one that signs in at that moment either counts or comes later', async () => {
  await using world = await newWorld()
  const user = await world.newUser()
  const here = await signIn(world, user)
  await signIn(world, user)
  const late = world.browser()
  const [ended, started] = await Promise.all([
    end(world, user.id, { which: 'others', ticket: here.ticket }),
    late.send(wire.signIn, { body: { email: user.email, password: demoPassword } }),
  ])
  expect([ended.status, started.status]).toEqual([200, 200])
  expect(await isSignedIn(here.browser)).toBe(true)
  expect((await list(world, user.id)).length).toBeLessThanOrEqual(2)

  await end(world, user.id, { which: 'others', ticket: here.ticket })
  expect((await list(world, user.id)).map(({ tickets }) => tickets)).toEqual([[here.ticket]])
})

test('another person’s session looks like none at all, and goes on', async () => {
  await using world = await newWorld()
  const [ada, eve] = [await world.newUser(), await world.newUser()]
  const here = await signIn(world, ada)
  const [session] = await list(world, ada.id)

  const foreign = await end(world, eve.id, { which: 'one', id: session?.id ?? '' })
  expect(foreign).toEqual(await end(world, eve.id, { which: 'one', id: 'missing' }))
  await end(world, eve.id, { which: 'others', ticket: here.ticket })
  expect(await isSignedIn(here.browser)).toBe(true)
})

test('only a token that the account page signed for this is accepted', async () => {
  await using world = await newWorld()
  const { id } = await world.newUser()
  const ended = { which: 'one', id: 'x' }
  for (const purpose of ['linked-accounts', 'password-reset', 'sessions', 'end-sessions']) {
    const accessToken = await world.tokens(id, { claims: { purpose } })
    const listed = await post(world, '/sso/sessions/', { accessToken })
    expect(listed.status).toBe(purpose === 'sessions' ? 200 : 403)
    const done = await post(world, ssoEndSessions.path, { accessToken, ended })
    expect(done.status).toBe(purpose === 'end-sessions' ? 200 : 403)
  }
})
