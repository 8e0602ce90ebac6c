import { requestDataExport } from '@atrium/contract/data-export.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newProduct } from '../../test/factories.ts'
import { load } from '../../test/import.ts'
import { newWorld } from '../../test/world.ts'
import { archives } from '../archives/archives.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'

test.each([
  ['of a contract', null],
  ['of what a provider bills, without orders', 'sub_hidden'],
])('a data export from before a file hid the price %s is gone, and one from after it stays', async (_, providerId) => {
  await using world = await newWorld()
  const owner = await world.member()
  const { code: productCode } = await newProduct(world)
  const contract = {
    ...{ type: 'subscription', subscriptionId: `S-${owner.id}`, email: owner.email, productCode, userCount: 1 },
    ...{ status: 'active', origin: 'offline', channel: 'invoice', price: 12000, currency: 'USD' },
    ...{ periodStart: '2026-01-01T00:00:00Z', periodEnd: '2027-01-01T00:00:00Z' },
  }
  await load(world, [contract])
  await world.db.update(subscriptions).set({ providerId }).where(eq(subscriptions.id, contract.subscriptionId))
  const pack = () => world.as(owner).send(requestDataExport, { body: {} })
  const isPacked = async () => (await world.db.$count(archives, eq(archives.memberId, owner.id))) === 1
  const apply = (priceHidden: boolean) => load(world, [{ ...contract, priceHidden }])

  expect((await pack()).status).toBe(200)
  await apply(false)
  expect(await isPacked()).toBe(true)
  await apply(true)
  expect(await isPacked()).toBe(false)
  expect((await pack()).status).toBe(200)
  await apply(true)
  expect(await isPacked()).toBe(true)
})
