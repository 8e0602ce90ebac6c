import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { addAddress } from '@atrium/contract/addresses.ts'
import { expect, test } from 'vitest'
import { newWorld, type TestMember } from '../../test/world.ts'
import { tellUntoldAddresses } from '../payments/customer-address.writes.ts'
import { importFile } from './import-file.ts'

type World = Awaited<ReturnType<typeof newWorld>>

const market = {
  ...{ type: 'address', addressId: 'A-1', country: 'US', state: 'CA', city: 'San Francisco', zip: '94107' },
  ...{ address: '548 Market St', created: '2026-01-01T00:00:00Z' },
}

function load(world: World, records: readonly object[]) {
  return importFile(world.db, {
    input: Readable.from(records.map((record) => `${JSON.stringify(record)}\n`)),
    fileName: 'records.ndjson',
    now: new Date('2026-06-01T00:00:00Z'),
    dryRun: false,
    onRefused: ({ reason }) => {
      throw new Error(reason)
    },
  })
}

const customer = ({ email }: TestMember) => ({
  ...{ type: 'provider-customer', email, customerId: `cus_${randomUUID().replaceAll('-', '')}` },
})

/** What the hour after brings: ids of members of whose address the provider is told. */
async function told(world: World): Promise<unknown[]> {
  world.sent.splice(0)
  await tellUntoldAddresses(world.deps, { atOnce: 1 })
  return world.sent.flatMap(({ data }) => ('memberId' in data ? [data.memberId] : []))
}

test('a default address that a file brings or changes is told once, and a file without news tells nothing', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const records = [
    { ...market, email: member.email },
    { ...market, email: member.email, addressId: 'A-2', zip: '94108' },
  ]
  await load(world, [customer(member), ...records])
  expect(await told(world)).toEqual([member.id])
  expect(await told(world)).toEqual([])

  await load(world, records)
  await load(world, [{ ...records[1], city: 'Oakland' }])
  expect(await told(world)).toEqual([])
  await load(world, [{ ...records[0], city: 'Oakland' }])
  await load(world, records.slice(1))
  expect(await told(world)).toEqual([member.id])
})

test('a customer that a file brings gets the address that is there; who has none is told of nowhere', async () => {
  await using world = await newWorld()
  const [member, other] = [await world.member(), await world.member()]
  const body = { orderBillCountry: 'DE', orderBillState: 'BE', orderBillCity: 'Berlin', orderBillZip: '10115' }
  await world.as(member).send(addAddress, { body })
  await load(world, [{ ...market, email: other.email }])
  expect(await told(world)).toEqual([])

  const record = customer(member)
  await load(world, [record])
  expect(await told(world)).toEqual([member.id])
  await load(world, [record])
  expect(await told(world)).toEqual([])
})
