import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { change, daysBetween, type World, withdrawable } from '../../test/withdrawn.ts'
import { orders } from '../orders/orders.tables.ts'
import { unmatchedPurchases } from '../payments/unmatched/unmatched.tables.ts'

const sandbox = await sandboxOfFile()

const transferred = (asked?: Parameters<typeof withdrawable>[1]) => withdrawable(sandbox, asked)

/** The first Owner has paid a year of one seat, the second one twenty more, and a third one has it. */
async function paidByTwo() {
  const world = await transferred({ hasCard: true, of: (one) => one.buy({ term: 'yearly', quantity: 1 }) })
  await world.move()
  await change(world, world.id, { type: 'buy-more', increasingNumber: 20 }, world.recipient)
  const second = String((await world.stored(world.id)).providerId)
  await world.moveOn()
  return {
    ...{ world, second },
    /** @param percent of what was paid */
    async giveBackFirst(percent = 100) {
      await world.end()
      await world.refund({ percent })
    },
    async giveBackSecond(percent = 100) {
      await world.end(second)
      await world.refund({ customer: world.recipientCustomerId, percent })
    },
  }
}

const waits = [{ provider: 'card', reason: 'taken_back_after_transfer' }]

test.each([
  [100, 100],
  [91, 91],
  [91, 100],
  [100, 91],
] as const)(
  '%i and %i percent of what both Owners have paid are given back, and nothing lasts',
  async (...percents) => {
    const [ofFirst, ofSecond] = percents
    const { world, giveBackFirst, giveBackSecond } = await paidByTwo()
    await using _ = world
    const before = await world.stored(world.id)
    expect(before).toMatchObject({ status: 'active', userCount: 21 })
    await giveBackFirst(ofFirst)
    await giveBackSecond(ofSecond)
    const { status, periodEnd } = await world.stored(world.id)
    const kept = 1 - (10_000 * ofFirst + 200_000 * ofSecond) / 21_000_000
    if (kept === 0) expect(status).toBe('canceled')
    else
      expect(daysBetween(before.periodStart, periodEnd)).toBeCloseTo(
        daysBetween(before.periodStart, before.periodEnd) * kept,
        1,
      )
    expect(await world.waiting()).toEqual([])
  },
)

test('what is kept of all that was paid decides how long it lasts, whoever has paid it', async () => {
  const { world, second, giveBackFirst, giveBackSecond } = await paidByTwo()
  await using _ = world
  const { periodStart, periodEnd: until } = await world.stored(world.id)
  await giveBackFirst()
  // $100 of $2,100.
  const one = await world.stored(world.id)
  expect(one).toMatchObject({ status: 'active', userCount: 21, cancelAt: one.periodEnd })
  expect(daysBetween(one.periodEnd, until)).toBeCloseTo(17, 0)
  expect(daysBetween(periodStart, one.periodEnd)).toBeGreaterThan(340)
  await giveBackSecond(50)
  // $1,000 of $2,100.
  expect(daysBetween(periodStart, (await world.stored(world.id)).periodEnd)).toBeCloseTo(174, -1)
  expect([...(await world.waiting()), ...(await world.waiting(second))]).toEqual([])
})

test('what the first Owner has paid for a seat pays for the seats of the second one for as long as it is worth', async () => {
  const { world, second, giveBackSecond } = await paidByTwo()
  await using _ = world
  const { periodStart } = await world.stored(world.id)
  await giveBackSecond()
  const { status, userCount, periodEnd } = await world.stored(world.id)
  expect({ status, userCount }).toEqual({ status: 'active', userCount: 21 })
  expect(daysBetween(periodStart, periodEnd)).toBeCloseTo(17, 0)
  expect(await world.waiting(second)).toEqual([])
})

/** As the vendor's file brings it, before the provider's number claims it. */
async function forgetTimes(world: World): Promise<void> {
  for (const { orderNumber, lines } of await world.db.select().from(orders)) {
    const untimed = lines.map(({ facts: _time, ...line }) => line)
    await world.db.update(orders).set({ lines: untimed }).where(eq(orders.orderNumber, orderNumber))
  }
}

test('so it does where the orders came by a file, without their time, however often it is read', async () => {
  const { world, second, giveBackSecond } = await paidByTwo()
  await using _ = world
  await forgetTimes(world)
  const { periodStart } = await world.stored(world.id)
  await giveBackSecond()
  const { periodEnd } = await world.stored(world.id)
  expect(daysBetween(periodStart, periodEnd)).toBeCloseTo(17, 0)
  for (const id of [second, world.id, second]) await world.sync(id)
  expect((await world.stored(world.id)).periodEnd).toEqual(periodEnd)
})

/** A month of twenty seats, and the year instead, which its Owner since has bought. */
async function yearOfSecond() {
  const world = await transferred({ hasCard: true, of: (one) => one.buy({ quantity: 20 }) })
  await world.move()
  await change(world, world.id, { type: 'switch-to-annual-billing' }, world.recipient)
  return { world, second: String((await world.stored(world.id)).providerId) }
}

test('the operator hears that a month was given back which the year of the Owner since was credited for', async () => {
  const { world, second } = await yearOfSecond()
  await using _ = world
  const before = await world.stored(world.id)
  await world.end()
  expect(await world.waiting()).toEqual([])
  await world.refund()
  expect(await world.stored(world.id)).toEqual(before)
  expect(await world.waiting()).toMatchObject(waits)

  // Once all of it has ended, nothing is left to decide.
  await world.end(second)
  await world.refund({ customer: world.recipientCustomerId })
  await world.sync(world.id)
  expect(await world.waiting()).toEqual([])
})

test('what the operator has left as it is stays so', async () => {
  const { world } = await yearOfSecond()
  await using _ = world
  await world.end()
  await world.refund()
  await world.db.update(unmatchedPurchases).set({ acceptedAt: world.deps.clock() })
  await world.moveOn()
  const before = await world.stored(world.id)
  await world.sync(world.id)
  expect(await world.stored(world.id)).toEqual(before)
  expect(await world.waiting()).toMatchObject([{ acceptedAt: expect.any(Date) }])
})

test('what the operator has left as it is waits again once more was given back', async () => {
  await using world = await transferred({ hasCard: true })
  await world.move()
  await world.end()
  await world.refund({ part: 5000 })
  expect(await world.waiting()).toMatchObject([{ amount: 25_000 }])
  await world.db.update(unmatchedPurchases).set({ acceptedAt: world.deps.clock() })
  await world.sync(world.id)
  expect(await world.waiting()).toMatchObject([{ acceptedAt: expect.any(Date) }])
  await world.refund({ part: 25_000 })
  expect(await world.waiting()).toMatchObject([{ amount: 0, acceptedAt: null }])
})

test('once it is transferred again, the year is shorter by what was credited', async () => {
  const { world } = await yearOfSecond()
  await using _ = world
  await world.moveOn()
  const { periodEnd: until } = await world.stored(world.id)
  await world.end()
  await world.refund()
  // $200 of $1,800 a year.
  expect(daysBetween((await world.stored(world.id)).periodEnd, until)).toBeCloseTo(40, -1)
  expect(await world.waiting()).toEqual([])
})

test('what waited since a card went on with it waits no more once all of it is settled', async () => {
  const { world, second } = await yearOfSecond()
  await using _ = world
  await world.end()
  await world.refund()
  await world.moveOn()
  expect(await world.waiting()).toMatchObject(waits)
  await world.end(second)
  await world.refund({ customer: world.recipientCustomerId })
  expect(await world.stored(world.id)).toMatchObject({ status: 'canceled' })
  expect(await world.waiting()).toEqual([])
})
