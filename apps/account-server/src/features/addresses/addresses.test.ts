import { addAddress, deleteAddress, listAddresses, readAddressForm, updateAddress } from '@atrium/contract/addresses.ts'
import { updateProfile } from '@atrium/contract/profile.ts'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newWorld, type TestMember } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { countryList } from '../profile/countries.rules.ts'
import { defaultAddressOf } from './addresses.queries.ts'
import { addresses } from './addresses.tables.ts'
import { stateName, statesOf } from './states.rules.ts'

type World = Awaited<ReturnType<typeof newWorld>>

const berlin = { orderBillCountry: 'DE', orderBillState: 'BE', orderBillZip: '10115', orderBillCity: 'Berlin' }
const boston = {
  orderBillCountry: 'US',
  orderBillState: 'MA',
  orderBillZip: '02110',
  orderBillCity: 'Boston',
  orderBillAddress: '1 Federal St',
}

const add = (world: World, member: TestMember, body: object = berlin) =>
  world.as(member).send(addAddress, { body: { ...berlin, ...body } })

async function listed(world: World, member: TestMember) {
  return (await world.as(member).send(listAddresses, {})).body.list
}

test('states are sorted by name', () => {
  for (const { code } of countryList('en-us')) {
    const names = statesOf(code).map(({ name }) => name)
    expect(names).toEqual(names.toSorted(new Intl.Collator('en').compare))
  }
})

test('a first address becomes the default, with the names of the profile', async () => {
  await using world = await newWorld()
  const member = await world.member({ firstName: 'Ada', lastName: 'Lindqvist', company: 'Lindqvist Design' })

  const { status, body } = await add(world, member)
  expect(status).toBe(200)
  expect(body.list).toEqual([
    {
      id: expect.any(String),
      ...berlin,
      orderBillStateName: 'Berlin',
      orderBillAddress: '',
      orderBillFirstName: 'Ada',
      orderBillLastName: 'Lindqvist',
      orderBillContactEmail: member.email,
      company: 'Lindqvist Design',
      isDefaultAddress: 1,
    },
  ])
  const [id] = body.list.map((address) => address.id)
  const written = await world.db
    .select()
    .from(activity)
    .where(eq(activity.target, id ?? ''))
  expect(written).toMatchObject([{ action: 'address.added', memberId: member.id }])
})

test('the default comes first, then the newest; a new default clears the previous one', async () => {
  await using world = await newWorld()
  const member = await world.member()
  for (const [index, zip] of ['10001', '10002', '10003'].entries()) {
    world.at(new Date(Date.UTC(2026, 0, 1 + index)))
    await world.db.insert(addresses).values({
      ...{ memberId: member.id, country: 'DE', state: 'BE', city: '', zip, street: '', isDefault: index === 0 },
      ...{ firstName: '', lastName: '', contactEmail: '', createdAt: world.deps.clock() },
    })
  }
  world.at('2026-01-03T00:05:00Z')
  const { cookie } = { cookie: await world.session(member.id) }
  const before = await listed(world, { ...member, cookie })
  expect(before.map(({ orderBillZip, isDefaultAddress }) => [orderBillZip, isDefaultAddress])).toEqual([
    ['10001', 1],
    ['10003', 0],
    ['10002', 0],
  ])

  const body = { ...berlin, orderBillZip: '10003', isDefaultAddress: 1 } as const
  const reply = await world.as({ cookie }).send(updateAddress, { params: { id: before[1]?.id ?? '' }, body })
  expect(reply.body.list.map(({ orderBillZip, isDefaultAddress }) => [orderBillZip, isDefaultAddress])).toEqual([
    ['10003', 1],
    ['10002', 0],
    ['10001', 0],
  ])
})

test('the default can neither be deleted nor unset', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const [first] = (await add(world, member)).body.list
  const params = { id: first?.id ?? '' }

  const cleared = await world.as(member).send(updateAddress, { params, body: { ...berlin, isDefaultAddress: 0 } })
  const deleted = await world.as(member).send(deleteAddress, { params })
  const data = { list: [first] }
  expect(cleared.body).toMatchObject({ code: 'default_required', data })
  expect(deleted.body).toMatchObject({ code: 'default_required', data })

  await add(world, member, { isDefaultAddress: 1, orderBillZip: '10999' })
  const gone = await world.as(member).send(deleteAddress, { params })
  expect(gone.body.list.map(({ orderBillZip }) => orderBillZip)).toEqual(['10999'])
})

test.each([
  ['no country', { orderBillCountry: '' }, 'orderBillCountry', 'country_required'],
  ['an unknown country', { orderBillCountry: 'ZZ' }, 'orderBillCountry', 'country_required'],
  ['no zip', { orderBillZip: ' ' }, 'orderBillZip', 'zip_required'],
  ['no state where there are some', { orderBillState: '' }, 'orderBillState', 'state_required'],
  ['a state of another country', { orderBillState: 'CA' }, 'orderBillState', 'state_required'],
  ['no street in the US', { ...boston, orderBillAddress: '' }, 'orderBillAddress', 'address_required'],
  [
    'no city in India',
    { ...boston, orderBillCountry: 'IN', orderBillState: 'AP', orderBillCity: '' },
    'orderBillCity',
    'city_required',
  ],
  [
    'no street in Malaysia',
    { ...boston, orderBillCountry: 'MY', orderBillAddress: '' },
    'orderBillAddress',
    'address_required',
  ],
  ['a street of 257', { orderBillAddress: 'x'.repeat(257) }, 'orderBillAddress', 'too_long'],
  ['a zip of 21', { orderBillZip: '1'.repeat(21) }, 'orderBillZip', 'too_long'],
])('%s is refused at its field, and nothing is stored', async (_name, values, field, code) => {
  await using world = await newWorld()
  const member = await world.member()
  const { status, body } = await add(world, member, values)
  expect(status).toBe(422)
  expect(body.errors).toContainEqual(expect.objectContaining({ path: `body.${field}`, code }))
  expect(await listed(world, member)).toEqual([])
})

test('street and city are optional unless the country requires them', async () => {
  await using world = await newWorld()
  const member = await world.member()
  expect((await add(world, member, { orderBillCity: '' })).status).toBe(200)
  // A country without states stores none.
  const { body } = await add(world, member, { orderBillCountry: 'SJ', orderBillState: 'whatever' })
  expect(body.list.map(({ orderBillCountry, orderBillState }) => orderBillCountry + orderBillState)).toContain('SJ')
})

test('of fifteen concurrent additions, ten succeed, and one is the default', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const replies = await Promise.all(
    Array.from({ length: 15 }, (_, index) =>
      add(world, member, { orderBillZip: `${10_000 + index}`, isDefaultAddress: index % 2 }),
    ),
  )
  expect(replies.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(10)
  const refused = replies.filter(({ body }) => body.code === 'address_limit')
  const { body: full } = await world.as(member).send(listAddresses, {})
  expect(refused.map(({ body }) => body.data)).toEqual(Array(5).fill(full))
  const list = await listed(world, member)
  expect([list.length, list.filter(({ isDefaultAddress }) => isDefaultAddress === 1).length]).toEqual([10, 1])
})

test('of concurrently deleting an address and making it the default, one succeeds, and there is a default afterwards', async () => {
  await using world = await newWorld()
  const member = await world.member()
  await add(world, member)
  const second = (await add(world, member, { orderBillZip: '10999' })).body.list[1]
  const params = { id: second?.id ?? '' }
  const body = { ...berlin, orderBillZip: '10999', isDefaultAddress: 1 } as const

  const [made, gone] = await Promise.all([
    world.as(member).send(updateAddress, { params, body }),
    world.as(member).send(deleteAddress, { params }),
  ])
  expect([made.status, gone.status].sort()).toEqual(made.status === 200 ? [200, 409] : [200, 404])
  const ofMember = and(eq(addresses.memberId, member.id), eq(addresses.isDefault, true))
  expect(await world.db.$count(addresses, ofMember)).toBe(1)
})

test('a saved address takes over the profile’s name at its next change, not before', async () => {
  await using world = await newWorld()
  const member = await world.member({ firstName: 'Ada' })
  const [first] = (await add(world, member)).body.list
  const edit = { firstName: 'Augusta', lastName: 'King', company: '', phone: '' }
  await world.as(member).send(updateProfile, { body: edit })
  expect((await listed(world, member))[0]?.orderBillFirstName).toBe('Ada')
  await world
    .as(member)
    .send(updateAddress, { params: { id: first?.id ?? '' }, body: { ...berlin, isDefaultAddress: 1 } })
  expect((await listed(world, member))[0]?.orderBillFirstName).toBe('Augusta')
})

test('another customer’s address looks like none at all, and its owner still has it', async () => {
  await using world = await newWorld()
  const [owner, other] = [await world.member(), await world.member()]
  const [first] = (await add(world, owner)).body.list
  const none = '00000000-0000-4000-8000-000000000000'
  const asOther = world.as(other)
  const replies = [
    await asOther.send(updateAddress, { params: { id: none }, body: berlin }),
    await asOther.send(updateAddress, { params: { id: first?.id ?? '' }, body: berlin }),
    await asOther.send(deleteAddress, { params: { id: first?.id ?? '' } }),
  ].map(({ status, body }) => ({ status, ...body, requestId: '' }))
  for (const reply of replies) expect(reply).toEqual(replies[0])
  expect(replies[0]?.status).toBe(404)
  expect(await listed(world, other)).toEqual([])
  expect(await listed(world, owner)).toHaveLength(1)
})

test('the form has country names in a language and the states of a country, by default the profile’s', async () => {
  await using world = await newWorld()
  const [member, stateless] = [await world.member({ countryCode: 'MY' }), await world.member()]
  const { body } = await world.as(member).send(readAddressForm, { query: { lang: 'de-de', country: 'US' } })
  expect(body.country).toBe('US')
  expect(body.countryList).toContainEqual({ code: 'DE', name: 'Deutschland' })
  expect(body.stateList).toContainEqual({ code: 'CA', name: 'California' })
  const own = await world.as(member).send(readAddressForm, { query: {} })
  expect(own.body).toMatchObject({ country: 'MY', stateList: expect.arrayContaining([{ code: '01', name: 'Johor' }]) })
  const none = await world.as(stateless).send(readAddressForm, { query: {} })
  expect(none.body).toMatchObject({ country: '', stateList: [] })
})

test('every state of a country has a unique code and a name', () => {
  for (const { code: country } of countryList('en-us')) {
    const states = statesOf(country)
    expect(new Set(states.map(({ code }) => code)).size, country).toBe(states.length)
    for (const { code, name } of states) expect([code, name], country).not.toContain('undefined')
  }
  expect([stateName('PR', 'Ponce'), stateName('US', 'MA'), stateName('SJ', '')]).toEqual(['Ponce', 'Massachusetts', ''])
})

test('lists and defaults of customers are independent', async () => {
  await using world = await newWorld()
  const [one, other] = [await world.member(), await world.member()]
  await add(world, one, { orderBillZip: '10001' })
  await add(world, other, { orderBillZip: '20001' })
  await add(world, other, { orderBillZip: '20002', isDefaultAddress: 1 })

  const shown = async (member: TestMember) =>
    (await listed(world, member)).map(({ orderBillZip, isDefaultAddress }) => [orderBillZip, isDefaultAddress])
  expect(await shown(one)).toEqual([['10001', 1]])
  expect(await shown(other)).toEqual([
    ['20002', 1],
    ['20001', 0],
  ])
  const defaults = [await defaultAddressOf(world.db, one), await defaultAddressOf(world.db, other)]
  expect(defaults.map((found) => found?.address.zip)).toEqual(['10001', '20002'])
  expect(await defaultAddressOf(world.db, await world.member())).toBeUndefined()
})
