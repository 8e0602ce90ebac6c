import { subscriptionCancel, subscriptionRenew } from '@atrium/contract/auto-renewal.ts'
import { expect, test, vi } from 'vitest'
import { ProviderFailure } from '../../outside/provider-failure.ts'
import { cardTransfer } from '../../test/card-transfer.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'

const sandbox = await sandboxOfFile()

/** A subscription and its add-on, which somebody has received without a card, and has added one since. */
async function received() {
  const world = await cardTransfer(sandbox, { hasCard: false })
  const id = await world.buy()
  const addOn = await world.buy({ quantity: 1, metadata: { parent: id } })
  if ((await world.transfer()).status !== 200) throw new Error('they were not transferred')
  await world.addCard()
  const cookie = await world.session(world.recipient.id)
  return {
    ...world,
    ...{ id, addOn },
    resume: (sid: string) => world.as({ cookie }).send(subscriptionRenew, { body: { sid } }),
    cancel: (sid: string) => world.as({ cookie }).send(subscriptionCancel, { body: { sid, reasons: [1] } }),
    /** Which of ours the provider has begun for the recipient. */
    continued: async () => (await world.begun()).map(({ metadata }) => metadata.continues).sort(),
  }
}

test('two tabs that resume a subscription and its add-on at once begin one each', async () => {
  await using world = await received()
  const { id, addOn } = world
  const answers = await Promise.all([world.resume(addOn), world.resume(id)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(await world.continued()).toEqual([id, addOn].sort())
  for (const one of [id, addOn]) expect(await world.stored(one)).toMatchObject({ autoRenew: true, cancelAt: null })
})

test('while its add-on is still to begin, a subscription is not turned off without it', async () => {
  await using world = await received()
  const { id, addOn } = world
  const { cards } = world.deps
  const { continueSubscription } = cards
  const calls = vi.spyOn(cards, 'continueSubscription')
  calls.mockImplementation(async (asked) => {
    if (asked.metadata.continues !== addOn) return continueSubscription(asked)
    throw new ProviderFailure('unavailable', new Error('away'))
  })
  expect((await world.resume(id)).status).toBe(200)
  expect(await world.continued()).toEqual([id])
  expect(await world.cancel(id)).toMatchObject({ status: 409, body: { code: 'subscription_change_pending' } })

  calls.mockRestore()
  await world.reconcileAfter(60)
  expect(await world.continued()).toEqual([id, addOn].sort())
  expect((await world.cancel(id)).status).toBe(200)
  for (const one of [id, addOn]) expect((await world.stored(one)).autoRenew).toBe(false)
})

test('an add-on that could not begin is left off, and what it belongs to can be turned off and on', async () => {
  await using world = await received()
  const { id, addOn } = world
  const { cards } = world.deps
  const { continueSubscription } = cards
  vi.spyOn(cards, 'continueSubscription').mockImplementationOnce(async (asked) => {
    const begun = await continueSubscription(asked)
    await world.removeCard()
    return begun
  })
  expect((await world.resume(id)).status).toBe(200)
  expect(await world.continued()).toEqual([id])
  await world.addCard()
  expect((await world.cancel(id)).status).toBe(200)
  expect(await world.resume(id)).toMatchObject({ status: 200, body: { autoRenewal: 1 } })
  expect(await world.stored(addOn)).toMatchObject({ providerId: null, autoRenew: false })
  expect((await world.resume(addOn)).status).toBe(200)
  expect(await world.continued()).toEqual([id, addOn].sort())
})
