import { changePlanFrom } from '@atrium/contract/plan-changes.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { typedPurchase } from '../../../test/typed-purchase.ts'
import { products } from '../../catalog/catalog.tables.ts'

const sandbox = await sandboxOfFile()

test('what only an address made a member’s uses up nothing of what they may buy of a product', async () => {
  await using world = await typedPurchase(sandbox)
  const { caller, db, product } = world
  const cap = { cap: 6, scope: 'member' } as const
  await db.update(products).set({ cap }).where(eq(products.code, product.code))
  const sid = await world.buy({ quantity: 3 })
  expect(await world.ids()).toHaveLength(2)
  const quoted = await caller.send(changePlanFrom, { body: { sid, type: 'buy-more', increasingNumber: 1 } })
  expect(quoted).toMatchObject({ status: 200, body: { maxIncrease: 3 } })
})
