import { subscriptionCancel, subscriptionRenew } from '@atrium/contract/auto-renewal.ts'
import { createSetupIntent, listCards } from '@atrium/contract/cards.ts'
import { payOverdue } from '@atrium/contract/overdue-payments.ts'
import { listPayingCards } from '@atrium/contract/paying-cards.ts'
import { changePlan, changePlanFrom } from '@atrium/contract/plan-changes.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { typedPurchase } from '../../../test/typed-purchase.ts'
import { addressSubject, signReference } from '../../payments/customers/account-reference.rules.ts'
import { syncCustomers } from '../../payments/customers/customers.sync.ts'
import { providerCustomers } from '../../payments/customers/customers.tables.ts'
import { findPurchases } from '../purchases.sync.ts'

const sandbox = await sandboxOfFile()

const secret = 'a secret that the shop and the account area share'
const say = () => undefined

/** Of cards, by what the test cards have. */
const [mastercard, discover] = ['5555555555554444', '6011111111111117']

/** A stranger has typed a member's address at a checkout, and paid there with a Mastercard. */
async function stranger() {
  const world = await typedPurchase(sandbox, { SHOP_SIGNING_SECRET: secret })
  const { stripe, caller, sid, otherCard, otherCustomer, buyer } = world
  const quoted = async () => {
    const { body } = await caller.send(changePlanFrom, { body: { sid, type: 'buy-more', increasingNumber: 2 } })
    const asked = { subscriptionId: sid, type: 'buy-more', increasingNumber: 2 } as const
    return { detail: body, asked: { ...asked, quoteId: body.quote?.quoteId ?? '' } }
  }
  const listing = async () => (await world.listed()).find((one) => one.stripeSubscriptionId === sid)
  const all = async () => (await caller.send(listCards, {})).body.cardList.map(({ id }) => id)
  return {
    ...world,
    ...{ all, quoted, listing },
    find: () => findPurchases(world.deps, buyer.id),
    paying: async () => (await caller.send(listPayingCards, { params: { sid }, query: {} })).body,
    /** The member puts a card on file at their main customer. */
    async onFile(number: string) {
      const paymentMethodId = await world.typedCard(number)
      expect((await caller.send(createSetupIntent, { body: { paymentMethodId } })).status).toBe(200)
      await findPurchases(world.deps, buyer.id)
      return paymentMethodId
    },
    /** A card comes to the customer with the provider: on the page of an invoice, or in the provider's portal. */
    async attach(number: string) {
      const { id } = await stripe.paymentMethods.attach(await world.typedCard(number), { customer: otherCustomer })
      await stripe.customers.update(otherCustomer, { invoice_settings: { default_payment_method: id } })
      return id
    },
    sign(): Record<string, string> {
      const expiresAt = new Date(world.deps.clock().getTime() + 3_600_000)
      return { accountReference: signReference(secret, { subject: addressSubject(buyer.email), expiresAt }) }
    },
    /** What the stranger has entered is none of the member's cards, and nothing is charged to it. */
    async expectUntouched() {
      expect(await all()).not.toContain(otherCard)
      expect((await listing())?.paidFrom).toBe('checkout')
      const { detail, asked } = await quoted()
      expect([detail.cardList.map(({ id }) => id), detail.quote?.paymentMethodId]).not.toContain(otherCard)
      expect((await caller.send(changePlan, { body: { ...asked, paymentMethodId: otherCard } })).status).toBe(404)
    },
  }
}

type World = Awaited<ReturnType<typeof stranger>>

test('a card that came to the customer after the purchase proves nothing, and is the member’s own alone', async () => {
  await using world = await stranger()
  const attached = await world.attach(discover)
  const main = await world.onFile(discover)
  expect(await world.link()).toMatchObject({ proof: 'address' })
  expect((await world.all()).sort()).toEqual([world.cardId, main, attached].sort())
  await world.expectUntouched()
})

const partly: Record<string, (world: World) => Promise<unknown>> = {
  async 'an invoice that the vendor sends'({ stripe, otherCustomer: customer, syncInvoice, deps }) {
    const { id } = await stripe.invoices.create({ customer })
    await stripe.invoiceItems.create({ customer, invoice: id, amount: 5000, currency: 'usd' })
    await stripe.invoices.finalizeInvoice(id)
    const { readInvoice } = deps.cards
    const sent = async (asked: string) => {
      const read = await readInvoice(asked)
      return { ...read, ...(read.claim && { claim: { ...read.claim, isMadeByVendor: true } }) }
    }
    Object.assign(deps.cards, { readInvoice: sent })
    await syncInvoice(id)
    Object.assign(deps.cards, { readInvoice })
  },
  async 'a signed purchase of the member’s'({ stripe, otherCustomer: customer, product, sign, sync, typedCard }) {
    const lookup = `${product.code.toLowerCase()}-monthly-usd`
    const [price] = (await stripe.prices.list({ lookup_keys: [lookup] })).data
    const { id: own } = await stripe.paymentMethods.attach(await typedCard(discover), { customer })
    const items = [{ price: price?.id ?? '', quantity: 1 }]
    await sync(
      (await stripe.subscriptions.create({ customer, items, default_payment_method: own, metadata: sign() })).id,
    )
  },
  async 'a purchase with the member’s id'({ stripe, sid, buyer, sync }) {
    await stripe.subscriptions.update(sid, { metadata: { memberId: buyer.id } })
    await sync(sid)
  },
}

test.each(Object.entries(partly))('%s proves itself, and says nothing of the cards there', async (_of, raise) => {
  await using world = await stranger()
  await raise(world)
  expect(await world.link()).toMatchObject({ proof: expect.not.stringMatching('address'), isPartlyProven: true })
  await world.find()
  await world.expectUntouched()
  expect(await world.paying()).toMatchObject({ cardList: [], defaultPaymentID: '' })
  const { asked } = await world.quoted()
  expect(await world.caller.send(changePlan, { body: asked })).toMatchObject({
    ...{ status: 409, body: { code: 'card_required' } },
  })

  const own = await world.payWithOwn()
  expect(own.status).toBe(200)
  const { paymentMethodId } = own
  expect((await world.caller.send(changePlan, { body: { ...asked, paymentMethodId } })).status).toBe(200)
})

test('who has bought as a guest, and puts the same card on file, has it changed and charged there', async () => {
  await using world = await stranger()
  const { stripe, sid, caller, otherCard, otherCustomer } = world
  const { id: another } = await stripe.paymentMethods.attach(await world.typedCard(), { customer: otherCustomer })
  await world.onFile(mastercard)
  expect(await world.link()).toMatchObject({ proof: 'ours', isPartlyProven: true, isMain: false })
  expect((await world.paying()).cardList.map(({ id }) => id)).toEqual([otherCard])
  expect(await world.all()).not.toContain(another)

  const { detail, asked } = await world.quoted()
  expect(detail.quote?.paymentMethodId).toBe(otherCard)
  expect((await caller.send(changePlan, { body: asked })).status).toBe(200)
  const cancel = { sid, cancelSubIds: '', reasons: [6 as const], comment: '', productName: '' }
  expect((await caller.send(subscriptionCancel, { body: cancel })).status).toBe(200)
  expect((await caller.send(subscriptionRenew, { body: { sid } })).status).toBe(200)
})

test('neither renewal on nor what is overdue is charged to what was entered there, whatever proves the purchase', async () => {
  await using world = await stranger()
  const { stripe, sid, caller, otherCard, otherCustomer } = world
  await stripe.subscriptions.update(sid, { metadata: { memberId: world.buyer.id } })
  await world.sync(sid)
  const cancel = { sid, cancelSubIds: '', reasons: [6 as const], comment: '', productName: '' }
  expect((await caller.send(subscriptionCancel, { body: cancel })).status).toBe(200)
  const required = { status: 409, body: { code: 'card_required' } }
  expect(await caller.send(subscriptionRenew, { body: { sid } })).toMatchObject(required)
  const paymentMethodId = otherCard
  expect((await caller.send(subscriptionRenew, { body: { sid, paymentMethodId } })).status).toBe(404)
  await stripe.subscriptions.update(sid, { cancel_at_period_end: false })

  const item = (await stripe.subscriptions.retrieve(sid)).items.data[0]
  const { id: bad } = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: otherCustomer })
  await stripe.subscriptions.update(sid, { default_payment_method: bad })
  await stripe.subscriptions.update(sid, {
    items: [{ id: item?.id ?? '', quantity: 4 }],
    ...{ proration_behavior: 'always_invoice', payment_behavior: 'allow_incomplete' },
  })
  await world.sync(sid)
  const { dueAmount: amount = 0 } = (await world.listing()) ?? {}
  const pay = (card: string) =>
    caller.send(payOverdue, { params: { sid }, body: { amount, currency: 'USD', paymentMethodId: card } })
  expect(await pay('')).toMatchObject(required)
  expect((await pay(otherCard)).status).toBe(404)
})

test('the member’s id, written to the customer itself afterwards, makes the cards there theirs', async () => {
  await using world = await stranger()
  await world.stripe.subscriptions.update(world.sid, { metadata: { memberId: world.buyer.id } })
  await world.sync(world.sid)
  await world.expectUntouched()
  await world.stripe.customers.update(world.otherCustomer, { metadata: { memberId: world.buyer.id } })
  await world.syncCustomer()
  expect(await world.link()).toMatchObject({ proof: 'ours', isPartlyProven: false })
  expect(await world.all()).toContain(world.otherCard)
})

const named: Record<string, (world: World) => Promise<unknown>> = {
  'the operator links the customer': (world) => world.linkCustomer(world.buyer.email),
  'the operator names a day': (world) =>
    syncCustomers({ ...world.deps, confirmedUntil: new Date(Date.now() + 60_000), now: world.deps.clock(), say }),
}

test.each(Object.entries(named))('so does the vendor: %s', async (_how, name) => {
  await using world = await stranger()
  await world.stripe.subscriptions.update(world.sid, { metadata: { memberId: world.buyer.id } })
  await world.sync(world.sid)
  await name(world)
  expect(await world.link()).toMatchObject({ isPartlyProven: false })
  expect(await world.all()).toContain(world.otherCard)
})

test('it is never where the member’s cards are put on file', async () => {
  await using world = await stranger()
  const { db, buyer, customerId, otherCustomer } = world
  await db.delete(providerCustomers).where(eq(providerCustomers.customerId, customerId))
  await world.stripe.subscriptions.update(world.sid, { metadata: { memberId: buyer.id } })
  await world.sync(world.sid)
  expect(await world.link()).toMatchObject({ proof: 'ours', isMain: false })
  const paymentMethodId = await world.typedCard()
  expect((await world.caller.send(createSetupIntent, { body: { paymentMethodId } })).status).toBe(200)
  expect((await world.stripe.paymentMethods.retrieve(paymentMethodId)).customer).not.toBe(otherCustomer)
})

test('who was nobody here is linked wholly by what was bought if all of it names the member', async () => {
  await using world = await stranger()
  const { stripe, product, db, otherCustomer } = world
  await db.delete(providerCustomers).where(eq(providerCustomers.customerId, otherCustomer))
  await partly['a signed purchase of the member’s']?.(world)
  expect(await world.link()).toMatchObject({ proof: 'signed', isPartlyProven: true })

  const { id: customer } = await stripe.customers.create({ email: world.buyer.email })
  const { id: own } = await stripe.paymentMethods.attach('pm_card_visa', { customer })
  const [price] = (await stripe.prices.list({ lookup_keys: [`${product.code.toLowerCase()}-monthly-usd`] })).data
  const items = [{ price: price?.id ?? '', quantity: 1 }]
  const billed = { customer, items, default_payment_method: own, metadata: world.sign() }
  await world.sync((await stripe.subscriptions.create(billed)).id)
  const [link] = await db.select().from(providerCustomers).where(eq(providerCustomers.customerId, customer))
  expect(link).toMatchObject({ proof: 'signed', isPartlyProven: false })
  expect(await world.all()).toContain(own)
})
