import { expect, test } from 'vitest'
import { priceOf, termsVendor, usd } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { syncSale, takeOverPaypalSubscription } from '../subscriptions/paypal-subscriptions.sync.ts'
import { acceptUnmatched, unmatchedLines } from './unmatched.ts'

const sandbox = await sandboxOfFile()

type World = Awaited<ReturnType<typeof termsVendor>>

async function accept(world: World, id: string) {
  const [waits] = await world.waiting(id)
  await acceptUnmatched(world.db, { id: waits?.id ?? '', provider: 'paypal', now: world.deps.clock() })
  await takeOverPaypalSubscription({ ...world.deps, say: () => undefined }, id)
}

/** What was paid is told, then what the subscription is by now. */
async function hear(world: World, id: string) {
  for (const sale of await world.sales(id)) await syncSale(world.deps, sale)
  await world.sync(id)
}

/** Fifty seats for $500 a month, of which the operator has accepted that the setup fee of $5 is all that was paid; the first month is paid later. */
async function acceptedForFee(taxes?: object) {
  const world = await termsVendor(sandbox)
  const planId = await world.ownPlan({ preferences: { setup_fee: usd('5') }, ...(taxes && { taxes }) })
  const id = await world.buy({ planId, more: { quantity: '50', start_time: world.inDays(2) } })
  await world.fund(id, false)
  await hear(world, id)
  await world.daysLater(3, id)
  expect(await world.waiting(id)).toMatchObject([{ reason: 'paid_too_little' }])
  await accept(world, id)
  await world.fund(id, true)
  return { world, id, planId }
}

test.each([
  ['a tenth of a dollar a seat', priceOf('0.10'), true],
  ['a tenth of a dollar a seat, which nobody has read then', priceOf('0.10'), false],
  ['a single seat, which nobody has read then', undefined, false],
])('what little was accepted once pays for no later month: %s', async (_name, plan, isRead) => {
  const { world, id, planId } = await acceptedForFee()
  await using _ = world
  await world.daysLater(30, id)
  await hear(world, id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active', userCount: 50 }])
  await world.revise(id, plan ? { plan_id: planId, quantity: '50', plan } : { plan_id: planId, quantity: '1' })
  if (isRead) await hear(world, id)
  await world.advanceTo(world.inDays(31))
  if (isRead) await hear(world, id)
  await world.revise(id, { plan_id: planId, quantity: '50' })
  await world.daysLater(6, id)
  await hear(world, id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'pending' }])
  expect(await world.waiting(id)).toMatchObject([{ acceptedAt: null }])
  expect(await unmatchedLines(world.db, 'paypal')).toContainEqual(expect.stringContaining(id))
})

test('the plan’s own terms that were accepted are others than an override that leaves out its tax and fee', async () => {
  const { world, id, planId } = await acceptedForFee({ percentage: '20', inclusive: false })
  await using _ = world
  await world.daysLater(30, id)
  await hear(world, id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active' }])
  const untaxed = { taxes: { percentage: '0', inclusive: true }, payment_preferences: { setup_fee: usd('0') } }
  await world.revise(id, { plan_id: planId, quantity: '50', plan: untaxed })
  await hear(world, id)
  await world.daysLater(36, id)
  await hear(world, id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'pending' }])
  const [waits] = await world.waiting(id)
  expect(waits).toMatchObject({ reason: 'price_overridden', amount: 50000, acceptedAt: null })
  expect(waits?.terms).toContain('without a fee or a tax')
})

test('what is paid after an acceptance that holds no longer is listed for the operator', async () => {
  await using world = await termsVendor(sandbox)
  const planId = await world.ownPlan({ preferences: { setup_fee: usd('99') } })
  const id = await world.buy({ planId, more: { plan: { payment_preferences: { setup_fee: usd('0') } } } })
  await world.sync(id)
  await world.revise(id, { plan_id: planId })
  await world.sync(id)
  await accept(world, id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active' }])
  await world.revise(id, { plan_id: planId, plan: { payment_preferences: { auto_bill_outstanding: false } } })
  await world.sync(id)
  await world.revise(id, { plan_id: planId })
  await world.daysLater(36, id)
  await hear(world, id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'pending' }])
  expect(await world.waiting(id)).toMatchObject([{ amount: 3000, acceptedAt: null }])
  await accept(world, id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active' }])
})

test('the same that was accepted beside what is granted is listed when it is paid again', async () => {
  await using world = await termsVendor(sandbox)
  const id = await world.buy({ more: { quantity: '2', plan: priceOf('3') } })
  await hear(world, id)
  await world.revise(id, { quantity: '2', plan: priceOf('10') })
  await hear(world, id)
  await world.daysLater(33, id)
  await hear(world, id)
  await accept(world, id)
  await world.revise(id, { quantity: '2', plan: priceOf('3') })
  await world.advanceTo(world.inDays(31))
  await world.revise(id, { quantity: '2', plan: priceOf('10') })
  await world.daysLater(31, id)
  await hear(world, id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active' }])
  expect(await world.waiting(id)).toMatchObject([{ amount: 600, acceptedAt: null }])
})
