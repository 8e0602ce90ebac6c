import { startSupportSession } from '@atrium/contract/support-sessions.ts'
import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { sam, signInAtSupport, why } from '../../test/support.ts'
import { newWorld } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'

test('an agent who is not let in leaves one row in ten minutes, which counts it, and a line that hides the address', async () => {
  await using world = await newWorld({ now: '2026-06-01T09:30:00Z' })
  const logged = vi.spyOn(world.deps.logger, 'warn')
  const { cookie } = await signInAtSupport(world, { ...sam, user: 'agent-refused' })
  const { email } = await world.member()
  const start = (address: string) =>
    world.as({ cookie }).send(startSupportSession, { body: { email: address, ...why } })
  await Promise.all([start(email), start(email), start('nobody@example.test')])
  world.at('2026-06-01T09:39:00Z')
  await start(email)

  const rows = await world.db.select().from(activity).where(eq(activity.actor, 'agent-refused'))
  expect(rows.filter(({ action }) => action === 'support.refused')).toMatchObject([
    { memberId: null, actorKind: 'support', address: '127.0.0.1', details: { count: 4 } },
  ])
  const lines = logged.mock.calls.map(([line]) => z.record(z.string(), z.string()).parse(line))
  expect(lines).toHaveLength(4)
  expect(lines[0]).toMatchObject({ subject: 'agent-refused', network: '127.0.0.1', requestId: expect.any(String) })
  expect(new Set(lines.map((line) => JSON.stringify({ ...line, requestId: '' }))).size).toBe(2)
  expect(JSON.stringify(lines)).not.toContain('@')
})

test('a ticket of an old login signs no agent in, also where the single sign-on ignores that it was asked for a new one', async () => {
  await using world = await newWorld()
  const old = { ...sam, attributes: { ...sam.attributes, isFromNewLogin: 'false' } }
  const { reply } = await signInAtSupport(world, old)
  expect(reply.cookies.filter(({ name, value }) => name === 'atrium_support' && value !== '')).toEqual([])
})
