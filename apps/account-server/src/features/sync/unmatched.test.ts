import { randomUUID } from 'node:crypto'
import { listOnlineOrders } from '@atrium/contract/orders.ts'
import { listSubscriptions } from '@atrium/contract/subscriptions.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { payments } from '../../app.ts'
import { linkCustomerCommand } from '../../commands/link-customer.ts'
import { newProduct } from '../../test/factories.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { newWorld } from '../../test/world.ts'
import { syncCatalog } from '../catalog/catalog.sync.ts'
import { unmatchedCounts } from '../payments/unmatched/unmatched.queries.ts'
import { unmatchedPurchases } from '../payments/unmatched/unmatched.tables.ts'
import { takeOverSubscription } from '../subscriptions/subscriptions.sync.ts'
import { acceptUnmatched, unmatchedLines } from './unmatched.ts'

const sandbox = await sandboxOfFile()

const say = () => undefined

/** A vendor whose shop sells at the card provider to whoever types an address. */
async function shop() {
  const world = await newWorld({ settings: sandbox.settings, now: new Date().toISOString() })
  const { db, cards } = world.deps
  const { stripe } = sandbox
  const { code } = await newProduct(world, { prices: [{ term: 'monthly', amount: 1000, currency: 'USD' }] })
  await syncCatalog({ db, cards, say })
  const [price] = (await stripe.prices.list({ lookup_keys: [`${code.toLowerCase()}-monthly-usd`] })).data
  async function begin(email: string, terms: object = {}, card = 'pm_card_visa') {
    const customer = await stripe.customers.create({ email })
    const { id: method } = await stripe.paymentMethods.attach(card, { customer: customer.id })
    const begun = await stripe.subscriptions.create({
      ...{ customer: customer.id, items: [{ price: price?.id ?? '', quantity: 2 }], default_payment_method: method },
      ...{ payment_behavior: 'allow_incomplete', ...terms },
    })
    return { customerId: customer.id, id: begun.id, invoiceId: String(begun.latest_invoice) }
  }
  const hear = (type: string, id: string) => payments.syncs.card[type]?.(world.deps, id)
  return {
    ...world,
    ...{ stripe, begin, hear },
    /** `npm run members -- link-customer`: its exit code, and the first line that it prints. */
    async command(...parameters: string[]) {
      const printed: string[] = []
      const run = linkCustomerCommand((_db, run) => run(world.deps.jobs)).prepare(parameters)
      const code = await run?.(db, (line) => printed.push(line), {
        ...world.config,
        PAST_DUE_DAYS: 21,
        now: world.deps.clock(),
      })
      return [code, printed[0]]
    },
    rows: (objectId: string) => db.select().from(unmatchedPurchases).where(eq(unmatchedPurchases.objectId, objectId)),
    listed: async (caller: { cookie: string }) =>
      (await world.as(caller).send(listSubscriptions, { query: {} })).body.list.map((one) => one.stripeSubscriptionId),
    ordered: async (caller: { cookie: string }) =>
      (await world.as(caller).send(listOnlineOrders, { query: {} })).body.list,
  }
}

test('what nobody here has bought is a row, whoever tells of it first, and is gone once its customer is linked', async () => {
  await using world = await shop()
  const member = await world.member()
  const bought = await world.begin(`${randomUUID()}@example.test`)
  for (const [type, id] of [
    ['invoice', bought.invoiceId],
    ['subscription', bought.id],
    ['subscription', bought.id],
  ]) {
    await world.hear(type ?? '', id ?? '')
  }
  expect(await world.rows(bought.id)).toMatchObject([
    { provider: 'card', kind: 'subscription', reason: 'no_member', customerId: bought.customerId, memberId: null },
  ])
  expect(await unmatchedCounts(world.db)).toContainEqual({ provider: 'card', reason: 'no_member', count: 1 })
  expect((await unmatchedLines(world.db, 'card')).join('\n')).toContain(bought.id)
  expect(await unmatchedLines(world.db, 'paypal')).toEqual([])

  const link = (email: string, ...options: string[]) => world.command(email, bought.customerId, ...options)
  const done = `${bought.customerId} is ${member.email} (member ${member.id})`
  expect(await link(member.email, '--dry-run')).toEqual([0, `${done}.`])
  expect(await link(member.email.toUpperCase())).toEqual([0, `${done}.`])
  expect(await link(member.email)).toEqual([0, `${done} already. Nothing was changed.`])
  const { email: other } = await world.member()
  const [code, said] = await link(other)
  expect([code, said]).toEqual([0, expect.stringContaining(`${bought.customerId} is ${other} `)])
  expect(await link(member.email)).toEqual([0, `${done}.`])
  expect((await link(`nobody-${other}`))[0]).toBe(1)
  await takeOverSubscription({ ...world.deps, say }, bought.id)
  expect(await world.rows(bought.id)).toEqual([])
  expect(await world.listed(member)).toEqual([bought.id])
})

test('a paid invoice without a subscription waits, too; one that is open does not', async () => {
  await using world = await shop()
  const customer = await world.stripe.customers.create({ email: `${randomUUID()}@example.test` })
  const { id: method } = await world.stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  const draft = await world.stripe.invoices.create({ customer: customer.id, default_payment_method: method })
  await world.stripe.invoiceItems.create({ customer: customer.id, invoice: draft.id, amount: 700, currency: 'usd' })
  await world.stripe.invoices.finalizeInvoice(draft.id)
  await world.hear('invoice', draft.id)
  expect(await world.rows(draft.id)).toEqual([])
  await world.stripe.invoices.pay(draft.id)
  await world.hear('invoice', draft.id)
  expect(await world.rows(draft.id)).toMatchObject([{ kind: 'invoice', amount: 700, currency: 'USD' }])
})

test('a paid invoice of nobody waits until all of it was given back', async () => {
  await using world = await shop()
  const customer = await world.stripe.customers.create({ email: `${randomUUID()}@example.test` })
  const { id: method } = await world.stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  const draft = await world.stripe.invoices.create({ customer: customer.id, default_payment_method: method })
  await world.stripe.invoiceItems.create({ customer: customer.id, invoice: draft.id, amount: 700, currency: 'usd' })
  await world.stripe.invoices.finalizeInvoice(draft.id)
  await world.stripe.invoices.pay(draft.id)
  await world.hear('invoice', draft.id)
  const { data } = await world.stripe.invoicePayments.list({ invoice: draft.id })
  for (const [amount, rows] of [
    [300, 1],
    [400, 0],
  ]) {
    const refund = { payment_intent: String(data[0]?.payment.payment_intent), amount: amount ?? 0 }
    await world.hear('refund', (await world.stripe.refunds.create(refund)).id)
    expect(await world.rows(draft.id)).toHaveLength(rows ?? 0)
  }
  await world.hear('invoice', draft.id)
  expect(await world.rows(draft.id)).toEqual([])
})

test.each([
  ['given back, then canceled', true],
  ['canceled, then given back', false],
])('a subscription of nobody that was %s waits no longer', async (_order, isRefundedFirst) => {
  await using world = await shop()
  const bought = await world.begin(`${randomUUID()}@example.test`)
  await world.hear('subscription', bought.id)
  const { data } = await world.stripe.invoicePayments.list({ invoice: bought.invoiceId })
  const refund = async (amount: number) => {
    const asked = { payment_intent: String(data[0]?.payment.payment_intent), amount }
    await world.hear('refund', (await world.stripe.refunds.create(asked)).id)
  }
  const cancel = async () => {
    await world.stripe.subscriptions.cancel(bought.id)
    await world.hear('subscription', bought.id)
  }
  await refund(500)
  if (!isRefundedFirst) await cancel()
  // Something of it is kept, or it is billed again.
  expect(await world.rows(bought.id)).toHaveLength(1)
  await refund(1500)
  expect(await world.rows(bought.id)).toHaveLength(isRefundedFirst ? 1 : 0)
  if (isRefundedFirst) await cancel()
  await takeOverSubscription({ ...world.deps, say }, bought.id)
  expect(await world.rows(bought.id)).toEqual([])
})

test('a first payment that fails is nothing in the account of whose address was typed; once paid, it is there', async () => {
  await using world = await shop()
  const member = await world.member()
  const begun = await world.begin(member.email, {}, 'pm_card_chargeCustomerFail')
  await world.hear('subscription', begun.id)
  await world.hear('invoice', begun.invoiceId)
  expect([await world.listed(member), await world.ordered(member), await world.rows(begun.id)]).toEqual([[], [], []])

  const { id: method } = await world.stripe.paymentMethods.attach('pm_card_visa', { customer: begun.customerId })
  await world.stripe.invoices.pay(begun.invoiceId, { payment_method: method })
  await world.hear('subscription', begun.id)
  await world.hear('invoice', begun.invoiceId)
  expect(await world.listed(member)).toEqual([begun.id])
  expect(await world.ordered(member)).toMatchObject([{ orderStatus: 'CO', orderAmount: 2000 }])
})

test('a second subscription of a customer who paid once is nothing until it is paid', async () => {
  await using world = await shop()
  const member = await world.member()
  const first = await world.begin(member.email)
  await world.hear('subscription', first.id)
  const [price] = (await world.stripe.subscriptions.retrieve(first.id)).items.data
  const { id: bad } = await world.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
    customer: first.customerId,
  })
  const second = await world.stripe.subscriptions.create({
    ...{ customer: first.customerId, items: [{ price: price?.price.id ?? '' }], default_payment_method: bad },
    ...{ payment_behavior: 'allow_incomplete' },
  })
  await world.hear('subscription', second.id)
  await world.hear('invoice', String(second.latest_invoice))
  expect(await world.listed(member)).toEqual([first.id])
})

test('a trial that is known by an address alone is offered; accepted, it is there, and asked for again nothing changes', async () => {
  await using world = await shop()
  const member = await world.member()
  const trial = await world.begin(member.email, { trial_period_days: 14 })
  await world.hear('subscription', trial.id)
  const [row] = await world.rows(trial.id)
  expect([await world.listed(member), row]).toMatchObject([[], { reason: 'offered', memberId: member.id }])

  const accepting = { id: row?.id ?? '', provider: 'card', now: new Date() } as const
  expect(await acceptUnmatched(world.db, { ...accepting, provider: 'paypal' })).toEqual({ kind: 'unknown' })
  expect(await acceptUnmatched(world.db, { ...accepting, id: 'no id' })).toEqual({ kind: 'unknown' })
  expect(await acceptUnmatched(world.db, accepting)).toEqual({ kind: 'accepted', objectId: trial.id })
  await takeOverSubscription({ ...world.deps, say }, trial.id)
  expect(await world.listed(member)).toEqual([trial.id])
  await world.hear('subscription', trial.id)
  expect(await world.listed(member)).toEqual([trial.id])
})

test('what is nobody’s cannot be accepted', async () => {
  await using world = await shop()
  const bought = await world.begin(`${randomUUID()}@example.test`)
  await world.hear('subscription', bought.id)
  const [row] = await world.rows(bought.id)
  const outcome = await acceptUnmatched(world.db, { id: row?.id ?? '', provider: 'card', now: new Date() })
  expect(outcome).toMatchObject({ kind: 'refused' })
})
