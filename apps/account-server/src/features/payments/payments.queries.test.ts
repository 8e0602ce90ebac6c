import { expect, test } from 'vitest'
import { newWorld, type TestMember } from '../../test/world.ts'
import { attemptOfRequest, attemptsSince, customerIdOf, unsettledOf } from './payments.queries.ts'
import { paymentAttempts, providerCustomers } from './payments.tables.ts'

type World = Awaited<ReturnType<typeof newWorld>>

const purpose = 'card.added'

/** Somebody with an open attempt, made under a key. */
async function payer(world: World, key: string) {
  const member = await world.member()
  const [attempt] = await world.db
    .insert(paymentAttempts)
    .values({
      ...{ memberId: member.id, purpose, paymentMethodId: 'pm_1', address: '192.0.2.1', requestId: 'request' },
      ...{ requestKey: key, status: 'open', createdAt: world.deps.clock(), lookAt: world.deps.clock() },
    })
    .returning()
  return { member, id: attempt?.id }
}

const ids = (attempts: readonly { id: string }[]) => attempts.map(({ id }) => id)

test('an open attempt is its member’s alone: nobody else’s change waits for it, or ends it', async () => {
  await using world = await newWorld()
  const [one, other, none] = [await payer(world, 'a'), await payer(world, 'b'), await world.member()]
  const unsettled = async (member: TestMember) => ids(await unsettledOf(world.db, member, [purpose]))

  expect([await unsettled(one.member), await unsettled(other.member), await unsettled(none)]).toEqual([
    [one.id],
    [other.id],
    [],
  ])
})

test('attempts are counted for each member', async () => {
  await using world = await newWorld()
  const [one, other] = [await payer(world, 'a'), await payer(world, 'b')]
  const since = async (member: TestMember) => ids(await attemptsSince(world.db, member, purpose, new Date(0)))

  expect([await since(one.member), await since(other.member)]).toEqual([[one.id], [other.id]])
})

test('two members may have used the same key, and each finds their own attempt', async () => {
  await using world = await newWorld()
  const [one, other, none] = [await payer(world, 'same'), await payer(world, 'same'), await world.member()]
  const found = async (member: TestMember) => (await attemptOfRequest(world.db, member, 'same'))?.id

  expect([await found(one.member), await found(other.member), await found(none)]).toEqual([one.id, other.id, undefined])
})

test('a provider’s customer is its member’s alone', async () => {
  await using world = await newWorld()
  const [one, none] = [await world.member(), await world.member()]
  const createdAt = world.deps.clock()
  await world.db
    .insert(providerCustomers)
    .values({ memberId: one.id, customerId: 'cus_One', idempotencyKey: 'k', email: one.email, createdAt })

  expect([await customerIdOf(world.db, one), await customerIdOf(world.db, none)]).toEqual(['cus_One', undefined])
})
