import { setTimeout as pause } from 'node:timers/promises'
import { updateCard } from '@atrium/contract/cards.ts'
import { and, eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { payments } from '../../../app.ts'
import { ProviderFailure } from '../../../outside/provider-failure.ts'
import { cardsPeople } from '../../../test/cards.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import type { TestMember } from '../../../test/world.ts'
import type { OperationKind } from './operation-kinds.ts'
import { providerOperations } from './operations.tables.ts'

const sandbox = await sandboxOfFile()

type World = Awaited<ReturnType<typeof cardsPeople>>

const good = '4242424242424242'
const edit = { firstname: 'Ada', lastname: 'King', country: 'DE', address: '', state: '', city: 'Berlin', zip: '10623' }

const change = (world: World, member: TestMember, paymentMethodId: string) =>
  world.as(member).send(updateCard, { params: { paymentMethodId }, body: edit })

const statuses = async (world: World, member: TestMember, kind: OperationKind) => {
  const { memberId, kind: kindColumn, status, createdAt } = providerOperations
  const rows = await world.db
    .select({ status })
    .from(providerOperations)
    .where(and(eq(memberId, member.id), eq(kindColumn, kind)))
    .orderBy(createdAt)
  return rows.map((row) => row.status)
}

test('a change that was done counts as done, though its retry got "too many requests"', async () => {
  await using world = await cardsPeople(sandbox)
  const { member, ids } = await world.memberWithCards([good])
  await sandbox.misbehave({ kind: 'reset', pattern: `/payment_methods/${ids[0]}` })
  await sandbox.misbehave({ kind: 'rate_limit', pattern: `/payment_methods/${ids[0]}` })

  expect((await change(world, member, ids[0] ?? '')).status).toBe(200)
  expect(await world.actions(member)).toEqual(['card.added', 'card.updated'])
})

test('if the lookup gets "too many requests" too, the outcome is unknown until the reconciler finds it', async () => {
  await using world = await cardsPeople(sandbox)
  const { member, ids } = await world.memberWithCards([good])
  const { cards } = world.deps.cards
  await sandbox.misbehave({ kind: 'reset', pattern: `/payment_methods/${ids[0]}` })
  await sandbox.misbehave({ kind: 'rate_limit', pattern: `/payment_methods/${ids[0]}` })
  let lists = 0
  world.deps.cards.cards = (id) => {
    lists += 1
    return lists === 1 ? cards(id) : Promise.reject(new ProviderFailure('unavailable', new Error('429')))
  }
  expect((await change(world, member, ids[0] ?? '')).body.code).toBe('card_outcome_unknown')
  world.deps.cards.cards = cards
  await world.reconcileAfter(60)

  expect(await world.actions(member)).toEqual(['card.added', 'card.updated'])
})

test('a change waits for an earlier one, and for the children that wait for it too', async () => {
  await using world = await cardsPeople(sandbox)
  const { member, ids } = await world.memberWithCards([good])
  const { updateCard: call } = world.deps.cards
  const isCalled = Promise.withResolvers<void>()
  vi.spyOn(world.deps.cards, 'updateCard').mockImplementationOnce(async (...parameters) => {
    isCalled.resolve()
    await pause(1500)
    return call(...parameters)
  })
  const first = change(world, member, ids[0] ?? '')
  await isCalled.promise
  const addition = world.add(member)
  await pause(600)
  const second = change(world, member, ids[0] ?? '')

  expect((await Promise.all([first, addition, second])).map(({ status }) => status)).toEqual([200, 200, 200])
})

test('operations of a member have an order, whatever the clocks of two servers show', async () => {
  await using world = await cardsPeople(sandbox)
  const { member } = await world.memberWithCards([good])
  world.at(new Date(world.deps.clock().getTime() - 5000))
  await world.add(member)
  const rows = await world.additions(member)

  expect(rows.map(({ createdAt }) => createdAt.getTime())).toEqual([
    ...new Set(rows.map((row) => row.createdAt.getTime())),
  ])
  expect(rows.map(({ subject }) => subject)).toEqual((await world.list(member)).cardList.map(({ id }) => id))
})

test('a process that was suspended before the call does not make it', async () => {
  await using world = await cardsPeople(sandbox)
  const { member } = await world.memberWithCards([good])
  const { decide } = payments.definitions['card.add']
  vi.spyOn(payments.definitions['card.add'], 'decide').mockImplementationOnce(async (...parameters) => {
    const decision = await decide(...parameters)
    world.at(new Date(world.deps.clock().getTime() + 16_000))
    return decision
  })
  const id = await world.typed(good)

  expect((await world.save(member, id)).body.code).toBe('card_outcome_unknown')
  await world.reconcileAfter(46)
  expect(await statuses(world, member, 'card.add')).toEqual(['succeeded', 'failed'])
  expect(await world.ledger(member)).toHaveLength(1)
  expect((await world.save(member, id)).status).toBe(200)
})

test('a child operation waits for an earlier one that excludes it', async () => {
  await using world = await cardsPeople(sandbox)
  const member = await world.member()
  const now = new Date(world.deps.clock().getTime() - 1000)
  const [earlier] = await world.db
    .insert(providerOperations)
    .values({
      ...{ memberId: member.id, provider: 'card', kind: 'card.update', subject: 'pm_1', status: 'pending' },
      input: { customerId: 'cus_1', paymentMethodId: 'pm_1', before: edit, after: edit },
      ...{ requestId: 'request', createdAt: now, calledAt: now, nextCheckAt: new Date(now.getTime() + 3_600_000) },
    })
    .returning()
  expect((await world.add(member)).status).toBe(200)
  expect((await world.list(member)).defaultPaymentID).toBe('')

  const resolved = { status: 'failed', resolvedAt: now } as const
  await world.db
    .update(providerOperations)
    .set(resolved)
    .where(eq(providerOperations.id, earlier?.id ?? ''))
  await world.reconcileAfter(46)
  const { cardList, defaultPaymentID } = await world.list(member)
  expect(defaultPaymentID).toBe(cardList[0]?.id)
})

test('a change waits for another process that is checking the same operation', async () => {
  await using world = await cardsPeople(sandbox)
  const { member, ids } = await world.memberWithCards([good])
  const now = world.deps.clock()
  const [left] = await world.db
    .insert(providerOperations)
    .values({
      ...{ memberId: member.id, provider: 'card', kind: 'card.set_default', subject: ids[0] ?? '', status: 'pending' },
      ...{ input: { customerId: 'cus_1', paymentMethodId: ids[0] }, requestId: 'request', createdAt: now },
      ...{ calledAt: null, nextCheckAt: now },
    })
    .returning()
  const ofLeft = eq(providerOperations.id, left?.id ?? '')
  world.deps.cards.setDefaultCard = async () => {
    throw new Error('two processes make one call')
  }
  // The other process claims the call just before this one does, and finishes a moment later.
  const { transaction } = world.db
  const elsewhere = async () => {
    await world.db
      .update(providerOperations)
      .set({ calledAt: now, nextCheckAt: new Date(now.getTime() + 45_000) })
      .where(ofLeft)
    setTimeout(
      () => void world.db.update(providerOperations).set({ status: 'succeeded', resolvedAt: now }).where(ofLeft).then(),
      300,
    )
  }
  vi.spyOn(world.db, 'transaction').mockImplementationOnce(async (...parameters) => {
    await elsewhere()
    return Reflect.apply(transaction, world.db, parameters)
  })

  expect((await change(world, member, ids[0] ?? '')).status).toBe(200)
})

test('many operations that exclude each other are resolved in one round', async () => {
  await using world = await cardsPeople(sandbox)
  const member = await world.member()
  const { setDefaultCard } = world.deps.cards
  world.deps.cards.setDefaultCard = () => Promise.reject(new ProviderFailure('unavailable', new Error('429')))
  const added = await Promise.all(Array.from({ length: 6 }, () => world.add(member)))
  expect(added.map(({ status }) => status)).toEqual(Array(6).fill(200))
  world.deps.cards.setDefaultCard = setDefaultCard
  await world.reconcileAfter(46)

  expect(await statuses(world, member, 'card.set_default')).toEqual(Array(6).fill('succeeded'))
  expect((await world.list(member)).defaultPaymentID).not.toBe('')
})
