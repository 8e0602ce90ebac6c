import { endOtherSessions, endSession, listSessions, type SsoSession } from '@atrium/contract/active-sessions.ts'
import { readSession } from '@atrium/contract/session.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { EndedSessions, SsoAccounts } from '../../outside/sso.ts'
import { newWorld } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { browserOf } from './active-sessions.rules.ts'
import { hashOf } from './session.rules.ts'
import { sessions } from './session.tables.ts'

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0'
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

type World = Awaited<ReturnType<typeof newWorld>>

/** A single sign-on with these sessions, which remembers what it was to end; `undefined`: a CAS server of the vendor. */
function signOn(world: World, atSso: () => Promise<readonly SsoSession[] | undefined>) {
  const ended: EndedSessions[] = []
  const accounts: SsoAccounts = {
    ...world.deps.sso,
    sessions: atSso,
    async endSessions(_token, which) {
      await atSso()
      ended.push(which)
    },
  }
  world.deps.sso = accounts
  return ended
}

const atSso = (id: string, values: Partial<SsoSession> = {}): SsoSession => ({
  ...{ id, userAgent: firefox, address: '198.51.100.7', startedAt: 1_780_000_000, usedAt: 1_780_000_000, tickets: [] },
  ...values,
})

async function away(): Promise<never> {
  throw new Problem('sign_on_unreachable', { retryAfter: 5 })
}

test('a session at the single sign-on and those that it opened here are one browser', async () => {
  await using world = await newWorld({ now: '2026-06-01T09:00:00Z' })
  const member = await world.member()
  const here = await world.session(member.id, 'ST-here')
  await world.session(member.id, 'ST-here-again')
  const tickets = ['ST-here', 'ST-here-again', 'ST-over'].map(hashOf)
  signOn(world, async () => [atSso('s1', { tickets }), atSso('s2', { userAgent: safari, usedAt: 1_780_300_000 })])

  const { body } = await world.as({ cookie: here }).send(listSessions, {})
  expect(body.isComplete).toBe(true)
  const usedAt = Date.parse('2026-06-01T09:00:00Z') / 1000
  expect(body.sessions).toEqual([
    { ...named('Firefox', 'Windows'), id: 's1', startedAt: 1_780_000_000, usedAt, isCurrent: true },
    // The session that `member` began with, at no single sign-on any more.
    { ...named('', ''), id: expect.any(String), address: null, startedAt: usedAt, usedAt, isCurrent: false },
    { ...named('Safari', 'iOS'), id: 's2', startedAt: 1_780_000_000, usedAt: 1_780_300_000, isCurrent: false },
  ])

  function named(browser: string, system: string) {
    return { browser, system, address: '198.51.100.7' }
  }
})

test('signing out a browser ends its sessions here and there; another member’s looks like none at all', async () => {
  await using world = await newWorld()
  const [member, stranger] = [await world.member(), await world.member()]
  const there = await world.session(member.id, 'ST-there')
  const ended = signOn(world, async () => [atSso('s1', { tickets: [hashOf('ST-there')] })])
  const theirs = signOn(world, async () => [])
  const foreign = await world.as(stranger).send(endSession, { params: { id: 's1' } })
  const missing = await world.as(stranger).send(endSession, { params: { id: 'none' } })
  expect([foreign.status, missing.status]).toEqual([404, 404])
  expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
  expect(theirs).toEqual([])
  expect((await world.as({ cookie: there }).send(readSession, {})).status).toBe(200)

  const again = signOn(world, async () => [atSso('s1', { tickets: [hashOf('ST-there')] })])
  expect((await world.as(member).send(endSession, { params: { id: 's1' } })).status).toBe(200)
  expect([ended, again]).toEqual([[], [{ which: 'one', id: 's1' }]])
  expect((await world.as({ cookie: there }).send(readSession, {})).status).toBe(401)
  expect((await world.as(member).send(readSession, {})).status).toBe(200)
})

test('all others are signed out at once, each with an activity row', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const others = [await world.session(member.id), await world.session(member.id)]
  const stranger = await world.member()
  const ended = signOn(world, async () => [])
  const reply = await world.as(member).send(endOtherSessions, {})
  expect([reply.status, reply.body.sessions.length]).toEqual([200, 1])

  const left = await world.db.select().from(sessions).where(eq(sessions.memberId, member.id))
  expect(ended).toEqual([{ which: 'others', ticket: left[0]?.ticketHash }])
  for (const cookie of others) expect((await world.as({ cookie }).send(readSession, {})).status).toBe(401)
  expect((await world.as(stranger).send(readSession, {})).status).toBe(200)
  const rows = await world.db.select().from(activity).where(eq(activity.memberId, member.id))
  expect(rows.map(({ action }) => action)).toEqual(['session.ended', 'session.ended'])
})

test('without the single sign-on what is known is listed, and what is ended here stays so', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const other = await world.session(member.id)
  signOn(world, away)
  const { body } = await world.as(member).send(listSessions, {})
  expect([body.isComplete, body.sessions.length]).toEqual([false, 2])

  const id = body.sessions.find(({ isCurrent }) => !isCurrent)?.id ?? ''
  const one = await world.as(member).send(endSession, { params: { id } })
  expect([one.status, one.headers['retry-after']]).toEqual([503, '5'])
  expect((await world.as({ cookie: other }).send(readSession, {})).status).toBe(401)
  expect((await world.as(member).send(endOtherSessions, {})).status).toBe(503)
})

test('a browser of the single sign-on is not said to be signed out here while nobody knows which sessions are its own', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const there = await world.session(member.id, 'ST-there')
  signOn(world, async () => [atSso('s1', { tickets: [hashOf('ST-there')] })])
  expect((await world.as(member).send(listSessions, {})).body.sessions.map(({ id }) => id)).toContain('s1')

  signOn(world, away)
  const refused = await world.as(member).send(endSession, { params: { id: 's1' } })
  expect([refused.status, refused.body.code]).toEqual([503, 'browser_not_signed_out'])
  expect((await world.as({ cookie: there }).send(readSession, {})).status).toBe(200)

  // Listed by its own id meanwhile.
  const listed = (await world.as(member).send(listSessions, {})).body.sessions.find(({ isCurrent }) => !isCurrent)
  const ended = signOn(world, async () => [atSso('s1', { tickets: [hashOf('ST-there')] })])
  expect((await world.as(member).send(endSession, { params: { id: listed?.id ?? '' } })).status).toBe(200)
  expect(ended).toEqual([{ which: 'one', id: 's1' }])
  expect((await world.as({ cookie: there }).send(readSession, {})).status).toBe(401)
})

test('with a CAS server of the vendor, the sessions here are the list', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const other = await world.session(member.id)
  signOn(world, async () => undefined)
  const { body } = await world.as(member).send(listSessions, {})
  expect([body.isComplete, body.sessions.length]).toEqual([true, 2])
  const id = body.sessions.find(({ isCurrent }) => !isCurrent)?.id ?? ''
  expect((await world.as(member).send(endSession, { params: { id } })).body.sessions).toHaveLength(1)
  expect((await world.as({ cookie: other }).send(readSession, {})).status).toBe(401)
})

test('an expired session is not listed, and a visitor sees none', async () => {
  await using world = await newWorld({ now: '2026-06-01T09:00:00Z' })
  const member = await world.member()
  signOn(world, async () => undefined)
  world.at('2026-06-01T09:20:00Z')
  const later = await world.session(member.id)
  world.at('2026-06-01T09:40:00Z')
  expect((await world.as({ cookie: later }).send(listSessions, {})).body.sessions).toHaveLength(1)
  expect((await world.visitor.send(listSessions, {})).status).toBe(401)
})

test.each([
  ['', '', ''],
  ['curl/8.5.0', '', ''],
  [firefox, 'Firefox', 'Windows'],
  [safari, 'Safari', 'iOS'],
  ['x'.repeat(400), '', ''],
])('the browser of %j is %j on %j', (userAgent, browser, system) => {
  expect(browserOf(userAgent)).toEqual({ browser, system })
})
