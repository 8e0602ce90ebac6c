import { listLicenses } from '@atrium/contract/licenses.ts'
import { eq, like } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newProduct, newSubscription } from '../../test/factories.ts'
import { newWorld } from '../../test/world.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { licenses } from './licenses.tables.ts'
import { matchLicenses } from './licenses.writes.ts'

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
  await Promise.all([matchLicenses(db), matchLicenses(db, id), matchLicenses(db, id)])
  await matchLicenses(db)
  const made = await db.select({ id: licenses.id }).from(licenses).where(like(licenses.subscriptionId, 'sub_l%'))
  expect(made.map((license) => license.id).sort()).toEqual(['L-sub_l1', 'OWN-1'])
  expect(await db.select().from(licenses).where(eq(licenses.subscriptionId, 'imported'))).toEqual([])

  const { body } = await world.as(owner).send(listLicenses, { query: { sku: product.sku } })
  expect(body.licenses[product.sku]?.list).toMatchObject([
    { licenseId: 'L-sub_l1', productName: product.name, relationship: 'Holder' },
  ])
})

test('a license follows its subscription’s product: what becomes a program has one, what becomes storage none', async () => {
  await using world = await newWorld()
  const { db } = world
  const owner = await world.member()
  const [program, storage] = [await newProduct(world), await newProduct(world, { flags: ['storage'] })]
  const billed = (id: string) => ({ id, providerId: id, productCode: program.code })
  await newSubscription(world, owner, billed('sub_p1'))
  await newSubscription(world, owner, billed('sub_p2'))
  await matchLicenses(db)
  // What a file said of it is the vendor’s own.
  await db.update(licenses).set({ version: '14' }).where(eq(licenses.subscriptionId, 'sub_p2'))
  const swapTo = (productCode: string) =>
    db.update(subscriptions).set({ productCode }).where(like(subscriptions.id, 'sub_p%'))
  const made = async () => {
    const rows = await db.select({ id: licenses.id }).from(licenses).where(like(licenses.subscriptionId, 'sub_p%'))
    return rows.map(({ id }) => id).sort()
  }

  await swapTo(storage.code)
  await matchLicenses(db, 'sub_p1')
  expect(await made()).toEqual(['L-sub_p2'])
  await matchLicenses(db)
  expect(await made()).toEqual(['L-sub_p2'])
  await swapTo(program.code)
  await matchLicenses(db, 'sub_p1')
  expect(await made()).toEqual(['L-sub_p1', 'L-sub_p2'])
})
