import { createSetupIntent } from '@atrium/contract/cards.ts'
import { declineSubscription } from '@atrium/contract/offered-subscriptions.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import { checkTransfer } from '@atrium/contract/transfers.ts'
import { and, eq, isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newSeat } from '../../../test/factories.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { typedPurchase } from '../../../test/typed-purchase.ts'
import type { TestMember } from '../../../test/world.ts'
import { addressSubject, signReference } from '../../payments/customers/account-reference.rules.ts'
import { syncCustomers } from '../../payments/customers/customers.sync.ts'
import { findPurchases } from '../purchases.sync.ts'
import { seats } from '../seats.tables.ts'
import { giveToProven } from './give-to-proven.ts'

const sandbox = await sandboxOfFile()

const secret = 'a secret that the shop and the account area share'
const say = () => undefined

/** Somebody has bought with a member's address, and the shop has found that customer for what the member has bought, signed in. */
async function beside() {
  const world = await typedPurchase(sandbox, { SHOP_SIGNING_SECRET: secret })
  const { stripe, buyer, otherCustomer: customer, db, deps, sid, caller } = world
  const right = await world.member()
  const sign = ({ email }: Pick<TestMember, 'email'>): Record<string, string> => {
    const expiresAt = new Date(Date.now() + 3_600_000)
    return { accountReference: signReference(secret, { subject: addressSubject(email), expiresAt }) }
  }
  const listing = async (id: string) => (await world.listed()).find((one) => one.stripeSubscriptionId === id)
  return {
    ...world,
    ...{ right, sign, listing },
    /** @returns the id of what the member has bought */
    async buyOwn() {
      const [price] = (await stripe.prices.list({ lookup_keys: [`${world.product.code.toLowerCase()}-monthly-usd`] }))
        .data
      const { id: own } = await stripe.paymentMethods.attach('pm_card_visa', { customer })
      const items = [{ price: price?.id ?? '', quantity: 1 }]
      const billed = { customer, items, default_payment_method: own, metadata: sign(buyer) }
      const { id, latest_invoice: invoice } = await stripe.subscriptions.create(billed)
      await world.sync(id)
      await world.syncInvoice(String(invoice))
      return id
    },
    decline: (id = sid) => caller.send(declineSubscription, { params: { sid: id } }),
    async owned() {
      return [(await world.ids()).sort(), (await world.ids(right)).sort()]
    },
    /** All that the provider may tell of it, again. */
    async hear() {
      await world.syncCustomer()
      const { latest_invoice: invoice } = await stripe.subscriptions.retrieve(sid)
      await world.syncInvoice(String(invoice))
      await world.sync(sid)
      await findPurchases(deps, buyer.id)
      await findPurchases(deps, right.id)
    },
    held: () =>
      db
        .select({ memberId: seats.memberId, type: seats.type })
        .from(seats)
        .where(and(eq(seats.subscriptionId, sid), isNull(seats.removedAt))),
  }
}

type World = Awaited<ReturnType<typeof beside>>

test('one purchase of the member’s proves nothing of the others of its customer', async () => {
  await using world = await beside()
  const own = await world.buyOwn()
  expect(await world.link()).toMatchObject({ proof: 'signed', isPartlyProven: true })
  const known = async () => [
    (await world.listing(world.sid))?.knownByAddress,
    (await world.listing(own))?.knownByAddress,
  ]
  expect(await known()).toEqual([1, 0])
  await world.hear()
  expect(await known()).toEqual([1, 0])
  const { moves, stays } = (await world.caller.send(checkTransfer, {})).body
  expect([moves, stays]).toMatchObject([
    [{ stripeSubscriptionId: own }],
    [{ stripeSubscriptionId: world.sid, reason: 'known_by_address' }],
  ])
  expect(await world.decline(own)).toMatchObject({ status: 409, body: { code: 'purchase_proven' } })
})

test('what is not the member’s leaves their account for good, and what is proven stays', async () => {
  await using world = await beside()
  const own = await world.buyOwn()
  expect(await world.decline()).toMatchObject({ status: 200, body: { declined: 1 } })
  await world.hear()
  expect(await world.owned()).toEqual([[own], []])
  expect(await world.link()).toMatchObject({ memberId: world.buyer.id, proof: 'signed', isPartlyProven: true })
  // The own one, and what was bought once.
  expect(await world.ordered()).toHaveLength(2)
  await world.stripe.subscriptions.update(world.sid, { metadata: { memberId: world.right.id } })
  await world.hear()
  expect(await world.owned()).toEqual([[own], [world.sid]])
})

const ways: Record<string, (world: World) => Promise<unknown>> = {
  async 'the vendor’s key writes it to the subscription'({ stripe, sid, right, sync }) {
    await stripe.subscriptions.update(sid, { metadata: { memberId: right.id } })
    await sync(sid)
  },
  async 'the vendor’s shop signs for the subscription'({ stripe, sid, right, sign, sync }) {
    await stripe.subscriptions.update(sid, { metadata: sign(right) })
    await sync(sid)
  },
  async 'the vendor’s key writes it to the customer'({ stripe, otherCustomer, right, syncCustomer }) {
    await stripe.customers.update(otherCustomer, { metadata: { memberId: right.id } })
    await syncCustomer()
  },
  async 'the vendor’s shop signs for the customer'({ stripe, otherCustomer, right, sign, syncCustomer }) {
    await stripe.customers.update(otherCustomer, { metadata: sign(right) })
    await syncCustomer()
  },
  async 'the operator says so'({ linkCustomer, right }) {
    expect(await linkCustomer(right.email)).toBe(0)
  },
  async 'the operator has the customers read'({ stripe, otherCustomer, right, deps }) {
    await stripe.customers.update(otherCustomer, { metadata: { memberId: right.id } })
    const { elsewhere } = await syncCustomers({ ...deps, now: deps.clock(), say })
    expect(elsewhere).toContain(otherCustomer)
    await giveToProven({ ...deps, onLinked: async () => undefined }, otherCustomer)
  },
}

test.each(Object.entries(ways))('what is beside the member’s own is whose it is once %s', async (_how, give) => {
  await using world = await beside()
  const { sid, right } = world
  const [own, admin] = [await world.buyOwn(), await world.member()]
  await newSeat(world, sid, { memberId: admin.id, email: admin.email, type: seatTypes.setupAdmin })
  await give(world)
  expect(await world.owned()).toEqual([[own], [sid]])
  expect(await world.held()).toEqual([{ memberId: right.id, type: seatTypes.owner }])
  expect((await world.listed(right)).map((one) => one.knownByAddress)).toEqual([0])
  await world.hear()
  expect(await world.owned()).toEqual([[own], [sid]])
  expect([(await world.ordered(right)).length, (await world.ordered()).length]).toEqual([1, 2])
  // The cards of the member's own purchase are there.
  expect(await world.link()).toMatchObject({ memberId: world.buyer.id, isPartlyProven: true })
})

test('where the member has nothing that is proven by itself, the customer goes with it', async () => {
  await using world = await beside()
  const { sid, right, stripe } = world
  // The card that paid is the member's own.
  const paymentMethodId = await world.typedCard('5555555555554444')
  expect((await world.caller.send(createSetupIntent, { body: { paymentMethodId } })).status).toBe(200)
  await findPurchases(world.deps, world.buyer.id)
  expect((await world.listing(sid))?.knownByAddress).toBe(0)
  await stripe.customers.update(world.otherCustomer, { metadata: { memberId: right.id } })
  await world.syncCustomer()
  expect(await world.owned()).toEqual([[], [sid]])
  expect(await world.link()).toMatchObject({ memberId: right.id, proof: 'ours', isPartlyProven: false })
})

test('once the customer itself is proven to be the member, all that is there is theirs', async () => {
  await using world = await beside()
  await world.buyOwn()
  await world.stripe.customers.update(world.otherCustomer, { metadata: { memberId: world.buyer.id } })
  await world.syncCustomer()
  expect((await world.listing(world.sid))?.knownByAddress).toBe(0)
  expect(await world.decline()).toMatchObject({ status: 409, body: { code: 'purchase_proven' } })
})

test('of the member’s word that it is not theirs and the vendor’s whose it is, both at once, it is whose it is', async () => {
  await using world = await beside()
  const own = await world.buyOwn()
  await world.stripe.subscriptions.update(world.sid, { metadata: { memberId: world.right.id } })
  const [declined] = await Promise.all([world.decline(), world.sync(world.sid)])
  expect([200, 404]).toContain(declined.status)
  await world.sync(world.sid)
  expect(await world.owned()).toEqual([[own], [world.sid]])
})

test('a trial that is begun there is offered, and is theirs by an address alone', async () => {
  await using world = await beside()
  await world.buyOwn()
  const trial = await world.subscribe({ trial_period_days: 14 })
  await world.sync(trial)
  expect(await world.ids()).not.toContain(trial)
})
