import { addAddress, updateAddress } from '@atrium/contract/addresses.ts'
import { eq } from 'drizzle-orm'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { ProviderFailure } from '../../../outside/provider-failure.ts'
import { cardsPeople } from '../../../test/cards.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import type { TestMember } from '../../../test/world.ts'
import { providerOperations } from '../operations/operations.tables.ts'
import { enqueueStaleAddresses, writeCustomerAddress } from './customer-address.ts'
import { providerCustomers } from './customers.tables.ts'

const sandbox = await sandboxOfFile()

type World = Awaited<ReturnType<typeof cardsPeople>>

const berlin = {
  orderBillCountry: 'DE',
  orderBillState: 'BE',
  orderBillCity: 'Berlin',
  orderBillZip: '10623',
  orderBillAddress: 'Kantstraße 24',
}

async function customerOf(world: World, member: TestMember) {
  const [row] = await world.db.select().from(providerCustomers).where(eq(providerCustomers.memberId, member.id))
  const customer = await sandbox.stripe.customers.retrieve(row?.customerId ?? '')
  if (customer.deleted) throw new Error('the customer is deleted')
  return customer
}

/** Runs the queued address syncs. */
async function work(world: World) {
  for (const { queue, data } of world.sent.splice(0)) {
    if (queue === 'addresses.sync' && 'memberId' in data) await writeCustomerAddress(world.deps, String(data.memberId))
  }
}

test('the default address is written to the provider’s customer, and so is each change of it', async () => {
  await using world = await cardsPeople(sandbox)
  const { member } = await world.memberWithCards(['4242424242424242'])
  const added = await world.as(member).send(addAddress, { body: berlin })
  await work(world)

  expect(await customerOf(world, member)).toMatchObject({
    name: 'Ada Lindqvist',
    address: { line1: 'Kantstraße 24', city: 'Berlin', state: 'BE', postal_code: '10623', country: 'DE' },
  })

  const id = added.body.list[0]?.id ?? ''
  await world
    .as(member)
    .send(updateAddress, { params: { id }, body: { ...berlin, orderBillZip: '10999', isDefaultAddress: 1 } })
  await work(world)
  expect((await customerOf(world, member)).address?.postal_code).toBe('10999')
})

test('an imported address is synced within the hour, and no other is synced again', async () => {
  await using world = await cardsPeople(sandbox)
  const [{ member }, synced] = [await world.memberWithCards(['4242424242424242']), await world.memberWithCards([])]
  await world.as(synced.member).send(addAddress, { body: berlin })
  await world.add(synced.member)
  await work(world)
  await world.as(member).send(addAddress, { body: berlin })
  // An import enqueues no jobs.
  world.sent.splice(0)
  const syncedMembers = async () => {
    await enqueueStaleAddresses(world.deps, { pageSize: 1 })
    return world.sent.flatMap(({ data }) => ('memberId' in data ? [data.memberId] : []))
  }

  expect(await syncedMembers()).toContain(member.id)
  expect(await syncedMembers()).not.toContain(synced.member.id)
  await work(world)
  expect((await customerOf(world, member)).address?.city).toBe('Berlin')
  expect(await syncedMembers()).not.toContain(member.id)
})

test('stale addresses above the limit are synced in the next round', async () => {
  await using world = await cardsPeople(sandbox)
  const stale: string[] = []
  for (let place = 0; place < 3; place += 1) {
    const { member } = await world.memberWithCards(['4242424242424242'])
    await world.as(member).send(addAddress, { body: berlin })
    stale.push(member.id)
  }
  world.sent.splice(0)
  const rounds: number[] = []
  const synced = new Set<unknown>()
  for (let hour = 0; hour < 3; hour += 1) {
    await enqueueStaleAddresses(world.deps, { pageSize: 2, most: 2 })
    rounds.push(world.sent.length)
    for (const { data } of world.sent) synced.add('memberId' in data && data.memberId)
    await work(world)
  }

  expect(rounds).toEqual([2, 1, 0])
  expect([...synced].sort()).toEqual(stale.sort())
})

test('an address that is not the default is not synced', async () => {
  await using world = await cardsPeople(sandbox)
  const { member } = await world.memberWithCards(['4242424242424242'])
  await world.as(member).send(addAddress, { body: berlin })
  world.sent.splice(0)
  await world.as(member).send(addAddress, { body: { ...berlin, orderBillZip: '20095' } })

  expect(world.sent).toEqual([])
})

test('a customer that is created later gets the current address', async () => {
  await using world = await cardsPeople(sandbox)
  const member = await world.member()
  await world.as(member).send(addAddress, { body: berlin })
  await work(world)
  await world.add(member)
  await work(world)

  expect((await customerOf(world, member)).address?.city).toBe('Berlin')
})

test('an address that changes during the sync is written again', async () => {
  await using world = await cardsPeople(sandbox)
  const { member } = await world.memberWithCards(['4242424242424242'])
  const { body } = await world.as(member).send(addAddress, { body: berlin })
  const { updateCustomer } = world.deps.cards
  let calls = 0
  world.deps.cards.updateCustomer = async (...call) => {
    calls += 1
    if (calls === 1) {
      const params = { id: body.list[0]?.id ?? '' }
      await world
        .as(member)
        .send(updateAddress, { params, body: { ...berlin, orderBillCity: 'Potsdam', isDefaultAddress: 1 } })
    }
    await updateCustomer(...call)
  }
  await writeCustomerAddress(world.deps, member.id)

  expect((await customerOf(world, member)).address?.city).toBe('Potsdam')
})

test('a customer whose creation was answered with a lost reply days ago is found, not created again', async () => {
  await using world = await cardsPeople(sandbox)
  const member = await world.member()
  await sandbox.misbehave({ kind: 'reset', pattern: '/customers', times: 4 })
  expect((await world.add(member)).status).toBe(503)
  await sandbox.behave()
  await world.db
    .update(providerOperations)
    .set({ createdAt: new Date(Date.now() - 3 * 86_400_000), calledAt: new Date(Date.now() - 3 * 86_400_000) })
    .where(eq(providerOperations.memberId, member.id))
  expect((await world.add(member)).status).toBe(200)

  expect((await sandbox.stripe.customers.list({ email: member.email })).data).toHaveLength(1)
})

test('a stored error of the provider does not block the next request', async () => {
  await using world = await cardsPeople(sandbox)
  const member = await world.member()
  const { createCustomer } = world.deps.cards
  const keys: string[] = []
  world.deps.cards.createCustomer = async (wanted) => {
    keys.push(wanted.operationId)
    if (wanted.operationId !== keys[0]) return createCustomer(wanted)
    const error = Stripe.errors.generateV1Error({ type: 'api_error', message: 'Oh', statusCode: 500 })
    throw new ProviderFailure('unknown', error, { isStored: true })
  }

  expect((await world.add(member)).body.code).toBe('card_provider_unavailable')
  expect((await world.add(member)).status).toBe(200)
  expect(new Set(keys).size).toBe(2)
})

test('a customer that was created despite an error answer is found immediately', async () => {
  await using world = await cardsPeople(sandbox)
  const member = await world.member()
  await sandbox.misbehave({ kind: 'error', pattern: '/customers', times: 1 })
  const { status } = await world.add(member)
  await sandbox.behave()

  expect(status).toBe(200)
  expect((await sandbox.stripe.customers.list({ email: member.email })).data).toHaveLength(1)
})

test('a customer whose row is gone is found at the provider, not created again', async () => {
  await using world = await cardsPeople(sandbox)
  const { member } = await world.memberWithCards(['4242424242424242'])
  await world.db.delete(providerCustomers).where(eq(providerCustomers.memberId, member.id))
  expect((await world.add(member)).status).toBe(200)

  expect((await sandbox.stripe.customers.list({ email: member.email })).data).toHaveLength(1)
  expect((await world.list(member)).cardList).toHaveLength(2)
})

test.each([
  ['that the provider refuses for good is not sent again until it changes', 'invalid', 0],
  ['of a customer that the provider does not know is sent again: our key may be of another account', 'missing', 1],
] as const)('an address %s', async (_what, kind, again) => {
  await using world = await cardsPeople(sandbox)
  const { member } = await world.memberWithCards(['4242424242424242'])
  await world.as(member).send(addAddress, { body: berlin })
  world.deps.cards.updateCustomer = () => Promise.reject(new ProviderFailure(kind, new Error(kind)))
  await work(world)
  await enqueueStaleAddresses(world.deps)

  expect(world.sent.filter(({ data }) => 'memberId' in data && data.memberId === member.id)).toHaveLength(again)
})

test('customers that cannot be synced do not keep the others from it', async () => {
  await using world = await cardsPeople(sandbox)
  const people: TestMember[] = []
  for (let place = 0; place < 3; place += 1) {
    const { member } = await world.memberWithCards(['4242424242424242'])
    await world.as(member).send(addAddress, { body: berlin })
    people.push(member)
  }
  const [lowest, middle, highest] = people.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  for (const member of [lowest, middle]) {
    const foreign = { customerId: `cus_Foreign${member?.id}` }
    await world.db
      .update(providerCustomers)
      .set(foreign)
      .where(eq(providerCustomers.memberId, member?.id ?? ''))
  }
  world.sent.splice(0)
  const asked = new Set<unknown>()
  for (let hour = 0; hour < 60 && !asked.has(highest?.id); hour += 1) {
    await enqueueStaleAddresses(world.deps, { most: 2 })
    for (const { data } of world.sent.splice(0)) asked.add('memberId' in data && data.memberId)
  }

  expect(asked).toContain(highest?.id)
})
