import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cardsPeople } from '../../test/cards.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { providerOperations } from '../payments/operations/operations.tables.ts'

const sandbox = await sandboxOfFile()

const cardsWorld = () => cardsPeople(sandbox)

const good = '4242424242424242'
const needsAuthentication = '4000002760003184'

test.each(['error', 'reset', 'html'] as const)('a card is on file though the answer was lost (%s)', async (kind) => {
  await using world = await cardsWorld()
  const member = await world.member()
  const paymentMethodId = await world.typed(good)
  await sandbox.misbehave({ kind, pattern: '/setup_intents', times: 1 })
  const { status } = await world.save(member, paymentMethodId)
  await sandbox.behave()

  expect(status).toBe(200)
  expect(await world.ledger(member)).toEqual([paymentMethodId])
  expect(await world.actions(member)).toEqual(['card.added'])
})

test.each(['error', 'reset', 'html'] as const)(
  'an unknown outcome (%s) is answered as such, and the reconciler resolves it',
  async (kind) => {
    await using world = await cardsWorld()
    const member = await world.member()
    const paymentMethodId = await world.typed(good)
    await sandbox.misbehave({ kind, pattern: '/setup_intents*', times: 50 })
    const { status, body } = await world.save(member, paymentMethodId, 'one-key')
    await sandbox.behave()

    expect([status, body.code]).toEqual([502, 'card_outcome_unknown'])
    await world.reconcileAfter(46)
    expect(await world.ledger(member)).toEqual([paymentMethodId])
    expect((await world.additions(member)).map(({ status }) => status)).toEqual(['succeeded'])
    expect(await world.actions(member)).toEqual(['card.added'])
    expect((await world.save(member, paymentMethodId, 'one-key')).body.status).toBe('succeeded')
  },
)

test.each(['rate_limit', 'error'] as const)(
  'a repeated request while the outcome is unknown makes no second call, whatever then fails (%s)',
  async (kind) => {
    await using world = await cardsWorld()
    const member = await world.member()
    const paymentMethodId = await world.typed(good)
    await sandbox.misbehave({ kind: 'error', pattern: '/setup_intents*', times: 50 })
    const first = await world.save(member, paymentMethodId, 'one-key')
    await sandbox.behave()
    const { createSetup } = world.deps.cards
    let calls = 0
    world.deps.cards.createSetup = (wanted) => {
      calls += 1
      return createSetup(wanted)
    }
    world.at(new Date(world.deps.clock().getTime() + 46_000))
    await sandbox.misbehave({ kind, pattern: '*', times: 50 })
    const second = await world.save(member, paymentMethodId, 'one-key')
    await sandbox.behave()
    const third = await world.save(member, paymentMethodId, 'one-key')

    expect([first.status, second.status, third.body.status, calls]).toEqual([502, 502, 'succeeded', 0])
    expect(await world.ledger(member)).toEqual([paymentMethodId])
    expect(await world.actions(member)).toEqual(['card.added'])
  },
)

test('an addition that the provider no longer knows is ended, and does not count toward the limit', async () => {
  await using world = await cardsWorld()
  const member = await world.member()
  await world.add(member, needsAuthentication)
  const [customer] = (await sandbox.stripe.customers.list({ email: member.email })).data
  await sandbox.stripe.customers.del(customer?.id ?? '')
  await world.db
    .update(providerOperations)
    .set({ objectId: 'seti_1Forgotten' })
    .where(eq(providerOperations.memberId, member.id))
  await world.reconcileAfter(46)

  expect((await world.additions(member)).map(({ status }) => status)).toEqual(['failed'])
})

test('after "too many requests" nothing was done, and the same request may be repeated', async () => {
  await using world = await cardsWorld()
  const member = await world.member()
  const paymentMethodId = await world.typed(good)
  await sandbox.misbehave({ kind: 'rate_limit', pattern: '/setup_intents', times: 10 })
  const refused = await world.save(member, paymentMethodId, 'one-key')
  await sandbox.behave()
  const again = await world.save(member, paymentMethodId, 'one-key')

  expect([refused.status, refused.body.code, again.status]).toEqual([503, 'card_provider_unavailable', 200])
  expect(await world.ledger(member)).toEqual([paymentMethodId])
})

test('an addition that never reached the provider is ended as failed', async () => {
  await using world = await cardsWorld()
  const member = await world.member()
  const { createSetup } = world.deps.cards
  world.deps.cards.createSetup = () => Promise.reject(new Error('killed'))
  expect((await world.add(member)).status).toBe(500)
  world.deps.cards.createSetup = createSetup

  await world.reconcileAfter(46)
  expect((await world.additions(member)).map(({ status }) => status)).toEqual(['failed'])
  expect((await world.add(member)).status).toBe(200)
})

test('an authentication that nobody completes is canceled after half an hour', async () => {
  await using world = await cardsWorld()
  const member = await world.member()
  const { body } = await world.add(member, needsAuthentication)
  await world.reconcileAfter(60)
  expect((await sandbox.stripe.setupIntents.retrieve(body.id)).status).toBe('requires_action')

  await world.reconcileAfter(1800)
  expect((await sandbox.stripe.setupIntents.retrieve(body.id)).status).toBe('canceled')
  expect((await world.additions(member)).map(({ status }) => status)).toEqual(['canceled'])
})

test('an authentication that the provider is still processing has an unknown outcome, and is applied once known', async () => {
  await using world = await cardsWorld()
  const member = await world.member()
  const { body } = await world.add(member, needsAuthentication)
  await sandbox.answerBank(body.id, 'complete')
  const { readSetup } = world.deps.cards
  world.deps.cards.readSetup = async (id) => ({ ...(await readSetup(id)), status: 'processing' })

  const early = await world.finish(member, body.id)
  expect([early.status, early.body.code]).toEqual([502, 'card_outcome_unknown'])
  world.deps.cards.readSetup = readSetup
  expect((await world.finish(member, body.id)).status).toBe(200)
  expect(await world.actions(member)).toEqual(['card.added'])
})

test('an authentication that was completed in a closed page is found by the reconciler', async () => {
  await using world = await cardsWorld()
  const member = await world.member()
  const { body } = await world.add(member, needsAuthentication)
  await sandbox.answerBank(body.id, 'complete')
  await world.reconcileAfter(60)

  expect((await world.list({ ...member, cookie: await world.session(member.id) })).cardList).toHaveLength(1)
  expect(await world.actions(member)).toEqual(['card.added'])
})

test('an addition that was ended as failed succeeds once an event shows that the card is on file', async () => {
  await using world = await cardsWorld()
  const { member } = await world.memberWithCards([good])
  const [added] = await world.additions(member)
  await world.db.update(providerOperations).set({ status: 'failed' }).where(eq(providerOperations.memberId, member.id))
  await world.handleEvent(added?.objectId ?? '')

  expect((await world.additions(member)).map(({ status }) => status)).toEqual(['succeeded'])
})
