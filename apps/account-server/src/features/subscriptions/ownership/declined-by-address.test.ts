import { listCards } from '@atrium/contract/cards.ts'
import { declineSubscription } from '@atrium/contract/offered-subscriptions.ts'
import { expect, test } from 'vitest'
import { daysLater } from '../../../db/calendar.rules.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { typedPurchase } from '../../../test/typed-purchase.ts'
import { syncCustomers } from '../../payments/customers/customers.sync.ts'
import { findPurchases } from '../purchases.sync.ts'

const sandbox = await sandboxOfFile()

/** A member who has said that what was bought with their address is somebody else's. */
async function declined() {
  const world = await typedPurchase(sandbox)
  const { caller, sid, otherCard } = world
  expect((await caller.send(declineSubscription, { params: { sid } })).status).toBe(200)
  return {
    world,
    /** What the provider tells of all that was bought. */
    async readAgain() {
      await findPurchases(world.deps, world.buyer.id)
      await world.syncCustomer()
      await world.sync(sid)
      await world.syncInvoice(world.onceId)
    },
    async has() {
      const { cardList } = (await caller.send(listCards, {})).body
      const subscriptions = await world.ids()
      return [subscriptions.length, (await world.ordered()).length, cardList.some(({ id }) => id === otherCard)]
    },
  }
}

test('the operator’s word for all addresses does not make theirs what a member has declined', async () => {
  const { world, readAgain, has } = await declined()
  await using _ = world
  const now = world.deps.clock()
  const confirm = { now, confirmedUntil: daysLater(now, 1), say: () => undefined }
  await syncCustomers({ ...world.deps, ...confirm })
  await readAgain()
  expect(await has()).toEqual([0, 0, false])

  // The vendor’s word for this customer does.
  await world.linkCustomer(world.buyer.email)
  await readAgain()
  expect((await has())[0]).toBe(1)
})

test('an invoice that the vendor sends to the same address does not bring back what a member has declined', async () => {
  const { world, readAgain, has } = await declined()
  await using _ = world
  const { stripe, otherCustomer: customer, otherCard } = world
  const { id: sentId = '' } = await stripe.invoices.create({ customer, default_payment_method: otherCard })
  await stripe.invoiceItems.create({ customer, invoice: sentId, amount: 900, currency: 'usd' })
  await stripe.invoices.finalizeInvoice(sentId)
  await stripe.invoices.pay(sentId)
  const { cards } = world.deps
  const { readInvoice } = cards
  cards.readInvoice = async (id) => {
    const found = await readInvoice(id)
    return id === sentId && found.claim ? { ...found, claim: { ...found.claim, isMadeByVendor: true } } : found
  }
  await world.syncInvoice(sentId)
  await readAgain()
  expect(await has()).toEqual([0, 0, false])
  expect(await world.link()).toBeUndefined()
})
