import { expect, test } from 'vitest'
import { freeMonths, termsVendor } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'

const sandbox = await sandboxOfFile()

/** A vendor whose plan has a free month that any page can begin, with any quantity. */
async function freeMonthVendor() {
  const world = await termsVendor(sandbox)
  const planId = await world.ownPlan({ trial: freeMonths(1) })
  return {
    ...{ world, planId },
    async row(id: string) {
      return (await world.listed()).find(({ stripeSubscriptionId }) => stripeSubscriptionId === id)
    },
    async tried(quantity = '1') {
      const id = await world.buy({ planId, more: { quantity } })
      await world.sync(id)
      return id
    },
  }
}

const day = (time: string | null | undefined) => (time ?? '').slice(0, 10)

test('a second free trial of a product begins at its end, with its first payment', async () => {
  const { world, row, tried } = await freeMonthVendor()
  await using _ = world
  const first = await tried()
  const second = await tried('5000')
  expect(await row(first)).toMatchObject({ stripeSubscriptionStatus: 'trialing' })
  expect(await row(second)).toMatchObject({ stripeSubscriptionStatus: 'pending', accessEnd: '' })
  const { trialEnd } = (await row(first)) ?? {}
  expect(day((await row(second))?.beginsAt)).toBe(day(trialEnd))

  // In whatever order they are read.
  await world.sync(first)
  await world.sync(second)
  expect(await row(first)).toMatchObject({ stripeSubscriptionStatus: 'trialing' })
  expect(await row(second)).toMatchObject({ stripeSubscriptionStatus: 'pending' })

  await world.daysLater(32, second)
  expect(await row(second)).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: 5000 })
})

test('a second one after the first was canceled begins with its first payment, too, and grants nothing if that fails', async () => {
  const { world, row, tried } = await freeMonthVendor()
  await using _ = world
  const first = await tried()
  await world.call('POST', `/v1/billing/subscriptions/${first}/cancel`, { reason: 'Test' })
  await world.daysLater(40, first)
  const second = await tried()
  expect(await row(second)).toMatchObject({ stripeSubscriptionStatus: 'pending', accessEnd: '' })
  await world.fund(second, false)
  await world.daysLater(33, second)
  expect(await row(second)).toMatchObject({ stripeSubscriptionStatus: 'pending', accessEnd: '' })
})

test('of two that are read at once one is granted', async () => {
  const { world, planId, row } = await freeMonthVendor()
  await using _ = world
  const ids = [await world.buy({ planId }), await world.buy({ planId }), await world.buy({ planId })]
  await Promise.all(ids.map((id) => world.sync(id)))
  const statuses = await Promise.all(ids.map(async (id) => (await row(id))?.stripeSubscriptionStatus))
  expect(statuses.toSorted()).toEqual(['pending', 'pending', 'trialing'])
})

test('a trial of another product is granted, and so is one after the first was followed by a payment', async () => {
  const { world, row, tried } = await freeMonthVendor()
  await using _ = world
  const first = await tried()
  const other = await world.buy({ planId: await world.ownPlan({ trial: freeMonths(1) }) })
  await world.sync(other)
  expect(await row(other)).toMatchObject({ stripeSubscriptionStatus: 'trialing' })
  await world.daysLater(32, first)
  expect(await row(first)).toMatchObject({ stripeSubscriptionStatus: 'active' })
  expect(await row(await tried())).toMatchObject({ stripeSubscriptionStatus: 'trialing' })
})
