import { afterAll, beforeAll, expect, test } from 'vitest'
import { cardVendor } from '../../test/card-billing.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'

const sandbox = await sandboxOfFile()
const { stripe } = sandbox

const dayMs = 86_400_000

function collect(body: object) {
  const headers = { 'content-type': 'application/json' }
  return fetch(`${sandbox.url}/cards/control/collection/`, { method: 'PUT', headers, body: JSON.stringify(body) })
}

beforeAll(() => collect({ retryDays: [3, 5], afterRetries: 'past_due' }))
afterAll(() => collect({ retryDays: [3, 5, 7], afterRetries: 'cancel' }))

/** A year with a connector that the vendor has added, and the provider bills by the month. */
async function yearWithMonthly() {
  const world = await cardVendor(sandbox)
  world.at(await sandbox.now())
  const id = await world.buy({ term: 'yearly' })
  const { data } = await stripe.prices.list({ lookup_keys: [`${world.connector.code.toLowerCase()}-monthly-usd`] })
  const price = data[0]?.id ?? ''
  const { items } = await stripe.subscriptions.update(id, {
    ...{ items: [{ price, quantity: 1 }], proration_behavior: 'always_invoice' },
  })
  const end = Math.max(...items.data.map((item) => item.current_period_end)) * 1000
  const unit = (data[0]?.unit_amount ?? 0) * 12
  const [year] = items.data.map((item) => (item.price.unit_amount ?? 0) * (item.quantity ?? 1))
  const readAt = async (days: number) => {
    const then = new Date(end + days * dayMs)
    await sandbox.advanceTo(then)
    world.at(then)
    await world.sync(id)
    return world.listed()
  }
  return { ...world, id, readAt, price: (year ?? 0) + unit }
}

test('a year that is not paid stays so while what is billed beside it by the month is paid', async () => {
  await using world = await yearWithMonthly()
  const { readAt, price } = world
  expect(await readAt(-2)).toMatchObject([{ stripeSubscriptionStatus: 'active', paidType: 'yearly', price }])
  await world.payWith('pm_card_chargeCustomerFail')
  // Two weeks later it is tried no more.
  expect(await readAt(14)).toMatchObject([{ stripeSubscriptionStatus: 'past_due' }])
  await world.payWith('pm_card_visa')
  const [row] = await readAt(33)
  expect((await stripe.subscriptions.retrieve(world.id)).status).toBe('active')
  expect(row).toMatchObject({ stripeSubscriptionStatus: 'past_due', purchaseAdditionalSubscription: 0 })
  expect(row?.dueAmount).toBeGreaterThan(0)
})

test('a month beside a year that is paid is due by itself', async () => {
  await using world = await yearWithMonthly()
  await world.payWith('pm_card_chargeCustomerFail')
  expect(await world.readAt(-300)).toMatchObject([{ stripeSubscriptionStatus: 'past_due' }])
  await world.payWith('pm_card_visa')
  expect(await world.readAt(-260)).toMatchObject([{ stripeSubscriptionStatus: 'active' }])
})
