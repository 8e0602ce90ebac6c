import { readProfile } from '@atrium/contract/profile.ts'
import { type AccessDuration, accessDurations, readSupportAccess, setSupportAccess } from '@atrium/contract/security.ts'
import { eq, isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { supportIn } from '../../test/support.ts'
import { newWorld } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { supportSessions } from '../support-sessions/support-sessions.tables.ts'
import { accessEnd } from './support-access.rules.ts'

const seconds = (moment: string) => Date.parse(moment) / 1000

test.each<[AccessDuration, string, string | null]>([
  ['none', '2026-06-01T09:30:00Z', null],
  ['1w', '2026-06-01T09:30:00Z', '2026-06-08T09:30:00.000Z'],
  ['1m', '2026-06-01T09:30:00Z', '2026-07-01T09:30:00.000Z'],
  ['3m', '2026-06-01T09:30:00Z', '2026-09-01T09:30:00.000Z'],
  ['6m', '2026-06-01T09:30:00Z', '2026-12-01T09:30:00.000Z'],
  ['1y', '2026-06-01T09:30:00Z', '2027-06-01T09:30:00.000Z'],
  ['1m', '2026-01-31T23:59:59Z', '2026-02-28T23:59:59.000Z'],
  ['1m', '2028-01-31T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ['6m', '2026-08-31T10:00:00Z', '2027-02-28T10:00:00.000Z'],
  ['1y', '2028-02-29T10:00:00Z', '2029-02-28T10:00:00.000Z'],
  ['1w', '2026-12-28T10:00:00Z', '2027-01-04T10:00:00.000Z'],
])('%s from %s ends at %s', (duration, now, end) => {
  expect(accessEnd(duration, new Date(now))?.toISOString() ?? null).toBe(end)
})

test.each(accessDurations)('%s is stored with exactly the shown end, and recorded', async (duration) => {
  await using world = await newWorld()
  const member = await world.member()

  const shown = await world.as(member).send(readSupportAccess, {})
  const stored = await world.as(member).send(setSupportAccess, { body: { grantLoginExpireTime: duration } })
  const profile = await world.as(member).send(readProfile, { query: {} })
  const rows = await world.db.select().from(activity).where(eq(activity.memberId, member.id))

  const expected = shown.body.durations.find((choice) => choice.duration === duration)?.expireTime
  expect(stored.status).toBe(200)
  expect(stored.body.grantLoginExpireTime).toBe(expected)
  expect(profile.body.member.grantLoginExpireTime).toBe(expected)
  expect(rows.map((row) => row.action)).toEqual([
    duration === 'none' ? 'support_access.withdrawn' : 'support_access.granted',
  ])
})

test('an expired grant counts as none', async () => {
  await using world = await newWorld({ now: '2026-06-01T09:30:00Z' })
  const member = await world.member()
  await world.as(member).send(setSupportAccess, { body: { grantLoginExpireTime: '1w' } })

  world.at('2026-06-08T09:29:59Z')
  const cookie = await world.session(member.id)
  expect((await world.as({ cookie }).send(readSupportAccess, {})).body.grantLoginExpireTime).toBe(
    seconds('2026-06-08T09:30:00Z'),
  )
  world.at('2026-06-08T09:30:00Z')
  expect((await world.as({ cookie }).send(readSupportAccess, {})).body.grantLoginExpireTime).toBe(0)
})

test.each(['2y', '', 31_536_000, null])('a duration %j is refused and changes nothing', async (duration) => {
  await using world = await newWorld()
  const member = await world.member()
  await world.as(member).send(setSupportAccess, { body: { grantLoginExpireTime: '1m' } })

  const reply = await world.request({
    method: 'PUT',
    url: '/account/support-access/',
    headers: { origin: 'http://localhost:3000', cookie: member.cookie },
    payload: { grantLoginExpireTime: duration },
  })

  expect(reply.statusCode).toBe(422)
  const after = await world.as(member).send(readSupportAccess, {})
  expect(after.body.grantLoginExpireTime).toBe(seconds('2026-07-01T09:30:00Z'))
})

test('a grant affects one member only, and needs a session', async () => {
  await using world = await newWorld()
  const [member, other] = [await world.member(), await world.member()]

  await world.as(member).send(setSupportAccess, { body: { grantLoginExpireTime: '1y' } })

  expect((await world.as(other).send(readSupportAccess, {})).body.grantLoginExpireTime).toBe(0)
  expect((await world.visitor.send(setSupportAccess, { body: { grantLoginExpireTime: '1y' } })).status).toBe(401)
})

test('a withdrawal ends the support sessions of that member only', async () => {
  await using world = await newWorld()
  const [member, other] = [await world.member(), await world.member()]
  for (const one of [member, other]) await supportIn(world, one)

  await world.as(member).send(setSupportAccess, { body: { grantLoginExpireTime: 'none' } })

  const running = await world.db.select().from(supportSessions).where(isNull(supportSessions.endedAt))
  expect(running.map(({ memberId }) => memberId)).toEqual([other.id])
})
