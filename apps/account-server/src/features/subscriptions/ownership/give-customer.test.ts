import { listCards, removeCard } from '@atrium/contract/cards.ts'
import { answerOffered, declineSubscription, listOffered } from '@atrium/contract/offered-subscriptions.ts'
import { addPayingCard, changePayingCard } from '@atrium/contract/paying-cards.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { typedPurchase } from '../../../test/typed-purchase.ts'
import { findPurchases } from '../purchases.sync.ts'
import { seats } from '../seats.tables.ts'
import { subscriptions } from '../subscriptions.tables.ts'

const sandbox = await sandboxOfFile()

test.each(['customer', 'subscription'] as const)(
  'whom the vendor’s key has written to a %s has the customer, and what they bought before',
  async (object) => {
    await using world = await typedPurchase(sandbox)
    const [right, { stripe }] = [await world.member(), world]
    const metadata = { memberId: right.id }
    if (object === 'customer') await stripe.customers.update(world.otherCustomer, { metadata })
    else await stripe.subscriptions.update(world.sid, { metadata })
    await (object === 'customer' ? world.syncCustomer() : world.sync(world.sid))
    expect(await world.link()).toMatchObject({ memberId: right.id, proof: 'ours' })
    expect([await world.ids(), await world.ids(right)]).toEqual([[], [world.sid]])
    const held = await world.db.select().from(seats).where(eq(seats.memberId, right.id))
    expect(held).toMatchObject([{ subscriptionId: world.sid, type: seatTypes.owner, removedAt: null }])
    await findPurchases(world.deps, right.id)
    expect([await world.ordered(), (await world.ordered(right)).length]).toEqual([[], 2])
  },
)

test('what is proven is given to nobody else, whatever the vendor’s key writes later', async () => {
  await using world = await typedPurchase(sandbox)
  const [right, other] = [await world.member(), await world.member()]
  await world.stripe.subscriptions.update(world.sid, { metadata: { memberId: right.id } })
  await world.sync(world.sid)
  await world.stripe.customers.update(world.otherCustomer, { metadata: { memberId: other.id } })
  await world.stripe.subscriptions.update(world.sid, { metadata: { memberId: other.id } })
  await world.syncCustomer()
  await world.sync(world.sid)
  expect([await world.ids(right), await world.ids(other), await world.ids()]).toEqual([[world.sid], [], []])
})

test('it waits while a card of the one before pays there, and follows once that is removed', async () => {
  await using world = await typedPurchase(sandbox)
  const right = await world.member()
  const { caller, sid } = world
  const { paymentMethodId } = await world.payWithOwn()
  const payWith = { params: { sid }, body: { paymentMethodId } }
  expect((await caller.send(changePayingCard, payWith)).status).toBe(200)
  await world.stripe.customers.update(world.otherCustomer, { metadata: { memberId: right.id } })
  await world.syncCustomer()
  expect([await world.ids(), await world.ids(right)]).toEqual([[sid], []])

  await world.stripe.subscriptions.update(sid, { default_payment_method: world.otherCard })
  expect((await caller.send(removeCard, { params: { paymentMethodId }, query: {} })).status).toBe(200)
  await world.syncCustomer()
  expect([await world.ids(), await world.ids(right)]).toEqual([[], [sid]])
})

test.each([false, true])(
  'a card of the one before that pays for nothing there holds nothing, detached at the provider: %s',
  async (isGone) => {
    await using world = await typedPurchase(sandbox)
    const right = await world.member()
    const { paymentMethodId } = await world.payWithOwn()
    if (isGone) await world.stripe.paymentMethods.detach(paymentMethodId)
    await world.stripe.customers.update(world.otherCustomer, { metadata: { memberId: right.id } })
    await world.syncCustomer()
    expect([await world.ids(), await world.ids(right)]).toEqual([[], [world.sid]])

    // It is nobody else's.
    await world.reconcileAfter(60)
    expect((await world.stripe.paymentMethods.retrieve(paymentMethodId)).customer).toBeNull()
    const { cardList } = (await world.as(right).send(listCards, {})).body
    expect(cardList.map(({ id }) => id)).toEqual([world.otherCard])
  },
)

test('a card of the one before stays theirs where the subscription itself is gone', async () => {
  await using world = await typedPurchase(sandbox)
  await world.payWithOwn()
  // As a transfer leaves it.
  await world.db.update(subscriptions).set({ customerId: null }).where(eq(subscriptions.id, world.sid))
  const right = await world.member()
  expect(await world.linkCustomer(right.email)).toBe(1)
  expect((await world.as(right).send(listCards, {})).body).toMatchObject({ cardList: [] })
  expect(await world.link()).toMatchObject({ memberId: world.buyer.id })
})

test('of the operator’s word and a card of the one before, both at once, one counts', async () => {
  await using world = await typedPurchase(sandbox)
  const right = await world.member()
  const { cards } = world.deps
  const readCards = cards.cards
  // The request has read whose the customer is, and waits until the operator is done.
  const linked = Promise.withResolvers<number | undefined>()
  cards.cards = async (customerId) => {
    cards.cards = readCards
    linked.resolve(await world.linkCustomer(right.email))
    return readCards(customerId)
  }
  const body = { paymentMethodId: await world.typedCard() }
  const added = await world.caller.send(addPayingCard, { params: { sid: world.sid }, body })
  expect([await linked.promise, added.status, added.body.code]).toEqual([0, 404, 'not_found'])
  const { cardList } = (await world.as(right).send(listCards, {})).body
  expect(cardList.map(({ id }) => id)).toEqual([world.otherCard])
})

test('what was read before a member has said that it is not theirs is not stored as theirs', async () => {
  await using world = await typedPurchase(sandbox)
  const { cards } = world.deps
  const [{ hasPaid }, second] = [cards, await world.subscribe()]
  cards.hasPaid = async (paid) => {
    cards.hasPaid = hasPaid
    const declined = await world.caller.send(declineSubscription, { params: { sid: world.sid } })
    expect(declined.status).toBe(200)
    return hasPaid(paid)
  }
  await world.sync(second)
  const invoice = await world.stripe.subscriptions.retrieve(second)
  await world.syncInvoice(String(invoice.latest_invoice))
  expect([await world.ids(), await world.ordered()]).toEqual([[], []])
})

test('a trial that is not the member’s takes no order from what is theirs at the same customer', async () => {
  await using world = await typedPurchase(sandbox)
  const trial = await world.subscribe({ trial_period_days: 14 })
  await world.sync(trial)
  const [offer] = (await world.caller.send(listOffered, {})).body.list
  const answer = { params: { id: offer?.id ?? '' }, body: { isMine: false } }
  expect((await world.caller.send(answerOffered, answer)).status).toBe(200)

  const { items } = await world.stripe.subscriptions.retrieve(world.sid)
  const more = [{ id: items.data[0]?.id ?? '', quantity: 5 }]
  await world.stripe.subscriptions.update(world.sid, { items: more, proration_behavior: 'always_invoice' })
  await world.stripe.subscriptions.update(trial, { trial_end: 'now' })
  for (const paid of [world.sid, trial]) {
    const { latest_invoice: invoice } = await world.stripe.subscriptions.retrieve(paid)
    await world.syncInvoice(String(invoice))
    await world.sync(paid)
  }
  expect([await world.ids(), (await world.ordered()).length]).toEqual([[world.sid], 3])
})
