import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { newWorld, type TestMember } from '../../test/world.ts'
import { providerOperations } from '../payments/operations/operations.tables.ts'
import { usesOf } from './coupons.queries.ts'

type World = Awaited<ReturnType<typeof newWorld>>

/** A coupon of this test, used for something. */
async function use(
  world: World,
  { id: memberId }: TestMember,
  values: Partial<typeof providerOperations.$inferInsert>,
) {
  const now = world.deps.clock()
  await world.db.insert(providerOperations).values({
    ...{ memberId, provider: 'card', kind: 'subscription.change', subject: 'S', status: 'succeeded' },
    ...{ requestId: 'r', createdAt: now, nextCheckAt: now, ...values, input: values.input ?? {} },
  })
}

test('the uses of all count, those of one member apart; what failed or was canceled does not', async () => {
  await using world = await newWorld()
  const [member, other] = [await world.member(), await world.member()]
  const code = `USES-${randomUUID()}`
  const input = { couponCode: code }
  await use(world, member, { input })
  await use(world, other, { input, subject: 'T' })
  await use(world, other, { input, subject: 'T', status: 'pending' })
  for (const status of ['failed', 'canceled'] as const) await use(world, member, { input, status })

  expect(await usesOf(world.db, { member, code, subject: 'U' })).toEqual({ all: 3, own: 1 })
  expect(await usesOf(world.db, { member: other, code, subject: 'U' })).toEqual({ all: 3, own: 2 })
})

test('an order at PayPal that waits gives way to the same member’s next one for the same, and to nobody else’s', async () => {
  await using world = await newWorld()
  const [member, other] = [await world.member(), await world.member()]
  const code = `WAITS-${randomUUID()}`
  const kind = 'subscription.change_by_order'
  await use(world, member, { input: { couponCode: code }, provider: 'paypal', kind, status: 'requires_action' })

  expect(await usesOf(world.db, { member, code, subject: 'S' })).toEqual({ all: 0, own: 0 })
  expect(await usesOf(world.db, { member, code, subject: 'T' })).toEqual({ all: 1, own: 1 })
  expect(await usesOf(world.db, { member: other, code, subject: 'S' })).toEqual({ all: 1, own: 0 })
})
