import { createPasswordResetToken, readSession, signOut } from '@atrium/contract/session.ts'
import { eq } from 'drizzle-orm'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { newWorld } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { sessionLimits } from './identify.ts'
import { purgeSessions } from './session.queries.ts'
import { sessions } from './session.tables.ts'

test('a session ends after 30 idle minutes, and each use extends it', async () => {
  await using world = await newWorld({ now: '2026-06-01T09:00:00Z' })
  const member = await world.member()
  const status = async () => (await world.as(member).send(readSession, {})).status

  world.at('2026-06-01T09:29:00Z')
  expect(await status()).toBe(200)
  world.at('2026-06-01T09:58:00Z')
  expect(await status()).toBe(200)
  world.at('2026-06-01T10:28:00Z')
  expect(await status()).toBe(401)
})

test('a session ends after 12 hours, however busy', async () => {
  await using world = await newWorld({ now: '2026-06-01T09:00:00Z' })
  const member = await world.member()
  const statuses: number[] = []
  for (let minutes = 0; minutes <= 720; minutes += 20) {
    world.at(new Date(Date.parse('2026-06-01T09:00:00Z') + minutes * 60_000))
    statuses.push((await world.as(member).send(readSession, {})).status)
  }
  expect(statuses.slice(0, -1).every((status) => status === 200)).toBe(true)
  expect(statuses.at(-1)).toBe(401)
})

test('the daily purge deletes expired sessions only', async () => {
  await using world = await newWorld({ now: '2026-06-01T21:00:00Z' })
  const [idle, old, lasting] = [await world.member(), await world.member(), await world.member()]
  const set = (id: string, change: Partial<typeof sessions.$inferInsert>) =>
    world.db.update(sessions).set(change).where(eq(sessions.memberId, id))
  await set(idle.id, { seenAt: new Date('2026-06-01T20:29:00Z') })
  await set(old.id, { createdAt: new Date('2026-06-01T08:59:00Z') })
  await purgeSessions(world.db, sessionLimits(world.config), world.deps.clock())

  const left = await world.db.select({ memberId: sessions.memberId }).from(sessions)
  const known = [idle.id, old.id, lasting.id]
  expect(left.map(({ memberId }) => memberId).filter((id) => known.includes(id))).toEqual([lasting.id])
})

test('the sliding expiry is written at most once a minute', async () => {
  await using world = await newWorld({ now: '2026-06-01T09:00:00Z' })
  const member = await world.member()
  const seenAt = async () => {
    await world.as(member).send(readSession, {})
    const [row] = await world.db.select().from(sessions).where(eq(sessions.memberId, member.id))
    return row?.seenAt.toISOString()
  }

  world.at('2026-06-01T09:00:59Z')
  expect(await seenAt()).toBe('2026-06-01T09:00:00.000Z')
  world.at('2026-06-01T09:01:01Z')
  expect(await seenAt()).toBe('2026-06-01T09:01:01.000Z')
})

test.each(['', 'x', 'a'.repeat(43), 'a'.repeat(5000), '%00', '"quoted"', 'a; b'])(
  'a session cookie of another shape (%j) is ignored',
  async (value) => {
    await using world = await newWorld()
    const reply = await world.request({
      method: 'GET',
      url: '/account/session/',
      headers: { cookie: `atrium_session=${value}` },
    })
    expect(reply.statusCode).toBe(401)
    expect(reply.json().code).toBe('signed_out')
  },
)

test('sign-out ends and records the session, and returns the address that ends the one at the single sign-on', async () => {
  await using world = await newWorld()
  const member = await world.member()

  const { status, body, headers } = await world.as(member).send(signOut, { body: {} })

  expect(status).toBe(200)
  expect(body.redirectUrl).toBe('http://localhost:3001/cas/logout?service=http%3A%2F%2Flocalhost%3A3000%2F')
  expect(headers['set-cookie']?.toString()).toContain('atrium_session=;')
  expect((await world.as(member).send(readSession, {})).status).toBe(401)
  const rows = await world.db.select().from(activity).where(eq(activity.memberId, member.id))
  expect(rows.map((row) => row.action)).toEqual(['session.ended'])
})

/** The request of the single sign-on when a session there has ended. */
function postLogout(world: Awaited<ReturnType<typeof newWorld>>, ticket: string, url = '/account') {
  return world.request({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      logoutRequest: `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"><samlp:SessionIndex>${ticket}</samlp:SessionIndex></samlp:LogoutRequest>`,
    }).toString(),
  })
}

test('single logout has its own rate limit for all paths, ten times that of an address', async () => {
  await using world = await newWorld({ settings: { REQUESTS_PER_MINUTE: '3' } })
  const page = () => world.request({ method: 'GET', url: '/account' })
  for (let count = 0; count < 3; count += 1) expect((await page()).statusCode).toBe(200)
  expect((await page()).statusCode).toBe(429)

  const paths = ['/account', '/de/account', '/account/signed-in']
  const replies = []
  for (let count = 0; count < 31; count += 1) {
    replies.push((await postLogout(world, `ST-many-${count}`, paths[count % paths.length])).statusCode)
  }
  expect(replies.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 200))
  // The single sign-on will retry.
  expect(replies.at(-1)).toBe(429)
})

test('single logout ends exactly the sessions of its ticket', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const cookie = await world.session(member.id, 'ST-single')
  const logout = (ticket: string) => postLogout(world, ticket)

  expect((await logout('ST-never-held')).statusCode).toBe(200)
  expect((await world.as({ cookie }).send(readSession, {})).status).toBe(200)
  expect((await logout('ST-single')).statusCode).toBe(200)
  expect((await world.as({ cookie }).send(readSession, {})).status).toBe(401)
  expect((await world.as(member).send(readSession, {})).status).toBe(200)
  expect((await logout('ST-single')).statusCode).toBe(200)
  const rows = await world.db.select().from(activity).where(eq(activity.action, 'session.ended_by_single_logout'))
  expect(rows).toHaveLength(1)
})

test('the popup token is for the single sign-on, this purpose and one minute, and verifies with the published key', async () => {
  await using world = await newWorld()
  const member = await world.member()

  const { body } = await world.as(member).send(createPasswordResetToken, {})
  const published = (await world.request({ method: 'GET', url: '/.well-known/jwks.json' })).json()
  const { payload } = await jwtVerify(body.accessToken, createLocalJWKSet(published), {
    issuer: 'http://localhost:3000',
    audience: 'http://localhost:3001',
  })

  expect(payload).toMatchObject({ sub: `subject-${member.id}`, purpose: 'password-reset' })
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(60)
  expect(JSON.stringify(published)).not.toContain('"d"')
  expect((await world.visitor.send(createPasswordResetToken, {})).status).toBe(401)
})

test('servers that start together publish one key', async () => {
  await using one = await newWorld()
  await using two = await newWorld()
  const keys = await Promise.all(
    [one, two, one, two].map(
      async (world) => (await world.request({ method: 'GET', url: '/.well-known/jwks.json' })).body,
    ),
  )
  expect(new Set(keys).size).toBe(1)
})
