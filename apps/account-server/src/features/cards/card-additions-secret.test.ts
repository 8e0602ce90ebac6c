import { expect, test } from 'vitest'
import { ProviderFailure } from '../../outside/provider-failure.ts'
import { cardsPeople } from '../../test/cards.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import type { TestMember } from '../../test/world.ts'

const sandbox = await sandboxOfFile()

type World = Awaited<ReturnType<typeof cardsPeople>>

const good = '4242424242424242'
const declined = '4000000000000002'
const needsAuthentication = '4000002760003184'

/** What a browser with an intent's secret can do. */
async function confirm(world: World, intentId: string, number: string) {
  const payment_method = await world.typed(number)
  await sandbox.stripe.setupIntents.confirm(intentId, { payment_method }).catch(() => undefined)
  return payment_method
}

async function declines(world: World, member: TestMember) {
  return (await world.additions(member)).map(({ result }) => result)
}

test('cards that were declined with an intent’s secret count, even if the right one succeeds in the end', async () => {
  await using world = await cardsPeople(sandbox)
  const member = await world.member()
  const { body } = await world.add(member, needsAuthentication)
  const [added] = await world.additions(member)
  for (let card = 0; card < 3; card += 1) await confirm(world, body.id, declined)
  await sandbox.stripe.setupIntents.confirm(body.id, { payment_method: added?.subject ?? '' })
  await sandbox.answerBank(body.id, 'complete')

  expect((await world.finish(member, body.id)).status).toBe(200)
  expect(await declines(world, member)).toEqual([{ declines: 3, declinedAt: expect.any(String) }])
  expect((await world.add(member)).body.code).toBe('too_often')
})

test('an intent with which another card was declined is canceled, though authentication is pending again', async () => {
  await using world = await cardsPeople(sandbox)
  const member = await world.member()
  const { body } = await world.add(member, needsAuthentication)
  const [added] = await world.additions(member)
  await confirm(world, body.id, declined)
  await sandbox.stripe.setupIntents.confirm(body.id, { payment_method: added?.subject ?? '' })
  await world.handleEvent(body.id)

  expect((await world.additions(member)).map(({ problem }) => problem)).toEqual(['card_refused'])
  expect((await sandbox.stripe.setupIntents.retrieve(body.id)).status).toBe('canceled')
})

test('a cancellation that the provider could not take is repeated', async () => {
  await using world = await cardsPeople(sandbox)
  const member = await world.member()
  const { cancelSetup } = world.deps.cards
  world.deps.cards.cancelSetup = () => Promise.reject(new ProviderFailure('unavailable', new Error('429')))
  await world.add(member, declined)
  world.deps.cards.cancelSetup = cancelSetup
  const [added] = await world.additions(member)
  expect((await sandbox.stripe.setupIntents.retrieve(added?.objectId ?? '')).status).toBe('requires_payment_method')
  await world.reconcileAfter(46)

  expect((await sandbox.stripe.setupIntents.retrieve(added?.objectId ?? '')).status).toBe('canceled')
})

test('a card that was put on file with a refused intent before its cancellation is removed', async () => {
  await using world = await cardsPeople(sandbox)
  const member = await world.member()
  const { cancelSetup } = world.deps.cards
  world.deps.cards.cancelSetup = () => Promise.reject(new ProviderFailure('unavailable', new Error('429')))
  await world.add(member, declined)
  world.deps.cards.cancelSetup = cancelSetup
  const [added] = await world.additions(member)
  await confirm(world, added?.objectId ?? '', good)
  expect(await world.ledger(member)).toHaveLength(1)
  await world.handleEvent(added?.objectId ?? '')
  await world.handleEvent(added?.objectId ?? '')

  expect(await world.ledger(member)).toEqual([])
  expect((await world.additions(member)).map(({ problem }) => problem)).toEqual(['card_refused'])
  expect(await world.actions(member)).toEqual([])
})

test('the first card is the default in the answer, even if an event is just putting it on file', async () => {
  await using world = await cardsPeople(sandbox)
  const member = await world.member()
  const { body } = await world.add(member, needsAuthentication)
  await sandbox.answerBank(body.id, 'complete')
  const { setDefaultCard } = world.deps.cards
  const isAsked = Promise.withResolvers<void>()
  world.deps.cards.setDefaultCard = async (change) => {
    isAsked.resolve()
    await new Promise((resolve) => setTimeout(resolve, 500))
    return setDefaultCard(change)
  }
  const event = world.handleEvent(body.id)
  await isAsked.promise
  const finished = await world.finish(member, body.id)
  await event

  expect(finished.body.defaultPaymentID).toBe(finished.body.paymentMethodId)
})

test('the event of a canceled intent does not change the declined addition', async () => {
  await using world = await cardsPeople(sandbox)
  const member = await world.member()
  await world.add(member, declined)
  const before = await world.additions(member)
  world.at(new Date(world.deps.clock().getTime() + 60_000))
  await world.handleEvent(before[0]?.objectId ?? '')

  expect(before.map(({ problem }) => problem)).toEqual(['card_refused'])
  expect(await world.additions(member)).toEqual(before)
})

test('a card that was declined between the count and the cancellation of its intent is counted by the event', async () => {
  await using world = await cardsPeople(sandbox)
  const member = await world.member()
  const { cancelSetup } = world.deps.cards
  world.deps.cards.cancelSetup = async (id) => {
    await confirm(world, id, declined)
    return cancelSetup(id)
  }
  await world.add(member, declined)
  const [added] = await world.additions(member)
  await world.handleEvent(added?.objectId ?? '')

  expect(await declines(world, member)).toEqual([{ declines: 2, declinedAt: expect.any(String) }])
})

test('a card that was on file before stays, even if an intent’s secret is confirmed with it', async () => {
  await using world = await cardsPeople(sandbox)
  const { member, ids } = await world.memberWithCards([good])
  const { body } = await world.add(member, needsAuthentication)
  await sandbox.stripe.setupIntents.confirm(body.id, { payment_method: ids[0] ?? '' })

  expect((await world.finish(member, body.id)).body.code).toBe('card_refused')
  expect(await world.ledger(member)).toEqual(ids)
})

test('of two events at the same time, the one that read fewer declines does not lower their count', async () => {
  await using world = await cardsPeople(sandbox)
  const member = await world.member()
  const { body } = await world.add(member, needsAuthentication)
  await confirm(world, body.id, declined)
  const { declinesOf } = world.deps.cards
  const [isRead, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  world.deps.cards.declinesOf = async (id) => {
    const read = await declinesOf(id)
    isRead.resolve()
    await mayGoOn.promise
    return read
  }
  const slow = world.handleEvent(body.id)
  await isRead.promise
  world.deps.cards.declinesOf = declinesOf
  for (let card = 0; card < 2; card += 1) await confirm(world, body.id, declined)
  await world.handleEvent(body.id)
  mayGoOn.resolve()
  await slow

  expect(await declines(world, member)).toEqual([{ declines: 3, declinedAt: expect.any(String) }])
  expect((await world.add(member)).body.code).toBe('too_often')
})

test('a card that the member added meanwhile stays, though an older intent was confirmed with it', async () => {
  await using world = await cardsPeople(sandbox)
  const member = await world.member()
  const { body } = await world.add(member, needsAuthentication)
  const own = await world.typed(good)
  await world.save(member, own)
  await sandbox.stripe.setupIntents.confirm(body.id, { payment_method: own })
  await world.handleEvent(body.id)

  expect(await world.ledger(member)).toEqual([own])
})

test('a declined card counts, though the count of declines could not be read at once', async () => {
  await using world = await cardsPeople(sandbox)
  const member = await world.member()
  const { declinesOf } = world.deps.cards
  world.deps.cards.declinesOf = () => Promise.reject(new ProviderFailure('unavailable', new Error('429')))
  expect((await world.add(member, declined)).body.code).toBe('card_outcome_unknown')
  world.deps.cards.declinesOf = declinesOf
  await world.reconcileAfter(46)

  const [added] = await world.additions(member)
  expect([added?.status, added?.problem, added?.result]).toMatchObject(['failed', 'card_refused', { declines: 1 }])
  expect((await sandbox.stripe.setupIntents.retrieve(added?.objectId ?? '')).status).toBe('canceled')
})

test('a card that is being removed cannot be added, or its addition would succeed and the card go', async () => {
  await using world = await cardsPeople(sandbox)
  const member = await world.member()
  const { body } = await world.add(member, needsAuthentication)
  const other = await confirm(world, body.id, good)
  const { removeCard } = world.deps.cards
  world.deps.cards.removeCard = () => Promise.reject(new ProviderFailure('unavailable', new Error('429')))
  await world.handleEvent(body.id)
  world.deps.cards.removeCard = removeCard

  const early = await world.save(member, other)
  expect([early.status, early.body.code]).toEqual([409, 'card_change_pending'])
  await world.reconcileAfter(46)
  expect(await world.ledger(member)).toEqual([])
})
