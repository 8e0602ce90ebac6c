import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { newWorld } from '../../test/world.ts'
import { customerIdOf } from '../payments/customers/customers.queries.ts'
import { importFile } from './import-file.ts'

type World = Awaited<ReturnType<typeof newWorld>>

async function load(world: World, records: readonly { email: string; customerId: string }[]): Promise<string[]> {
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
  expect(await customerIdOf(world.db, member)).toBe(record.customerId)
})

test('a customer belongs to one known member, and a member has one customer', async () => {
  await using world = await newWorld()
  const [owner, other] = [await world.member(), await world.member()]
  const customerId = newId()
  await load(world, [{ email: owner.email, customerId }])

  expect(await load(world, [{ email: other.email, customerId }])).toEqual(['customerId belongs to another member'])
  expect(await load(world, [{ email: owner.email, customerId: newId() }])).toEqual([
    'customerId is not the one that the member has',
  ])
  expect(await load(world, [{ email: 'nobody@example.test', customerId: newId() }])).toEqual([
    'email no member has this e-mail address',
  ])
  expect([await customerIdOf(world.db, owner), await customerIdOf(world.db, other)]).toEqual([customerId, undefined])
})
