import { subscriptionCancel, subscriptionRenew } from '@atrium/contract/auto-renewal.ts'
import { createSetupIntent, listCards, setDefaultCard } from '@atrium/contract/cards.ts'
import { payOverdue } from '@atrium/contract/overdue-payments.ts'
import { addPayingCard, changePayingCard, listPayingCards } from '@atrium/contract/paying-cards.ts'
import { changePlan, changePlanFrom } from '@atrium/contract/plan-changes.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { ProviderFailure } from '../../outside/provider-failure.ts'
import { cardVendor } from '../../test/card-billing.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { providerCustomers } from '../payments/customers/customers.tables.ts'
import { findPurchases } from './purchases.sync.ts'

const sandbox = await sandboxOfFile()

/** Somebody has typed a member's address at a checkout, and paid with a card there. */
async function checkout() {
  const world = await cardVendor(sandbox)
  const { stripe } = sandbox
  const sid = await world.buy()
  const isCustomer = eq(providerCustomers.customerId, world.customerId)
  await world.db.update(providerCustomers).set({ proof: 'address', isMain: false }).where(isCustomer)
  await stripe.customers.update(world.customerId, { metadata: { memberId: '' } })
  const cookie = await world.session(world.buyer.id)
  const buyer = world.as({ cookie })
  const typed = async (number: string) =>
    (await stripe.paymentMethods.create({ type: 'card', card: { number, exp_month: 12, exp_year: 2034, cvc: '123' } }))
      .id
  return {
    ...world,
    ...{ sid, owner: buyer, stripe, typed },
    async add(number = '5555555555554444') {
      const paymentMethodId = await typed(number)
      const { status } = await buyer.send(addPayingCard, { params: { sid }, body: { paymentMethodId } })
      return { status, paymentMethodId }
    },
    paying: async () => (await buyer.send(listPayingCards, { params: { sid }, query: {} })).body,
    payerAtProvider: async () => {
      const { default_payment_method: own } = await stripe.subscriptions.retrieve(sid)
      return own
    },
  }
}

const ids = ({ cardList = [] }: { cardList?: readonly { id: string }[] }) => cardList.map(({ id }) => id)

test('what was entered at a checkout is not among the member’s cards, and pays for no change', async () => {
  await using world = await checkout()
  const { sid, owner: as, cardId } = world
  expect(ids((await as.send(listCards, {})).body)).toEqual([])
  expect(await world.paying()).toMatchObject({ cardList: [], defaultPaymentID: '' })
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionId: sid, paidFrom: 'checkout' }])

  const { body: detail } = await as.send(changePlanFrom, { body: { sid, type: 'buy-more', increasingNumber: 2 } })
  expect([detail.cardList, detail.quote?.paymentMethodId]).toEqual([[], ''])
  const body = {
    subscriptionId: sid,
    type: 'buy-more',
    increasingNumber: 2,
    quoteId: detail.quote?.quoteId ?? '',
  } as const
  expect(await as.send(changePlan, { body })).toMatchObject({ status: 409, body: { code: 'card_required' } })
  expect((await as.send(changePlan, { body: { ...body, paymentMethodId: cardId } })).status).toBe(404)
  expect((await as.send(setDefaultCard, { params: { paymentMethodId: cardId } })).status).toBe(404)
})

test('a card of the member’s own is put on file there, and pays; what is charged there by default stays', async () => {
  await using world = await checkout()
  const { sid, owner: as, stripe } = world
  const { status, paymentMethodId } = await world.add()
  expect(status).toBe(200)
  expect(ids(await world.paying())).toEqual([paymentMethodId])
  expect(ids((await as.send(listCards, {})).body)).toEqual([paymentMethodId])
  const customer = await stripe.customers.retrieve(world.customerId)
  expect('invoice_settings' in customer && customer.invoice_settings.default_payment_method).toBe(world.cardId)
  expect(await as.send(setDefaultCard, { params: { paymentMethodId } })).toMatchObject({
    ...{ status: 409, body: { code: 'card_cannot_be_default' } },
  })

  const { body: detail } = await as.send(changePlanFrom, { body: { sid, type: 'buy-more', increasingNumber: 2 } })
  const body = {
    subscriptionId: sid,
    type: 'buy-more',
    increasingNumber: 2,
    quoteId: detail.quote?.quoteId ?? '',
  } as const
  expect((await as.send(changePlan, { body: { ...body, paymentMethodId } })).status).toBe(200)
  expect(await world.payerAtProvider()).toBe(paymentMethodId)
  expect(await world.listed()).toMatchObject([{ userCount: 5 }])
})

test('renewal is turned off without a card, and on again only with one of the member’s own', async () => {
  await using world = await checkout()
  const { sid, owner: as } = world
  const cancel = { sid, cancelSubIds: '', reasons: [6 as const], comment: '', productName: '' }
  expect((await as.send(subscriptionCancel, { body: cancel })).status).toBe(200)
  expect(await as.send(subscriptionRenew, { body: { sid } })).toMatchObject({
    ...{ status: 409, body: { code: 'card_required' } },
  })
  const paymentMethodId = world.cardId
  expect((await as.send(subscriptionRenew, { body: { sid, paymentMethodId } })).status).toBe(404)

  const own = await world.add()
  const renewed = await as.send(subscriptionRenew, { body: { sid, paymentMethodId: own.paymentMethodId } })
  expect([renewed.status, renewed.body.autoRenewal]).toEqual([200, 1])
  expect(await world.payerAtProvider()).toBe(own.paymentMethodId)
})

test('what is overdue there is paid with the member’s own card alone', async () => {
  await using world = await checkout()
  const { sid, owner: as, stripe } = world
  const item = (await stripe.subscriptions.retrieve(sid)).items.data[0]
  const { id: bad } = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: world.customerId })
  await stripe.subscriptions.update(sid, { default_payment_method: bad })
  await stripe.subscriptions.update(sid, {
    items: [{ id: item?.id ?? '', quantity: 4 }],
    ...{ proration_behavior: 'always_invoice', payment_behavior: 'allow_incomplete' },
  })
  await world.sync(sid)
  const [due] = await world.listed()
  expect(due?.stripeSubscriptionStatus).toBe('past_due')
  const amount = due?.dueAmount ?? 0
  const pay = (paymentMethodId: string) =>
    as.send(payOverdue, { params: { sid }, body: { amount, currency: 'USD', paymentMethodId } })
  expect(await pay('')).toMatchObject({ status: 409, body: { code: 'card_required' } })
  expect((await pay(world.cardId)).status).toBe(404)
  const { paymentMethodId } = await world.add()
  expect((await pay(paymentMethodId)).status).toBe(200)
})

test('whoever puts the same card on file is who paid with it', async () => {
  await using world = await checkout()
  const main = await sandbox.stripe.customers.create({ email: world.buyer.email })
  const link = { customerId: main.id, memberId: world.buyer.id, createdAt: new Date() }
  await world.db.insert(providerCustomers).values({ ...link, proof: 'ours', isMain: true })
  const paymentMethodId = await world.typed('4242424242424242')
  expect((await world.owner.send(createSetupIntent, { body: { paymentMethodId } })).status).toBe(200)
  expect(world.sent.map(({ queue }) => queue)).toContain('members.purchases')
  await findPurchases(world.deps, world.buyer.id)
  expect(await world.listed()).toMatchObject([{ paidFrom: 'checkout', knownByAddress: 0 }])
  expect(ids((await world.owner.send(listCards, {})).body).sort()).toEqual([paymentMethodId, world.cardId].sort())
})

test('another customer’s subscription looks like none at all, and a card for it is put nowhere', async () => {
  await using world = await checkout()
  const other = await world.member()
  const missing = { sid: 'sub_missing' }
  const theirs = world.as(other)
  const body = { paymentMethodId: 'pm_card_visa' }
  for (const params of [{ sid: world.sid }, missing]) {
    const [listed, added] = [
      await theirs.send(listPayingCards, { params, query: {} }),
      await theirs.send(addPayingCard, { params, body }),
    ]
    expect([listed.status, listed.body.code, added.status, added.body.code]).toEqual([
      ...[404, 'not_found'],
      ...[404, 'not_found'],
    ])
  }
  expect((await world.add()).status).toBe(200)
})

test('a card at another proven customer of the member pays there, and cannot be the default', async () => {
  await using world = await checkout()
  const { owner: as, sid, cardId } = world
  const isCustomer = eq(providerCustomers.customerId, world.customerId)
  await world.db.update(providerCustomers).set({ proof: 'vendor' }).where(isCustomer)
  const main = { customerId: `cus_${crypto.randomUUID()}`, memberId: world.buyer.id, createdAt: new Date() }
  const made = await sandbox.stripe.customers.create({ email: world.buyer.email })
  await world.db.insert(providerCustomers).values({ ...main, customerId: made.id, proof: 'ours', isMain: true })

  expect(await world.listed()).toMatchObject([{ paidFrom: 'other' }])
  const { body } = await as.send(listCards, {})
  expect(body).toMatchObject({ cardList: [{ id: cardId, canBeDefault: false }], defaultPaymentID: '' })
  expect(ids(await world.paying())).toEqual([cardId])
  const { body: detail } = await as.send(changePlanFrom, { body: { sid, type: 'buy-more', increasingNumber: 1 } })
  expect(detail.quote?.paymentMethodId).toBe(cardId)
})

test('another method pays in the place of what was entered at the checkout, also what is charged there by default', async () => {
  await using world = await checkout()
  const { sid, owner: as, stripe } = world
  const payWith = (paymentMethodId: string) => as.send(changePayingCard, { params: { sid }, body: { paymentMethodId } })
  await stripe.customers.update(world.customerId, { invoice_settings: { default_payment_method: world.cardId } })
  await stripe.subscriptions.update(sid, { default_payment_method: '' })
  await world.sync(sid)
  expect(await world.listed()).toMatchObject([{ paymentMethodId: '', payingCard: { brand: 'visa', last4: '4242' } }])
  expect((await payWith(world.cardId)).status).toBe(404)

  const { paymentMethodId } = await world.add()
  const expected = {
    paymentMethodId,
    paidFrom: 'other',
    knownByAddress: 1 as const,
    payingCard: { brand: 'mastercard', last4: '4444' },
  }
  expect(await payWith(paymentMethodId)).toMatchObject({ status: 200, body: expected })
  expect(await world.payerAtProvider()).toBe(paymentMethodId)
  expect((await payWith(paymentMethodId)).status).toBe(200)
})

test('the answer to a change of the card is lost: it is looked up, and was made', async () => {
  await using world = await checkout()
  const { sid, owner: as, deps } = world
  const { paymentMethodId } = await world.add()
  const { payBy } = deps.cards
  let calls = 0
  deps.cards.payBy = async (...asked) => {
    calls += 1
    await payBy(...asked)
    throw new ProviderFailure('unknown', new Error('no answer'))
  }
  const lost = await as.send(changePayingCard, { params: { sid }, body: { paymentMethodId } })
  expect(lost).toMatchObject({ status: 200, body: { paymentMethodId } })
  expect([calls, await world.payerAtProvider()]).toEqual([1, paymentMethodId])
})

test('the card of another member’s subscription is not theirs to change', async () => {
  await using world = await checkout()
  const { sid } = world
  const { paymentMethodId } = await world.add()
  const before = await world.payerAtProvider()
  const other = world.as(await world.member())
  const asked = (id: string) => other.send(changePayingCard, { params: { sid: id }, body: { paymentMethodId } })
  const [foreign, missing] = [await asked(sid), await asked('sub_none')]
  expect([foreign.status, missing.status, foreign.body.code]).toEqual([404, 404, missing.body.code])
  expect(await world.payerAtProvider()).toBe(before)
})
