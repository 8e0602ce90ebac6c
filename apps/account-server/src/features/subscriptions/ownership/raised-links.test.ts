import { checkCancelSr } from '@atrium/contract/auto-renewal.ts'
import { createSetupIntent } from '@atrium/contract/cards.ts'
import { declineSubscription } from '@atrium/contract/offered-subscriptions.ts'
import { listOnlineOrders } from '@atrium/contract/orders.ts'
import { checkTransfer } from '@atrium/contract/transfers.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { typedPurchase } from '../../../test/typed-purchase.ts'
import { addressSubject, signReference } from '../../payments/customers/account-reference.rules.ts'
import { syncCustomers } from '../../payments/customers/customers.sync.ts'
import { purchasesQueue } from '../../session/purchases.writes.ts'
import { findPurchases } from '../purchases.sync.ts'
import { syncSubscriptions } from '../subscriptions.sync.ts'
import { subscriptions } from '../subscriptions.tables.ts'

const sandbox = await sandboxOfFile()

const say = () => undefined
const secret = 'a secret that the shop and the account area share'

type World = Awaited<ReturnType<typeof raisable>>

/** What only an address made a member's, and an add-on of it that is proven to be theirs: they go separate ways until the first is proven. */
async function raisable() {
  const world = await typedPurchase(sandbox, { SHOP_SIGNING_SECRET: secret })
  const { db, sid: parent, caller } = world
  const addOn = await world.buy({ metadata: { parent } })
  const parentOf = async () => (await db.select().from(subscriptions).where(eq(subscriptions.id, addOn)))[0]?.parentId
  expect(await parentOf()).toBeNull()
  world.sent.splice(0)
  return {
    ...world,
    parent,
    addOn,
    parentOf,
    write: (metadata: Record<string, string>) => world.stripe.customers.update(world.otherCustomer, { metadata }),
    /** The job that was queued. */
    async work() {
      for (const { queue, data } of world.sent.splice(0)) {
        if (queue === purchasesQueue) await findPurchases(world.deps, Object(data).memberId)
      }
    },
    /** What the operator runs next. */
    takeOver: () => syncSubscriptions({ ...world.deps, say }),
    syncCustomers: (confirmedUntil?: Date) =>
      syncCustomers({ ...world.deps, confirmedUntil, now: world.deps.clock(), say }),
    endingWith: async () => (await caller.send(checkCancelSr, { body: { sid: parent } })).body.list,
  }
}

async function writeMember(world: World) {
  await world.write({ memberId: world.buyer.id })
  await world.syncCustomer()
  await world.work()
}

const ways = {
  'the vendor’s key writes the member’s id to the customer': writeMember,
  'the vendor’s shop signs for it': async (world: World) => {
    const expiresAt = new Date(world.deps.clock().getTime() + 3_600_000)
    const reference = signReference(secret, { subject: addressSubject(world.buyer.email), expiresAt })
    await world.write({ accountReference: reference })
    await world.syncCustomer()
    await world.work()
  },
  'the vendor’s key writes the member’s id to the subscription': async (world: World) => {
    await world.stripe.subscriptions.update(world.parent, { metadata: { memberId: world.buyer.id } })
    await world.sync(world.parent)
    await world.work()
  },
  'the same card is put on file': async (world: World) => {
    const paymentMethodId = await world.typedCard('5555555555554444')
    expect((await world.caller.send(createSetupIntent, { body: { paymentMethodId } })).status).toBe(200)
    await world.work()
  },
  'the operator names a day': async (world: World) => {
    expect(await world.syncCustomers(new Date(Date.now() + 60_000))).toMatchObject({ raised: expect.any(Number) })
    await world.takeOver()
  },
  'the operator links the customer': async (world: World) => {
    await world.linkCustomer(world.buyer.email)
    await world.takeOver()
  },
  'the member has said that it is not theirs, and the vendor’s key writes that it is': async (world: World) => {
    const declined = await world.caller.send(declineSubscription, { params: { sid: world.parent } })
    expect(declined.status).toBe(200)
    await writeMember(world)
  },
} as const

test.each(Object.entries(ways))(
  'an add-on is joined to what is proven to be its Owner’s when %s',
  async (_how, raise) => {
    await using world = await raisable()
    await raise(world)
    expect(await world.link()).toMatchObject({
      memberId: world.buyer.id,
      proof: expect.stringMatching(/ours|vendor|signed/),
    })
    expect(await world.parentOf()).toBe(world.parent)
    expect((await world.endingWith()).map((one) => one.stripeSubscriptionId)).toEqual([world.addOn])
    const { moves, stays } = (await world.caller.send(checkTransfer, {})).body
    expect([moves.map((one) => one.stripeSubscriptionId).sort(), stays]).toEqual([
      [world.parent, world.addOn].sort(),
      [],
    ])
  },
)

test('the member’s id, written to a customer who is theirs by an address alone, proves it at once', async () => {
  await using world = await raisable()
  const seen = async () =>
    (await world.listed()).find(({ stripeSubscriptionId: id }) => id === world.parent)?.knownByAddress
  expect(await seen()).toBe(1)
  await world.write({ memberId: world.buyer.id })
  await world.syncCustomer()
  expect(await world.link()).toMatchObject({ memberId: world.buyer.id, proof: 'ours' })
  expect(await seen()).toBe(0)
  await world.work()
  expect((await world.caller.send(listOnlineOrders, { query: {} })).body.total).toBe(3)
})
