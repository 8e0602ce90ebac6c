import { expect, test } from 'vitest'
import { freeMonths, paidWeekAndFreeMonth, termsVendor } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { transfersIn } from '../../test/transfers.ts'
import { providerPrices } from '../catalog/provider-prices.tables.ts'

const sandbox = await sandboxOfFile()

/** A week for $1 and a free month, and its siblings of $10 a month: one without a trial, and one with six free months. */
async function vendor() {
  const world = await termsVendor(sandbox)
  const week = await world.ownPlan({ trials: paidWeekAndFreeMonth })
  const plain = await world.siblingPlan(week, { value: '10', unit: 'MONTH' })
  const free = await world.siblingPlan(week, { value: '10', unit: 'MONTH', trials: [freeMonths(6)] })
  const price = { provider: 'paypal', productId: 'own', productCode: world.productCode, term: 'monthly' } as const
  for (const id of [week, plain, free]) {
    await world.db.insert(providerPrices).values({ id, ...price, amount: 1000, currency: 'USD', isCurrent: false })
  }
  return {
    ...{ ...world, week, plain, free },
    /** Fifty seats for a week, which an eCheck pays for that clears once it was revised to one seat without a trial. */
    async cleared() {
      const id = await world.buy({ planId: week, more: { quantity: '50', start_time: world.inDays(0.02) } })
      await world.control('PUT', `echecks/${id}/`, { paysByEcheck: true })
      await world.daysLater(0.1, id)
      await world.revise(id, { plan_id: plain, quantity: '1' })
      await world.sync(id)
      const [held] = (await world.deps.paypal.readSubscription(id)).payments
      await world.control('POST', `payments/${held?.id}/clear/`, { isCleared: true })
      await world.sync(id)
      return id
    },
  }
}

test('a further trial that an eCheck pays for is one, also while PayPal has a plan without', async () => {
  await using world = await vendor()
  const first = await world.buy({ planId: world.week })
  await world.sync(first)
  await world.call('POST', `/v1/billing/subscriptions/${first}/cancel`, { reason: 'Test' })
  const id = await world.cleared()
  expect(await transfersIn(world).stored(id)).toMatchObject({ trialProduct: '', userCount: 50 })
  await world.revise(id, { plan_id: world.week, quantity: '1' })
  await world.sync(id)
  await world.call('POST', `/v1/billing/subscriptions/${id}/cancel`, { reason: 'Test' })
  await world.daysLater(9, id)
  expect((await transfersIn(world).stored(id)).status).not.toBe('active')
})

test('a trial that was paid does not go on as the free one of a plan to which it is revised', async () => {
  await using world = await vendor()
  const id = await world.cleared()
  const { trialEnd } = await transfersIn(world).stored(id)
  await world.revise(id, { plan_id: world.free, quantity: '1' })
  await world.sync(id)
  expect(await transfersIn(world).stored(id)).toMatchObject({ trialEnd })
})
