import { listPaymentsBeingChecked } from '@atrium/contract/orders.ts'
import { listSubscriptions } from '@atrium/contract/subscriptions.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { linkCustomerCommand } from '../../commands/link-customer.ts'
import { paypalVendor } from '../../test/paypal.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import type { TestMember } from '../../test/world.ts'
import { unmatchedPurchases } from '../payments/unmatched/unmatched.tables.ts'
import { acceptUnmatched } from './unmatched.ts'

const sandbox = await sandboxOfFile()

/** PayPal's, for less than the catalog's price: it waits for the operator. */
async function withheld(customId?: string) {
  const world = await paypalVendor(sandbox)
  const cent = { pricing_scheme: { fixed_price: { value: '0.01', currency_code: 'USD' } } }
  const plan = { billing_cycles: [{ sequence: 1, total_cycles: 0, ...cent }] }
  const id = await world.buy({ more: { plan }, ...(customId !== undefined && { customId }) })
  await world.sync(id)
  const waiting = () => world.db.select().from(unmatchedPurchases).where(eq(unmatchedPurchases.objectId, id))
  return {
    ...world,
    ...{ id, waiting },
    async link(member: TestMember) {
      const run = linkCustomerCommand((_db, run) => run(world.deps.jobs)).prepare([member.email, id])
      return run?.(world.db, () => undefined, { ...world.config, PAST_DUE_DAYS: 21, now: world.deps.clock() })
    },
    listed: async (member: TestMember) => (await world.as(member).send(listSubscriptions, { query: {} })).body.list,
    checked: async (member: TestMember) => (await world.as(member).send(listPaymentsBeingChecked, {})).body.list,
  }
}

test('what waits for the operator for another reason, too, stays whose they say it is, and is granted once accepted', async () => {
  await using world = await withheld('a customer of the shop')
  const right = await world.member()
  expect(await world.waiting()).toMatchObject([{ reason: 'no_member', memberId: null }])
  expect(await world.link(right)).toBe(0)
  for (let reading = 0; reading < 3; reading += 1) await world.sync(world.id)
  const [row] = await world.waiting()
  expect(row).toMatchObject({ reason: 'price_overridden', memberId: right.id, isProven: true, acceptedAt: null })
  expect([(await world.checked(right)).length, await world.listed(right)]).toEqual([1, []])

  await acceptUnmatched(world.db, { id: row?.id ?? '', provider: 'paypal', now: world.deps.clock() })
  await world.sync(world.id)
  expect(await world.listed(right)).toMatchObject([{ stripeSubscriptionId: world.id, knownByAddress: 0 }])
})

test('what is proven to be a member’s and waits is given to nobody else', async () => {
  await using world = await withheld()
  expect(await world.waiting()).toMatchObject([
    { reason: 'price_overridden', memberId: world.buyer.id, isProven: true },
  ])
  const other = await world.member()
  expect(await world.link(other)).toBe(1)
  expect([(await world.checked(world.buyer)).length, await world.checked(other)]).toEqual([1, []])
  expect(await world.link(world.buyer)).toBe(0)
})
