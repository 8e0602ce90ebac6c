import { randomUUID } from 'node:crypto'
import { declineSubscription } from '@atrium/contract/offered-subscriptions.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { linkCustomerCommand } from '../../../commands/link-customer.ts'
import { daysLater } from '../../../db/calendar.rules.ts'
import { members } from '../../../db/members.tables.ts'
import { paypalVendor } from '../../../test/paypal.ts'
import { approve, approveAs, comeBack, order, type PaypalVendor, stored, typed } from '../../../test/paypal-orders.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { addresses } from '../../addresses/addresses.tables.ts'
import { buyerUntil } from '../../orders/orders.queries.ts'
import { orders } from '../../orders/orders.tables.ts'
import { addressSubject } from '../../payments/customers/account-reference.rules.ts'
import { syncOrderedPayment } from '../paypal-change/ordered-payments.sync.ts'
import { findPaypalSubscription, syncSale } from '../paypal-subscriptions.sync.ts'
import { subscriptions } from '../subscriptions.tables.ts'

const sandbox = await sandboxOfFile()

/** The member has a company, and an address that is nobody else's business. */
async function settle({ db }: PaypalVendor, memberId: string) {
  await db.update(members).set({ company: 'Secret GmbH' }).where(eq(members.id, memberId))
  const place = { street: 'Secret Lane 9', city: 'Berlin', zip: '10623', state: 'BE', country: 'DE', isDefault: true }
  const names = { firstName: 'Ada', lastName: 'Secret', contactEmail: 'secret@atrium.example' }
  await db.insert(addresses).values({ memberId, ...place, ...names, createdAt: new Date() })
}

/** Amounts of a member's orders, oldest first, and their buyers. */
async function ordersOf({ db }: PaypalVendor, memberId: string) {
  const rows = await db.select().from(orders).where(eq(orders.memberId, memberId)).orderBy(orders.orderNumber)
  return { amounts: rows.map(({ amount }) => amount), buyers: JSON.stringify(rows.map(({ buyer }) => buyer)) }
}

/** Two more seats, of which an earlier version of this program did not ask with which account they were paid. */
async function boughtBefore() {
  const { world, id } = await typed(sandbox)
  await settle(world, world.buyer.id)
  const [sale = ''] = await world.sales(id)
  await syncSale(world.deps, sale)
  await approve(world, (await order(world, id)).body.approveUrl)
  expect((await comeBack(world, id)).status).toBe(200)
  await world.db.update(subscriptions).set({ proof: 'address' }).where(eq(subscriptions.providerId, id))
  const { amounts, buyers } = await ordersOf(world, world.buyer.id)
  expect([amounts.length, amounts[0], buyers.includes('Secret Lane')]).toEqual([2, 3000, true])
  return { world, id, amounts }
}

test('what somebody has paid by an order stays theirs when the subscription is another’s, and is not shown to them', async () => {
  const { world, id, amounts } = await boughtBefore()
  await using _ = world
  const payer = await world.member()
  const run = linkCustomerCommand((_db, go) => go(world.deps.jobs)).prepare([payer.email, id])
  await run?.(world.db, () => undefined, { ...world.config, PAST_DUE_DAYS: 21, now: world.deps.clock() })
  expect(await stored(world, id)).toMatchObject({ memberId: payer.id, userCount: 5 })
  expect(await ordersOf(world, payer.id)).toMatchObject({
    amounts: [3000],
    buyers: expect.not.stringContaining('Secret'),
  })
  expect((await ordersOf(world, world.buyer.id)).amounts).toEqual(amounts.slice(1))
  // PayPal's event of the payment comes again.
  const [own] = await world.db.select().from(orders).where(eq(orders.memberId, world.buyer.id))
  await syncOrderedPayment(world.deps, own?.providerId ?? '')
  expect((await ordersOf(world, payer.id)).amounts).toEqual([3000])
  const until = daysLater(world.deps.clock(), 1)
  expect(await buyerUntil(world.db, { providerSubscriptionId: id, until })).toBe(payer.id)
})

test('so it does when they say that the subscription is not theirs', async () => {
  const { world, id, amounts } = await boughtBefore()
  await using _ = world
  const caller = world.as({ cookie: await world.session(world.buyer.id) })
  expect((await caller.send(declineSubscription, { params: { sid: id } })).status).toBe(200)
  expect((await ordersOf(world, world.buyer.id)).amounts).toEqual(amounts.slice(1))
})

test('the order of a payment that was given back has nothing of the profile of whom only an address made the Owner', async () => {
  const { world, id } = await typed(sandbox)
  await using _ = world
  await settle(world, world.buyer.id)
  const { approveUrl, paypalOrderId } = (await order(world, id)).body
  await approveAs(world, approveUrl, 'other')
  const captured = JSON.stringify(await world.call('POST', `/v2/checkout/orders/${paypalOrderId}/capture`, {}))
  const [, captureId = ''] = /"captures":\[\{"id":"(\w+)"/.exec(captured) ?? []
  await syncOrderedPayment(world.deps, captureId)
  const { amounts, buyers } = await ordersOf(world, world.buyer.id)
  expect(amounts).toHaveLength(1)
  expect(buyers).not.toContain('Secret')
})

/** Paid with the address of a member, and signed for somebody who signs up later, by a shop whose secret is not known here at first. */
async function signedForLater() {
  const world = await paypalVendor(sandbox)
  const stranger = `${randomUUID()}@example.test`
  const id = await world.buy({ customId: world.referenceTo(addressSubject(stranger)) })
  const { email } = (await world.deps.paypal.readSubscription(id)).payer
  await world.db
    .update(members)
    .set({ email: `${randomUUID()}@example.test` })
    .where(eq(members.email, email))
  await world.db.update(members).set({ email }).where(eq(members.id, world.buyer.id))
  const config = { ...world.deps.config, SHOP_SIGNING_SECRET: [] }
  await findPaypalSubscription({ ...world.deps, config }, id)
  expect(await stored(world, id)).toMatchObject({ memberId: world.buyer.id, proof: 'address' })
  return { world, id, stranger }
}

test('whom the shop has signed a subscription for does not get it while it is paid, nor after that', async () => {
  const { world, id, stranger } = await signedForLater()
  await using _ = world
  const { approveUrl } = (await order(world, id)).body
  const named = await world.member({ email: stranger })
  await world.sync(id)
  expect(await stored(world, id)).toMatchObject({ memberId: world.buyer.id })
  await approve(world, approveUrl)
  expect((await comeBack(world, id)).status).toBe(200)
  await world.sync(id)
  expect(await stored(world, id)).toMatchObject({ memberId: world.buyer.id, proof: 'ours', userCount: 5 })
  expect((await ordersOf(world, named.id)).amounts).toEqual([])
  expect((await ordersOf(world, world.buyer.id)).amounts).toHaveLength(2)
})

test('they get it where another account was to pay, of which nothing was taken', async () => {
  const { world, id, stranger } = await signedForLater()
  await using _ = world
  const { approveUrl } = (await order(world, id)).body
  const named = await world.member({ email: stranger })
  await approveAs(world, approveUrl, 'other')
  expect((await comeBack(world, id)).status).toBe(409)
  await world.sync(id)
  expect(await stored(world, id)).toMatchObject({ memberId: named.id, proof: 'signed', userCount: 3 })
  expect((await ordersOf(world, named.id)).amounts).toEqual([3000])
  // The page may still come back.
  expect(await comeBack(world, id)).toMatchObject({ status: 409, body: { code: 'nothing_to_finish' } })
})
