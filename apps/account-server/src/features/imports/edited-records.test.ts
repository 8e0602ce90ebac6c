import { deleteAddress, listAddresses, updateAddress } from '@atrium/contract/addresses.ts'
import { readProfile, updateProfile } from '@atrium/contract/profile.ts'
import { expect, test } from 'vitest'
import { load } from '../../test/import.ts'
import { newWorld, type TestMember } from '../../test/world.ts'

type World = Awaited<ReturnType<typeof newWorld>>

const before = { firstName: 'Ada', lastName: 'Lindqvist', phone: '030 1', company: 'Old Ltd.' }
const vendors = { firstName: 'A.', lastName: 'Lindquist', phone: '030 2', company: 'New Ltd.' }

async function shown(world: World, member: TestMember) {
  const { memFirstName, memLastName, memPhone, memCompany } = (await world.as(member).send(readProfile, { query: {} }))
    .body.member
  return { firstName: memFirstName, lastName: memLastName, phone: memPhone, company: memCompany }
}

test('fields that a customer changed in the profile stay, unless a line says overwrite', async () => {
  await using world = await newWorld()
  const member = await world.member(before)
  const line = { type: 'member', email: member.email }
  const edit = { ...before, firstName: 'Augusta', phone: '' }
  await world.as(member).send(updateProfile, { body: edit })

  await load(world, [{ ...line, ...vendors }])
  expect(await shown(world, member)).toEqual({ ...vendors, firstName: 'Augusta', phone: '' })

  await load(world, [{ ...line, firstName: vendors.firstName, overwrite: true }])
  expect(await shown(world, member)).toEqual({ ...vendors, phone: '' })
  // Overwritten fields belong to the vendor again; the phone, which that line left empty, is still the customer's.
  await load(world, [{ ...line, firstName: 'Ada B.', phone: '030 3' }])
  expect(await shown(world, member)).toEqual({ ...vendors, firstName: 'Ada B.', phone: '' })
})

test('saving without a change does not count as a change by the customer', async () => {
  await using world = await newWorld()
  const member = await world.member(before)
  await world.as(member).send(updateProfile, { body: before })

  await load(world, [{ type: 'member', email: member.email, ...vendors }])
  expect(await shown(world, member)).toEqual(vendors)
})

test('one file may have lines with and without overwrite', async () => {
  await using world = await newWorld()
  const members = [await world.member(before), await world.member(before)]
  const edit = { ...before, company: 'Own Ltd.' }
  for (const member of members) await world.as(member).send(updateProfile, { body: edit })

  const lines = members.map(({ email }, index) => ({ type: 'member', email, ...vendors, overwrite: index === 1 }))
  expect(await load(world, lines)).toMatchObject({ applied: 2, refusals: [] })
  expect(await Promise.all(members.map(async (member) => (await shown(world, member)).company))).toEqual([
    'Own Ltd.',
    'New Ltd.',
  ])
})

test('an address that the customer changed or deleted takes a line’s values where it says overwrite', async () => {
  await using world = await newWorld()
  const { email, ...member } = await world.member()
  const address = { type: 'address', email, country: 'FR', city: 'Paris', created: '2026-01-01T00:00:00Z' }
  const records = ['75001', '75002', '75003'].map((zip) => ({ ...address, addressId: zip, zip }))
  await load(world, records)
  const list = async () => (await world.as(member).send(listAddresses, {})).body.list
  const zips = async () => (await list()).map(({ orderBillZip }) => orderBillZip).sort()
  const idOf = async (zip: string) => (await list()).find(({ orderBillZip }) => orderBillZip === zip)?.id ?? ''

  const berlin = { orderBillCountry: 'DE', orderBillState: 'BE', orderBillCity: 'Berlin', orderBillZip: '10115' }
  await world.as(member).send(updateAddress, { params: { id: await idOf('75002') }, body: berlin })
  await world.as(member).send(deleteAddress, { params: { id: await idOf('75003') } })
  await load(world, records)
  expect(await zips()).toEqual(['10115', '75001'])

  await load(
    world,
    records.map((record) => ({ ...record, overwrite: true })),
  )
  expect(await zips()).toEqual(['75001', '75002', '75003'])
})
