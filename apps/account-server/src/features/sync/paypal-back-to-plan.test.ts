import { randomUUID } from 'node:crypto'
import { listSubscriptions } from '@atrium/contract/subscriptions.ts'
import { expect, test } from 'vitest'
import { termsVendor, usd } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { addressSubject } from '../payments/customers/account-reference.rules.ts'
import { findPurchases } from '../subscriptions/purchases.sync.ts'
import { acceptUnmatched, unmatchedLines } from './unmatched.ts'

const sandbox = await sandboxOfFile()

const noFee = { plan: { payment_preferences: { setup_fee: usd('0') } } }

/** Three seats whose buyer has left out the plan's setup fee, and has paid a month. */
async function withoutFee(
  world: Awaited<ReturnType<typeof termsVendor>>,
  customId = world.referenceTo(world.buyer.id),
) {
  const planId = await world.ownPlan({ preferences: { setup_fee: usd('99') } })
  return { planId, id: await world.buy({ planId, customId, more: noFee }) }
}

/** It is read, and its buyer goes back to the plan then. */
async function backToPlan() {
  const world = await termsVendor(sandbox)
  const { id, planId } = await withoutFee(world)
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

test.each([
  ['a quantity that is none', { quantity: '200000' }],
  ['a price of its own', { plan: { billing_cycles: [{ sequence: 1, pricing_scheme: { fixed_price: usd('20') } }] } }],
])('%s in between changes nothing of that', async (_what, revised) => {
  await using world = await termsVendor(sandbox)
  const { id, planId } = await withoutFee(world)
  await world.sync(id)
  await world.revise(id, { plan_id: planId, ...revised })
  await world.sync(id)
  await world.revise(id, { plan_id: planId, quantity: '3' })
  await world.sync(id)
  expect(await world.listed()).toEqual([])
  expect(await world.waiting(id)).toMatchObject([{ reason: 'price_overridden' }])
})

test('nor does it if nobody here was its buyer as long as it was less than the plan', async () => {
  await using world = await termsVendor(sandbox)
  const email = `${randomUUID()}@example.test`
  const { id, planId } = await withoutFee(world, world.referenceTo(addressSubject(email)))
  await world.sync(id)
  await world.revise(id, { plan_id: planId })
  await world.sync(id)
  expect(await world.waiting(id)).toMatchObject([{ reason: 'no_member' }])
  const member = await world.member({ email })
  await findPurchases(world.deps, member.id)
  expect((await world.as(member).send(listSubscriptions, { query: {} })).body.list).toEqual([])
  expect(await world.waiting(id)).toMatchObject([{ reason: 'price_overridden', memberId: member.id }])
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

test.each([
  ['paid', false],
  ['held back, and paid once it has gone back', true],
])(
  'who overrides the plan around a billing, so that what is owed is never billed, has nothing of what is %s then',
  async (_when, paysByEcheck) => {
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
    await world.control('PUT', `echecks/${id}/`, { paysByEcheck })
    await world.daysLater(31, id)
    await world.revise(id, { plan_id: planId })
    await world.sync(id)
    if (paysByEcheck)
      await world.control('POST', `payments/${(await world.sales(id)).at(-1)}/clear/`, { isCleared: true })
    await world.sync(id)
    expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'pending' }])
    expect(await world.waiting(id)).toMatchObject([{ reason: 'price_overridden', amount: 3000 }])
  },
)
