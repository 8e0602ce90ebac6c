import { subscriptionCancel, subscriptionRenew } from '@atrium/contract/auto-renewal.ts'
import * as contract from '@atrium/contract/plan-changes.ts'
import { expect, test } from 'vitest'
import { cardTransfer } from '../../../test/card-transfer.ts'
import { freeMonths, termsVendor } from '../../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { transfersIn } from '../../../test/transfers.ts'
import type { newWorld, TestMember } from '../../../test/world.ts'
import { providerPrices } from '../../catalog/provider-prices.tables.ts'
import { providerCustomers } from '../../payments/customers/customers.tables.ts'

const sandbox = await sandboxOfFile()
const { stripe } = sandbox

const type = 'switch-to-business-billing' as const

type Signing = Pick<Awaited<ReturnType<typeof newWorld>>, 'as' | 'session'>

/** What a new Owner is quoted for an upgrade, and pays. */
function changesOf(world: Signing, { id }: TestMember, sid: string) {
  const signedIn = async () => world.as({ cookie: await world.session(id) })
  return {
    async quote() {
      return (await (await signedIn()).send(contract.changePlanFrom, { body: { sid, type } })).body.quote
    },
    async commit(quoteId: string) {
      return (await signedIn()).send(contract.changePlan, { body: { subscriptionId: sid, type, quoteId } })
    },
  }
}

type Quote = Awaited<ReturnType<ReturnType<typeof changesOf>['quote']>>
const credited = ({ lines }: Quote) => lines.filter(({ kind }) => kind === 'credit').map(({ amount }) => -amount)

/** Somebody who has paid $500 by card for five seats and a year has given them to somebody whose card goes on. */
async function transferredYear() {
  const world = await cardTransfer(sandbox)
  const id = await world.buy({ term: 'yearly', quantity: 5 })
  for (const invoice of (await stripe.invoices.list({ subscription: id })).data) await world.syncInvoice(invoice.id)
  expect((await world.transfer()).status).toBe(200)
  await world.reconcileAfter(60)
  return {
    ...world,
    ...changesOf(world, world.recipient, id),
    /** @param amount left out: all of it */
    async refund(amount?: number) {
      const [charge] = (await stripe.charges.list({ customer: world.customerId })).data
      const part = amount === undefined ? {} : { amount }
      await world.syncRefund((await stripe.refunds.create({ charge: charge?.id ?? '', ...part })).id)
    },
    end: async () => {
      await stripe.subscriptions.cancel(id)
      await world.sync(id)
    },
  }
}

test('what the Owner before was given back is not credited', async () => {
  await using world = await transferredYear()
  const [whole = 0] = credited(await world.quote())
  expect(whole).toBeGreaterThan(49_900)
  await world.end()
  await world.refund()
  const quote = await world.quote()
  expect(credited(quote)).toEqual([])
  expect((await world.commit(quote.quoteId)).body.chargeAmount).toBe(quote.chargeAmount)
})

test('of what was given back in part, the rest pays for the time that it is enough for', async () => {
  await using world = await transferredYear()
  const before = await world.quote()
  const [whole = 0] = credited(before)
  await world.refund(20_000)
  const after = await world.quote()
  const [rest = 0] = credited(after)
  // The two quotes are some seconds apart.
  expect(Math.abs(whole - rest - 20_000)).toBeLessThanOrEqual(5)
  const [credit, charge] = [
    after.lines.find(({ kind }) => kind === 'credit'),
    after.lines.find(({ kind }) => kind === 'charge'),
  ]
  expect(Date.parse(credit?.to ?? '')).toBeLessThan(Date.parse(charge?.to ?? ''))
  expect((await world.commit(after.quoteId)).status).toBe(200)
  const [begun] = await world.begun()
  const [invoice] = (await stripe.invoices.list({ subscription: begun?.id ?? '' })).data
  expect(invoice?.amount_paid).toBe(after.chargeAmount)
})

test('what is given back between the quote and the charge is not credited, and nothing is charged', async () => {
  await using world = await transferredYear()
  const { quoteId } = await world.quote()
  await world.refund()
  expect(await world.commit(quoteId)).toMatchObject({ status: 409, body: { code: 'quote_changed' } })
  expect(await world.charged()).toBe(1)
  expect(credited(await world.quote())).toEqual([])
})

test.each([
  ['wholly', undefined, 0],
  ['in part', '10.00', 2 / 3],
])('the same of what was paid at PayPal, and was given back %s', async (_how, value, kept) => {
  await using world = await termsVendor(sandbox)
  const recipient = await world.member()
  const id = await world.buy()
  // PayPal bills at its own time of the day, so that a month of it can be hours longer than the card provider's.
  await world.daysLater(1, id)
  await world.sellByCard()
  const { id: customerId } = await stripe.customers.create({ email: recipient.email })
  const link = { memberId: recipient.id, customerId, createdAt: world.deps.clock() }
  await world.db.insert(providerCustomers).values({ proof: 'ours', isMain: true, ...link })
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer: customerId })
  await stripe.customers.update(customerId, { invoice_settings: { default_payment_method: card } })
  const fresh = async (member: TestMember) => ({ ...member, cookie: await world.session(member.id) })
  expect((await transfersIn(world).transfer(await fresh(world.buyer), await fresh(recipient))).status).toBe(200)
  const caller = world.as({ cookie: await world.session(recipient.id) })
  expect((await caller.send(subscriptionRenew, { body: { sid: id } })).status).toBe(200)
  const { quote } = changesOf(world, recipient, id)
  const [whole = 0] = credited(await quote())
  expect(whole).toBeGreaterThan(2500)

  const [sale = ''] = await world.sales(id)
  await world.told('refund', await world.refund(sale, value))
  const [rest = 0] = credited(await quote())
  expect(rest / whole).toBeCloseTo(kept, 1)
})

test('of a trial at PayPal that was turned off before its transfer, nothing is credited', async () => {
  await using world = await termsVendor(sandbox)
  const { db, deps, buyer, productCode } = world
  await world.sellByCard()
  const planId = await world.ownPlan({ trial: freeMonths(1) })
  await db.insert(providerPrices).values({
    ...{ id: planId, provider: 'paypal', productId: 'own', productCode, term: 'monthly' },
    ...{ amount: 1000, currency: 'USD', isCurrent: false },
  })
  const id = await world.buy({ planId, more: { quantity: '10' } })
  await world.sync(id)
  const signedIn = async (member: TestMember) => ({ ...member, cookie: await world.session(member.id) })
  const owner = world.as(await signedIn(buyer))
  expect((await owner.send(subscriptionCancel, { body: { sid: id, reasons: [1] } })).status).toBe(200)
  const recipient = await world.member()
  expect((await transfersIn(world).transfer(await signedIn(buyer), await signedIn(recipient))).status).toBe(200)
  const customer = (await stripe.customers.create({ email: recipient.email })).id
  const row = { memberId: recipient.id, customerId: customer, proof: 'ours', isMain: true } as const
  await db.insert(providerCustomers).values({ ...row, createdAt: deps.clock() })
  const { id: card } = await stripe.paymentMethods.attach('pm_card_mastercard', { customer })
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: card } })
  const changes = changesOf(world, recipient, id)
  const renewed = await world.as(await signedIn(recipient)).send(subscriptionRenew, { body: { sid: id } })
  expect(renewed.status).toBe(200)
  expect(credited(await changes.quote())).toEqual([])
})
