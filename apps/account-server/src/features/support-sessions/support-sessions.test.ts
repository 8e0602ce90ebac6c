import { setSupportAccess } from '@atrium/contract/security.ts'
import { readSession } from '@atrium/contract/session.ts'
import {
  endSupportSession,
  leaveSupport,
  listSupportSessions,
  startSupportSession,
} from '@atrium/contract/support-sessions.ts'
import { and, eq, like } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { grantSupport, sam, signInAtSupport, startAs, supportIn, why } from '../../test/support.ts'
import { newWorld, type TestMember } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { sessions } from '../session/session.tables.ts'
import { purgeSupport } from './support-sessions.queries.ts'
import { supportSessions, supportSignIns } from './support-sessions.tables.ts'
import { endSupportSessions } from './support-sessions.writes.ts'

type World = Awaited<ReturnType<typeof newWorld>>

const now = '2026-06-01T09:30:00Z'
const minutesLater = (minutes: number) => new Date(Date.parse(now) + minutes * 60_000)

/** What the agent gets of the session endpoint, by their cookie alone. */
const look = async (world: World, cookie: string, headers: Record<string, string> = {}) => {
  const reply = await world.request({
    method: 'GET',
    url: '/support/account/session/',
    headers: { cookie, ...headers },
  })
  return { status: reply.statusCode, ...reply.json() }
}

const supportActivity = (world: World, { id }: Pick<TestMember, 'id'>) =>
  world.db
    .select()
    .from(activity)
    .where(and(eq(activity.memberId, id), like(activity.action, 'support.%')))
    .orderBy(activity.id)

test('an agent signs in freshly, and sees an account whose member lets support in, for an hour', async () => {
  await using world = await newWorld({ now })
  const member = await world.member({ locale: 'de-de' })
  await grantSupport(world, member, minutesLater(24 * 60))

  const { begun, reply, ticket, cookie } = await signInAtSupport(world)
  expect(begun.headers.location).toMatch(/\/cas\/login\?service=http%3A%2F%2Flocalhost%3A3000%2Fsupport.*&renew=true/)
  expect(world.asked.find((one) => one.ticket === ticket)).toMatchObject({ renew: true })
  expect(reply.headers.location).toBe('/support')
  const form = await world.request({ method: 'GET', url: '/support', headers: { cookie } })
  expect(form.json().data).toMatchObject({ member: null, support: { agentName: 'Sam Okafor', endsAt: 0 } })

  const seen = await startAs(world, cookie, ` ${member.email.toUpperCase()} `)
  expect(await look(world, seen)).toMatchObject({ status: 200, id: member.id, email: member.email })
  const page = await world.request({ method: 'GET', url: '/support/account?tab=my-orders', headers: { cookie: seen } })
  expect(page.json().data).toMatchObject({
    member: { id: member.id },
    support: { agentName: 'Sam Okafor', endsAt: minutesLater(60).getTime() / 1000 },
  })
  world.at(minutesLater(60))
  expect(await look(world, seen)).toMatchObject({ status: 401, code: 'support_ended' })
  const after = await world.request({ method: 'GET', url: '/support/account', headers: { cookie: seen } })
  expect(after.headers.location).toBe('/support/ended')
})

test('the member reads who, why, which ticket and until when: live, in an email and in the activity', async () => {
  await using world = await newWorld({ now })
  const member = await world.member({ locale: 'de-de' })
  const seen = await supportIn(world, member)

  const { body } = await world.as(member).send(listSupportSessions, {})
  expect(body.sessions).toEqual([
    expect.objectContaining({ agentName: 'Sam Okafor', ...why, endsAt: minutesLater(60).getTime() / 1000 }),
  ])
  const email = world.sent.find(({ queue }) => queue === 'mail')?.data
  expect(email).toMatchObject({ to: member.email, subject: 'Der Folio-Support hat sich in Ihrem Konto angemeldet' })
  for (const fact of ['Sam Okafor', why.reason, why.ticket, '1. Juni 2026 um 10:30 UTC']) {
    expect(JSON.stringify(email)).toContain(fact)
  }

  const ended = await world.as(member).send(endSupportSession, { params: { id: body.sessions[0]?.id ?? '' } })
  expect(ended.body.sessions).toEqual([])
  expect((await look(world, seen)).status).toBe(401)
  expect(await supportActivity(world, member)).toMatchObject([
    {
      action: 'support.started',
      actorKind: 'support',
      actor: expect.stringMatching(/^agent-/),
      details: { agent: 'Sam Okafor', ...why },
    },
    { action: 'support.ended', actorKind: 'member', details: { ...why, by: 'member' } },
  ])
})

test('unknown, unverified, ungranted and expired are one answer', async () => {
  await using world = await newWorld({ now })
  const granted = minutesLater(60)
  const members = [
    await world.member(),
    await world.member({ emailVerified: false, supportAccessUntil: granted }),
    await world.member({ supportAccessUntil: new Date(now) }),
  ]
  const { cookie } = await signInAtSupport(world)
  const answers = []
  for (const email of ['nobody@example.test', ...members.map((member) => member.email)]) {
    const { status, body } = await world.as({ cookie }).send(startSupportSession, { body: { email, ...why } })
    answers.push([status, { ...body, requestId: '' }])
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]).toMatchObject([404, { code: 'support_not_granted' }])
  expect(world.sent).toEqual([])
})

test('an agent cannot try many addresses', async () => {
  await using world = await newWorld({ now })
  const { cookie } = await signInAtSupport(world, { ...sam, user: 'agent-many' })
  const statuses = []
  for (let count = 0; count < 11; count += 1) {
    const body = { email: `${count}@example.test`, ...why }
    statuses.push((await world.as({ cookie }).send(startSupportSession, { body })).status)
  }
  expect(statuses).toEqual([...Array(10).fill(404), 429])
})

test.each([
  ['no role', { ...sam, attributes: { email: 'sam.support@folio.test' } }],
  ['another role', { ...sam, attributes: { roles: 'supporter' } }],
  ['other roles', { ...sam, attributes: {}, lists: { roles: ['Support', 'auditor'] } }],
])('an account with %s is not an agent', async (_name, principal) => {
  await using world = await newWorld({ now })
  const { reply, cookie } = await signInAtSupport(world, principal)
  expect([reply.statusCode, cookie]).toEqual([403, 'atrium_support='])
  expect(reply.body).toContain('does not have the support role')
})

test('without the setting nobody is an agent', async () => {
  await using world = await newWorld({ now, settings: { SUPPORT_ROLE: undefined } })
  expect((await signInAtSupport(world)).reply.statusCode).toBe(403)
})

test('one of several values is the role, and a setting names the attribute and the value', async () => {
  await using world = await newWorld({ now, settings: { SUPPORT_ROLE: 'memberOf:cn=support:eu' } })
  const lists = { memberOf: ['cn=staff', 'cn=support:eu'] }
  expect((await signInAtSupport(world, { user: 'x', attributes: {}, lists })).reply.statusCode).toBe(303)
  expect((await signInAtSupport(world)).reply.statusCode).toBe(403)
})

test('a ticket of another browser is not redeemed, and a sign-in is used once and within ten minutes', async () => {
  await using world = await newWorld({ now })
  const member = await world.member()
  await grantSupport(world, member, minutesLater(600))
  world.tickets.set('ST-planted', sam)
  const planted = await world.request({
    method: 'GET',
    url: '/support?signin=AAAAAAAAAAAAAAAAAAAAAA&ticket=ST-planted',
  })
  expect([planted.statusCode, world.asked.length]).toEqual([403, 0])

  const { cookie } = await signInAtSupport(world)
  const start = () => world.as({ cookie }).send(startSupportSession, { body: { email: member.email, ...why } })
  const both = await Promise.all([start(), start()])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
  expect((await start()).body.code).toBe('signed_out')

  const { cookie: old } = await signInAtSupport(world)
  world.at(minutesLater(10))
  const late = await world.as({ cookie: old }).send(startSupportSession, { body: { email: member.email, ...why } })
  expect(late.status).toBe(401)
})

test('Back to the address of a used ticket leads to the form, then to the account, and does not sign in again', async () => {
  await using world = await newWorld({ now })
  const member = await world.member()
  await grantSupport(world, member, minutesLater(600))
  const { cookie, ticket, nonce } = await signInAtSupport(world)
  const back = async (headers: Record<string, string>) => {
    const url = `/support?signin=${nonce}&ticket=${ticket}`
    const reply = await world.request({ method: 'GET', url, headers })
    return { status: reply.statusCode, location: reply.headers.location, cookies: reply.cookies }
  }

  expect(await back({ cookie })).toEqual({ status: 303, location: '/support', cookies: [] })
  const seen = await startAs(world, cookie, member.email)
  expect(await back({ cookie: seen })).toEqual({ status: 303, location: '/support', cookies: [] })
  const front = await world.request({ method: 'GET', url: '/support', headers: { cookie: seen } })
  expect(front.headers.location).toBe('/support/account')
  expect(await back({})).toMatchObject({ status: 403 })
  expect(await back({ cookie })).toMatchObject({ status: 403 })
  expect(world.asked.map((one) => one.ticket)).toEqual([ticket])
})

test('a reason and a ticket number are needed', async () => {
  await using world = await newWorld({ now })
  const { cookie } = await signInAtSupport(world)
  for (const reason of ['  ', '\u202e \u2069']) {
    const body = { email: 'ada@example.test', reason, ticket: 'x'.repeat(51) }
    const reply = await world.as({ cookie }).send(startSupportSession, { body })
    expect(reply.body.errors?.map(({ path, code }) => [path, code])).toEqual([
      ['body.reason', 'support_reason_required'],
      ['body.ticket', 'too_long'],
    ])
  }
})

test('it never outlives the grant, however that ends, and a withdrawal ends the sessions of all agents', async () => {
  await using world = await newWorld({ now })
  const [member, other] = [await world.member(), await world.member()]
  const short = await supportIn(world, member)
  const second = await supportIn(world, member, { ...sam, user: 'agent-two' })
  const elsewhere = await supportIn(world, other, { ...sam, user: 'agent-three' })
  expect((await world.as(member).send(listSupportSessions, {})).body.sessions).toHaveLength(2)

  // As an import does it: the row of the session says nothing of it.
  await grantSupport(world, member, new Date(now))
  expect((await look(world, short)).status).toBe(401)
  await grantSupport(world, member, minutesLater(90))
  expect((await look(world, short)).status).toBe(200)

  await world.as(member).send(setSupportAccess, { body: { grantLoginExpireTime: 'none' } })
  expect([(await look(world, short)).status, (await look(world, second)).status]).toEqual([401, 401])
  expect((await look(world, elsewhere)).status).toBe(200)
  await world.as(member).send(setSupportAccess, { body: { grantLoginExpireTime: '1w' } })
  expect((await look(world, short)).status).toBe(401)
  const ends = (await supportActivity(world, member)).filter(({ action }) => action === 'support.ended')
  expect(ends.map(({ details }) => details)).toMatchObject([{ by: 'member' }, { by: 'member' }])
})

test('a session ends with a grant that is shorter than an hour, and the end is recorded once, for that time', async () => {
  await using world = await newWorld({ now })
  const member = await world.member()
  await grantSupport(world, member, minutesLater(20))
  const { cookie } = await signInAtSupport(world)
  const seen = await startAs(world, cookie, member.email)
  world.at(minutesLater(20))
  expect((await look(world, seen)).status).toBe(401)

  const job = world.sent.find(({ queue }) => queue === 'support-sessions.end')
  const [session] = await world.db.select().from(supportSessions).where(eq(supportSessions.memberId, member.id))
  expect(job?.data).toEqual({ id: session?.id })
  const end = () =>
    world.db.transaction((tx) => endSupportSessions(tx, eq(supportSessions.id, session?.id ?? ''), { by: 'time' }))
  await end()
  await end()
  const ends = (await supportActivity(world, member)).filter(({ action }) => action === 'support.ended')
  expect(ends).toMatchObject([{ at: minutesLater(20), actorKind: 'system', details: { by: 'time' } }])
})

test('of a start and a withdrawal at the same time, nothing stays open', async () => {
  await using world = await newWorld({ now })
  for (let round = 0; round < 5; round += 1) {
    const member = await world.member()
    await grantSupport(world, member, minutesLater(600))
    const { cookie } = await signInAtSupport(world, { ...sam, user: `agent-race-${round}` })
    const [started] = await Promise.all([
      world.as({ cookie }).send(startSupportSession, { body: { email: member.email, ...why } }),
      world.as(member).send(setSupportAccess, { body: { grantLoginExpireTime: 'none' } }),
    ])
    expect([200, 404]).toContain(started.status)
    const open = await world.db.select().from(supportSessions).where(eq(supportSessions.memberId, member.id))
    expect(open.filter(({ endedAt }) => endedAt === null)).toEqual([])
  }
})

test('requests that run while a grant is withdrawn are answered, and the next one is refused', async () => {
  await using world = await newWorld({ now })
  const member = await world.member()
  const seen = await supportIn(world, member)
  const [during] = await Promise.all([
    Promise.all(Array.from({ length: 8 }, () => look(world, seen))),
    world.as(member).send(setSupportAccess, { body: { grantLoginExpireTime: 'none' } }),
  ])
  expect(during.filter(({ status }) => status !== 200 && status !== 401)).toEqual([])
  expect(await look(world, seen)).toMatchObject({ status: 401, code: 'support_ended' })
})

test('the agent ends it, and so does their single logout', async () => {
  await using world = await newWorld({ now })
  const member = await world.member()
  const first = await supportIn(world, member)
  expect((await world.as({ cookie: first }).send(leaveSupport, { body: {} })).body.redirectUrl).toBe('/support/ended')
  expect((await look(world, first)).status).toBe(401)

  const { cookie, ticket } = await signInAtSupport(world)
  const second = await startAs(world, cookie, member.email)
  const waiting = await signInAtSupport(world, { ...sam, user: 'agent-waiting' })
  for (const opened of [ticket, waiting.ticket]) {
    const logoutRequest = `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"><samlp:SessionIndex>${opened}</samlp:SessionIndex></samlp:LogoutRequest>`
    const payload = new URLSearchParams({ logoutRequest }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await world.request({ method: 'POST', url: '/support', headers, payload })).statusCode).toBe(200)
  }
  expect((await look(world, second)).status).toBe(401)
  expect(await world.db.select().from(supportSignIns).where(eq(supportSignIns.agentSubject, 'agent-waiting'))).toEqual(
    [],
  )
  const ends = (await supportActivity(world, member)).filter(({ action }) => action === 'support.ended')
  expect(ends).toMatchObject([{ actorKind: 'support' }, { actorKind: 'support' }])
})

test('in one browser the support cookie and the session cookie never stand for each other', async () => {
  await using world = await newWorld({ now })
  const [member, own] = [await world.member(), await world.member()]
  const seen = await supportIn(world, member)
  const cookie = `${own.cookie}; ${seen}`

  expect(await look(world, cookie)).toMatchObject({ id: member.id })
  expect((await world.as({ cookie }).send(readSession, {})).body.id).toBe(own.id)
  expect((await look(world, own.cookie)).status).toBe(401)
  expect((await world.as({ cookie: seen }).send(readSession, {})).status).toBe(401)
  const token = seen.slice('atrium_support='.length)
  expect((await world.as({ cookie: `atrium_session=${token}` }).send(readSession, {})).status).toBe(401)
  expect((await look(world, `atrium_support=${own.cookie.slice('atrium_session='.length)}`)).status).toBe(401)
  expect(await look(world, seen, { 'atrium-member': own.id })).toMatchObject({ status: 409, code: 'another_member' })
})

test('another member can neither see nor end it', async () => {
  await using world = await newWorld({ now })
  const [member, other] = [await world.member(), await world.member()]
  const seen = await supportIn(world, member)
  const { body } = await world.as(member).send(listSupportSessions, {})
  const reply = await world.as(other).send(endSupportSession, { params: { id: body.sessions[0]?.id ?? '' } })
  expect([reply.status, reply.body.sessions]).toEqual([200, []])
  expect((await look(world, seen)).status).toBe(200)
})

test('sign-ins are deleted after ten minutes, and support sessions with their activity', async () => {
  await using world = await newWorld({ now })
  const member = await world.member()
  await supportIn(world, member)
  await signInAtSupport(world)
  const stored = async () => [
    await world.db.$count(supportSignIns),
    await world.db.$count(supportSessions, eq(supportSessions.memberId, member.id)),
  ]
  await purgeSupport(world.db, { now: minutesLater(11), days: 1 })
  expect(await stored()).toEqual([0, 1])
  await purgeSupport(world.db, { now: minutesLater(26 * 60), days: 1 })
  expect(await stored()).toEqual([0, 0])
})

test('looking for support does not keep a member signed in', async () => {
  await using world = await newWorld({ now })
  const member = await world.member()
  world.at(minutesLater(20))
  expect((await world.as(member).send(listSupportSessions, {})).status).toBe(200)
  const [session] = await world.db.select().from(sessions).where(eq(sessions.memberId, member.id))
  expect(session?.seenAt).toEqual(new Date(now))
  world.at(minutesLater(30))
  expect((await world.as(member).send(listSupportSessions, {})).status).toBe(401)
})
