import { createSetupIntent, listCards } from '@atrium/contract/cards.ts'
import { listPayingCards } from '@atrium/contract/paying-cards.ts'
import { expect, test } from 'vitest'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { typedPurchase } from '../../../test/typed-purchase.ts'
import { findPurchases } from '../purchases.sync.ts'

const sandbox = await sandboxOfFile()

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
