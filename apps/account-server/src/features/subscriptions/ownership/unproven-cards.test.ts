import { createSetupIntent, listCards } from '@atrium/contract/cards.ts'
import { listPayingCards } from '@atrium/contract/paying-cards.ts'
import { changePlan, changePlanFrom } from '@atrium/contract/plan-changes.ts'
import { expect, test } from 'vitest'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { typedPurchase } from '../../../test/typed-purchase.ts'
import { coupons } from '../../coupons/coupons.tables.ts'
import { findPurchases } from '../purchases.sync.ts'

const sandbox = await sandboxOfFile()

const twentyMore = { type: 'buy-more', increasingNumber: 20 } as const

test('a card that was entered at a checkout is not the member’s by their putting it on file again', async () => {
  await using world = await typedPurchase(sandbox)
  const { caller, sid, otherCard } = world
  expect((await world.payWithOwn(otherCard)).status).toBe(404)
  expect((await caller.send(listPayingCards, { params: { sid }, query: {} })).body).toMatchObject({ cardList: [] })
  expect((await caller.send(createSetupIntent, { body: { paymentMethodId: otherCard } })).status).not.toBe(200)

  const own = await world.payWithOwn()
  expect((await world.payWithOwn(own.paymentMethodId)).status).toBe(200)
  const { cardList } = (await caller.send(listPayingCards, { params: { sid }, query: {} })).body
  expect(cardList.map(({ id }) => id)).toEqual([own.paymentMethodId])
})

test('a card of the member’s own that they put on file there proves nothing, in whatever order', async () => {
  await using world = await typedPurchase(sandbox)
  const onFile = await world.typedCard()
  expect((await world.caller.send(createSetupIntent, { body: { paymentMethodId: onFile } })).status).toBe(200)
  const { status, paymentMethodId } = await world.payWithOwn()
  expect(status).toBe(200)
  await findPurchases(world.deps, world.buyer.id)
  expect(await world.link()).toMatchObject({ proof: 'address' })
  const { cardList } = (await world.caller.send(listCards, {})).body
  expect(cardList.map(({ id }) => id).sort()).toEqual([world.cardId, onFile, paymentMethodId].sort())
})

test('the card that was entered at the checkout proves it, also after another one was put on file there', async () => {
  await using world = await typedPurchase(sandbox)
  expect((await world.payWithOwn()).status).toBe(200)
  const same = await world.typedCard('5555555555554444')
  expect((await world.caller.send(createSetupIntent, { body: { paymentMethodId: same } })).status).toBe(200)
  await findPurchases(world.deps, world.buyer.id)
  expect(await world.link()).toMatchObject({ memberId: world.buyer.id, proof: 'ours' })
})

test.each([
  ['a coupon for all of it', 'card_required', 200],
  ['the payer’s credit', 'card_required', 'change_not_possible'],
] as const)('seats that %s pays for are not left to the payer’s card later', async (means, without, withOwn) => {
  await using world = await typedPurchase(sandbox)
  const { caller, sid, stripe, otherCustomer } = world
  const couponCode = means.startsWith('a coupon') ? 'ALL-OF-IT' : ''
  if (couponCode) {
    const anybody = { products: [], terms: [], countries: [], maxUsesPerCustomer: 1 }
    await world.db.insert(coupons).values({ code: couponCode, percentOff: 100, ...anybody })
  } else await stripe.customers.update(otherCustomer, { balance: -50_000 })
  const asked = { ...twentyMore, couponCode }
  const buy = async (paymentMethodId = '') => {
    const { quote } = (await caller.send(changePlanFrom, { body: { sid, ...asked } })).body
    expect(quote.chargeAmount).toBe(0)
    const body = { subscriptionId: sid, ...asked, quoteId: quote.quoteId, paymentMethodId }
    const { status, body: answer } = await caller.send(changePlan, { body })
    return status === 200 ? status : answer.code
  }
  expect(await buy()).toBe(without)
  expect((await stripe.subscriptions.retrieve(sid)).items.data[0]?.quantity).toBe(3)
  const own = await world.payWithOwn()
  expect(await buy(own.paymentMethodId)).toBe(withOwn)
  const { default_payment_method: pays, items } = await stripe.subscriptions.retrieve(sid)
  expect([pays, items.data[0]?.quantity]).toEqual(withOwn === 200 ? [own.paymentMethodId, 23] : [world.otherCard, 3])
})
