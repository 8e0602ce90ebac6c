import * as contract from '@atrium/contract/plan-changes.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cardTransfer } from '../../test/card-transfer.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { unmatchedPurchases } from '../payments/unmatched/unmatched.tables.ts'
import { transfers } from '../transfers/transfers.tables.ts'

const sandbox = await sandboxOfFile()
const { stripe } = sandbox
const dayMs = 86_400_000

function daysBetween(one: Date | null, other: Date | null): number {
  return (Number(other) - Number(one)) / dayMs
}

interface Refund {
  paid?: number
  part?: number
  customer?: string
}

/** What the vendor can do at the provider with what was paid and transferred. */
async function transferred({ hasCard = false, of = buyYear }: { hasCard?: boolean; of?: typeof buyYear } = {}) {
  const world = await cardTransfer(sandbox, { hasCard })
  const id = await of(world)
  const invoices = (await stripe.invoices.list({ subscription: id })).data
  for (const invoice of invoices) await world.syncInvoice(invoice.id)
  /** @param paid what the charge was; left out: the last one */
  async function refund({ paid, part, customer = world.customerId }: Refund = {}) {
    const charges = (await stripe.charges.list({ customer })).data
    const charge = charges.find(({ amount }) => paid === undefined || amount === paid)
    const given = await stripe.refunds.create({ charge: charge?.id ?? '', ...(part !== undefined && { amount: part }) })
    await world.syncRefund(given.id)
  }
  return {
    ...world,
    id,
    refund,
    async move() {
      expect((await world.transfer()).status).toBe(200)
      await world.reconcileAfter(60)
    },
    async end(providerId = id) {
      await stripe.subscriptions.cancel(providerId)
      await world.sync(providerId)
    },
    /** The recipient gives it to a third member. */
    async moveOn() {
      // Nobody transfers twice in 30 days.
      await world.db.delete(transfers).where(eq(transfers.recipientId, world.recipient.id))
      const third = await world.member()
      expect((await world.transferBetween(world.recipient, third)).status).toBe(200)
      await world.reconcileAfter(60)
    },
    status: async () => (await world.listed(world.recipient))[0]?.stripeSubscriptionStatus,
    waiting: (objectId = id) =>
      world.db.select().from(unmatchedPurchases).where(eq(unmatchedPurchases.objectId, objectId)),
  }
}

type World = Awaited<ReturnType<typeof cardTransfer>>

interface Asked {
  type: 'switch-to-annual-billing' | 'buy-more'
  increasingNumber?: number
}

const buyYear = (world: World) => world.buy({ term: 'yearly' })

async function change(world: World, sid: string, asked: Asked, of = world.buyer) {
  const owner = world.as(of)
  const { body } = await owner.send(contract.changePlanFrom, { body: { sid, ...asked } })
  const sent = { subscriptionId: sid, ...asked, quoteId: body.quote.quoteId }
  expect((await owner.send(contract.changePlan, { body: sent })).status).toBe(200)
  const providerId = String((await world.stored(sid)).providerId)
  await world.sync(providerId)
  for (const invoice of (await stripe.invoices.list({ subscription: providerId })).data) {
    await world.syncInvoice(invoice.id)
  }
}

/** A month of one seat for $10, and the year instead for $90 more. */
async function switchToYear(world: World): Promise<string> {
  const id = await world.buy({ quantity: 1 })
  await change(world, id, { type: 'switch-to-annual-billing' })
  return id
}

test.each([
  ['end', 'refund'],
  ['refund', 'end'],
] as const)(
  'a year that the vendor ends and gives back after a transfer ends for the recipient: first %s',
  async (first, second) => {
    await using world = await transferred()
    await world.move()
    await world[first]()
    // Neither alone takes it: the customer may have been deleted, or the vendor obliging.
    expect(await world.status()).toBe('active')
    await world[second]()
    expect(await world.status()).toBe('canceled')
    expect(await world.waiting()).toEqual([])
  },
)

test('where a card of the recipient goes on with it, the operator decides', async () => {
  await using world = await transferred({ hasCard: true })
  await world.move()
  await world.end()
  await world.refund()
  expect(await world.status()).toBe('active')
  expect(await world.waiting()).toMatchObject([{ provider: 'card', reason: 'taken_back_after_transfer' }])
})

test('a year that a change had paid for ends with what the month before it pays once it is given back', async () => {
  await using world = await transferred({ of: switchToYear })
  await world.move()
  const { periodStart } = await world.stored(world.id)
  await world.end()
  await world.refund({ paid: 9000 })
  const { status, periodEnd } = await world.stored(world.id)
  expect(status).toBe('active')
  // $10 of $10 a month, and beside it $90 a year.
  expect(daysBetween(periodStart, periodEnd)).toBeCloseTo(17, -1)
})

test('a month that was given back before the year takes what it was credited for', async () => {
  await using world = await transferred({ of: switchToYear })
  await world.refund({ paid: 1000 })
  await world.move()
  const { periodEnd: until } = await world.stored(world.id)
  await world.end()
  const { status, periodEnd } = await world.stored(world.id)
  expect(status).toBe('active')
  // $10 of $90 a year.
  expect(daysBetween(periodEnd, until)).toBeCloseTo(40, -1)
})

test('a customer who is deleted takes nothing that was paid', async () => {
  await using world = await transferred({ of: switchToYear })
  await world.move()
  const before = await world.stored(world.id)
  await stripe.customers.del(world.customerId)
  await world.sync(world.id)
  expect(await world.stored(world.id)).toEqual(before)
})

test('a year that is ended and given back but for the days that were used ends', async () => {
  await using world = await transferred()
  await world.move()
  await world.end()
  await world.refund({ part: 29_950 })
  expect(await world.status()).toBe('canceled')
})

test('seats whose payment is given back take the time that the rest does not pay for', async () => {
  await using world = await transferred({
    async of(world) {
      const id = await world.buy({ term: 'yearly', quantity: 1 })
      await change(world, id, { type: 'buy-more', increasingNumber: 3 })
      return id
    },
  })
  await world.move()
  const { periodEnd: until } = await world.stored(world.id)
  await world.end()
  await world.refund({ paid: 30_000 })
  // A quarter of a year with four seats is what a year with one costs.
  const { periodEnd, cancelAt, status } = await world.stored(world.id)
  expect(status).toBe('active')
  expect(cancelAt).toEqual(periodEnd)
  expect(daysBetween(periodEnd, until)).toBeGreaterThan(270)
  expect(daysBetween(periodEnd, until)).toBeLessThan(276)
})

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
      await world.refund({ part: 10_000 * (percent / 100) })
    },
    async giveBackSecond(percent = 100) {
      await world.end(second)
      await world.refund({ customer: world.recipientCustomerId, part: 200_000 * (percent / 100) })
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
    else expect(daysBetween(before.periodStart, periodEnd)).toBeCloseTo(365 * kept, 1)
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

test('a renewal that a card of an Owner since has paid owes nothing to the month before the transfer', async () => {
  await using world = await transferred({ hasCard: true, of: (one) => one.buy() })
  await world.move()
  const { periodEnd, providerId } = await world.stored(world.id)
  const later = new Date(Number(periodEnd) + dayMs)
  await world.end()
  await sandbox.advanceTo(later)
  world.at(later)
  for (const invoice of (await stripe.invoices.list({ subscription: String(providerId) })).data) {
    await world.syncInvoice(invoice.id)
  }
  await world.sync(String(providerId))
  const renewed = await world.stored(world.id)
  expect(Number(renewed.periodEnd)).toBeGreaterThan(Number(later))
  await world.refund()
  expect(await world.stored(world.id)).toEqual(renewed)
  expect(await world.waiting()).toEqual([])
})
