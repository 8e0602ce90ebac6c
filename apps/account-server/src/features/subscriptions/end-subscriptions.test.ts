import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newSubscription } from '../../test/factories.ts'
import { newWorld } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { endSubscriptions } from './subscriptions.jobs.ts'
import { subscriptions } from './subscriptions.tables.ts'

const now = '2026-06-01T00:00:00.000Z'
const after = (days: number) => new Date(Date.parse(now) + days * 86_400_000)

test('what no provider bills ends at its moment, once, with one activity row; what a provider bills is left to it', async () => {
  await using world = await newWorld({ now })
  const owner = await world.member()
  const ended = { periodStart: after(-30), periodEnd: after(-1), autoRenew: false }
  const given = await newSubscription(world, owner, { ...ended, status: 'given', origin: 'given' })
  const offline = await newSubscription(world, owner, { ...ended, status: 'offline-purchase', origin: 'offline' })
  const prepaid = await newSubscription(world, owner, { ...ended, term: 'paid_monthly', price: 1, currency: 'USD' })
  const billed = await newSubscription(world, owner, { cancelAt: after(-1), providerId: 'sub_billed' })
  const running = await newSubscription(world, owner, { status: 'given', origin: 'given', autoRenew: false })
  await Promise.all([endSubscriptions(world.deps), endSubscriptions(world.deps)])
  await endSubscriptions(world.deps)

  const rows = new Map((await world.db.select().from(subscriptions)).map((row) => [row.id, row]))
  const stateOf = ({ id }: { id: string }) => [rows.get(id)?.status, rows.get(id)?.endedAt?.getTime() ?? null]
  expect(stateOf(given)).toEqual(['canceled', after(-1).getTime()])
  expect(stateOf(offline)).toEqual(['prepayment-expired', after(-1).getTime()])
  expect(stateOf(prepaid)).toEqual(['prepayment-expired', after(-1).getTime()])
  expect(stateOf(billed)).toEqual(['active', null])
  expect(stateOf(running)).toEqual(['given', null])
  const written = await world.db.select().from(activity).where(eq(activity.action, 'subscription.ended'))
  expect(written.map(({ target }) => target).sort()).toEqual([given.id, offline.id, prepaid.id].sort())
})
