import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { nextSyncNumber } from '../db/sync-numbers.queries.ts'
import { orders } from '../features/orders/orders.tables.ts'
import { eraseMember } from '../features/personal-data/erase-member.service.ts'
import { paypalReading } from '../features/subscriptions/paypal-readings.ts'
import { syncSale, takeOverPaypalSubscription } from '../features/subscriptions/paypal-subscriptions.sync.ts'
import { applyReading } from '../features/subscriptions/projection.writes.ts'
import { liveProjection } from '../features/subscriptions/projection-deps.ts'
import type {} from '../features/subscriptions/reading.ts'
import { subscriptions } from '../features/subscriptions/subscriptions.tables.ts'
import { acceptUnmatched, unmatchedLines } from '../features/sync/unmatched.ts'
import { priceOf, termsVendor } from '../test/paypal-terms.ts'
import { sandboxOfFile } from '../test/sandbox-of-file.ts'

const sandbox = await sandboxOfFile()

const secret = 'a secret of at least 32 characters'
const cent = { plan: priceOf('0.01') }

async function vendor() {
  const world = await termsVendor(sandbox)
  const erase = (email: string) =>
    eraseMember(world.db, { email, secret, pastDueDays: 21, dryRun: false, now: world.deps.clock() })
  return {
    ...world,
    erase,
    /** As PayPal's events tell it: each payment, and the subscription. */
    async hear(id: string) {
      for (const sale of await world.sales(id)) await syncSale(world.deps, sale)
      await world.sync(id)
    },
    granted: async (id: string) => [
      ...(await world.db.select().from(subscriptions).where(eq(subscriptions.providerId, id))),
      ...(await world.db.select().from(orders).where(eq(orders.providerSubscriptionId, id))),
    ],
    line: async (id: string) => (await unmatchedLines(world.db, 'paypal')).find((one) => one.includes(id)),
    /** `npm run sync -- unmatched --accept ID`. */
    async accept(id: string) {
      const [{ id: row = '' } = {}] = await world.waiting(id)
      const accepted = await acceptUnmatched(world.db, { id: row, provider: 'paypal', now: world.deps.clock() })
      await takeOverPaypalSubscription({ ...world.deps, say: () => undefined }, id)
      return accepted
    },
  }
}

test('what is bought for an erased member is nobody’s, whether the shop has signed it or only their id says so', async () => {
  await using world = await vendor()
  expect(await world.erase(world.buyer.email)).toMatchObject({ kind: 'erased' })
  for (const terms of [{}, { customId: world.buyer.id }]) {
    const id = await world.buy(terms)
    await world.hear(id)
    expect(await world.granted(id)).toEqual([])
    expect(await world.waiting(id)).toMatchObject([{ reason: 'no_member', memberId: null }])
    expect(await world.accept(id)).toMatchObject({ kind: 'refused', why: expect.stringContaining('nobody here') })
  }
})

test('what waits is not granted to whom was erased meanwhile, and is nobody’s with the next reading', async () => {
  await using world = await vendor()
  const id = await world.buy({ customId: world.buyer.id, more: cent })
  await world.hear(id)
  expect(await world.line(id)).toContain('--accept it')
  expect(await world.erase(world.buyer.email)).toMatchObject({ kind: 'erased', purchases: [id] })

  expect(await world.line(id)).toContain('nobody here has its customer')
  expect(await world.accept(id)).toMatchObject({ kind: 'refused', why: expect.stringContaining('nobody here') })
  expect(await world.granted(id)).toEqual([])
  expect(await world.waiting(id)).toMatchObject([{ reason: 'no_member', memberId: null, acceptedAt: null }])
})

test('whom was erased while their purchase was read is not its owner', async () => {
  await using world = await vendor()
  const id = await world.buy()
  const given = await world.deps.paypal.readSubscription(id)
  const deps = { ...world.deps, ...liveProjection(world.deps) }
  const reading = await paypalReading(deps, given, await nextSyncNumber(world.db))
  expect(reading.owner).toMatchObject({ memberId: world.buyer.id, proof: 'signed' })
  await world.erase(world.buyer.email)
  expect(await applyReading(deps, async () => reading)).toBe('no_member')
  expect(await world.granted(id)).toEqual([])
})
