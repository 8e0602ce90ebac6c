import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { requestKeys } from '../../db/request-keys.tables.ts'
import { newWorld } from '../../test/world.ts'
import { purgePayments } from './payments.jobs.ts'
import { paymentAttempts, providerEvents } from './payments.tables.ts'

const now = new Date('2026-11-20T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)

test('what came to nothing goes after a month; what succeeded, was declined or is open stays', async () => {
  await using world = await newWorld({ now: now.toISOString() })
  const { id: memberId } = await world.member()
  const attempt = {
    ...{ memberId, purpose: 'card.added', paymentMethodId: 'pm_1', address: '192.0.2.1', requestId: 'request' },
    lookAt: daysAgo(40),
  }
  const ended = (status: 'failed' | 'refused' | 'succeeded' | 'declined', days: number) => ({
    ...attempt,
    ...{ status, createdAt: daysAgo(days), settledAt: daysAgo(days) },
  })
  await world.db
    .insert(paymentAttempts)
    .values([
      ended('failed', 31),
      ended('refused', 31),
      ended('failed', 29),
      ended('succeeded', 400),
      ended('declined', 400),
      { ...attempt, status: 'open', createdAt: daysAgo(40) },
    ])
  const event = { type: 'setup_intent.succeeded', objectId: 'seti_1' }
  await world.db.insert(providerEvents).values([
    { ...event, id: 'evt_old', receivedAt: daysAgo(31) },
    { ...event, id: 'evt_new', receivedAt: daysAgo(29) },
  ])
  await world.db.insert(requestKeys).values([
    { memberId, key: 'old', print: '', createdAt: daysAgo(3) },
    { memberId, key: 'new', print: '', createdAt: daysAgo(1) },
  ])

  await purgePayments(world.deps)

  const left = await world.db.select().from(paymentAttempts).where(eq(paymentAttempts.memberId, memberId))
  expect(left.map(({ status }) => status).sort()).toEqual(['declined', 'failed', 'open', 'succeeded'])
  expect(await world.db.select({ id: providerEvents.id }).from(providerEvents)).toEqual([{ id: 'evt_new' }])
  expect(await world.db.select({ key: requestKeys.key }).from(requestKeys)).toEqual([{ key: 'new' }])
})
