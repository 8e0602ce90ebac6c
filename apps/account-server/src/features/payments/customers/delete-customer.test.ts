import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { payments } from '../../../app.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { newWorld } from '../../../test/world.ts'
import { checkOperations } from '../operations/check-operation.ts'
import { providerOperations } from '../operations/operations.tables.ts'
import { insertFollowUps } from '../operations/perform-operation.ts'
import { providerCustomers } from './customers.tables.ts'
import { deleteCustomer } from './delete-customer.ts'

const sandbox = await sandboxOfFile()

type World = Awaited<ReturnType<typeof newWorld>>

/** A member with a customer whose deletion is stored, as an erasure leaves it. */
async function deletionIn({ db, deps, member }: World) {
  const { id: memberId, email } = await member()
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
  const state = async () => {
    const [row] = await db.select().from(providerOperations).where(eq(providerOperations.memberId, memberId))
    return [row?.status, await db.$count(providerCustomers, eq(providerCustomers.memberId, memberId))]
  }
  return { customerId, state }
}

/** What the reconciler does some minutes later. */
async function reconcileAt(world: World, moment: string) {
  world.at(moment)
  await checkOperations(world.deps, payments.definitions)
}

test('the reconciler deletes the customer at the provider, and then its row', async () => {
  await using world = await newWorld({ settings: sandbox.settings })
  const { customerId, state } = await deletionIn(world)
  expect(await state()).toEqual(['pending', 1])
  await reconcileAt(world, '2026-06-01T09:31:00Z')
  expect(await state()).toEqual(['succeeded', 0])
  expect(await sandbox.stripe.customers.retrieve(customerId)).toMatchObject({ deleted: true })
})

test('a customer that is deleted there already is done', async () => {
  await using world = await newWorld({ settings: sandbox.settings })
  const { customerId, state } = await deletionIn(world)
  await sandbox.stripe.customers.del(customerId)
  await reconcileAt(world, '2026-06-01T09:31:00Z')
  expect(await state()).toEqual(['succeeded', 0])
})

test.each(['error', 'rate_limit', 'reset'] as const)(
  'after %s at the provider it is tried until it is done',
  async (kind) => {
    await using world = await newWorld({ settings: sandbox.settings })
    const { customerId, state } = await deletionIn(world)
    await sandbox.misbehave({ kind, pattern: '/customers/*', times: 4 })
    await reconcileAt(world, '2026-06-01T09:31:00Z')
    await sandbox.behave()
    for (const minute of ['35', '45', '59']) await reconcileAt(world, `2026-06-01T09:${minute}:00Z`)
    expect(await state()).toEqual(['succeeded', 0])
    expect(await sandbox.stripe.customers.retrieve(customerId)).toMatchObject({ deleted: true })
  },
)
