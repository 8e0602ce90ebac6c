import { removeCard } from '@atrium/contract/cards.ts'
import { answerOffered, declineSubscription, listOffered } from '@atrium/contract/offered-subscriptions.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { linkCustomerCommand } from '../../../commands/link-customer.ts'
import { ProviderFailure } from '../../../outside/provider-failure.ts'
import { paypalVendor } from '../../../test/paypal.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { typedPurchase } from '../../../test/typed-purchase.ts'
import { events } from '../../events/events.tables.ts'
import { mailQueue } from '../../mail/mail.writes.ts'
import { providerCustomers } from '../../payments/customers/customers.tables.ts'
import { linkCustomers } from '../../payments/customers/customers.writes.ts'
import { findPurchases } from '../purchases.sync.ts'
import { seats } from '../seats.tables.ts'

const sandbox = await sandboxOfFile()

async function bought() {
  const world = await typedPurchase(sandbox)
  return { ...world, decline: () => world.caller.send(declineSubscription, { params: { sid: world.sid } }) }
}

test('what somebody else has paid is theirs again: no orders, no seat, and the vendor is told', async () => {
  await using world = await bought()
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionId: world.sid, knownByAddress: 1 }])
  expect(await world.ordered()).toHaveLength(2)

  expect(await world.decline()).toMatchObject({ status: 200, body: { declined: 1 } })
  expect([await world.ids(), await world.ordered()]).toEqual([[], []])
  expect(await world.db.$count(seats, eq(seats.memberId, world.buyer.id))).toBe(1)
  const removed = await world.db.select().from(seats).where(eq(seats.memberId, world.buyer.id))
  expect(removed).toMatchObject([{ removedAt: expect.any(Date) }])
  expect(await world.unmatched()).toMatchObject([{ reason: 'not_mine', customerId: world.otherCustomer }])
  const told = await world.db.select({ data: events.data }).from(events).where(eq(events.type, 'purchase.not_mine'))
  const data = { provider: 'card', providerId: world.sid, customerId: world.otherCustomer }
  expect(told).toEqual([{ data: expect.objectContaining(data) }])
})

test('it is not linked again, whatever the provider tells of it, and nobody gets mail about it', async () => {
  await using world = await bought()
  await world.decline()
  world.sent.length = 0
  await world.stripe.subscriptions.update(world.sid, { cancel_at_period_end: true })
  await world.sync(world.sid)
  await findPurchases(world.deps, world.buyer.id)
  expect([await world.ids(), await world.ordered()]).toEqual([[], []])
  expect(await world.db.$count(providerCustomers, eq(providerCustomers.customerId, world.otherCustomer))).toBe(0)
  expect(await world.unmatched()).toMatchObject([{ reason: 'not_mine' }])
  expect(world.sent.filter(({ queue }) => queue === mailQueue)).toEqual([])
})

test('whose it is, the operator says: subscription, orders and seat are theirs', async () => {
  await using world = await bought()
  await world.decline()
  const right = await world.member()
  expect(await world.linkCustomer(right.email)).toBe(0)
  expect(await world.unmatched()).toEqual([])
  await world.syncInvoice(world.onceId)
  expect(await world.ordered(right)).toHaveLength(2)
  const isHeld = await world.db.select().from(seats).where(eq(seats.memberId, right.id))
  expect(isHeld).toMatchObject([{ subscriptionId: world.sid, type: seatTypes.owner, removedAt: null }])
  await world.sync(world.sid)
  expect(await world.ids()).toEqual([])
})

test('what an address alone has made a member’s is another one’s by the operator’s word, too', async () => {
  await using world = await bought()
  const right = await world.member()
  expect(await world.linkCustomer(right.email)).toBe(0)
  expect(await world.ids()).toEqual([])
  await world.syncInvoice(world.onceId)
  expect(await world.ordered()).toEqual([])
  expect(await world.ordered(right)).toHaveLength(2)
})

test('it waits while somebody else has a seat there', async () => {
  await using world = await bought()
  const { id: memberId, email } = await world.member()
  const seat = { subscriptionId: world.sid, memberId, email, type: seatTypes.member, status: 'Accepted' } as const
  await world.db.insert(seats).values({ ...seat, isUse: true, invitedAt: new Date() })
  expect(await world.decline()).toMatchObject({ status: 409, body: { code: 'others_hold_seats' } })
  expect(await world.ids()).toEqual([world.sid])
})

test('it waits while the member has a card on file there, which would go on paying', async () => {
  await using world = await bought()
  const { status, paymentMethodId } = await world.payWithOwn()
  expect(status).toBe(200)
  expect(await world.decline()).toMatchObject({ status: 409, body: { code: 'own_card_on_file' } })
  expect((await world.caller.send(removeCard, { params: { paymentMethodId }, query: {} })).status).toBe(200)
  expect((await world.decline()).status).toBe(200)
})

test('it waits while it is not known whether a card of the member’s was put on file there', async () => {
  await using world = await bought()
  const { cards } = world.deps
  const lost = () => Promise.reject(new ProviderFailure('unknown', new Error('no answer')))
  Object.assign(cards, { createSetup: lost, findSetup: lost })
  expect((await world.payWithOwn()).status).toBe(502)
  expect(await world.decline()).toMatchObject({ status: 409, body: { code: 'own_card_on_file' } })
})

test('the operator gives nobody what a card of somebody else’s pays for', async () => {
  await using world = await bought()
  await world.payWithOwn()
  expect(await world.linkCustomer((await world.member()).email)).toBe(1)
  expect(await world.ids()).toEqual([world.sid])
})

test('what is nobody’s is given to whom its customer was proven to be meanwhile', async () => {
  await using world = await bought()
  await world.decline()
  const right = await world.member()
  await world.stripe.customers.update(world.otherCustomer, { metadata: { memberId: right.id } })
  await world.sync(world.sid)
  await findPurchases(world.deps, right.id)
  expect([await world.ids(right), await world.ids()]).toEqual([[world.sid], []])
  expect(await world.ordered(right)).toHaveLength(2)
  expect(await world.unmatched()).toEqual([])
})

test('what is proven stays, also if that comes first by a moment', async () => {
  await using world = await bought()
  const own = await world.buy()
  const proven = await world.caller.send(declineSubscription, { params: { sid: own } })
  expect(proven).toMatchObject({ status: 409, body: { code: 'purchase_proven' } })

  const link = { customerId: world.otherCustomer, memberId: world.buyer.id, proof: 'signed' } as const
  await world.db.transaction((tx) => linkCustomers(tx, [link], new Date()))
  expect(await world.decline()).toMatchObject({ status: 409, body: { code: 'purchase_proven' } })
  expect((await world.ids()).sort()).toEqual([own, world.sid].sort())
})

test('of two tabs, one says it', async () => {
  await using world = await bought()
  const replies = await Promise.all([world.decline(), world.decline()])
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 404])
  expect(await world.unmatched()).toHaveLength(1)
})

test('another member’s looks like none at all, and stays theirs', async () => {
  await using world = await bought()
  const other = world.as(await world.member())
  const foreign = await other.send(declineSubscription, { params: { sid: world.sid } })
  const missing = await other.send(declineSubscription, { params: { sid: 'sub_none' } })
  expect([foreign.status, missing.status, foreign.body.code]).toEqual([404, 404, missing.body.code])
  expect(await world.ids()).toEqual([world.sid])
})

test('of PayPal, too: paid with a member’s address, and somebody else’s', async () => {
  await using world = await paypalVendor(sandbox)
  const id = await world.buy({ customId: world.buyer.email })
  await world.sync(id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionId: id, knownByAddress: 1 }])
  const caller = world.as({ cookie: await world.session(world.buyer.id) })
  expect((await caller.send(declineSubscription, { params: { sid: id } })).status).toBe(200)
  await world.sync(id)
  expect([await world.listed(), await world.ordered()]).toEqual([[], []])

  const right = await world.member()
  const run = linkCustomerCommand((_db, run) => run(world.deps.jobs)).prepare([right.email, id])
  expect(await run?.(world.db, () => undefined, { ...world.config, PAST_DUE_DAYS: 21, now: world.deps.clock() })).toBe(
    0,
  )
  await world.sync(id)
  expect(await world.db.$count(seats, eq(seats.memberId, right.id))).toBe(1)
})

test('a trial of PayPal that is not the member’s is not offered again, nor listed', async () => {
  await using world = await paypalVendor(sandbox)
  const product = await world.call('POST', '/v1/catalogs/products', { name: 'Own', type: 'DIGITAL' })
  const trial = { tenure_type: 'TRIAL', sequence: 1, total_cycles: 1, frequency: { interval_unit: 'MONTH' } }
  const regular = { ...trial, tenure_type: 'REGULAR', sequence: 2, total_cycles: 0 }
  const pricing = { fixed_price: { value: '10.00', currency_code: 'USD' } }
  const plan = await world.call('POST', '/v1/billing/plans', {
    ...{ product_id: product.id, name: 'Own, monthly', quantity_supported: true, payment_preferences: {} },
    billing_cycles: [trial, { ...regular, pricing_scheme: pricing }],
  })
  const planId = String(plan.id)
  const id = await world.buy({ customId: world.buyer.email, planId })
  await world.sync(id)
  const caller = world.as({ cookie: await world.session(world.buyer.id) })
  const [offer] = (await caller.send(listOffered, {})).body.list
  const answer = { params: { id: offer?.id ?? '' }, body: { isMine: false } }
  expect(await caller.send(answerOffered, answer)).toMatchObject({ status: 200, body: { list: [] } })
  await world.sync(id)
  expect([await world.listed(), (await caller.send(listOffered, {})).body.list]).toEqual([[], []])
})
