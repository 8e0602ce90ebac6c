import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cardsPeople } from '../../test/cards.ts'
import { newSubscription } from '../../test/factories.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { providerCustomers } from '../payments/customers/customers.tables.ts'
import { providerOperations } from '../payments/operations/operations.tables.ts'
import { insertFollowUps } from '../payments/operations/perform-operation.ts'
import { deleteCustomer } from './delete-customer.ts'

const sandbox = await sandboxOfFile()

type World = Awaited<ReturnType<typeof cardsPeople>>

/** A member with a customer whose deletion is stored, as an erasure leaves it. */
async function deletionIn({ db, deps, ...world }: World) {
  const member = await world.member()
  const { id: memberId, email } = member
  const { id: customerId } = await sandbox.stripe.customers.create({ email })
  await db
    .insert(providerCustomers)
    .values({ proof: 'ours', isMain: true, memberId, customerId, createdAt: deps.clock() })
  const plan = { subject: customerId, objectId: customerId, input: { customerId } }
  const next = [{ definition: deleteCustomer, plan }]
  await db.transaction((tx) =>
    insertFollowUps(tx, {
      ...{ memberId, address: null, requestId: 'operator', parentId: memberId, next, now: deps.clock() },
    }),
  )
  const isDeletion = and(eq(providerOperations.memberId, memberId), eq(providerOperations.kind, 'customer.delete'))
  const state = async () => {
    const [row] = await db.select().from(providerOperations).where(isDeletion)
    return [row?.status, await db.$count(providerCustomers, eq(providerCustomers.memberId, memberId))]
  }
  return { customerId, member, state }
}

/** Somebody buys there with a card of theirs. */
async function subscribe(customer: string) {
  const { stripe } = sandbox
  const { id: cardId } = await stripe.paymentMethods.attach('pm_card_mastercard', { customer })
  const { id: product } = await stripe.products.create({ name: 'Editor' })
  const recurring = { interval: 'month' } as const
  const { id: price } = await stripe.prices.create({ product, currency: 'usd', unit_amount: 1000, recurring })
  const { id } = await stripe.subscriptions.create({ customer, items: [{ price }], default_payment_method: cardId })
  return { id, cardId }
}

test('the reconciler deletes the customer at the provider, and then its row', async () => {
  await using world = await cardsPeople(sandbox)
  const { customerId, state } = await deletionIn(world)
  expect(await state()).toEqual(['pending', 1])
  await world.reconcileAfter(60)
  expect(await state()).toEqual(['succeeded', 0])
  expect(await sandbox.stripe.customers.retrieve(customerId)).toMatchObject({ deleted: true })
})

test('a customer that is deleted there already is done', async () => {
  await using world = await cardsPeople(sandbox)
  const { customerId, state } = await deletionIn(world)
  await sandbox.stripe.customers.del(customerId)
  await world.reconcileAfter(60)
  expect(await state()).toEqual(['succeeded', 0])
})

test.each(['error', 'rate_limit', 'reset'] as const)(
  'after %s at the provider it is tried until it is done',
  async (kind) => {
    await using world = await cardsPeople(sandbox)
    const { customerId, state } = await deletionIn(world)
    await sandbox.misbehave({ kind, pattern: '/customers/*', times: 4 })
    await world.reconcileAfter(60)
    await sandbox.behave()
    for (const minutes of [4, 10, 14]) await world.reconcileAfter(minutes * 60)
    expect(await state()).toEqual(['succeeded', 0])
    expect(await sandbox.stripe.customers.retrieve(customerId)).toMatchObject({ deleted: true })
  },
)

test('a customer at which somebody has bought a subscription since stays, without the cards that the member has put on file', async () => {
  await using world = await cardsPeople(sandbox)
  const { stripe } = sandbox
  const { customerId, member, state } = await deletionIn(world)
  const { id: own } = await stripe.paymentMethods.attach('pm_card_visa', { customer: customerId })
  const { id, cardId } = await subscribe(customerId)
  const input = { customerId, paymentMethodId: own }
  const added = { id: randomUUID(), kind: 'card.add', provider: 'card', status: 'succeeded', input } as const
  const at = { requestId: '', createdAt: new Date(0), nextCheckAt: new Date(0), resolvedAt: new Date(0) }
  await world.db
    .insert(providerOperations)
    .values({ ...added, ...at, memberId: member.id, subject: input.paymentMethodId })

  await world.reconcileAfter(60)
  expect(await state()).toEqual(['succeeded', 0])
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' })
  const { data } = await stripe.paymentMethods.list({ customer: customerId, type: 'card' })
  expect(data.map((card) => card.id)).toEqual([cardId])
})

test('a subscription that is stored as the member’s own ends with the customer', async () => {
  await using world = await cardsPeople(sandbox)
  const { customerId, member, state } = await deletionIn(world)
  const { id: providerId } = await subscribe(customerId)
  await newSubscription(world, member, { providerId, customerId, status: 'canceled', endedAt: world.deps.clock() })
  await world.reconcileAfter(60)
  expect(await state()).toEqual(['succeeded', 0])
  expect(await sandbox.stripe.subscriptions.retrieve(providerId)).toMatchObject({ status: 'canceled' })
})
