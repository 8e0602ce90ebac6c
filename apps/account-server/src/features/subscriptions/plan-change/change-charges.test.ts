import * as contract from '@atrium/contract/plan-changes.ts'
import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { payments } from '../../../app.ts'
import { cardVendor } from '../../../test/card-billing.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { providerOperations } from '../../payments/operations/operations.tables.ts'

const sandbox = await sandboxOfFile()

type Vendor = Awaited<ReturnType<typeof cardVendor>>

const twoMore = { type: 'buy-more', increasingNumber: 2 } as const

async function quote(world: Vendor, sid: string) {
  const { body } = await world.as(world.buyer).send(contract.changePlanFrom, { body: { sid, ...twoMore } })
  return body.quote
}

function commit(world: Vendor, subscriptionId: string, quoteId: string, paymentMethodId = '') {
  const body = { subscriptionId, ...twoMore, quoteId, paymentMethodId }
  return world.as(world.buyer).send(contract.changePlan, { body })
}

/** The customer's account at the provider; negative: credit. */
function setBalance({ customerId }: Vendor, balance: number) {
  return sandbox.stripe.customers.update(customerId, { balance })
}

async function lastInvoice(subscription: string) {
  const [invoice] = (await sandbox.stripe.invoices.list({ subscription, limit: 1 })).data
  return invoice
}

/** What was charged to cards above the first payment, less what was given back. */
async function chargedSinceFirst(id: string) {
  const { data } = await sandbox.stripe.invoices.list({ subscription: id, status: 'paid' })
  return data.slice(0, -1).reduce((sum, { amount_paid: amount }) => sum + amount, 0)
}

async function givenBack() {
  const { data } = await sandbox.stripe.refunds.list()
  return data.map(({ amount }) => amount)
}

test('two changes that share a credit: each is charged as shown, or refused with a fresh quote', async () => {
  await using world = await cardVendor(sandbox)
  const ids = [await world.buy(), await world.buy()]
  await setBalance(world, -1500)
  const quotes = await Promise.all(ids.map((id) => quote(world, id)))
  expect(quotes.every(({ creditUsed }) => creditUsed === 1500)).toBe(true)

  const replies = await Promise.all(quotes.map(({ quoteId }, place) => commit(world, ids[place] ?? '', quoteId)))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const place = replies.findIndex(({ status }) => status === 200)
  expect(await chargedSinceFirst(ids[place] ?? '')).toBe(quotes[place]?.chargeAmount)
  const refused = replies[1 - place]
  expect(refused?.body).toMatchObject({ code: 'quote_changed', data: { creditUsed: 0, chargeAmount: 2000 } })
  expect(await chargedSinceFirst(ids[1 - place] ?? '')).toBe(0)
  expect(await givenBack()).toEqual([])
})

test('a credit that the vendor takes back during the charge: what was charged above what was shown is given back, once', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  await setBalance(world, -1500)
  const { quoteId, chargeAmount } = await quote(world, id)
  const { changePlan } = world.deps.cards
  vi.spyOn(world.deps.cards, 'changePlan').mockImplementationOnce(async (change) => {
    await setBalance(world, 0)
    return changePlan(change)
  })
  expect((await commit(world, id, quoteId)).status).toBe(200)
  const charged = await chargedSinceFirst(id)
  expect(charged).toBe(chargeAmount + 1500)
  await world.reconcileAfter(60)
  expect(await givenBack()).toEqual([1500])
})

test('a credit that another purchase of the customer uses during the charge is not given back as well', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  await setBalance(world, -1500)
  const { quoteId, chargeAmount } = await quote(world, id)
  const { changePlan } = world.deps.cards
  vi.spyOn(world.deps.cards, 'changePlan').mockImplementationOnce(async (change) => {
    // The vendor takes some of it, which is the customer's loss; the purchase uses the rest.
    await setBalance(world, -1200)
    const { total, amount_due: due } = (await lastInvoice(await world.buy())) ?? { total: 0, amount_due: 0 }
    expect(total - due).toBe(1200)
    return changePlan(change)
  })
  const before = await givenBack()
  expect((await commit(world, id, quoteId)).status).toBe(200)
  expect(await chargedSinceFirst(id)).toBe(chargeAmount + 1500)
  for (let minute = 0; minute < 2; minute += 1) await world.reconcileAfter(60)
  expect(await givenBack()).toEqual([300, ...before])
})

test('what was paid before the quote with a credit that is gone since does not count as another use of it', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  await setBalance(world, -700)
  await world.buy()
  world.at(new Date(world.deps.clock().getTime() + 60_000))
  await setBalance(world, -1500)
  const { quoteId } = await quote(world, id)
  const { changePlan } = world.deps.cards
  vi.spyOn(world.deps.cards, 'changePlan').mockImplementationOnce(async (change) => {
    await setBalance(world, 0)
    return changePlan(change)
  })
  const before = await givenBack()
  expect((await commit(world, id, quoteId)).status).toBe(200)
  await world.reconcileAfter(60)
  expect(await givenBack()).toEqual([1500, ...before])
})

test('a refund whose answer is lost is made once', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  await setBalance(world, -1200)
  const { quoteId } = await quote(world, id)
  const { changePlan } = world.deps.cards
  vi.spyOn(world.deps.cards, 'changePlan').mockImplementationOnce(async (change) => {
    await setBalance(world, 0)
    await sandbox.misbehave({ kind: 'reset', pattern: '/refunds', times: 2 })
    return changePlan(change)
  })
  const before = await givenBack()
  expect((await commit(world, id, quoteId)).status).toBe(200)
  for (let minute = 0; minute < 3; minute += 1) await world.reconcileAfter(60)
  expect(await givenBack()).toEqual([1200, ...before])
})

test('what is owed from earlier, and what is too little to charge, are said apart from credit', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  await setBalance(world, 300)
  const owing = await quote(world, id)
  expect(owing).toMatchObject({ creditUsed: 0, owedBefore: 300, movedToNext: 0, chargeAmount: 2300 })
  await setBalance(world, -1980)
  const little = await quote(world, id)
  expect(little).toMatchObject({ creditUsed: 1980, owedBefore: 0, movedToNext: 20, chargeAmount: 0 })
  // The next invoice charges it too.
  expect(little?.nextRenewal?.amount).toBe((owing?.nextRenewal?.amount ?? 0) + 20)
  expect((await commit(world, id, little.quoteId)).status).toBe(200)
  expect(await lastInvoice(id)).toMatchObject({ amount_due: 0, status: 'paid' })
})

test('another card than the one that was shown is not charged unseen', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const { quoteId, paymentMethodId } = await quote(world, id)
  expect(paymentMethodId).toBe(world.cardId)
  await world.payWith('pm_card_mastercard')
  const refused = await commit(world, id, quoteId)
  const { default_payment_method: card } = (await sandbox.stripe.customers
    .retrieve(world.customerId, {})
    .then((customer) => (customer.deleted ? undefined : customer.invoice_settings))) ?? { default_payment_method: null }
  expect(refused).toMatchObject({ status: 409, body: { code: 'quote_changed', data: { paymentMethodId: card } } })
  expect(await chargedSinceFirst(id)).toBe(0)
  // Whoever chooses the card that was shown is charged to it.
  expect((await commit(world, id, (await quote(world, id)).quoteId, world.cardId)).status).toBe(200)
})

test('looking a change up while its request runs does not give the old card back', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const { stripe } = sandbox
  const { id: other } = await stripe.paymentMethods.attach('pm_card_mastercard', { customer: world.customerId })
  const { quoteId } = await quote(world, id)
  const { changePlan } = world.deps.cards
  vi.spyOn(world.deps.cards, 'changePlan').mockImplementationOnce(async (change) => {
    await stripe.subscriptions.update(id, { default_payment_method: other })
    const isIts = eq(providerOperations.id, change.operationId)
    const [row] = await world.db.select().from(providerOperations).where(isIts)
    if (!row) throw new Error('the operation is not stored')
    expect(await payments.definitions['subscription.change'].find(world.deps, row)).toBeUndefined()
    expect((await stripe.subscriptions.retrieve(id)).default_payment_method).toBe(other)
    return changePlan(change)
  })
  expect((await commit(world, id, quoteId, other)).status).toBe(200)
  expect((await stripe.subscriptions.retrieve(id)).default_payment_method).toBe(other)
})

test('a refused card does not stay, even if the one before was removed meanwhile', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const { stripe } = sandbox
  const customer = world.customerId
  const { id: own } = await stripe.paymentMethods.attach('pm_card_mastercard', { customer })
  await stripe.subscriptions.update(id, { default_payment_method: own })
  const { id: failing } = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
  const { quoteId } = await quote(world, id)
  const { changePlan } = world.deps.cards
  vi.spyOn(world.deps.cards, 'changePlan').mockImplementationOnce(async (change) => {
    const changed = await changePlan(change)
    await stripe.paymentMethods.detach(own)
    return changed
  })
  expect((await commit(world, id, quoteId, failing)).body.code).toBe('card_refused')
  for (let minute = 0; minute < 2; minute += 1) await world.reconcileAfter(60)
  expect((await stripe.subscriptions.retrieve(id)).default_payment_method).toBeNull()
})
