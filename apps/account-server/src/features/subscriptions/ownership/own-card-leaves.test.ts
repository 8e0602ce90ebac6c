import { subscriptionCancel } from '@atrium/contract/auto-renewal.ts'
import { removeCard } from '@atrium/contract/cards.ts'
import { declineSubscription } from '@atrium/contract/offered-subscriptions.ts'
import { changePayingCard } from '@atrium/contract/paying-cards.ts'
import { checkTransfer } from '@atrium/contract/transfers.ts'
import { expect, test } from 'vitest'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { typedPurchase } from '../../../test/typed-purchase.ts'

const sandbox = await sandboxOfFile()

/** A member pays with a card of their own for what only an address made theirs. */
async function paidByOwn() {
  const world = await typedPurchase(sandbox)
  const { caller, sid } = world
  const payWith = (paymentMethodId: string) =>
    caller.send(changePayingCard, { params: { sid }, body: { paymentMethodId } })
  const { paymentMethodId } = await world.payWithOwn()
  expect((await payWith(paymentMethodId)).status).toBe(200)
  return {
    ...world,
    ...{ paymentMethodId, payWith },
    remove: (query: { replace?: '1' } = {}) => caller.send(removeCard, { params: { paymentMethodId }, query }),
    decline: () => caller.send(declineSubscription, { params: { sid } }),
    payer: async () => (await world.stripe.subscriptions.retrieve(sid)).default_payment_method,
  }
}

test('a card of the member’s own there is removed once another one of theirs pays', async () => {
  await using world = await paidByOwn()
  for (const query of [{}, { replace: '1' }] as const) {
    expect(await world.remove(query)).toMatchObject({ status: 409, body: { code: 'card_pays_alone' } })
  }
  const other = await world.payWithOwn(await world.typedCard('6011111111111117'))
  expect((await world.payWith(other.paymentMethodId)).status).toBe(200)
  expect((await world.remove()).status).toBe(200)
  expect(await world.payer()).toBe(other.paymentMethodId)
})

test('it is removed once nothing more is charged, and what is not the member’s leaves their account', async () => {
  await using world = await paidByOwn()
  const { caller, sid, otherCard } = world
  expect(await world.decline()).toMatchObject({ status: 409, body: { code: 'own_card_on_file' } })
  const cancel = { sid, cancelSubIds: '', reasons: [6 as const], comment: '', productName: '' }
  expect((await caller.send(subscriptionCancel, { body: cancel })).status).toBe(200)
  expect((await world.remove()).status).toBe(200)
  expect(await world.payer()).not.toBe(otherCard)
  expect((await world.decline()).status).toBe(200)
  expect(await world.ids()).toEqual([])
})

test('a card of the member’s own that pays does not make it theirs to transfer', async () => {
  await using world = await paidByOwn()
  const { moves, stays } = (await world.caller.send(checkTransfer, {})).body
  expect([moves, stays]).toMatchObject([[], [{ stripeSubscriptionId: world.sid, reason: 'known_by_address' }]])
})
