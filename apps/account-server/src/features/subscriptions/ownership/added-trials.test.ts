import { answerOffered, declineSubscription, listOffered } from '@atrium/contract/offered-subscriptions.ts'
import { listOnlineOrders } from '@atrium/contract/orders.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import { listSubscriptions } from '@atrium/contract/subscriptions.ts'
import { checkTransfer } from '@atrium/contract/transfers.ts'
import { and, eq, isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { linkCustomerCommand } from '../../../commands/link-customer.ts'
import { cardVendor } from '../../../test/card-billing.ts'
import { newSeat } from '../../../test/factories.ts'
import { paypalVendor } from '../../../test/paypal.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import type { TestMember } from '../../../test/world.ts'
import { addressSubject, signReference } from '../../payments/customers/account-reference.rules.ts'
import { linkOfCustomer } from '../../payments/customers/customers.queries.ts'
import { syncCustomers } from '../../payments/customers/customers.sync.ts'
import { syncSale } from '../paypal-subscriptions.sync.ts'
import { findPurchases } from '../purchases.sync.ts'
import { seats } from '../seats.tables.ts'
import { syncSubscriptions } from '../subscriptions.sync.ts'
import { endedSeatsQueue } from './end-team.writes.ts'
import { giveToProven, heldByOthers } from './give-to-proven.ts'

const sandbox = await sandboxOfFile()

const secret = 'a secret that the shop and the account area share'
const say = () => undefined

/** Whose address was typed has added a trial that somebody else has begun, and has made a colleague Setup Admin. */
async function addedTrial() {
  const world = await cardVendor(sandbox, { settings: { SHOP_SIGNING_SECRET: secret } })
  const { stripe } = sandbox
  const { db, deps, buyer } = world
  const [right, admin] = [await world.member(), await world.member()]
  const { id: customer } = await stripe.customers.create({ email: buyer.email })
  const { id: method } = await stripe.paymentMethods.attach('pm_card_visa', { customer })
  const [price] = (await stripe.prices.list({ lookup_keys: [`${world.product.code.toLowerCase()}-yearly-usd`] })).data
  const items = [{ price: price?.id ?? '', quantity: 5 }]
  const billed = { customer, items, default_payment_method: method }
  const { id: sid } = await stripe.subscriptions.create({ ...billed, trial_period_days: 14 })
  await world.sync(sid)
  const caller = world.as({ cookie: await world.session(buyer.id) })
  const [offer] = (await caller.send(listOffered, {})).body.list
  const answer = { params: { id: offer?.id ?? '' }, body: { isMine: true } }
  expect((await caller.send(answerOffered, answer)).status).toBe(200)
  await newSeat(world, sid, { memberId: admin.id, email: admin.email, type: seatTypes.setupAdmin })
  const own = async (member: TestMember) => (await world.listed(member)).map((one) => one.stripeSubscriptionId)
  return {
    ...world,
    ...{ stripe, caller, right, sid, customer },
    owned: async () => [await own(buyer), await own(right)],
    link: () => linkOfCustomer(db, customer),
    syncCustomer: () => world.told('customer')(customer),
    sign(): Record<string, string> {
      const expiresAt = new Date(Date.now() + 3_600_000)
      return { accountReference: signReference(secret, { subject: addressSubject(right.email), expiresAt }) }
    },
    team: () =>
      db
        .select({ memberId: seats.memberId, type: seats.type })
        .from(seats)
        .where(and(eq(seats.subscriptionId, sid), isNull(seats.removedAt))),
    async linkCustomer() {
      const run = linkCustomerCommand((_db, run) => run(deps.jobs)).prepare([right.email, customer])
      return run?.(db, say, { ...world.config, PAST_DUE_DAYS: 21, now: deps.clock() })
    },
    /** The trial is over, and its first period is paid. */
    async pay() {
      await stripe.subscriptions.update(sid, { trial_end: 'now' })
      const { latest_invoice: invoice } = await stripe.subscriptions.retrieve(sid)
      await world.syncInvoice(String(invoice))
      await world.sync(sid)
    },
    ordered: async (member: TestMember) =>
      (await world.as({ cookie: await world.session(member.id) }).send(listOnlineOrders, { query: {} })).body.total,
  }
}

type World = Awaited<ReturnType<typeof addedTrial>>

const ways: Record<string, (world: World) => Promise<unknown>> = {
  async 'the vendor’s key writes whose it is to the customer'(world) {
    await world.stripe.customers.update(world.customer, { metadata: { memberId: world.right.id } })
    await world.syncCustomer()
  },
  async 'the vendor’s key writes whose it is to the subscription'(world) {
    await world.stripe.subscriptions.update(world.sid, { metadata: { memberId: world.right.id } })
    await world.sync(world.sid)
  },
  async 'the vendor’s shop signs for the customer'(world) {
    await world.stripe.customers.update(world.customer, { metadata: world.sign() })
    await world.syncCustomer()
  },
  async 'the vendor’s shop signs for the subscription'(world) {
    await world.stripe.subscriptions.update(world.sid, { metadata: world.sign() })
    await world.sync(world.sid)
  },
  async 'the operator says whose it is'(world) {
    expect(await world.linkCustomer()).toBe(0)
  },
  async 'the operator has the customers read'(world) {
    await world.stripe.customers.update(world.customer, { metadata: { memberId: world.right.id } })
    await syncCustomers({ ...world.deps, now: world.deps.clock(), say })
    expect(await heldByOthers(world.db)).toContain(world.customer)
    await giveToProven({ ...world.deps, onLinked: async () => undefined }, world.customer)
  },
  async 'the operator has the subscriptions read'(world) {
    await world.stripe.subscriptions.update(world.sid, { metadata: { memberId: world.right.id } })
    await syncSubscriptions({ ...world.deps, say })
  },
}

test.each(Object.entries(ways))('a trial that was added is of whom it is proven to be once %s', async (_how, give) => {
  await using world = await addedTrial()
  const { sid, right } = world
  expect(await world.owned()).toEqual([[sid], []])
  await give(world)
  expect(await world.link()).toMatchObject({ memberId: right.id, proof: expect.not.stringMatching('address') })
  expect(await world.owned()).toEqual([[], [sid]])
  expect(await world.team()).toEqual([{ memberId: right.id, type: seatTypes.owner }])
  expect(world.sent.filter(({ queue }) => queue === endedSeatsQueue)).toHaveLength(1)

  await world.pay()
  await findPurchases(world.deps, right.id)
  expect([await world.ordered(world.buyer), await world.ordered(right)]).toEqual([0, 1])
})

test('what was linked before the trial was given is given with the operator’s word, without the team', async () => {
  await using world = await addedTrial()
  const { sid, right, deps } = world
  await world.stripe.customers.update(world.customer, { metadata: { memberId: right.id } })
  // The customer alone, as a version of this program that left the rest did.
  await syncCustomers({ ...deps, now: deps.clock(), say })
  expect(await world.owned()).toEqual([[sid], []])
  expect(await world.linkCustomer()).toBe(0)
  expect(await world.owned()).toEqual([[], [sid]])
  expect(await world.team()).toEqual([{ memberId: right.id, type: seatTypes.owner }])
})

test('until it is given, it is not transferred, and who has added it can say that it is not theirs', async () => {
  await using world = await addedTrial()
  const { sid, right, deps, caller } = world
  await world.stripe.customers.update(world.customer, { metadata: { memberId: right.id } })
  await syncCustomers({ ...deps, now: deps.clock(), say })
  expect((await world.listed()).map((one) => one.knownByAddress)).toEqual([1])
  const { stays, moves } = (await caller.send(checkTransfer, {})).body
  expect([stays, moves]).toMatchObject([[{ stripeSubscriptionId: sid, reason: 'known_by_address' }], []])

  await world.db.delete(seats).where(and(eq(seats.subscriptionId, sid), eq(seats.type, seatTypes.setupAdmin)))
  expect((await caller.send(declineSubscription, { params: { sid } })).status).toBe(200)
  await world.syncCustomer()
  expect(await world.owned()).toEqual([[], [sid]])
})

test('an address that is corrected moves nothing, until the vendor says whose it is', async () => {
  await using world = await addedTrial()
  const { sid, right } = world
  await world.stripe.customers.update(world.customer, { email: right.email })
  await world.syncCustomer()
  await world.pay()
  expect(await world.owned()).toEqual([[sid], []])
  await world.stripe.customers.update(world.customer, { metadata: { memberId: right.id } })
  await world.syncCustomer()
  expect(await world.owned()).toEqual([[], [sid]])
  expect(await world.team()).toEqual([{ memberId: right.id, type: seatTypes.owner }])
})

test('of PayPal, too: what an address alone made another’s is of whom the vendor’s shop has signed it for', async () => {
  await using world = await paypalVendor(sandbox)
  const { deps, buyer } = world
  const [right, admin] = [await world.member(), await world.member()]
  const id = await world.buy({ customId: buyer.email })
  await world.sync(id)
  await newSeat(world, id, { memberId: admin.id, email: admin.email, type: seatTypes.setupAdmin })
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionId: id, knownByAddress: 1 }])

  for (const sale of await world.sales(id)) await syncSale(deps, sale)
  expect(await world.ordered()).toHaveLength(1)

  const { readSubscription } = deps.paypal
  const expiresAt = new Date(Date.now() + 3_600_000)
  const customId = signReference(secret, { subject: right.id, expiresAt })
  deps.paypal.readSubscription = async (asked) => ({ ...(await readSubscription(asked)), customId })
  await world.sync(id)
  const { list } = (await world.as(right).send(listSubscriptions, { query: {} })).body
  expect(list).toMatchObject([{ stripeSubscriptionId: id, knownByAddress: 0 }])
  expect(await world.listed()).toEqual([])
  const isHeld = and(eq(seats.subscriptionId, id), isNull(seats.removedAt))
  expect(await world.db.select().from(seats).where(isHeld)).toMatchObject([{ memberId: right.id }])
  const orders = (await world.as(right).send(listOnlineOrders, { query: {} })).body.total
  expect([orders, (await world.ordered()).length]).toEqual([1, 0])
})
