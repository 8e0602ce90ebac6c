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

test('a year that a change had paid for ends once its payment is given back', async () => {
  await using world = await transferred({ of: switchToYear })
  await world.move()
  await world.end()
  await world.refund({ paid: 9000 })
  expect(await world.status()).toBe('canceled')
})

test('a month that was given back before the year takes nothing of it, also if the customer is deleted later', async () => {
  await using world = await transferred({ of: switchToYear })
  await world.refund({ paid: 1000 })
  await world.move()
  await stripe.customers.del(world.customerId)
  await world.sync(world.id)
  expect(await world.status()).toBe('active')
  expect((await world.stored(world.id)).periodEnd?.getTime()).toBeGreaterThan(Date.now() + 300 * dayMs)
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
  const days = (Number(until) - Number(periodEnd)) / dayMs
  expect(days).toBeGreaterThan(270)
  expect(days).toBeLessThan(276)
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
    async giveBackFirst() {
      await world.end()
      await world.refund()
    },
    async giveBackSecond() {
      await world.end(second)
      await world.refund({ customer: world.recipientCustomerId })
    },
  }
}

const waits = [{ provider: 'card', reason: 'taken_back_after_transfer' }]

test('what the second Owner has paid stays with the third, until that is given back, too', async () => {
  const { world, giveBackFirst, giveBackSecond } = await paidByTwo()
  await using _ = world
  const before = await world.stored(world.id)
  expect(before).toMatchObject({ status: 'active', userCount: 21 })
  await giveBackFirst()
  expect(await world.stored(world.id)).toEqual(before)
  expect(await world.waiting()).toMatchObject(waits)

  await giveBackSecond()
  expect(await world.stored(world.id)).toMatchObject({ status: 'canceled' })
  await world.sync(world.id)
  expect(await world.waiting()).toEqual([])
})

test('what the first Owner has paid stays with the third once the second one’s payment is given back', async () => {
  const { world, second, giveBackSecond } = await paidByTwo()
  await using _ = world
  const before = await world.stored(world.id)
  await giveBackSecond()
  expect(await world.stored(world.id)).toEqual(before)
  expect(await world.waiting(second)).toMatchObject(waits)
})

test.each([false, true])(
  'the operator hears that a month was given back which the year of an Owner since was credited for, transferred again: %s',
  async (isMovedOn) => {
    await using world = await transferred({ hasCard: true, of: (one) => one.buy({ quantity: 20 }) })
    await world.move()
    await change(world, world.id, { type: 'switch-to-annual-billing' }, world.recipient)
    const second = String((await world.stored(world.id)).providerId)
    if (isMovedOn) await world.moveOn()
    const before = await world.stored(world.id)
    await world.end()
    expect(await world.waiting()).toEqual([])
    await world.refund()
    expect(await world.stored(world.id)).toEqual(before)
    expect(await world.waiting()).toMatchObject(waits)

    // Once all of it has ended, nothing is left to decide.
    if (isMovedOn) return
    await world.end(second)
    await world.refund({ customer: world.recipientCustomerId })
    await world.sync(world.id)
    expect(await world.waiting()).toEqual([])
  },
)

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
