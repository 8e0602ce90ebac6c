import { ChangeQuote } from '@atrium/contract/change-quotes.ts'
import { listOnlineOrders } from '@atrium/contract/orders.ts'
import { type PlanChangeType, planChangeTypes } from '@atrium/contract/plan-change-types.ts'
import * as contract from '@atrium/contract/plan-changes.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cardVendor } from '../../../test/card-billing.ts'
import { newSeat } from '../../../test/factories.ts'
import { killedAtEachPoint } from '../../../test/killed.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import type { TestMember } from '../../../test/world.ts'
import { subscriptions } from '../subscriptions.tables.ts'

const sandbox = await sandboxOfFile()

type Vendor = Awaited<ReturnType<typeof cardVendor>>
interface Asked {
  type: PlanChangeType
  increasingNumber?: number
  upgradeSelect?: string
}

const pending = 'subscription_change_pending'

const twoMore = { type: 'buy-more', increasingNumber: 2 } as const

function quote(world: Vendor, sid: string, asked: Asked = twoMore, member: TestMember = world.buyer) {
  return world.as(member).send(contract.changePlanFrom, { body: { sid, ...asked } })
}

interface Commit extends Asked {
  quoteId: string
  paymentMethodId?: string
}

function commit(world: Vendor, subscriptionId: string, asked: Commit, key?: string, member = world.buyer) {
  return world.as(member).send(contract.changePlan, { body: { subscriptionId, ...asked } }, key)
}

/** Quotes and commits at once. */
async function change(world: Vendor, sid: string, asked: Asked = twoMore) {
  const { quoteId } = (await quote(world, sid, asked)).body.quote
  return commit(world, sid, { ...asked, quoteId })
}

const finish = (world: Vendor, subscriptionId: string, member = world.buyer) =>
  world.as(member).send(contract.memberPlanPlace, { body: { subscriptionId } })

async function stored(world: Vendor, id: string) {
  const [row] = await world.db.select().from(subscriptions).where(eq(subscriptions.id, id))
  return row
}

/** What was charged for a subscription, oldest first, by the provider. */
async function charges(id: string) {
  const { data } = await sandbox.stripe.invoices.list({ subscription: id, status: 'paid' })
  return data.map(({ amount_paid: amount }) => amount).reverse()
}

test('two more seats: the charge is what was shown, the seats are there at once, and there is one order for it', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const { status, body } = await quote(world, id)
  expect(status).toBe(200)
  expect(body).toMatchObject({ price: 1000, totalPrice: 2000, maxIncrease: 27, userCount: 3, paidType: 'monthly' })
  expect(body.cardList).toMatchObject([{ id: world.cardId, card: { last4: '4242', brand: 'visa' }, isExpired: false }])
  const { chargeAmount, subAmount, taxAmount, lines, before, after, nextRenewal, quoteId } = body.quote
  expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(subAmount)
  expect([chargeAmount, before.userCount, after.userCount, after.price]).toEqual([subAmount + taxAmount, 3, 5, 5000])
  expect(nextRenewal?.amount).toBe(5000)
  expect(nextRenewal?.date).toBe((await stored(world, id))?.periodEnd?.toISOString())

  const paid = await commit(world, id, { ...twoMore, quoteId })
  expect([paid.status, paid.body]).toMatchObject([
    200,
    { payType: 'card', paymentIntentStatus: 'succeeded', chargeAmount, increasedNumber: 2, clientSecret: '' },
  ])
  expect((await stored(world, id))?.userCount).toBe(5)
  expect(await charges(id)).toEqual([3000, chargeAmount])
  expect((await world.changes()).at(-1)).toMatchObject({ kind: 'member', after: { userCount: 5 } })

  const [invoice] = (await sandbox.stripe.invoices.list({ subscription: id, limit: 1 })).data
  await world.syncInvoice(invoice?.id ?? '')
  const orders = (await world.as(world.buyer).send(listOnlineOrders, { query: {} })).body.list
  expect(orders).toMatchObject([{ orderAmount: chargeAmount, orderStatus: 'CO' }])
})

test.each([
  ['switch-to-business-billing', { userCount: 3, term: 'monthly' }],
  ['switch-to-annual-billing', { userCount: 3, term: 'yearly' }],
  ['buy-connector', { userCount: 3, connectors: 1 }],
] as const)('%s charges what was shown, and the row follows', async (type, expected) => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const { chargeAmount, after, nextRenewal } = (await quote(world, id, { type })).body.quote
  const { status, body } = await change(world, id, { type })
  expect([status, body.paymentIntentStatus]).toEqual([200, 'succeeded'])
  const row = await stored(world, id)
  expect(row).toMatchObject({ ...expected, price: after.price })
  expect(row?.productCode).toBe(after.appCode)
  // A new term begins when the provider changes it, which is some seconds later.
  const drift = (row?.periodEnd?.getTime() ?? 0) - Date.parse(nextRenewal?.date ?? '')
  expect(drift).toBeGreaterThanOrEqual(0)
  expect(drift).toBeLessThan(60_000)
  const [, charged = 0] = await charges(id)
  // The quotes are of two moments, some seconds apart.
  expect(Math.abs(charged - chargeAmount)).toBeLessThanOrEqual(1)
  expect(charged).toBe(body.chargeAmount)
})

test('an annual switch changes both items in one update, and a second connector joins the first', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  await change(world, id, { type: 'buy-connector', increasingNumber: 2 })
  await change(world, id, { type: 'buy-connector', increasingNumber: 1 })
  expect(await stored(world, id)).toMatchObject({ connectors: 3, price: 3000 + 3600 })
  expect((await change(world, id, { type: 'switch-to-annual-billing' })).status).toBe(200)
  expect(await stored(world, id)).toMatchObject({ term: 'yearly', connectors: 3, price: 30_000 + 36_000 })
  const { items } = await sandbox.stripe.subscriptions.retrieve(id)
  expect(items.data.map(({ price }) => price.recurring?.interval)).toEqual(['year', 'year'])
})

test('what changed since the quote is refused with a fresh one, and nothing is charged', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const { quoteId } = (await quote(world, id)).body.quote
  await change(world, id)
  const stale = await commit(world, id, { ...twoMore, quoteId })
  expect([stale.status, stale.body.code]).toEqual([409, 'quote_changed'])
  const fresh = ChangeQuote.parse(Reflect.get(stale.body, 'data') ?? stale.body)
  expect(fresh.before.userCount).toBe(5)
  expect(await charges(id)).toHaveLength(2)
  expect((await commit(world, id, { ...twoMore, quoteId: fresh.quoteId })).status).toBe(200)
})

test.each([
  ['another number', { increasingNumber: 3 }],
  ['another type', { type: 'switch-to-annual-billing' as const, increasingNumber: 1 }],
  ['no such quote', { quoteId: '00000000-0000-4000-8000-000000000000' }],
])('%s than quoted is refused', async (_name, other) => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const { quoteId } = (await quote(world, id)).body.quote
  const { status, body } = await commit(world, id, { ...twoMore, quoteId, ...other })
  expect([status, body.code]).toEqual([409, 'quote_changed'])
  expect(await charges(id)).toHaveLength(1)
})

test('a quote is used once, by its member, for its subscription, and for a quarter of an hour', async () => {
  await using world = await cardVendor(sandbox)
  const [id, other] = [await world.buy(), await world.buy()]
  const { quoteId } = (await quote(world, id)).body.quote
  const stranger = await world.member()
  expect((await commit(world, id, { ...twoMore, quoteId }, undefined, stranger)).status).toBe(404)
  expect((await commit(world, other, { ...twoMore, quoteId })).body.code).toBe('quote_changed')
  expect((await commit(world, id, { ...twoMore, quoteId })).status).toBe(200)
  expect((await commit(world, id, { ...twoMore, quoteId })).body.code).toBe('quote_changed')

  const late = (await quote(world, other)).body.quote
  world.at(new Date(Date.now() + 16 * 60_000))
  const { cookie } = { cookie: await world.session(world.buyer.id) }
  const reply = await commit(world, other, { ...twoMore, quoteId: late.quoteId }, undefined, { ...world.buyer, cookie })
  expect(reply.body.code).toBe('quote_changed')
  expect([await charges(id), await charges(other)].map((all) => all.length)).toEqual([2, 1])
})

test('twenty commits at once, with one key and with different ones, charge once', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const { quoteId } = (await quote(world, id)).body.quote
  const key = '6f9b0a52-53bb-4a37-9d5c-6f2f2a3f0b11'
  const commits = Array.from({ length: 20 }, (_, index) =>
    commit(world, id, { ...twoMore, quoteId }, index < 10 ? key : undefined),
  )
  const replies = await Promise.all(commits)
  const succeeded = replies.filter(({ status }) => status === 200)
  expect(succeeded.length).toBeGreaterThan(0)
  expect(replies.filter(({ status }) => ![200, 409].includes(status))).toEqual([])
  expect(await charges(id)).toHaveLength(2)
  expect((await stored(world, id))?.userCount).toBe(5)
})

test('a declined card changes nothing, leaves nothing to pay, and says why', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  await world.payWith('pm_card_chargeCustomerFail')
  const { status, body } = await change(world, id)
  expect([status, body.code, body.detail]).toEqual([402, 'card_refused', expect.stringContaining('declined')])
  expect(body.data).toEqual({ reason: 'unknown' })
  expect(await stored(world, id)).toMatchObject({ userCount: 3, dueUrl: '', dueAmount: null })
  const { data } = await sandbox.stripe.invoices.list({ subscription: id, status: 'open' })
  expect(data).toEqual([])
  await world.payWith('pm_card_visa')
  expect((await change(world, id)).status).toBe(200)
  expect((await stored(world, id))?.userCount).toBe(5)
})

test('a declined card that was to pay only for the change does not pay for the renewals', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const { stripe } = sandbox
  const customer = world.customerId
  const { id: failing } = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
  const ownCard = async () => (await stripe.subscriptions.retrieve(id)).default_payment_method
  const payBy = async (paymentMethodId: string) => {
    const { quoteId } = (await quote(world, id)).body.quote
    return commit(world, id, { ...twoMore, quoteId, paymentMethodId })
  }
  expect(await payBy(failing)).toMatchObject({ status: 402, body: { code: 'card_refused' } })
  expect(await ownCard()).toBeNull()
  const { id: other } = await stripe.paymentMethods.attach('pm_card_mastercard', { customer })
  expect([(await payBy(other)).status, await ownCard()]).toEqual([200, other])
  expect([(await payBy(failing)).status, await ownCard()]).toEqual([402, other])
})

test('the bank’s question: nothing changes before the answer, and the change is made with it, by page or by event', async () => {
  for (const finishedBy of ['page', 'event'] as const) {
    await using world = await cardVendor(sandbox)
    const id = await world.buy()
    await world.payWith('pm_card_authenticationRequired')
    const { quoteId } = (await quote(world, id)).body.quote
    const asked = await change(world, id)
    expect([asked.status, asked.body.paymentIntentStatus]).toEqual([200, 'requires_action'])
    expect(asked.body.clientSecret).toMatch(/_secret_/)
    expect((await stored(world, id))?.userCount).toBe(3)
    // Until then there is no other one: neither a quote, which nobody could pay for, nor with a quote of before.
    for (const type of planChangeTypes) {
      expect(await quote(world, id, { type })).toMatchObject({ status: 409, body: { code: pending } })
    }
    expect((await commit(world, id, { ...twoMore, quoteId })).body.code).toBe(pending)
    // The row says so, with the page on which it can be paid.
    const [row] = await world.listed()
    expect(row).toMatchObject({ stripeSubscriptionStatus: 'active', dueAmount: asked.body.chargeAmount })
    expect(row?.stripeSdkUrl).toMatch(/^http/)
    expect((await finish(world, id)).body.paymentIntentStatus).toBe('requires_action')

    await sandbox.answerBank(asked.body.clientSecret.replace(/_secret_.*/, ''), 'complete')
    if (finishedBy === 'page') {
      const done = await finish(world, id)
      expect([done.status, done.body.paymentIntentStatus]).toEqual([200, 'succeeded'])
    } else {
      await world.sync(id)
    }
    expect(await stored(world, id)).toMatchObject({ userCount: 5, dueAmount: null, dueUrl: '' })
    expect(await charges(id)).toHaveLength(2)
    expect((await finish(world, id)).body.paymentIntentStatus).toBe('succeeded')
  }
})

test('the bank’s refusal gives the change up', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  await world.payWith('pm_card_authenticationRequired')
  const asked = await change(world, id)
  await sandbox.answerBank(asked.body.clientSecret.replace(/_secret_.*/, ''), 'fail')
  const { status, body } = await finish(world, id)
  expect([status, body.code, body.data]).toEqual([402, 'card_refused', { reason: 'authentication_failed' }])
  expect((await quote(world, id)).status).toBe(200)
  expect((await stored(world, id))?.userCount).toBe(3)
  expect((await sandbox.stripe.invoices.list({ subscription: id, status: 'open' })).data).toEqual([])
})

test('everybody but the Owner is refused, and somebody else’s looks like none', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const [admin, stranger] = [await world.member(), await world.member()]
  await newSeat(world, id, { memberId: admin.id, type: 1, email: admin.email })
  expect((await quote(world, id, twoMore, admin)).body.code).toBe('not_owner')
  const [foreign, missing] = [
    await quote(world, id, twoMore, stranger),
    await quote(world, 'sub_no', twoMore, stranger),
  ]
  expect([foreign.status, { ...foreign.body, requestId: '' }]).toEqual([404, { ...missing.body, requestId: '' }])
  expect((await finish(world, id, stranger)).body.code).toBe('nothing_to_finish')
})

test.each([
  [{ type: 'buy-more', increasingNumber: 0 }, 422],
  [{ type: 'buy-more', increasingNumber: -1 }, 422],
  [{ type: 'buy-more', increasingNumber: 1.5 }, 422],
  [{ type: 'buy-more', increasingNumber: 1_000_000_000 }, 409],
  [{ type: 'buy-more', increasingNumber: 28 }, 409],
  [{ type: 'buy-connector', increasingNumber: 41 }, 409],
  [{ type: 'switch-to-business-billing', upgradeSelect: 'NOSUCH' }, 409],
] as const)('%j is refused', async (asked, expected) => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const { status, body } = await quote(world, id, asked)
  expect(status).toBe(expected)
  if (expected === 409) expect(['quantity_exceeded', 'change_not_possible']).toContain(body.code)
})

test('what is not renewing, or not active, cannot be changed', async () => {
  await using world = await cardVendor(sandbox)
  const [ending, trial] = [await world.buy(), await world.buy({ trial_period_days: 7 })]
  await sandbox.stripe.subscriptions.update(ending, { cancel_at_period_end: true })
  await world.sync(ending)
  for (const id of [ending, trial]) expect((await quote(world, id)).body.code).toBe('change_not_possible')
})

test('a provider that is away says so; a lost answer is found, and charged once', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const { quoteId } = (await quote(world, id)).body.quote
  await sandbox.misbehave({ kind: 'rate_limit', pattern: '/invoices/create_preview', times: 20 })
  for (const reply of [await quote(world, id), await commit(world, id, { ...twoMore, quoteId })]) {
    expect([reply.status, reply.body.code]).toEqual([503, 'payment_provider_unavailable'])
  }
  await sandbox.behave()
  const { changePlan } = world.deps.cards
  world.deps.cards.changePlan = async (asked) => {
    await sandbox.misbehave({ kind: 'reset', pattern: `/subscriptions/${id}`, times: 2 })
    return changePlan(asked)
  }
  const { status } = await commit(world, id, { ...twoMore, quoteId })
  expect(status).toBe(200)
  expect(await charges(id)).toHaveLength(2)
})

killedAtEachPoint('subscription.change', async ({ kill, isDone }) => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  kill()
  expect((await change(world, id)).status).toBe(500)
  for (let minute = 0; minute < 4; minute += 1) await world.reconcileAfter(60)

  expect((await stored(world, id))?.userCount).toBe(isDone ? 5 : 3)
  expect(await charges(id)).toHaveLength(isDone ? 2 : 1)
})
