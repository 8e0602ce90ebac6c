import { expect, test, vi } from 'vitest'
import { ProviderFailure } from '../../outside/provider-failure.ts'
import { cardTransfer } from '../../test/card-transfer.ts'
import { planAhead } from '../../test/planned-change.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'

const sandbox = await sandboxOfFile()

const atProvider = (id: string) => sandbox.stripe.subscriptions.retrieve(id)
const endOf = async (id: string) => (await atProvider(id)).items.data[0]?.current_period_end ?? 0
const unavailable = () => new ProviderFailure('unavailable', new Error('away'))

async function scheduled(options: { hasCard?: boolean } = {}) {
  const world = await cardTransfer(sandbox, options)
  const id = await world.buy()
  const schedule = await planAhead(sandbox, id, { quantity: 1 })
  await world.sync(id)
  return { world, id, schedule }
}

test.each([true, false])(
  'the old one ends although a schedule manages it, and only then the other begins: with a card, %s',
  async (hasCard) => {
    const { world, id, schedule } = await scheduled({ hasCard })
    await using _ = world
    const end = await endOf(id)
    expect((await world.transfer()).status).toBe(200)
    await world.reconcileAfter(60)

    expect(await atProvider(id)).toMatchObject({ schedule: null, cancel_at: end, cancel_at_period_end: true })
    expect(await sandbox.stripe.subscriptionSchedules.retrieve(schedule)).toMatchObject({ status: 'released' })
    const begun = await world.begun()
    expect(begun.map(({ items }) => items.data[0]?.quantity)).toEqual(hasCard ? [3] : [])
  },
)

test('as long as the old one does not end, nothing begins; it ends, and the other begins, once the provider does it', async () => {
  const { world, id } = await scheduled()
  await using _ = world
  const release = vi.spyOn(world.deps.cards, 'releaseSchedule').mockRejectedValue(unavailable())
  expect((await world.transfer()).status).toBe(200)
  for (let round = 0; round < 3; round += 1) await world.reconcileAfter(60)
  expect(await world.begun()).toEqual([])
  expect((await world.operations()).map(({ kind, status }) => [kind, status])).toEqual([
    ['subscription.end_moved', 'pending'],
  ])

  release.mockRestore()
  for (let round = 0; round < 3; round += 1) await world.reconcileAfter(120)
  expect(await atProvider(id)).toMatchObject({ schedule: null, cancel_at_period_end: true })
  expect(await world.begun()).toHaveLength(1)
})

test.each(['before the release', 'after it', 'after the end'] as const)(
  'stopped %s, it is taken up again: the old one ends once, one other begins',
  async (moment) => {
    const { world, id } = await scheduled()
    await using _ = world
    const { cards } = world.deps
    const { releaseSchedule, endMoved } = cards
    const lost = () => new ProviderFailure('unknown', new Error('killed'))
    const release = vi.spyOn(cards, 'releaseSchedule')
    const end = vi.spyOn(cards, 'endMoved')
    if (moment === 'before the release') release.mockRejectedValueOnce(lost())
    if (moment === 'after it') {
      release.mockImplementationOnce(async (...asked) => {
        await releaseSchedule(...asked)
        throw lost()
      })
    }
    if (moment === 'after the end') {
      end.mockImplementationOnce(async (one) => {
        await endMoved(one)
        throw lost()
      })
    }
    expect((await world.transfer()).status).toBe(200)
    for (let round = 0; round < 4; round += 1) await world.reconcileAfter(60)

    expect(await atProvider(id)).toMatchObject({ schedule: null, cancel_at_period_end: true, status: 'active' })
    expect(await world.begun()).toHaveLength(1)
    expect(await world.charged()).toBe(1)
  },
)

test('an end in eight months, which its schedule has set, does not pass for the end of the paid period', async () => {
  await using world = await cardTransfer(sandbox, { hasCard: false })
  const id = await world.buy()
  await planAhead(sandbox, id, { months: 8, endBehavior: 'cancel' })
  await world.sync(id)
  const { endMoved } = world.deps.cards
  vi.spyOn(world.deps.cards, 'endMoved').mockRejectedValueOnce(new ProviderFailure('unknown', new Error('lost')))
  expect((await world.transfer()).status).toBe(200)
  for (let round = 0; round < 3; round += 1) await world.reconcileAfter(60)
  expect(endMoved).toBeDefined()
  expect((await atProvider(id)).cancel_at).toBe(await endOf(id))
})

test('what is planned is said to the sender before, and planned since the codes were sent, it is not transferred', async () => {
  const { world, id, schedule } = await scheduled()
  await using _ = world
  const { moves } = await world.check(world.buyer)
  expect(moves).toMatchObject([{ stripeSubscriptionId: id, plannedChange: { userCount: 1 } }])

  const codes = await world.codesFor(world.buyer, world.recipient)
  await sandbox.stripe.subscriptionSchedules.release(schedule)
  await planAhead(sandbox, id, { quantity: 2 })
  await world.sync(id)
  const { body } = await world.use(world.buyer, world.recipient.email, codes)
  expect(body.code).toBe('transfer_changed')
  expect(await world.begun()).toEqual([])
})

test('a fixed term ends for good with what is paid of it: its price is not to be had without it', async () => {
  await using world = await cardTransfer(sandbox)
  const id = await world.buy()
  await planAhead(sandbox, id, { months: 11, endBehavior: 'cancel' })
  await world.sync(id)
  const { body } = await world.transfer()
  expect(body.moved).toMatchObject([{ fate: 'ends' }])
  await world.reconcileAfter(60)
  const end = new Date((await endOf(id)) * 1000)
  expect(await world.stored(id)).toMatchObject({ autoRenew: false, cancelAt: end, endedAt: end })
  expect((await world.listed(world.recipient))[0]).toMatchObject({ hideResume: 1 })
})
