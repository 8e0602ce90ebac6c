import { expect, test } from 'vitest'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { typedPurchase } from '../../../test/typed-purchase.ts'
import { addresses } from '../../addresses/addresses.tables.ts'
import { writeCustomerAddress } from './customer-address.ts'

const sandbox = await sandboxOfFile()

test('a member’s address is not written to a customer of whom one purchase alone is theirs', async () => {
  await using world = await typedPurchase(sandbox)
  const { stripe, otherCustomer, sid, buyer } = world
  const theirs = {
    name: 'Berta Buyer',
    address: { line1: 'Bygata 1', city: 'Oslo', postal_code: '0150', country: 'NO' },
  }
  await stripe.customers.update(otherCustomer, theirs)
  await stripe.subscriptions.update(sid, { metadata: { memberId: buyer.id } })
  await world.sync(sid)
  expect(await world.link()).toMatchObject({ proof: 'ours', isPartlyProven: true })
  const place = { street: 'Lane 9', city: 'Berlin', zip: '10623', state: 'BE', country: 'DE' }
  const names = { firstName: 'Ada', lastName: 'Lane', contactEmail: buyer.email }
  const address = { memberId: buyer.id, ...place, ...names, isDefault: true, createdAt: world.deps.clock() }
  await world.db.insert(addresses).values(address)
  await writeCustomerAddress(world.deps, buyer.id)
  expect(await stripe.customers.retrieve(otherCustomer)).toMatchObject(theirs)
  expect(await stripe.customers.retrieve(world.customerId)).toMatchObject({ address: { line1: 'Lane 9' } })
})
