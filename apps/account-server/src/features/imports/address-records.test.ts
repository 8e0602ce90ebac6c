import { deleteAddress, listAddresses, updateAddress } from '@atrium/contract/addresses.ts'
import { expect, test } from 'vitest'
import { load } from '../../test/import.ts'
import { newWorld, type TestMember } from '../../test/world.ts'

type World = Awaited<ReturnType<typeof newWorld>>

const address = {
  type: 'address',
  addressId: 'A-1',
  country: 'US',
  state: 'CA',
  city: 'San Francisco',
  zip: '94107',
  address: '548 Market St',
  created: '2026-01-01T00:00:00Z',
}

async function listed(world: World, member: TestMember) {
  return (await world.as(member).send(listAddresses, {})).body.list
}

test('a member’s first imported address is the default, with the profile’s name; importing it again adds nothing', async () => {
  await using world = await newWorld()
  const member = await world.member({ firstName: 'Ada', lastName: 'Lindqvist' })
  const records = [
    { ...address, email: member.email },
    { ...address, email: member.email, addressId: 'A-2', zip: '94108', created: '2026-02-01T00:00:00Z' },
    { ...address, email: member.email, addressId: 'A-3', zip: '94109', created: '2026-03-01T00:00:00Z' },
  ]
  expect(await load(world, records)).toMatchObject({ applied: 3, refusals: [] })
  const first = await listed(world, member)
  expect(first.map(({ orderBillZip, isDefaultAddress }) => [orderBillZip, isDefaultAddress])).toEqual([
    ['94107', 1],
    ['94109', 0],
    ['94108', 0],
  ])
  expect(first[0]).toMatchObject({
    orderBillAddress: '548 Market St',
    orderBillStateName: 'California',
    orderBillFirstName: 'Ada',
    orderBillContactEmail: member.email,
  })

  expect(await load(world, records.toReversed())).toMatchObject({ applied: 3, refusals: [] })
  expect(await listed(world, member)).toEqual(first)
  await load(world, [{ ...address, email: member.email, city: 'Oakland' }])
  expect((await listed(world, member)).map(({ orderBillCity }) => orderBillCity)).toContain('Oakland')
})

test('the same id may exist once per member', async () => {
  await using world = await newWorld()
  const [one, other] = [await world.member(), await world.member()]
  await load(world, [
    { ...address, email: one.email },
    { ...address, email: other.email, zip: '10001', state: 'NY' },
  ])
  expect((await listed(world, one)).map(({ orderBillZip }) => orderBillZip)).toEqual(['94107'])
  expect((await listed(world, other)).map(({ orderBillZip }) => orderBillZip)).toEqual(['10001'])
})

test('later changes, deletions and defaults of the member are not undone', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const ids = ['A-1', 'A-2', 'A-3', 'A-4']
  const records = ids.map((addressId, index) => ({
    ...{ ...address, email: member.email, addressId, zip: `9410${index}` },
    created: `2026-01-0${index + 1}T00:00:00Z`,
  }))
  await load(world, records)
  const idOf = async (zip: string) =>
    (await listed(world, member)).find((entry) => entry.orderBillZip === zip)?.id ?? ''
  const edit = {
    ...{ orderBillCountry: 'US', orderBillState: 'NY', orderBillCity: 'New York', orderBillZip: '10001' },
    orderBillAddress: '1 Broadway',
  }
  const params = { id: await idOf('94103') }
  await world.as(member).send(updateAddress, { params, body: { ...edit, isDefaultAddress: 1 } })
  await world.as(member).send(deleteAddress, { params: { id: await idOf('94100') } })
  const before = await listed(world, member)

  expect(await load(world, records)).toMatchObject({ applied: 4, refusals: [] })
  expect(await listed(world, member)).toEqual(before)
  expect(before.map(({ orderBillZip, isDefaultAddress }) => [orderBillZip, isDefaultAddress])).toEqual([
    ['10001', 1],
    ['94102', 0],
    ['94101', 0],
  ])
})

test('the eleventh address is refused; existing ones can still be corrected', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const records = Array.from({ length: 11 }, (_, index) => ({
    ...{ ...address, email: member.email, addressId: `A-${index}`, zip: `${94100 + index}` },
  }))
  expect(await load(world, records)).toMatchObject({
    applied: 10,
    refusals: ['11 email the member has 10 addresses already'],
  })
  expect(await load(world, [{ ...records[3], city: 'Oakland' }])).toMatchObject({ applied: 1, refusals: [] })
  const list = await listed(world, member)
  expect([list.length, list.filter(({ isDefaultAddress }) => isDefaultAddress === 1).length]).toEqual([10, 1])
  expect(list.map(({ orderBillCity }) => orderBillCity)).toContain('Oakland')
})

test('a file has the rules of the dialog for country, state, zip, street and city', async () => {
  await using world = await newWorld()
  const { email } = await world.member()
  const { applied, refusals } = await load(world, [
    { ...address, email: 'nobody@import.test' },
    { ...address, email, addressId: 'B-2', country: 'ZZ' },
    { ...address, email, addressId: 'B-3', state: 'BY' },
    { ...address, email, addressId: 'B-4', city: '' },
    { ...address, email, addressId: 'B-5', address: ' ' },
    { ...address, email, addressId: 'B-6', zip: '' },
    { ...address, email, addressId: 'B-7', country: 'SJ', state: 'whatever', city: '', address: '' },
  ])
  expect(applied).toBe(1)
  expect(refusals.map((refusal) => refusal.split(' ').slice(0, 2).join(' ')).sort()).toEqual([
    '1 email',
    '2 country',
    '3 state',
    '4 city',
    '5 address',
    '6 zip',
  ])
})

test('a state may be missing where postal addresses need none, but must be valid if given', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const line = (addressId: string, values: object) => ({
    ...address,
    email: member.email,
    state: '',
    addressId,
    ...values,
  })
  const { refusals, warned } = await load(world, [
    line('C-1', { country: 'FR', city: 'Paris', zip: '75001' }),
    line('C-2', { country: 'GB', city: 'London', zip: 'N1 9GU' }),
    line('C-3', { country: 'DE', zip: '10115' }),
    line('C-4', { country: 'US' }),
    line('C-5', { country: 'FR', state: 'Atlantis' }),
    line('C-6', { country: 'US', state: 'california' }),
    line('C-7', { country: 'SJ', state: 'Svalbard' }),
    line('C-8', { country: 'US', state: 'US-CA' }),
    line('C-9', { country: 'US', state: 'ca' }),
  ])
  expect(refusals.toSorted()).toEqual([
    '4 state is missing: it is needed in US',
    '5 state is not a state code of FR',
    '6 state is not a state code of US; did you mean CA?',
    '8 state is not a state code of US; did you mean CA?',
    '9 state is not a state code of US; did you mean CA?',
  ])
  expect(warned).toEqual(['7 state is left out: there is no list of states of SJ'])
  const states = (await listed(world, member)).map((shown) => [shown.orderBillCountry, shown.orderBillState])
  expect(states.toSorted()).toEqual([
    ['DE', ''],
    ['FR', ''],
    ['GB', ''],
    ['SJ', ''],
  ])
})

test('an unknown country is refused', async () => {
  await using world = await newWorld()
  const { email } = await world.member()
  const { refusals } = await load(world, [
    { type: 'member', email, country: 'UK' },
    { ...address, email, country: 'XX' },
  ])
  expect(refusals).toEqual([
    '1 country is not a country code of ISO 3166-1',
    '2 country is not a country code of ISO 3166-1',
  ])
})

test('an imported address without a state can be made the default unchanged; with another country it needs one', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const stateless = { ...address, email: member.email, country: 'FR', state: '', city: 'Paris', zip: '75001' }
  await load(world, [
    { ...address, email: member.email },
    { ...stateless, addressId: 'D-2' },
  ])
  const { id = '' } = (await listed(world, member)).find((one) => one.orderBillCountry === 'FR') ?? {}
  const save = (orderBillCountry: string) => {
    const body = { orderBillCountry, orderBillCity: 'Paris', orderBillZip: '75001', isDefaultAddress: 1 as const }
    return world.as(member).send(updateAddress, { params: { id }, body })
  }

  expect((await save('FR')).body.list[0]).toMatchObject({ id, orderBillState: '', isDefaultAddress: 1 })
  expect((await save('DE')).body.errors).toMatchObject([{ code: 'state_required' }])
})
