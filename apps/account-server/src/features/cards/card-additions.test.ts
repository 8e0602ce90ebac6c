import { randomUUID } from 'node:crypto'
import { removeCard } from '@atrium/contract/cards.ts'
import { expect, test } from 'vitest'
import { cardsPeople } from '../../test/cards.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'

const sandbox = await sandboxOfFile()

const cardsWorld = (settings: NodeJS.ProcessEnv = {}) => cardsPeople(sandbox, settings)

const good = '4242424242424242'
const needsAuthentication = '4000002760003184'

test.each([
  ['4000000000000002', 'unknown', undefined, 'generic_decline'],
  ['4000000000009995', 'unknown', undefined, 'insufficient_funds'],
  ['4000000000009987', 'unknown', undefined, 'lost_card'],
  ['4000000000000069', 'expired_card', 'Your card has expired.', 'expired_card'],
  ['4000000000000127', 'incorrect_cvc', "Your card's security code is incorrect.", 'incorrect_cvc'],
  [
    '4000000000000119',
    'processing_error',
    'An error occurred while processing your card. Try again in a little bit.',
    'processing_error',
  ],
])('%s is refused as %s: of a decline only support sees the bank’s reason', async (number, reason, detail, stored) => {
  await using world = await cardsWorld()
  const member = await world.member()
  const { status, body } = await world.add(member, number)

  expect([status, body.code, body.data, body.detail]).toEqual([402, 'card_refused', { reason }, detail])
  expect((await world.additions(member)).map(({ declineCode }) => declineCode)).toEqual([stored])
  expect(await world.ledger(member)).toEqual([])
  expect(
    (await world.additions(member)).map((added) => [added.status, added.problem, added.resolvedAt !== null]),
  ).toEqual([['failed', 'card_refused', true]])
  expect(await world.actions(member)).toEqual([])
})

test('a refused addition leaves no intent with which another card could be tried', async () => {
  await using world = await cardsWorld()
  const member = await world.member()
  await world.add(member, '4000000000000002')
  const [added] = await world.additions(member)

  expect((await sandbox.stripe.setupIntents.retrieve(added?.objectId ?? '')).status).toBe('canceled')
})

test('a card that needs authentication is on file after it, not before', async () => {
  await using world = await cardsWorld()
  const member = await world.member()
  const { status, body } = await world.add(member, needsAuthentication)

  expect([status, body.status]).toEqual([200, 'requires_action'])
  expect((await world.list(member)).cardList).toEqual([])

  await sandbox.answerBank(body.id, 'complete')
  const finished = await world.finish(member, body.id)

  expect(finished.status).toBe(200)
  expect(finished.body.cardList.map(({ id }) => id)).toEqual([finished.body.paymentMethodId])
  expect(finished.body.defaultPaymentID).toBe(finished.body.paymentMethodId)
  expect(await world.finish(member, body.id)).toMatchObject({ status: 200 })
  expect(await world.actions(member)).toEqual(['card.added'])
})

test('a failed authentication is refused, and leaves no card', async () => {
  await using world = await cardsWorld()
  const member = await world.member()
  const { body } = await world.add(member, needsAuthentication)
  await sandbox.answerBank(body.id, 'fail')
  const finished = await world.finish(member, body.id)

  expect([finished.status, finished.body.code]).toEqual([402, 'card_refused'])
  expect(finished.body.detail).toContain('unable to authenticate')
  expect(await world.ledger(member)).toEqual([])
})

test('an authentication that was closed is canceled, and cannot be completed later', async () => {
  await using world = await cardsWorld()
  const member = await world.member()
  const { body } = await world.add(member, needsAuthentication)
  const finished = await world.finish(member, body.id)
  await sandbox.answerBank(body.id, 'complete').catch(() => undefined)

  expect([finished.status, finished.body.code]).toEqual([409, 'card_not_confirmed'])
  expect((await sandbox.stripe.setupIntents.retrieve(body.id)).status).toBe('canceled')
  expect(await world.ledger(member)).toEqual([])
})

test('the page is not trusted: the provider is asked', async () => {
  await using world = await cardsWorld()
  const member = await world.member()
  const stranger = await world.member()
  const { body } = await world.add(member, needsAuthentication)
  const foreign = await world.finish(stranger, body.id)
  const missing = await world.finish(stranger, 'seti_1NoSuchIntent')

  expect(foreign.status).toBe(404)
  expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
  await sandbox.answerBank(body.id, 'complete')
  expect((await world.finish(member, body.id)).status).toBe(200)
})

test('another customer’s payment method looks like none at all', async () => {
  await using world = await cardsWorld()
  const { ids } = await world.memberWithCards([good])
  const member = await world.member()

  const [missing, foreign] = [await world.save(member, 'pm_1NoSuchMethod'), await world.save(member, ids[0] ?? '')]

  expect([missing.status, foreign.status]).toEqual([404, 404])
  expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
  expect(await world.ledger(member)).toEqual([])
})

test('twenty equal requests with one key put one card on file', async () => {
  await using world = await cardsWorld()
  const member = await world.member()
  const paymentMethodId = await world.typed(good)
  const key = randomUUID()
  const replies = await Promise.all(Array.from({ length: 20 }, () => world.save(member, paymentMethodId, key)))

  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await world.ledger(member)).toEqual([paymentMethodId])
  expect(await world.actions(member)).toEqual(['card.added'])
})

test('twenty equal requests with different keys put one card on file', async () => {
  await using world = await cardsWorld()
  const member = await world.member()
  const paymentMethodId = await world.typed(good)
  const replies = await Promise.all(Array.from({ length: 20 }, () => world.save(member, paymentMethodId, randomUUID())))

  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await world.ledger(member)).toEqual([paymentMethodId])
})

test('the same key with another card is refused', async () => {
  await using world = await cardsWorld()
  const member = await world.member()
  const key = randomUUID()
  await world.save(member, await world.typed(good), key)
  const { status, body } = await world.save(member, await world.typed('5555555555554444'), key)

  expect([status, body.code]).toEqual([422, 'idempotency_mismatch'])
  expect(await world.ledger(member)).toHaveLength(1)
})

test('a removed card is not reported as on file; one that is on file is not added again', async () => {
  await using world = await cardsWorld()
  const { member, ids } = await world.memberWithCards([good, good])
  const [stored = '', removed = ''] = ids
  await world.as(member).send(removeCard, { query: {}, params: { paymentMethodId: removed } })

  expect((await world.save(member, stored)).status).toBe(200)
  const again = await world.save(member, removed)
  expect([again.status, again.body.code]).toEqual([404, 'not_found'])
  expect(await world.ledger(member)).toEqual([stored])
  expect(await world.actions(member)).toEqual(['card.added', 'card.added', 'card.removed'])
})

test('of fifteen concurrent additions, ten are put on file', async () => {
  await using world = await cardsWorld()
  const member = await world.member()
  const numbers = Array.from({ length: 15 }, () => good)
  const replies = await Promise.all(numbers.map((number) => world.add(member, number)))
  const statuses = replies.map(({ status }) => status).sort()

  expect(statuses).toEqual([...Array(10).fill(200), ...Array(5).fill(409)])
  expect(new Set(replies.filter(({ status }) => status === 409).map(({ body }) => body.code))).toEqual(
    new Set(['card_limit']),
  )
  expect(await world.ledger(member)).toHaveLength(10)
})

test('at the limit, an open authentication is canceled in favor of another card', async () => {
  await using world = await cardsWorld()
  const { member } = await world.memberWithCards(Array.from({ length: 9 }, () => good))
  const asked = await world.add(member, needsAuthentication)
  const tenth = await world.add(member)
  await sandbox.answerBank(asked.body.id, 'complete').catch(() => undefined)

  expect([asked.status, tenth.status]).toEqual([200, 200])
  expect((await world.finish(member, asked.body.id)).body.code).toBe('card_not_confirmed')
  expect(await world.ledger(member)).toHaveLength(10)
})

test('a completed authentication still counts toward the limit', async () => {
  await using world = await cardsWorld()
  const { member } = await world.memberWithCards(Array.from({ length: 9 }, () => good))
  const asked = await world.add(member, needsAuthentication)
  await sandbox.answerBank(asked.body.id, 'complete')

  expect((await world.add(member)).body.code).toBe('card_limit')
  expect(await world.ledger(member)).toHaveLength(10)
})

test('a member tries five cards an hour', async () => {
  await using world = await cardsWorld({ CARD_ATTEMPTS_PER_HOUR: '5' })
  const { member } = await world.memberWithCards([good, good, good, good, good])
  const sixth = await world.add(member)

  expect([sixth.status, sixth.body.code]).toEqual([429, 'too_often'])
  expect(Number(sixth.headers['retry-after'])).toBeGreaterThan(3500)
  world.at(new Date(world.deps.clock().getTime() + 3_601_000))
  expect(
    (await world.save({ ...member, cookie: await world.session(member.id) }, await world.typed(good))).status,
  ).toBe(200)
})

test('after three declined cards within an hour there is a pause of a day', async () => {
  await using world = await cardsWorld()
  const member = await world.member()
  for (const number of ['4000000000000002', '4000000000009995', '4000000000000002']) await world.add(member, number)
  const fourth = await world.add(member)

  expect([fourth.status, fourth.body.code]).toEqual([429, 'too_often'])
  expect(Number(fourth.headers['retry-after'])).toBeGreaterThan(86_000)
  expect(await world.ledger(member)).toEqual([])
})

test('a card that was put on file with the intent of another card is removed', async () => {
  await using world = await cardsWorld()
  const member = await world.member()
  const { body } = await world.add(member, needsAuthentication)
  const other = await world.typed(good)
  await sandbox.stripe.setupIntents.confirm(body.id, { payment_method: other })
  const finished = await world.finish(member, body.id)

  expect([finished.status, finished.body.code]).toEqual([402, 'card_refused'])
  expect(await world.ledger(member)).toEqual([])
  expect((await world.additions(member)).map(({ problem }) => problem)).toEqual(['card_refused'])
})

test('every card that was tried with one intent’s secret counts', async () => {
  await using world = await cardsWorld()
  const member = await world.member()
  const { body } = await world.add(member, needsAuthentication)
  for (let card = 0; card < 3; card += 1) {
    const payment_method = await world.typed('4000000000000002')
    await sandbox.stripe.setupIntents.confirm(body.id, { payment_method }).catch(() => undefined)
  }
  await world.finish(member, body.id)

  expect((await world.additions(member)).map(({ problem, result }) => [problem, result])).toEqual([
    ['card_refused', { declines: 3, declinedAt: expect.any(String) }],
  ])
  expect((await world.add(member)).body.code).toBe('too_often')
})

test('a failed authentication does not count as a declined card', async () => {
  await using world = await cardsWorld()
  const member = await world.member()
  for (let time = 0; time < 3; time += 1) {
    const { body } = await world.add(member, needsAuthentication)
    await sandbox.answerBank(body.id, 'fail')
    expect((await world.finish(member, body.id)).body.code).toBe('card_refused')
  }

  expect((await world.additions(member)).map(({ result }) => result)).toEqual([{}, {}, {}])
  expect((await world.add(member)).status).toBe(200)
})

test('a decline is counted once by concurrent events and requests', async () => {
  await using world = await cardsWorld()
  const member = await world.member()
  const { body } = await world.add(member, needsAuthentication)
  const payment_method = await world.typed('4000000000000002')
  await sandbox.stripe.setupIntents.confirm(body.id, { payment_method }).catch(() => undefined)
  await Promise.all([world.handleEvent(body.id), world.finish(member, body.id), world.handleEvent(body.id)])
  const [added] = await world.additions(member)

  expect([added?.problem, added?.result]).toEqual(['card_refused', { declines: 1, declinedAt: expect.any(String) }])
})

test('a member has one customer at the provider, however many requests first need it', async () => {
  await using world = await cardsWorld()
  const member = await world.member()
  await Promise.all(Array.from({ length: 8 }, () => world.add(member)))

  expect((await sandbox.stripe.customers.list({ email: member.email })).data).toHaveLength(1)
})
