import { expect, test } from 'vitest'
import { newContact, newLicense, newSubscription } from '../../test/factories.ts'
import { newWorld, type TestMember } from '../../test/world.ts'
import { licensesNaming } from './named-licenses.queries.ts'

test('licenses that name somebody are those of the Holder who asks: their own and their subscriptions’, nobody else’s', async () => {
  await using world = await newWorld()
  const [holder, other] = [await world.member(), await world.member()]
  const [person, somebody] = [await world.member(), await world.member()]
  const named = async (license: { id: string }, ...people: TestMember[]) => {
    for (const one of people) await newContact(world, license.id, one, { relationship: 'Contact' })
    return license.id
  }
  const held = async (by: TestMember) => {
    const license = await newLicense(world)
    await newContact(world, license.id, by)
    return license
  }
  const ofSubscription = async (owner: TestMember) =>
    newLicense(world, { subscriptionId: (await newSubscription(world, owner)).id })
  const wanted = [await named(await held(holder), person), await named(await ofSubscription(holder), person)]
  await named(await held(holder), somebody)
  // What both name, but only the other one holds.
  await named(await held(other), person, holder)
  await named(await ofSubscription(other), person, holder)

  const { list, total } = await licensesNaming(world.db, { holderId: holder.id, personId: person.id, limit: 10 })
  expect(list.map(({ licenseId }) => licenseId).toSorted()).toEqual(wanted.toSorted())
  expect(total).toBe(2)
})
