import * as contract from '@atrium/contract/cards.ts'
import { expect, test } from 'vitest'
import { ProviderFailure } from '../../outside/provider-failure.ts'
import { cardVendor } from '../../test/card-billing.ts'
import { cardsPeople } from '../../test/cards.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import type { TestMember } from '../../test/world.ts'

const sandbox = await sandboxOfFile()

const good = '4242424242424242'

type World = Pick<Awaited<ReturnType<typeof cardsPeople>>, 'as'>

interface Replacement {
  old: string
  successor: string
}

function replace(world: World, member: TestMember, { old, successor }: Replacement) {
  return world.as(member).send(contract.removeCard, { params: { paymentMethodId: old }, query: { successor } })
}

test('a successor becomes the default, and pays for the subscriptions that the removed card paid for', async () => {
  await using world = await cardVendor(sandbox)
  const { stripe } = sandbox
  const [own, byDefault, ofOther] = [await world.buy(), await world.buy(), await world.buy()]
  const other = await stripe.paymentMethods.attach('pm_card_amex', { customer: world.customerId })
  await stripe.subscriptions.update(own, { default_payment_method: world.cardId })
  await stripe.subscriptions.update(ofOther, { default_payment_method: other.id })
  const { id: successor } = await stripe.paymentMethods.attach('pm_card_mastercard', { customer: world.customerId })

  const { status, body } = await replace(world, world.buyer, { old: world.cardId, successor })
  expect([status, body.defaultPaymentID]).toEqual([200, successor])
  expect(body.cardList.map(({ id }) => id).sort()).toEqual([other.id, successor].sort())
  expect(await world.as(world.buyer).send(contract.listCards, {})).toMatchObject({ body })
  const payers = [own, byDefault, ofOther].map(
    async (id) => (await stripe.subscriptions.retrieve(id)).default_payment_method,
  )
  expect(await Promise.all(payers)).toEqual([successor, null, other.id])
})

test('the successor of a card that is not the default leaves the default alone', async () => {
  await using world = await cardsPeople(sandbox)
  const { member, ids } = await world.memberWithCards([good, good, good])
  const [first, old = '', successor = ''] = ids
  const { status, body } = await replace(world, member, { old, successor })
  expect([status, body.defaultPaymentID, body.cardList.map(({ id }) => id)]).toEqual([200, first, [first, successor]])
  expect(await world.actions(member)).toEqual([...Array(3).fill('card.added'), 'card.removed'])
})

test('another customer’s card looks like none, whether it is to be replaced or to follow', async () => {
  await using world = await cardsPeople(sandbox)
  const { member, ids } = await world.memberWithCards([good, good])
  const { member: other, ids: others } = await world.memberWithCards([good])
  const [old = '', successor = ''] = ids
  const [foreign = ''] = others
  const answers = await Promise.all([
    replace(world, member, { old, successor: foreign }),
    replace(world, member, { old, successor: 'pm_none' }),
    replace(world, member, { old: foreign, successor }),
    replace(world, member, { old: 'pm_none', successor }),
    replace(world, member, { old, successor: old }),
  ])
  for (const { status, body } of answers) expect([status, body.code]).toEqual([404, 'not_found'])
  expect((await world.ledger(member)).sort()).toEqual([...ids].sort())
  expect(await world.ledger(other)).toEqual(others)
  expect((await world.list(member)).defaultPaymentID).toBe(old)
})

test('two tabs cannot replace a card by two others', async () => {
  await using world = await cardsPeople(sandbox)
  const { member, ids } = await world.memberWithCards([good, good, good])
  const [old = '', one = '', two = ''] = ids
  const answers = await Promise.all([one, two].map((successor) => replace(world, member, { old, successor })))
  const done = answers.filter(({ status }) => status === 200)
  expect(done).toHaveLength(1)
  for (const { status, body } of answers) {
    if (status !== 200) expect(['card_change_pending', 'not_found']).toContain(body.code)
  }
  const { cardList, defaultPaymentID } = await world.list(member)
  expect(cardList.map(({ id }) => id).sort()).toEqual([one, two].sort())
  expect(defaultPaymentID).toBe(done[0]?.body.defaultPaymentID)
})

test('what the provider refuses half-way keeps the old card on file, and is finished when asked again', async () => {
  await using world = await cardsPeople(sandbox)
  const { member, ids } = await world.memberWithCards([good, good])
  const [old = '', successor = ''] = ids
  const { removeCard } = world.deps.cards
  world.deps.cards.removeCard = () => Promise.reject(new ProviderFailure('unavailable', new Error('down')))
  const first = await replace(world, member, { old, successor })
  world.deps.cards.removeCard = removeCard
  expect([first.status, first.body.code]).toEqual([503, 'card_provider_unavailable'])
  expect(await world.list(member)).toMatchObject({ defaultPaymentID: successor, cardList: [{}, { id: old }] })

  expect((await replace(world, member, { old, successor })).status).toBe(200)
  expect(await world.ledger(member)).toEqual([successor])
})
