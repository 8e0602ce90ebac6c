import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cardTransfer } from '../../test/card-transfer.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { unmatchedPurchases } from '../payments/unmatched/unmatched.tables.ts'

const sandbox = await sandboxOfFile()
const { stripe } = sandbox

/** A paid year that was transferred, and what the vendor can do with it at the provider. */
async function transferredYear({ hasCard }: { hasCard: boolean }) {
  const world = await cardTransfer(sandbox, { hasCard })
  const id = await world.buy({ term: 'yearly' })
  const [invoice] = (await stripe.invoices.list({ subscription: id })).data
  await world.syncInvoice(invoice?.id ?? '')
  expect((await world.transfer()).status).toBe(200)
  await world.reconcileAfter(60)
  return {
    ...world,
    id,
    async end() {
      await stripe.subscriptions.cancel(id)
      await world.sync(id)
    },
    async refund() {
      const [charge] = (await stripe.charges.list({ customer: world.customerId })).data
      await world.syncRefund((await stripe.refunds.create({ charge: charge?.id ?? '' })).id)
    },
    status: async () => (await world.listed(world.recipient))[0]?.stripeSubscriptionStatus,
    waiting: () => world.db.select().from(unmatchedPurchases).where(eq(unmatchedPurchases.objectId, id)),
  }
}

test.each([
  ['end', 'refund'],
  ['refund', 'end'],
] as const)(
  'a year that the vendor ends and gives back after a transfer ends for the recipient: first %s',
  async (first, second) => {
    await using world = await transferredYear({ hasCard: false })
    await world[first]()
    // Neither alone takes it: the customer may have been deleted, or the vendor obliging.
    expect(await world.status()).toBe('active')
    await world[second]()
    expect(await world.status()).toBe('canceled')
    expect(await world.waiting()).toEqual([])
  },
)

test('where a card of the recipient goes on with it, the operator decides', async () => {
  await using world = await transferredYear({ hasCard: true })
  await world.end()
  await world.refund()
  expect(await world.status()).toBe('active')
  expect(await world.waiting()).toMatchObject([{ provider: 'card', reason: 'taken_back_after_transfer' }])
})
