import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { AccountSettings } from './config.ts'
import { idempotencyKeys } from './db/idempotency-keys.tables.ts'
import { activity } from './features/activity/activity.tables.ts'
import { events } from './features/events/events.tables.ts'
import { providerOperations } from './features/payments/operations/operations.tables.ts'
import { providerEvents } from './features/payments/webhooks/webhooks.tables.ts'
import { sessions } from './features/session/session.tables.ts'
import { retention } from './retention.ts'
import { newWorld } from './test/world.ts'

type World = Awaited<ReturnType<typeof newWorld>>

const now = new Date('2026-11-20T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)

function run(world: World, job: string): Promise<void> {
  const found = retention(world.deps).find((entry) => entry.job === job)
  if (!found) throw new Error(`no job ${job}`)
  return found.run()
}

test('the operations manual lists every job and every setting', async () => {
  await using world = await newWorld()
  const manual = await readFile(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8')
  for (const { job, settings } of retention(world.deps)) {
    for (const name of [job, ...settings]) expect(manual).toContain(`\`${name}\``)
  }
})

test('every retention has its own job and time, and existing settings', async () => {
  await using world = await newWorld()
  const all = retention(world.deps)
  for (const names of [all.map(({ job }) => job), all.map(({ cron }) => cron)]) {
    expect(new Set(names).size).toBe(names.length)
  }
  for (const { settings } of all) {
    expect(settings.length).toBeGreaterThan(0)
    for (const name of settings) expect(Object.keys(AccountSettings.shape)).toContain(name)
  }
})

test('expired sessions are deleted', async () => {
  await using world = await newWorld({ now: now.toISOString() })
  const [ended, lasting] = [await world.member(), await world.member()]
  await world.db
    .update(sessions)
    .set({ seenAt: daysAgo(1) })
    .where(eq(sessions.memberId, ended.id))
  await run(world, 'sessions.purge')
  const left = await world.db
    .select({ memberId: sessions.memberId })
    .from(sessions)
    .where(inArray(sessions.memberId, [ended.id, lasting.id]))
  expect(left).toEqual([{ memberId: lasting.id }])
})

test('activity is deleted after three years, its address after ninety days; both are settings', async () => {
  await using world = await newWorld({ now: now.toISOString() })
  const { id: memberId } = await world.member()
  const row = { memberId, actor: memberId, actorKind: 'member', action: 'profile.updated', details: {} } as const
  const rows = [1, 89, 91, 1094, 1096].map((days) => ({
    ...row,
    target: `${days} days`,
    at: daysAgo(days),
    address: '192.0.2.1',
  }))
  await world.db.insert(activity).values(rows)
  const left = async () => {
    const found = await world.db.select().from(activity).where(eq(activity.memberId, memberId)).orderBy(activity.id)
    return found.map(({ target, address }) => `${target}: ${address ?? 'none'}`)
  }

  await run(world, 'activity-addresses.blank')
  await run(world, 'activity.purge')
  const expected = ['1 days: 192.0.2.1', '89 days: 192.0.2.1', '91 days: none', '1094 days: none']
  expect(await left()).toEqual(expected)

  const settings = { ACTIVITY_DAYS: '90', ACTIVITY_ADDRESS_DAYS: '2' }
  await using strict = await newWorld({ now: now.toISOString(), settings })
  await run(strict, 'activity-addresses.blank')
  await run(strict, 'activity.purge')
  expect(await left()).toEqual(['1 days: 192.0.2.1', '89 days: none'])
})

test('more rows than one batch are set to null as well', async () => {
  await using world = await newWorld({ now: now.toISOString() })
  const { id: memberId } = await world.member()
  const row = { memberId, actor: memberId, actorKind: 'member', action: 'many', target: '', details: {} } as const
  const rows = Array.from({ length: 2600 }, () => ({ ...row, at: daysAgo(100), address: '192.0.2.1' }))
  for (const half of [rows, rows]) await world.db.insert(activity).values(half)
  await run(world, 'activity-addresses.blank')
  expect(await world.db.$count(activity, and(eq(activity.memberId, memberId), isNotNull(activity.address)))).toBe(0)
})

test('idempotency keys are deleted after two days', async () => {
  await using world = await newWorld({ now: now.toISOString() })
  const { id: memberId } = await world.member()
  await world.db.insert(idempotencyKeys).values([
    { memberId, key: 'old', fingerprint: '', createdAt: daysAgo(3) },
    { memberId, key: 'new', fingerprint: '', createdAt: daysAgo(1) },
  ])
  await run(world, 'idempotency-keys.purge')
  expect(await world.db.select({ key: idempotencyKeys.key }).from(idempotencyKeys)).toEqual([{ key: 'new' }])
})

test('failed operations are deleted after a month; succeeded, declined and open ones stay', async () => {
  await using world = await newWorld({ now: now.toISOString() })
  const { id: memberId } = await world.member()
  const operation = {
    ...{ memberId, provider: 'card' as const, kind: 'card.add' as const, subject: 'pm_1', input: {} },
    ...{ address: '192.0.2.1', requestId: 'request', nextCheckAt: daysAgo(40) },
  }
  const ended = (status: 'failed' | 'succeeded', problem: string | null, days: number) => ({
    ...operation,
    ...{ status, problem, createdAt: daysAgo(days), resolvedAt: daysAgo(days) },
  })
  await world.db
    .insert(providerOperations)
    .values([
      ended('failed', null, 31),
      ended('failed', 'card_provider_unavailable', 31),
      ended('failed', 'not_found', 29),
      ended('succeeded', null, 400),
      ended('failed', 'card_refused', 400),
      { ...operation, status: 'pending', createdAt: daysAgo(40) },
    ])
  await run(world, 'payments.purge')
  const left = await world.db.select().from(providerOperations).where(eq(providerOperations.memberId, memberId))
  expect(left.map(({ status, problem }) => `${status} ${problem}`).sort()).toEqual([
    'failed card_refused',
    'failed not_found',
    'pending null',
    'succeeded null',
  ])
})

test('the address of a provider operation is deleted after ninety days; the row stays', async () => {
  await using world = await newWorld({ now: now.toISOString() })
  const { id: memberId } = await world.member()
  const began = (status: 'succeeded' | 'failed' | 'pending', days: number) => ({
    ...{ memberId, provider: 'card' as const, kind: 'card.add' as const, subject: 'pm_1', input: {}, status },
    ...{ address: '192.0.2.1', requestId: 'request', nextCheckAt: now, createdAt: daysAgo(days) },
    resolvedAt: status === 'pending' ? null : daysAgo(days),
  })
  await world.db
    .insert(providerOperations)
    .values([began('succeeded', 91), began('failed', 91), began('pending', 91), began('succeeded', 89)])

  await run(world, 'payment-addresses.blank')

  const left = await world.db.select().from(providerOperations).where(eq(providerOperations.memberId, memberId))
  expect(left.map(({ status, address }) => `${status}: ${address ?? 'none'}`).sort()).toEqual([
    'failed: none',
    'pending: none',
    'succeeded: 192.0.2.1',
    'succeeded: none',
  ])
})

test('our events and those of the card provider are deleted after a month', async () => {
  await using world = await newWorld({ now: now.toISOString() })
  const common = { type: 'setup_intent.succeeded', objectId: 'seti_1' }
  await world.db.insert(providerEvents).values([
    { ...common, id: 'evt_old', receivedAt: daysAgo(31) },
    { ...common, id: 'evt_new', receivedAt: daysAgo(29) },
  ])
  await world.db.insert(events).values([
    { type: 'old', data: {}, createdAt: daysAgo(31) },
    { type: 'new', data: {}, createdAt: daysAgo(29) },
  ])
  await run(world, 'provider-events.purge')
  await run(world, 'events.purge')
  expect(await world.db.select({ id: providerEvents.id }).from(providerEvents)).toEqual([{ id: 'evt_new' }])
  expect(await world.db.select({ type: events.type }).from(events)).toEqual([{ type: 'new' }])
})
