import { readSession } from '@atrium/contract/session.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { arrive, comeBack, sessionCookieOf } from '../../test/sign-in.ts'
import { newWorld } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { sessions } from './session.tables.ts'

const ada = {
  user: 'subject-ada',
  attributes: { email: 'ada@example.test', emailVerified: 'true', firstName: 'Ada', lastName: 'L' },
}

test('the page contains the sign-in address, tied to the visitor’s browser', async () => {
  await using world = await newWorld()

  const { reply, nonce, page } = await arrive(world, '/de/account?tab=my-orders')

  expect(page.member).toBeNull()
  expect(page.locale).toBe('de-de')
  const url = new URL(page.signInUrl)
  expect(url.origin + url.pathname).toBe('http://localhost:3001/cas/login')
  expect(url.searchParams.get('service')).toBe(`http://localhost:3000/de/account?signin=${nonce}`)
  const cookie = reply.headers['set-cookie']?.toString() ?? ''
  expect(cookie).toMatch(/atrium_sign_in=[\w-]{22}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax/)
})

test('a return with ticket and nonce starts a session and redirects to the address without both', async () => {
  await using world = await newWorld()
  world.tickets.set('ST-1', ada)
  const { nonce } = await arrive(world)

  const reply = await comeBack(world, { ticket: 'ST-1', nonce })
  const token = sessionCookieOf(reply) ?? ''
  const after = await world.as({ cookie: `atrium_session=${token}` }).send(readSession, {})

  expect(reply.statusCode).toBe(303)
  expect(reply.headers.location).toBe('/account')
  expect(world.asked).toEqual([{ ticket: 'ST-1', service: `http://localhost:3000/account?signin=${nonce}` }])
  expect(reply.headers['set-cookie']?.toString()).toMatch(/atrium_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax/)
  expect(after.body).toMatchObject({ email: 'ada@example.test', firstName: 'Ada' })
  // Neither token nor ticket is stored in plain form.
  const [row] = await world.db.select().from(sessions).where(eq(sessions.subject, ada.user))
  expect(JSON.stringify(row)).not.toContain(token)
  expect(JSON.stringify(row)).not.toContain('ST-1')
})

test('a sign-in from an invitation leads back to it, even from another browser; anything else is left out', async () => {
  await using world = await newWorld()
  const token = 'i'.repeat(43)
  world.tickets.set('ST-1', ada)
  const { nonce, page } = await arrive(world, `/account?invitation=${token}`)
  const service = `http://localhost:3000/account?invitation=${token}&signin=${nonce}`
  expect(new URL(page.signInUrl).searchParams.get('service')).toBe(service)

  const url = `/account?invitation=${token}&signin=${nonce}&ticket=ST-1`
  const elsewhere = await world.request({ method: 'GET', url })
  expect(new URL(elsewhere.headers.location ?? '').searchParams.get('service')).toContain(
    `?invitation=${token}&signin=`,
  )

  const reply = await world.request({ method: 'GET', url, cookies: { atrium_sign_in: nonce } })
  expect(reply.headers.location).toBe(`/account?invitation=${token}`)
  expect(world.asked).toEqual([{ ticket: 'ST-1', service }])

  const other = await arrive(world, '/account?invitation=https://evil.test')
  expect(new URL(other.page.signInUrl).searchParams.get('service')).toMatch(/\/account\?signin=[\w-]+$/)
})

test('the service address comes from settings, never from Host or X-Forwarded-Host', async () => {
  await using world = await newWorld()
  const reply = await world.request({
    method: 'GET',
    url: '/account',
    headers: { host: 'evil.test', 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https' },
  })
  expect(reply.body).not.toContain('evil.test')
})

test('a ticket of a sign-in that the browser did not begin is not redeemed: the single sign-on is asked who is there', async () => {
  await using world = await newWorld()
  const member = await world.member()
  world.tickets.set('ST-eve', { user: 'eve', attributes: { email: 'eve@example.test', emailVerified: 'true' } })

  const planted = await world.request({
    method: 'GET',
    url: '/account?tab=profile&signin=AAAAAAAAAAAAAAAAAAAAAA&ticket=ST-eve',
    headers: { cookie: member.cookie },
  })

  expect(planted.statusCode).toBe(303)
  const login = new URL(planted.headers.location ?? '')
  expect(login.origin + login.pathname).toBe('http://localhost:3001/cas/login')
  expect(login.searchParams.get('gateway')).toBe('true')
  const service = new URL(login.searchParams.get('service') ?? '')

  // Nobody is there, or it goes wrong again: the present session stays.
  for (const ticket of ['', '&ticket=ST-eve']) {
    const url = `${service.pathname}${service.search}&tab=profile${ticket}`
    const reply = await world.request({ method: 'GET', url, headers: { cookie: member.cookie } })
    expect([reply.statusCode, reply.headers.location]).toEqual([303, '/account?tab=profile'])
    expect(sessionCookieOf(reply)).toBeUndefined()
  }
  expect(sessionCookieOf(planted)).toBeUndefined()
  expect(world.asked).toEqual([])
  expect((await world.as(member).send(readSession, {})).body.id).toBe(member.id)
})

test('of two people who sign in in two tabs, the second one gets their own account', async () => {
  await using world = await newWorld()
  const first = await world.member()
  world.tickets.set('ST-second', ada)
  const url = '/account?signin=AAAAAAAAAAAAAAAAAAAAAA&ticket=ST-of-a-used-nonce'
  const returned = await world.request({ method: 'GET', url, headers: { cookie: first.cookie } })
  const nonce = returned.cookies.find(({ name }) => name === 'atrium_sign_in')?.value ?? ''

  const reply = await world.request({
    method: 'GET',
    url: `/account?signin=${nonce}&ticket=ST-second`,
    headers: { cookie: `${first.cookie}; atrium_sign_in=${nonce}` },
  })

  const cookie = `atrium_session=${sessionCookieOf(reply)}`
  expect((await world.as({ cookie }).send(readSession, {})).body.email).toBe('ada@example.test')
  expect((await world.as(first).send(readSession, {})).status).toBe(401)
})

test('such a ticket does not sign in a visitor either', async () => {
  await using world = await newWorld()
  world.tickets.set('ST-eve', { user: 'eve', attributes: { email: 'eve@example.test', emailVerified: 'true' } })

  const planted = await comeBack(world, { ticket: 'ST-eve', nonce: 'AAAAAAAAAAAAAAAAAAAAAA', cookie: '' })

  expect(planted.statusCode).toBe(303)
  expect(sessionCookieOf(planted)).toBeUndefined()
  expect(world.asked).toEqual([])
})

test('a used ticket gets one retry, and then an explanation', async () => {
  await using world = await newWorld()
  const { nonce } = await arrive(world)

  const first = await comeBack(world, { ticket: 'ST-used', nonce })
  expect(first.statusCode).toBe(303)
  const login = new URL(first.headers.location ?? '')
  expect(login.origin + login.pathname).toBe('http://localhost:3001/cas/login')
  const retry = first.cookies.find(({ name }) => name === 'atrium_sign_in')?.value ?? ''

  const second = await comeBack(world, { ticket: 'ST-used-again', nonce: retry })
  expect(second.statusCode).toBe(200)
  expect(second.json().data).toMatchObject({ member: null, notice: 'sign_in_failed', signInUrl: null })
})

test.each([
  ['/account', 200],
  ['/de/account', 200],
  ['/account/signed-in', 303],
])('HEAD %s redeems no ticket', async (path, status) => {
  await using world = await newWorld()
  world.tickets.set('ST-head', ada)
  const { nonce } = await arrive(world)
  const cookies = { atrium_sign_in: nonce }

  const head = await world.request({ method: 'HEAD', url: `${path}?signin=${nonce}&ticket=ST-head`, cookies })

  expect([head.statusCode, head.body]).toEqual([status, ''])
  expect(sessionCookieOf(head)).toBeUndefined()
  expect(world.asked).toEqual([])
  expect(sessionCookieOf(await comeBack(world, { ticket: 'ST-head', nonce, path }))).toBeDefined()
})

test.each(['ST-', 'TGT-1', 'ST-a%20b', `ST-${'a'.repeat(300)}`, '%00', ''])(
  'the ticket %j is never sent to the single sign-on',
  async (ticket) => {
    await using world = await newWorld()
    const { nonce } = await arrive(world)

    const reply = await comeBack(world, { ticket, nonce })

    expect(reply.statusCode).toBe(303)
    expect(sessionCookieOf(reply)).toBeUndefined()
    expect(world.asked).toEqual([])
  },
)

test('a new sign-in replaces the session of the browser', async () => {
  await using world = await newWorld()
  const member = await world.member()
  world.tickets.set('ST-new', ada)
  const { nonce } = await arrive(world)

  await world.request({
    method: 'GET',
    url: `/account?signin=${nonce}&ticket=ST-new`,
    headers: { cookie: `${member.cookie}; atrium_sign_in=${nonce}` },
  })

  expect((await world.as(member).send(readSession, {})).status).toBe(401)
  const rows = await world.db.select().from(activity).where(eq(activity.memberId, member.id))
  expect(rows.map((row) => row.action)).toEqual(['session.replaced'])
})

test('a nonce is used once', async () => {
  await using world = await newWorld()
  world.tickets.set('ST-spent', ada)
  const { nonce } = await arrive(world)
  const reply = await comeBack(world, { ticket: 'ST-spent', nonce })
  expect(reply.headers['set-cookie']?.toString()).toContain('atrium_sign_in=;')
})

test('the login popup begins at our address and ends on a page that posts loginSuccess to our origin only', async () => {
  await using world = await newWorld()
  world.tickets.set('ST-popup', ada)

  const begun = await world.request({ method: 'GET', url: '/account/sign-in/' })
  const nonce = begun.cookies.find(({ name }) => name === 'atrium_sign_in')?.value ?? ''
  expect(new URL(begun.headers.location ?? '').searchParams.get('service')).toBe(
    `http://localhost:3000/account/signed-in?signin=${nonce}`,
  )

  const back = await comeBack(world, { ticket: 'ST-popup', nonce, path: '/account/signed-in' })
  expect(back.headers.location).toBe('/account/signed-in')
  expect(sessionCookieOf(back)).toBeDefined()
  const cookies = { atrium_session: sessionCookieOf(back) ?? '' }
  const end = await world.request({ method: 'GET', url: '/account/signed-in', cookies })
  expect(end.body).toContain('{"type":"loginSuccess"}')
  expect(end.body).toContain('"http://localhost:3000"')
  expect(end.body).not.toContain("'*'")
  expect(end.headers['content-security-policy']).toMatch(/script-src 'self' 'nonce-/)
})

test('the login popup of a sign-in that failed twice says so, and begins another one', async () => {
  await using world = await newWorld()
  const path = '/account/signed-in'
  const { nonce } = await arrive(world)
  const first = await comeBack(world, { ticket: 'ST-used', nonce, path })
  const retry = first.cookies.find(({ name }) => name === 'atrium_sign_in')?.value ?? ''

  const second = await comeBack(world, { ticket: 'ST-used-again', nonce: retry, path })
  expect(second.statusCode).toBe(200)
  expect(second.body).toContain('Sign-in failed')
  expect(second.body).toContain('<a href="/account/sign-in/">')
  expect(second.body).not.toContain('loginSuccess')
})

test('the end of the login popup is not shown to anybody who is signed out', async () => {
  await using world = await newWorld()
  const cookies = { atrium_locale: 'de-de' }
  const reply = await world.request({ method: 'GET', url: '/account/signed-in', cookies })
  expect([reply.statusCode, reply.headers.location]).toEqual([303, '/de/account'])
})
