import { expect, test } from 'vitest'
import { termsVendor, usd } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { acceptUnmatched, unmatchedLines } from './unmatched.ts'

const sandbox = await sandboxOfFile()

/** Three seats whose buyer has left out the plan's setup fee, has paid a month, and goes back to the plan then. */
async function backToPlan() {
  const world = await termsVendor(sandbox)
  const planId = await world.ownPlan({ preferences: { setup_fee: usd('99') } })
  const id = await world.buy({ planId, more: { plan: { payment_preferences: { setup_fee: usd('0') } } } })
  await world.sync(id)
  await world.revise(id, { plan_id: planId })
  await world.sync(id)
  return { world, id, planId }
}

test('what was paid on less than the plan asks waits also once its buyer has gone back to the plan, and so does what is paid since', async () => {
  const { world, id } = await backToPlan()
  await using _ = world
  const waits = { reason: 'price_overridden', lessThanPlan: 'setup fee 0 instead of 9900', acceptedAt: null }
  expect(await world.listed()).toEqual([])
  expect(await world.waiting(id)).toMatchObject([waits])
  await world.daysLater(36, id)
  expect(await world.listed()).toEqual([])
  expect(await world.waiting(id)).toMatchObject([{ ...waits, payments: [{ amount: 3000 }, { amount: 3000 }] }])
  expect((await unmatchedLines(world.db, 'paypal')).find((line) => line.includes(id))).toContain(waits.lessThanPlan)
})

test('accepted, it is granted, and goes on', async () => {
  const { world, id } = await backToPlan()
  await using _ = world
  const [waits] = await world.waiting(id)
  await acceptUnmatched(world.db, { id: waits?.id ?? '', provider: 'paypal', now: world.deps.clock() })
  await world.sync(id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active', userCount: 3 }])
  await world.daysLater(36, id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active', accessEnd: '' }])
})

test('who goes back to terms that were accepted has not paid on them what waits', async () => {
  const { world, id, planId } = await backToPlan()
  await using _ = world
  const [waits] = await world.waiting(id)
  await acceptUnmatched(world.db, { id: waits?.id ?? '', provider: 'paypal', now: world.deps.clock() })
  await world.sync(id)
  await world.revise(id, { plan_id: planId, plan: { payment_preferences: { auto_bill_outstanding: false } } })
  await world.daysLater(32, id)
  await world.revise(id, { plan_id: planId })
  await world.daysLater(4, id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'pending' }])
  expect(await world.waiting(id)).toMatchObject([{ reason: 'price_overridden', amount: 3000, acceptedAt: null }])
})

test('given back, it goes on waiting, with what PayPal bills next', async () => {
  const { world, id } = await backToPlan()
  await using _ = world
  for (const sale of await world.sales(id)) await world.told('refund', await world.refund(sale))
  await world.sync(id)
  const waits = { reason: 'price_overridden', lessThanPlan: 'setup fee 0 instead of 9900' }
  expect(await world.waiting(id)).toMatchObject([{ ...waits, amount: 0 }])
  await world.daysLater(36, id)
  expect(await world.listed()).toEqual([])
  expect(await world.waiting(id)).toMatchObject([{ ...waits, amount: 3000 }])
})

test('who overrides the plan around a billing, so that what is owed is never billed, has nothing of what is paid then', async () => {
  await using world = await termsVendor(sandbox)
  const planId = await world.ownPlan()
  const id = await world.buy({ planId })
  await world.sync(id)
  await world.fund(id, false)
  await world.daysLater(32, id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'past_due' }])
  await world.revise(id, { plan_id: planId, plan: { payment_preferences: { auto_bill_outstanding: false } } })
  await world.sync(id)
  await world.fund(id, true)
  await world.daysLater(31, id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'pending' }])
  await world.revise(id, { plan_id: planId })
  await world.sync(id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'pending' }])
  expect(await world.waiting(id)).toMatchObject([{ reason: 'price_overridden', amount: 3000 }])
})
