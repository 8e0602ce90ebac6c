import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { newWorld } from '../../test/world.ts'
import { forgetDeletedCustomer } from '../payments/customers/create-customer.ts'
import { customersOfMember, mainCustomerId } from '../payments/customers/customers.queries.ts'
import { providerCustomers } from '../payments/customers/customers.tables.ts'
import { storeUnmatched } from '../payments/unmatched/unmatched.writes.ts'
import { importFile } from './import-file.ts'

type World = Awaited<ReturnType<typeof newWorld>>

async function load(
  world: World,
  records: readonly { email: string; customerId: string; main?: boolean }[],
): Promise<string[]> {
  const refusals: string[] = []
  await importFile(world.db, {
    input: Readable.from(records.map((record) => `${JSON.stringify({ type: 'provider-customer', ...record })}\n`)),
    fileName: 'customers.ndjson',
    now: new Date('2026-06-01T00:00:00Z'),
    dryRun: false,
    onRefused: ({ field, reason }) => refusals.push(`${field} ${reason}`),
  })
  return refusals
}

const newId = () => `cus_${randomUUID().replaceAll('-', '')}`

test('importing a member’s customer again has no other effect', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const record = { email: member.email, customerId: newId() }

  expect([await load(world, [record]), await load(world, [record])]).toEqual([[], []])
  expect(await mainCustomerId(world.db, member)).toBe(record.customerId)
})

test('a customer belongs to one known member, who may have several; the first is the main one until another is', async () => {
  await using world = await newWorld()
  const [owner, other] = [await world.member(), await world.member()]
  const [customerId, second, third] = [newId(), newId(), newId()]
  await load(world, [{ email: owner.email, customerId }])

  expect(await load(world, [{ email: other.email, customerId }])).toEqual([
    'customerId belongs to another member: npm run members -- link-customer gives it to this one',
  ])
  expect(await load(world, [{ email: owner.email, customerId: second }])).toEqual([])
  expect(await load(world, [{ email: 'nobody@example.test', customerId: newId() }])).toEqual([
    'email no member has this e-mail address',
  ])
  expect([await mainCustomerId(world.db, owner), await mainCustomerId(world.db, other)]).toEqual([
    customerId,
    undefined,
  ])

  await load(world, [{ email: owner.email, customerId: third, main: true }])
  expect(await mainCustomerId(world.db, owner)).toBe(third)
  await load(world, [{ email: owner.email, customerId }])
  expect(await customersOfMember(world.db, owner)).toEqual([
    { customerId: third, proof: 'vendor', isPartlyProven: false, isMain: true },
    ...[customerId, second]
      .sort()
      .map((id) => ({ customerId: id, proof: 'vendor', isPartlyProven: false, isMain: false })),
  ])
})

test('a main customer that the vendor has deleted at the provider since takes no other one’s place', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const [deleted, next] = [newId(), newId()]
  const file = [
    { email: member.email, customerId: deleted, main: true },
    { email: member.email, customerId: next },
  ]
  await load(world, file)
  world.deps.cards = { ...world.deps.cards, isCustomerDeleted: async () => true }
  expect(await forgetDeletedCustomer(world.deps, deleted)).toBe(true)
  expect(await mainCustomerId(world.db, member)).toBe(next)
  expect(await load(world, file)).toEqual([])
  expect(await mainCustomerId(world.db, member)).toBe(next)
})

test('a file’s word counts more than an address', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const link = { memberId: member.id, customerId: newId(), createdAt: new Date() }
  await world.db.insert(providerCustomers).values({ ...link, proof: 'address', isMain: false })
  await load(world, [{ email: member.email, customerId: link.customerId }])
  expect(await customersOfMember(world.db, member)).toEqual([
    { customerId: link.customerId, proof: 'vendor', isPartlyProven: false, isMain: true },
  ])
})

test('but less than the member’s own that it is not theirs', async () => {
  await using world = await newWorld()
  const [member, customerId, at] = [await world.member(), newId(), new Date()]
  const object = { provider: 'card', kind: 'subscription', objectId: `sub_${randomUUID()}`, customerId } as const
  const declined = { memberId: member.id, isProven: false, reason: 'not_mine', boughtAt: at, createdAt: at } as const
  await storeUnmatched(world.db, { ...object, ...declined })
  expect(await load(world, [{ email: member.email, customerId }])).toEqual([
    expect.stringMatching(/^customerId the member has said that it is not theirs/),
  ])
  expect(await customersOfMember(world.db, member)).toEqual([])
  expect(await load(world, [{ email: (await world.member()).email, customerId }])).toEqual([])
})
