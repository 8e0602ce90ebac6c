import { createSetupIntent, listCards } from '@atrium/contract/cards.ts'
import { declineSubscription } from '@atrium/contract/offered-subscriptions.ts'
import { listOnlineOrders } from '@atrium/contract/orders.ts'
import { listPayingCards } from '@atrium/contract/paying-cards.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cardVendor } from '../../../test/card-billing.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { providerCustomers } from '../../payments/customers/customers.tables.ts'

const sandbox = await sandboxOfFile()

test('what was bought at a customer whom the vendor deletes at the provider stays proven, and cards are put on file at another', async () => {
  await using world = await cardVendor(sandbox)
  const { stripe } = sandbox
  const sid = await world.buy()
  const [invoice] = (await stripe.invoices.list({ subscription: sid })).data
  await world.syncInvoice(invoice?.id ?? '')
  const caller = world.as({ cookie: await world.session(world.buyer.id) })
  await stripe.customers.del(world.customerId)
  await world.told('customer')(world.customerId)
  await world.sync(sid)
  expect((await caller.send(listCards, {})).body.cardList).toEqual([])

  const card = { number: '5555555555554444', exp_month: 12, exp_year: 2034, cvc: '123' }
  const { id: paymentMethodId } = await stripe.paymentMethods.create({ type: 'card', card })
  const added = await caller.send(createSetupIntent, { body: { paymentMethodId } })
  expect(added.status).toBe(200)
  expect(await world.listed()).toMatchObject([
    { stripeSubscriptionId: sid, stripeSubscriptionStatus: 'canceled', knownByAddress: 0 },
  ])
  const query = { purpose: 'change' } as const
  expect((await caller.send(listPayingCards, { params: { sid }, query })).body.cardList).toEqual([])
  const declined = await caller.send(declineSubscription, { params: { sid } })
  expect(declined).toMatchObject({ status: 409, body: { code: 'purchase_proven' } })
  expect((await caller.send(listOnlineOrders, { query: {} })).body.total).toBe(1)

  const isTheirs = eq(providerCustomers.memberId, world.buyer.id)
  const links = await world.db.select().from(providerCustomers).where(isTheirs)
  expect(links.map(({ proof, isMain, isDeleted }) => [proof, isMain, isDeleted]).sort()).toEqual([
    ['ours', false, true],
    ['ours', true, false],
  ])
})
