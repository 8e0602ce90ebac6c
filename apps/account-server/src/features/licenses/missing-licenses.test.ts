import { listLicenses } from '@atrium/contract/licenses.ts'
import { eq, like } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newProduct, newSubscription } from '../../test/factories.ts'
import { newWorld } from '../../test/world.ts'
import { licenses } from './licenses.tables.ts'
import { addMissingLicenses } from './licenses.writes.ts'

test('what is billed at a provider has one license, whoever adds it, with its product and seats; others get none', async () => {
  await using world = await newWorld()
  const [owner, other] = [await world.member(), await world.member()]
  const product = await newProduct(world)
  const billed = { productCode: product.code, userCount: 7 }
  const { id } = await newSubscription(world, owner, { ...billed, id: 'sub_l1', providerId: 'sub_l1' })
  await newSubscription(world, owner, { ...billed, id: 'imported', origin: 'offline', channel: 'invoice' })
  const storage = await newProduct(world, { flags: ['storage'] })
  await newSubscription(world, owner, { productCode: storage.code, id: 'sub_l2', providerId: 'sub_l2' })
  const taken = await newSubscription(world, other, { ...billed, id: 'sub_l3', providerId: 'sub_l3' })
  const has = {
    version: '14',
    edition: '',
    language: '',
    platform: '',
    acLiceId: '',
    activationMethod: 'email',
  } as const
  await world.db.insert(licenses).values({ ...has, id: 'OWN-1', subscriptionId: taken.id, createdAt: new Date() })

  const { db } = world
  await Promise.all([addMissingLicenses(db), addMissingLicenses(db, id), addMissingLicenses(db, id)])
  await addMissingLicenses(db)
  const made = await db.select({ id: licenses.id }).from(licenses).where(like(licenses.subscriptionId, 'sub_l%'))
  expect(made.map((license) => license.id).sort()).toEqual(['L-sub_l1', 'OWN-1'])
  expect(await db.select().from(licenses).where(eq(licenses.subscriptionId, 'imported'))).toEqual([])

  const { body } = await world.as(owner).send(listLicenses, { query: { sku: product.sku } })
  expect(body.licenses[product.sku]?.list).toMatchObject([
    { licenseId: 'L-sub_l1', productName: product.name, relationship: 'Holder' },
  ])
})
