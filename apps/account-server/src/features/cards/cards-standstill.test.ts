import * as contract from '@atrium/contract/cards.ts'
import { expect, test } from 'vitest'
import { ProviderFailure } from '../../outside/provider-failure.ts'
import { cardsPeople } from '../../test/cards.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'

const good = '4242424242424242'
const needsAuthentication = '4000002760003184'

const sandbox = await sandboxOfFile()

test('a server that stood still does not override the default card that was chosen since', async () => {
  await using world = await cardsPeople(sandbox)
  const member = await world.member()
  const { cards } = world.deps.cards
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let reads = 0
  world.deps.cards.cards = async (id) => {
    const answer = await cards(id)
    reads += 1
    // The second reading is whether it is the first card.
    if (reads === 2) {
      held.resolve()
      await released.promise
    }
    return answer
  }
  const adding = world.save(member, await world.typed(good))
  await held.promise
  await world.reconcileAfter(46)
  const later = { ...member, cookie: await world.session(member.id) }
  const other = await world.typed(good)
  expect((await world.save(later, other)).status).toBe(200)
  const params = { paymentMethodId: other }
  expect((await world.as(later).send(contract.setDefaultCard, { params })).status).toBe(200)

  released.resolve()
  await adding
  expect((await world.list(later)).defaultPaymentID).toBe(other)
})

test('a card whose removal has no answer yet cannot be added again', async () => {
  await using world = await cardsPeople(sandbox)
  const { member, ids } = await world.memberWithCards([good, good])
  const params = { paymentMethodId: ids[1] ?? '' }
  const { removeCard } = world.deps.cards
  world.deps.cards.removeCard = () => Promise.reject(new ProviderFailure('unknown', new Error('no answer')))
  await world.as(member).send(contract.removeCard, { query: {}, params })
  world.deps.cards.removeCard = removeCard

  expect((await world.save(member, params.paymentMethodId)).body.code).toBe('card_change_pending')
})

test('at the limit, an authentication that cannot be canceled says nothing of the new card, which was not sent', async () => {
  await using world = await cardsPeople(sandbox)
  const { member } = await world.memberWithCards(Array.from({ length: 9 }, () => good))
  await world.add(member, needsAuthentication)
  const before = (await world.additions(member)).length
  await sandbox.misbehave({ kind: 'rate_limit', pattern: '/setup_intents/*', times: 50 })
  const tenth = await world.add(member)
  await sandbox.behave()

  expect([tenth.status, tenth.body.code]).toEqual([503, 'card_provider_unavailable'])
  expect(await world.additions(member)).toHaveLength(before)
})
