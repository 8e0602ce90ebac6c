import { randomUUID } from 'node:crypto'
import { readSession } from '@atrium/contract/session.ts'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { memberData } from '../../db/member-data.queries.ts'
import { identities, members } from '../../db/members.tables.ts'
import { newSubscription } from '../../test/factories.ts'
import { sessionCookieOf, signInAs } from '../../test/sign-in.ts'
import { newWorld, type TestMember } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { linkIdentity } from './link-identity.service.ts'
import { sessions } from './session.tables.ts'

type World = Awaited<ReturnType<typeof newWorld>>

const now = new Date('2026-06-01T10:00:00Z')

async function newIdentity({ db }: World, { id }: Pick<TestMember, 'id'>): Promise<string> {
  const subject = `subject-${randomUUID()}`
  await db.insert(identities).values({ provider: 'cas', subject, memberId: id, createdAt: now })
  return subject
}

function link(world: World, email: string, subject: string, how: { replace?: boolean; dryRun?: boolean } = {}) {
  return linkIdentity(world.db, { email, subject, replace: false, dryRun: false, now, ...how })
}

async function memberOf(world: World, subject: string) {
  const [identity] = await world.db.select().from(identities).where(eq(identities.subject, subject))
  return identity?.memberId
}

const linkRows = ({ db }: World, { id }: Pick<TestMember, 'id'>) =>
  db
    .select()
    .from(activity)
    .where(and(eq(activity.memberId, id), eq(activity.action, 'identity.linked')))

test('a new identity is linked with one activity row, and then signs in as the member', async () => {
  await using world = await newWorld({ settings: { CAS_EMAIL_VERIFIED: 'never' } })
  const member = await world.member()

  expect(await link(world, member.email, 'subject-ahead')).toMatchObject({ kind: 'linked', plan: { replaced: [] } })
  expect(await link(world, member.email, 'subject-ahead')).toEqual({ kind: 'already_linked', memberId: member.id })

  const reply = await signInAs(world, { user: 'subject-ahead', attributes: {} })
  const session = await world.as({ cookie: `atrium_session=${sessionCookieOf(reply)}` }).send(readSession, {})
  expect(session.body.id).toBe(member.id)
  expect(await linkRows(world, member)).toMatchObject([
    { actor: 'operator', actorKind: 'vendor', target: 'subject-ahead', details: { from: null, replaced: [] } },
  ])
})

test('a subject moves from a member without data, and its sessions there end', async () => {
  await using world = await newWorld()
  const [member, mistake] = [await world.member(), await world.member({ emailVerified: false })]
  const subject = await newIdentity(world, mistake)
  await world.db.update(sessions).set({ subject }).where(eq(sessions.memberId, mistake.id))

  const { plan } = expectKind(await link(world, member.email, subject), 'linked')

  expect(plan).toEqual({
    memberId: member.id,
    replaced: [],
    left: { memberId: mistake.id, data: {} },
    endedSessions: 1,
  })
  expect(await memberOf(world, subject)).toBe(member.id)
  expect((await world.as(mistake).send(readSession, {})).status).toBe(401)
  expect((await world.as(member).send(readSession, {})).status).toBe(200)
  expect(await world.db.$count(members, eq(members.id, mistake.id))).toBe(1)
})

test('a member with data is not left without an identity unless --replace is given, and never merged', async () => {
  await using world = await newWorld()
  const [member, holder, described] = [await world.member(), await world.member(), await world.member({ phone: '1' })]
  await newSubscription(world, holder)
  const subjects = [await newIdentity(world, holder), await newIdentity(world, described)] as const

  const refused = expectKind(await link(world, member.email, subjects[0]), 'needs_replace')
  expect(refused.plan.left).toEqual({ memberId: holder.id, data: { subscriptions: 1, seats: 1 } })
  expect(await link(world, member.email, subjects[1])).toMatchObject({ plan: { left: { data: { profile: 1 } } } })
  expect(await memberOf(world, subjects[0])).toBe(holder.id)
  expect(await linkRows(world, member)).toEqual([])

  expectKind(await link(world, member.email, subjects[0], { replace: true }), 'linked')
  expect(await memberOf(world, subjects[0])).toBe(member.id)
  expect(await world.db.transaction((tx) => memberData(tx, holder.id))).toEqual({ subscriptions: 1, seats: 1 })
})

test('a second identity is refused; with --replace the first one no longer signs in, and its sessions end', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const before = await newIdentity(world, member)
  await world.db.update(sessions).set({ subject: before }).where(eq(sessions.memberId, member.id))

  expect(await link(world, member.email, 'subject-second')).toMatchObject({
    kind: 'needs_replace',
    plan: { replaced: [before], endedSessions: 1 },
  })
  expect(await memberOf(world, 'subject-second')).toBeUndefined()

  expectKind(await link(world, member.email, 'subject-second', { replace: true }), 'linked')
  expect([await memberOf(world, before), await memberOf(world, 'subject-second')]).toEqual([undefined, member.id])
  expect((await world.as(member).send(readSession, {})).status).toBe(401)
  expect(await linkRows(world, member)).toMatchObject([{ details: { replaced: [before], endedSessions: 1 } }])
})

test('a dry run reports the same and changes nothing', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const before = await newIdentity(world, member)

  const plan = await link(world, member.email, 'subject-dry', { replace: true, dryRun: true })
  expect(plan).toMatchObject({ kind: 'linked', plan: { replaced: [before] } })
  expect([await memberOf(world, before), await memberOf(world, 'subject-dry')]).toEqual([member.id, undefined])
  expect(await linkRows(world, member)).toEqual([])
})

test('only a verified address finds a member', async () => {
  await using world = await newWorld()
  const { email } = await world.member({ emailVerified: false })
  expect(await link(world, email, 'subject-nobody')).toEqual({ kind: 'unknown_email' })
})

test('a link and a concurrent first sign-in with the same address leave one identity', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const principal = { user: 'subject-racing', attributes: { email: member.email, emailVerified: 'true' } }

  const [outcome, reply] = await Promise.all([link(world, member.email, 'subject-linked'), signInAs(world, principal)])

  const won = [outcome.kind === 'linked', reply.statusCode === 303]
  expect(won.filter(Boolean)).toHaveLength(1)
  expect(await world.db.$count(identities, eq(identities.memberId, member.id))).toBe(1)
})

test('the database enforces one identity per member', async () => {
  await using world = await newWorld()
  const member = await world.member()
  await newIdentity(world, member)
  await expect(newIdentity(world, member)).rejects.toMatchObject({ cause: { constraint: 'identities_member' } })
})

function expectKind<Outcome extends { kind: string }, Kind extends Outcome['kind']>(outcome: Outcome, kind: Kind) {
  if (!hasKind(outcome, kind)) throw new Error(`expected ${kind}, found ${JSON.stringify(outcome)}`)
  return outcome
}

function hasKind<Outcome extends { kind: string }, Kind extends Outcome['kind']>(
  outcome: Outcome,
  kind: Kind,
): outcome is Extract<Outcome, { kind: Kind }> {
  return outcome.kind === kind
}
