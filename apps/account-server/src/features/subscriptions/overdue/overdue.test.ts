import { randomUUID } from 'node:crypto'
import * as contract from '@atrium/contract/overdue-payments.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cardVendor } from '../../../test/card-billing.ts'
import { killedAtEachPoint } from '../../../test/killed.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { subscriptions } from '../subscriptions.tables.ts'

const sandbox = await sandboxOfFile()

type Vendor = Awaited<ReturnType<typeof cardVendor>>

const amount = 3000

interface Paying {
  key?: string
  paymentMethodId?: string
  amount?: number
  member?: Vendor['buyer']
}

function pay(world: Vendor, sid: string, { key, member = world.buyer, ...values }: Paying = {}) {
  const body = { amount, currency: 'USD', ...values }
  return world.as(member).send(contract.payOverdue, { params: { sid }, body }, key)
}

/** A subscription of three seats whose first payment after the trial has failed. */
async function overdue(world: Vendor): Promise<string> {
  const id = await world.buy({ trial_period_days: 7 })
  await world.payWith('pm_card_chargeCustomerFail')
  await sandbox.stripe.subscriptions.update(id, { trial_end: 'now' })
  await world.sync(id)
  expect(await stored(world, id)).toMatchObject({ status: 'past_due', dueAmount: amount })
  return id
}

async function stored(world: Vendor, id: string) {
  const [row] = await world.db.select().from(subscriptions).where(eq(subscriptions.id, id))
  return row
}

async function paidInvoices(subscription: string) {
  const { data } = await sandbox.stripe.invoices.list({ subscription, status: 'paid' })
  return data.filter(({ amount_paid: paid }) => paid > 0).map(({ amount_paid: paid }) => paid)
}

test('a new default card pays what is overdue, once, and the subscription goes on at once', async () => {
  await using world = await cardVendor(sandbox)
  const id = await overdue(world)
  await world.payWith('pm_card_visa')
  const { status, body } = await pay(world, id)
  expect([status, body]).toEqual([
    200,
    { paymentIntentStatus: 'succeeded', clientSecret: '', chargeAmount: amount, currency: 'USD' },
  ])
  expect(await stored(world, id)).toMatchObject({ status: 'active', dueAmount: null, pastDueSince: null })
  expect(await paidInvoices(id)).toEqual([amount])
  expect(await pay(world, id)).toMatchObject({ status: 409, body: { code: 'nothing_due' } })
})

test('the card that pays becomes that of the subscription, if it had one of its own', async () => {
  await using world = await cardVendor(sandbox)
  const id = await overdue(world)
  const { stripe } = sandbox
  const failing = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: world.customerId })
  await stripe.subscriptions.update(id, { default_payment_method: failing.id })
  expect(await pay(world, id)).toMatchObject({ status: 402, body: { code: 'card_refused' } })
  const { status } = await pay(world, id, { paymentMethodId: world.cardId })
  expect([status, (await stripe.subscriptions.retrieve(id)).default_payment_method]).toEqual([200, world.cardId])
})

test('twenty at once, with one key and with others, pay once', async () => {
  await using world = await cardVendor(sandbox)
  const id = await overdue(world)
  await world.payWith('pm_card_visa')
  const one = randomUUID()
  const keys = Array.from({ length: 20 }, (_, place) => (place % 2 === 0 ? one : randomUUID()))
  const replies = await Promise.all(keys.map((key) => pay(world, id, { key })))
  expect(new Set(replies.map(({ status }) => status)).difference(new Set([200, 409]))).toEqual(new Set())
  expect(replies.some(({ status }) => status === 200)).toBe(true)
  expect(await paidInvoices(id)).toEqual([amount])
})

test('the bank’s question: asked again until it is answered, and paid with its answer', async () => {
  await using world = await cardVendor(sandbox)
  const id = await overdue(world)
  await world.payWith('pm_card_authenticationRequired')
  const finish = () => world.as(world.buyer).send(contract.finishOverduePayment, { params: { sid: id } })
  expect(await finish()).toMatchObject({ status: 409, body: { code: 'nothing_to_finish' } })
  const asked = (await pay(world, id)).body
  expect(asked.paymentIntentStatus).toBe('requires_action')
  expect((await pay(world, id)).body.clientSecret).toBe(asked.clientSecret)
  const [intent = ''] = asked.clientSecret.split('_secret')

  await sandbox.answerBank(intent, 'fail')
  const refused = { code: 'card_refused', data: { reason: 'authentication_failed' } }
  expect(await finish()).toMatchObject({ status: 402, body: refused })
  expect((await stored(world, id))?.status).toBe('past_due')
  const again = (await pay(world, id)).body
  await sandbox.answerBank(again.clientSecret.split('_secret')[0] ?? '', 'complete')
  expect(await finish()).toMatchObject({ status: 200, body: { paymentIntentStatus: 'succeeded' } })
  expect((await stored(world, id))?.status).toBe('active')
  expect(await paidInvoices(id)).toEqual([amount])
})

test('the bank asks about each of two invoices: both are paid, and a no leaves the second one due', async () => {
  for (const answer of ['complete', 'fail'] as const) {
    await using world = await cardVendor(sandbox)
    const id = await overdue(world)
    // A second term begins, and its payment fails as well.
    await sandbox.stripe.subscriptions.update(id, {
      billing_cycle_anchor: { type: 'now' },
      proration_behavior: 'none',
    })
    await world.sync(id)
    await world.payWith('pm_card_authenticationRequired')
    const finish = () => world.as(world.buyer).send(contract.finishOverduePayment, { params: { sid: id } })
    const answerWith = (secret: string, given: 'complete' | 'fail') =>
      sandbox.answerBank(secret.split('_secret')[0] ?? '', given)

    const key = randomUUID()
    const again = () => pay(world, id, { key, amount: 2 * amount })
    const first = (await again()).body
    expect(first).toMatchObject({ paymentIntentStatus: 'requires_action', chargeAmount: 2 * amount })
    await answerWith(first.clientSecret, 'complete')
    const next = (await finish()).body
    expect(next).toMatchObject({ paymentIntentStatus: 'requires_action', chargeAmount: amount })
    expect(next.clientSecret).not.toBe(first.clientSecret)
    // If that answer is lost, the page sends the first request again.
    expect((await again()).body).toEqual(next)
    await answerWith(next.clientSecret, answer)
    expect((await finish()).status).toBe(answer === 'complete' ? 200 : 402)
    if (answer === 'complete') expect((await again()).body.paymentIntentStatus).toBe('succeeded')
    else expect(await again()).toMatchObject({ status: 402, body: { code: 'card_refused' } })
    expect(await paidInvoices(id)).toEqual(answer === 'complete' ? [amount, amount] : [amount])
  }
})

test('another amount than shown is not charged, and the answer names it', async () => {
  await using world = await cardVendor(sandbox)
  const id = await overdue(world)
  await world.payWith('pm_card_visa')
  const refused = await pay(world, id, { amount: amount - 1 })
  expect(refused).toMatchObject({ status: 409, body: { code: 'amount_changed', data: { amount, currency: 'USD' } } })
  expect(await paidInvoices(id)).toEqual([])
})

test('what was paid elsewhere meanwhile is not due, and the row no longer says so', async () => {
  await using world = await cardVendor(sandbox)
  const id = await overdue(world)
  const [open] = (await sandbox.stripe.invoices.list({ subscription: id, status: 'open' })).data
  await sandbox.stripe.invoices.pay(open?.id ?? '', { payment_method: world.cardId })
  expect(await pay(world, id)).toMatchObject({ status: 409, body: { code: 'nothing_due' } })
  expect(await stored(world, id)).toMatchObject({ status: 'active', dueAmount: null })
})

test('somebody else’s subscription or card looks like none, and what is not due is not paid', async () => {
  await using world = await cardVendor(sandbox)
  const id = await overdue(world)
  expect((await pay(world, id, { member: await world.member() })).status).toBe(404)
  expect((await pay(world, id, { paymentMethodId: 'pm_somebodyelses' })).status).toBe(404)
  await world.payWith('pm_card_visa')
  expect(await pay(world, await world.buy())).toMatchObject({ status: 409, body: { code: 'nothing_due' } })
})

test('a lost answer is found, and charged once; a provider that is away says so', async () => {
  await using world = await cardVendor(sandbox)
  const id = await overdue(world)
  await world.payWith('pm_card_visa')
  await sandbox.misbehave({ kind: 'rate_limit', pattern: '/invoices', times: 20 })
  expect(await pay(world, id)).toMatchObject({ status: 503, body: { code: 'payment_provider_unavailable' } })
  await sandbox.behave()
  await sandbox.misbehave({ kind: 'reset', pattern: '*/pay', times: 2 })
  expect((await pay(world, id)).status).toBe(200)
  expect(await paidInvoices(id)).toEqual([amount])
})

killedAtEachPoint('subscription.pay', async ({ kill, isDone }) => {
  await using world = await cardVendor(sandbox)
  const id = await overdue(world)
  await world.payWith('pm_card_visa')
  kill()
  expect((await pay(world, id)).status).toBe(500)
  for (let minute = 0; minute < 4; minute += 1) await world.reconcileAfter(60)

  expect((await stored(world, id))?.status).toBe(isDone ? 'active' : 'past_due')
  expect(await paidInvoices(id)).toEqual(isDone ? [amount] : [])
})
