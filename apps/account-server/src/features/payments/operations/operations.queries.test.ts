import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newWorld, type TestMember } from '../../../test/world.ts'
import { mainCustomerId } from '../customers/customers.queries.ts'
import { providerCustomers } from '../customers/customers.tables.ts'
import { lastOperationAbout, operationCounts, operationsSince, unresolvedOf } from './operations.queries.ts'
import { providerOperations } from './operations.tables.ts'

type World = Awaited<ReturnType<typeof newWorld>>

/** A member with a pending operation. */
async function payer(world: World) {
  const member = await world.member()
  const now = world.deps.clock()
  const [row] = await world.db
    .insert(providerOperations)
    .values({
      ...{ memberId: member.id, provider: 'card', kind: 'card.add', subject: 'pm_1', input: {}, status: 'pending' },
      ...{ address: '192.0.2.1', requestId: 'request', createdAt: now, nextCheckAt: now },
    })
    .returning()
  return { member, id: row?.id }
}

test('a pending operation delays no other member’s change', async () => {
  await using world = await newWorld()
  const [one, none] = [await payer(world), await world.member()]
  const counts = (member: TestMember) => operationCounts(world.db, member, { kinds: ['card.add'] })

  expect([await counts(one.member), await counts(none)]).toEqual([
    { all: 1, unresolved: 1 },
    { all: 0, unresolved: 0 },
  ])
})

test('operations are counted per member', async () => {
  await using world = await newWorld()
  const [one, other] = [await payer(world), await payer(world)]
  const since = async (member: TestMember) =>
    (await operationsSince(world.db, member, 'card.add', new Date(0))).map(({ id }) => id)

  expect([await since(one.member), await since(other.member)]).toEqual([[one.id], [other.id]])
})

test('what is unresolved, and what came last, is found per member', async () => {
  await using world = await newWorld()
  const [one, other] = [await payer(world), await payer(world)]
  const found = async (member: TestMember) => [
    (await unresolvedOf(world.db, member, { kinds: ['card.add'] })).map(({ id }) => id),
    (await lastOperationAbout(world.db, member, { kind: 'card.add', subject: 'pm_1' }))?.id,
  ]

  expect([await found(one.member), await found(other.member)]).toEqual([
    [[one.id], one.id],
    [[other.id], other.id],
  ])
})

test('a provider customer belongs to one member', async () => {
  await using world = await newWorld()
  const [one, none] = [await world.member(), await world.member()]
  await world.db
    .insert(providerCustomers)
    .values({ proof: 'ours', isMain: true, memberId: one.id, customerId: 'cus_One', createdAt: world.deps.clock() })

  expect([await mainCustomerId(world.db, one), await mainCustomerId(world.db, none)]).toEqual(['cus_One', undefined])
})

test('an operation counts from when it was resolved, not from when it was created', async () => {
  await using world = await newWorld()
  const { member, id } = await payer(world)
  const hoursAgo = (hours: number) => new Date(world.deps.clock().getTime() - hours * 3_600_000)
  const times = { createdAt: hoursAgo(40), resolvedAt: hoursAgo(20), status: 'failed' } as const
  await world.db.update(providerOperations).set(times).where(eq(providerOperations.memberId, member.id))
  const since = async (hours: number) =>
    (await operationsSince(world.db, member, 'card.add', hoursAgo(hours))).map((row) => row.id)

  expect([await since(26), await since(19)]).toEqual([[id], []])
})
