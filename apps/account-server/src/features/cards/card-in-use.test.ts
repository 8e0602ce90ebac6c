import * as contract from '@atrium/contract/cards.ts'
import { expect, test } from 'vitest'
import { cardVendor } from '../../test/card-billing.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'

const sandbox = await sandboxOfFile()

type Vendor = Awaited<ReturnType<typeof cardVendor>>

function remove(world: Vendor, paymentMethodId: string, query: { replace?: '1' } = {}) {
  return world.as(world.buyer).send(contract.removeCard, { params: { paymentMethodId }, query })
}

/** A subscription with a card of its own, which is not the customer's default. */
async function withOwnCard(world: Vendor) {
  const id = await world.buy()
  const { stripe } = sandbox
  const own = await stripe.paymentMethods.attach('pm_card_mastercard', { customer: world.customerId })
  await stripe.subscriptions.update(id, { default_payment_method: own.id })
  return { id, own: own.id }
}

test('a card that a subscription is paid with is removed only if the default pays for it from then on', async () => {
  await using world = await cardVendor(sandbox)
  const { id, own } = await withOwnCard(world)
  expect(await remove(world, own)).toMatchObject({
    status: 409,
    body: { code: 'card_in_use', data: { products: ['Folio PDF Editor+'] } },
  })
  expect((await sandbox.stripe.subscriptions.retrieve(id)).default_payment_method).toBe(own)

  const { status, body } = await remove(world, own, { replace: '1' })
  expect([status, body.cardList.map((card) => card.id)]).toEqual([200, [world.cardId]])
  expect((await sandbox.stripe.subscriptions.retrieve(id)).default_payment_method).toBeNull()
})

test('what has ended needs no card, and the default is refused as before', async () => {
  await using world = await cardVendor(sandbox)
  const { id, own } = await withOwnCard(world)
  await sandbox.stripe.subscriptions.cancel(id)
  expect((await remove(world, own)).status).toBe(200)
  expect(await remove(world, world.cardId, { replace: '1' })).toMatchObject({ body: { code: 'default_required' } })
})

test('the only card that pays is not removed where there is no default card to pay instead', async () => {
  await using world = await cardVendor(sandbox)
  const { stripe } = sandbox
  const id = await world.buy()
  // As a checkout of the provider leaves it: the card is the subscription’s, the customer has no default.
  await stripe.subscriptions.update(id, { default_payment_method: world.cardId })
  await stripe.customers.update(world.customerId, { invoice_settings: { default_payment_method: '' } })
  await world.sync(id)
  for (const query of [{}, { replace: '1' }] as const) {
    const { body } = await remove(world, world.cardId, query)
    expect([body.code, (await stripe.subscriptions.retrieve(id)).default_payment_method]).toEqual([
      'default_card_needed',
      world.cardId,
    ])
  }
})
