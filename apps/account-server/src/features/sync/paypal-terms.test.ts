import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { paypalVendor } from '../../test/paypal.ts'
import { type Sandbox, startSandbox } from '../../test/sandbox.ts'
import { unmatchedPurchases } from '../payments/unmatched/unmatched.tables.ts'
import { acceptUnmatched } from './unmatched.ts'

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(async () => {
  await sandbox[Symbol.asyncDispose]()
})

/** A vendor on the sandbox's own clock, which the tests before have moved. */
async function vendor() {
  const world = await paypalVendor(sandbox)
  const reply = await fetch(`${sandbox.url}/clock/control/`)
  world.at(z.object({ now: z.string() }).parse(await reply.json()).now)
  const waiting = (id: string) => world.db.select().from(unmatchedPurchases).where(eq(unmatchedPurchases.objectId, id))
  return { ...world, waiting }
}
type Vendor = Awaited<ReturnType<typeof vendor>>

async function daysLater(world: Vendor, many: number, id: string) {
  await world.advanceTo(new Date(world.deps.clock().getTime() + many * 86_400_000).toISOString())
  await world.sync(id)
}

const usd = (value: string) => ({ currency_code: 'USD', value })
const price = (value: string) => ({ billing_cycles: [{ sequence: 1, pricing_scheme: { fixed_price: usd(value) } }] })
const feeOf = (value: string) => ({ payment_preferences: { setup_fee: usd(value) } })

test('a price of the buyer’s own never becomes the measure: a setup fee that covers the first month pays for no other', async () => {
  await using world = await vendor()
  const id = await world.buy({ more: { plan: { ...price('0.01'), ...feeOf('30') } } })
  await world.sync(id)
  const [first] = await world.listed()
  expect(first).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: 3 })
  expect(await world.waiting(id)).toEqual([])

  await daysLater(world, 36, id)
  const { stripeCurrentPeriodEnd } = first ?? {}
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'pending', stripeCurrentPeriodEnd }])
  const [waits] = await world.waiting(id)
  expect(waits).toMatchObject({ reason: 'price_overridden', amount: 3, memberId: world.buyer.id, acceptedAt: null })

  await acceptUnmatched(world.db, { id: waits?.id ?? '', provider: 'paypal', now: world.deps.clock() })
  await world.sync(id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active', userCount: 3, price: 3 }])
})
