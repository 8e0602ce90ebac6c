import { checkCancelSr } from '@atrium/contract/auto-renewal.ts'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { typedPurchase } from '../../../test/typed-purchase.ts'
import { subscriptions } from '../subscriptions.tables.ts'

const sandbox = await sandboxOfFile()

/** What a member bought, proven to be theirs, and an add-on of it that was bought with their address typed. */
async function addOnWorld() {
  const world = await typedPurchase(sandbox)
  const { db, stripe, caller, sid: addOnId } = world
  return {
    ...world,
    addOnId,
    /** The vendor's key writes to the add-on what it belongs to. */
    async nameParent(parent: string) {
      await stripe.subscriptions.update(addOnId, { metadata: { parent } })
      await world.sync(addOnId)
    },
    async parentOf(id: string) {
      const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, id))
      return row?.parentId
    },
    /** Ids of the add-ons that would end with a subscription. */
    async endingWith(sid: string) {
      const { status, body } = await caller.send(checkCancelSr, { body: { sid } })
      expect(status).toBe(200)
      return body.list.map((one) => one.stripeSubscriptionId)
    },
  }
}

test('an add-on that only an address made the member’s belongs to nothing that is proven to be theirs', async () => {
  await using world = await addOnWorld()
  const proven = await world.buy()
  await world.nameParent(proven)
  expect(await world.parentOf(world.addOnId)).toBeNull()
  expect(await world.endingWith(proven)).toEqual([])

  await world.linkCustomer(world.buyer.email)
  await world.sync(world.addOnId)
  expect(await world.parentOf(world.addOnId)).toBe(proven)
  expect(await world.endingWith(proven)).toEqual([world.addOnId])
})

test('one that was linked before its parent was proven neither ends with it nor stays linked', async () => {
  await using world = await addOnWorld()
  const proven = await world.buy()
  const isAddOn = eq(subscriptions.id, world.addOnId)
  await world.db.update(subscriptions).set({ parentId: proven }).where(isAddOn)
  expect(await world.endingWith(proven)).toEqual([])
  await world.nameParent(proven)
  expect(await world.parentOf(world.addOnId)).toBeNull()
})

test('two of one customer stay together while an address alone says whose they are, and part when one is given away', async () => {
  await using world = await addOnWorld()
  const parent = await world.subscribe()
  await world.sync(parent)
  await world.nameParent(parent)
  expect(await world.parentOf(world.addOnId)).toBe(parent)
  expect(await world.endingWith(parent)).toEqual([world.addOnId])

  const [right, elsewhere] = [await world.member(), await world.buy()]
  const isAddOn = and(eq(subscriptions.id, world.addOnId), eq(subscriptions.memberId, world.buyer.id))
  await world.db.update(subscriptions).set({ parentId: elsewhere }).where(isAddOn)
  await world.linkCustomer(right.email)
  expect(await world.ids(right)).toContain(world.addOnId)
  expect(await world.parentOf(world.addOnId)).toBeNull()
})
