import { expect, test } from 'vitest'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { change, daysBetween, switchToYear, withdrawable } from '../../test/withdrawn.ts'

const sandbox = await sandboxOfFile()
const { stripe } = sandbox

const dayMs = 86_400_000

const transferred = (asked?: Parameters<typeof withdrawable>[1]) => withdrawable(sandbox, asked)

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
