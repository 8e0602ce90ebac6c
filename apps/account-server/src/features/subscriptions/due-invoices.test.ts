import { listOnlineOrders } from '@atrium/contract/orders.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { cardVendor } from '../../test/card-billing.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { mailQueue } from '../mail/mail.writes.ts'
import { subscriptions } from './subscriptions.tables.ts'

const sandbox = await sandboxOfFile()

const Sent = z.object({ subject: z.string(), text: z.string() })
const Moved = z.object({ now: z.coerce.date() })
const day = 86_400

/** Ten days before a renewal an invoice beside the periods is declined. */
async function besideDeclined() {
  const world = await cardVendor(sandbox)
  const { stripe } = sandbox
  const id = await world.buy()
  const advanceTo = async (seconds: number) => {
    const reply = await fetch(`${sandbox.url}/clock/control/advance/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ to: new Date(seconds * 1000).toISOString() }),
    })
    world.at(Moved.parse(await reply.json()).now)
    for (const invoice of (await stripe.invoices.list({ subscription: id })).data) await world.syncInvoice(invoice.id)
    await world.sync(id)
  }
  const [item] = (await stripe.subscriptions.retrieve(id)).items.data
  const end = item?.current_period_end ?? 0
  await advanceTo(end - 10 * day)
  await world.payWith('pm_card_chargeCustomerFail')
  const beside = { customer: world.customerId, subscription: id }
  await stripe.invoiceItems.create({ ...beside, description: 'Data migration', amount: 4900, currency: 'usd' })
  await stripe.invoices.create({ ...beside, auto_advance: true })
  await advanceTo(end - 9 * day)
  return { ...world, id, end, advanceTo }
}

/** … and then the renewal is as well. */
async function twoDeclined() {
  const world = await besideDeclined()
  world.sent.splice(0)
  await world.advanceTo(world.end + day)
  const emails = world.sent.flatMap(({ queue, data }) => (queue === mailQueue ? [Sent.parse(data)] : []))
  return { ...world, emails }
}

const dayOf = (date: Date) => date.toLocaleDateString('en-us', { dateStyle: 'long', timeZone: 'UTC' })

test('an invoice beside the periods that was declined is due, although the subscription goes on', async () => {
  await using world = await besideDeclined()
  const cookie = await world.session(world.buyer.id)
  const orders = async () => (await world.as({ cookie }).send(listOnlineOrders, { query: {} })).body.list
  const name = 'Data migration'
  const emails = () => world.sent.flatMap(({ queue, data }) => (queue === mailQueue ? [Sent.parse(data)] : []))
  const failed = () => emails().filter(({ subject }) => subject === 'Your payment of $49.00 for Data migration failed')
  expect(failed()).toMatchObject([{ text: expect.stringContaining('If it stays unpaid, your subscription to') }])
  const why = 'The payment with Visa ••••\u00a00341 failed. Your card was declined.'
  expect(failed()).toMatchObject([{ text: expect.stringContaining(why) }])
  expect((await orders())[0]).toMatchObject({ orderDescription: [name], orderStatus: 'PD', isPaymentDue: 1 })
  const decline = { reason: 'unknown', card: { brand: 'visa', last4: '0341' }, at: expect.any(String) }
  const dueOrders = [{ name, amount: 4900, payUrl: expect.stringMatching(/^http/), decline }]
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active', stripeSdkUrl: '', dueOrders }])

  const [open] = (await sandbox.stripe.invoices.list({ subscription: world.id, status: 'open' })).data
  await sandbox.stripe.invoices.pay(open?.id ?? '', { payment_method: world.cardId })
  await world.syncInvoice(open?.id ?? '')
  expect((await orders())[0]).toMatchObject({ orderStatus: 'CO', isPaymentDue: 0 })
  expect((await world.listed())[0]).not.toHaveProperty('dueOrders')
  expect(failed()).toHaveLength(1)
})

test('two unpaid invoices: access ends with the retries of the first, and the sum is explained', async () => {
  await using world = await twoDeclined()
  const [listed] = await world.listed()
  // 21 days after the first one was declined, an hour after it was drafted; the providers' clock goes on meanwhile.
  const declinedAt = world.end - 10 * day + 3600
  const end = new Date(listed?.accessEnd ?? '')
  expect(end.getTime() / 1000 - declinedAt - 21 * day).toBeGreaterThanOrEqual(0)
  expect(end.getTime() / 1000 - declinedAt - 21 * day).toBeLessThan(60)
  expect(listed).toMatchObject({ stripeSubscriptionStatus: 'past_due', dueAmount: 7900 })
  expect(world.emails.map(({ subject }) => subject)).toEqual(['Your payment for Folio PDF Editor+ failed'])
  expect(world.emails[0]?.text).toContain(`Access continues until ${dayOf(end)}.`)

  // What the sum consists of, each with its own page: the provider pays one invoice at a time.
  const url = expect.stringMatching(/^http/)
  expect(listed?.dueOrders).toMatchObject([
    { name: 'Data migration', amount: 4900, payUrl: url },
    { name: 'Folio PDF Editor+', amount: 3000, payUrl: url },
  ])
  expect(new Set(listed?.dueOrders?.map(({ payUrl }) => payUrl)).size).toBe(2)
  expect(world.emails[0]?.text).toMatch(
    /Amount due: \$79\.00\nData migration · [\w ,]+: \$49\.00\nFolio PDF Editor\+ · [\w ,]+: \$30\.00/,
  )

  await world.advanceTo(world.end + 12 * day)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'canceled', accessEnd: end.toISOString() }])
})

test.each([
  ['its invoice', false],
  ['its subscription', true],
])('of two unpaid invoices, nothing is due once both are paid, whether %s is read first', async (_, isEarly) => {
  await using world = await twoDeclined()
  const { stripe } = sandbox
  const [newest, oldest] = (await stripe.invoices.list({ subscription: world.id, status: 'open' })).data
  const settled = () =>
    world.sent.filter(
      ({ queue, data }) => queue === mailQueue && Sent.parse(data).text.includes('Nothing is due any more'),
    )
  const pay = async ({ id = '' } = {}) => {
    await stripe.invoices.pay(id, { payment_method: world.cardId })
    if (isEarly) await world.sync(world.id)
    await world.syncInvoice(id)
    await world.sync(world.id)
  }

  await pay(newest)
  const [listed] = await world.listed()
  expect(listed).toMatchObject({ stripeSubscriptionStatus: 'active', dueOrders: [{ amount: 4900 }] })
  expect(settled()).toEqual([])
  await pay(oldest)
  expect((await world.listed())[0]).not.toHaveProperty('dueOrders')
  expect(settled()).toHaveLength(1)
})

test('a renewal that fails while an older invoice stays open counts from its own day', async () => {
  await using world = await twoDeclined()
  const { stripe } = sandbox
  const [newest] = (await stripe.invoices.list({ subscription: world.id, status: 'open' })).data
  await stripe.invoices.pay(newest?.id ?? '', { payment_method: world.cardId })
  await world.sync(world.id)
  const [row] = await world.db.select().from(subscriptions).where(eq(subscriptions.id, world.id))
  expect(row).toMatchObject({ status: 'active', pastDueSince: expect.any(Date) })
  await world.advanceTo(world.end + 32 * day)
  const [again] = await world.db.select().from(subscriptions).where(eq(subscriptions.id, world.id))
  expect(again).toMatchObject({ status: 'past_due' })
  expect(again?.pastDueSince?.getTime()).toBeGreaterThan((world.end + 20 * day) * 1000)
})

test('an open invoice that nobody has tried to collect does not keep from saying that nothing is due', async () => {
  await using world = await twoDeclined()
  const { stripe } = sandbox
  const unpaid = (await stripe.invoices.list({ subscription: world.id, status: 'open' })).data
  const beside = { customer: world.customerId, subscription: world.id }
  await stripe.invoiceItems.create({ ...beside, description: 'Training', amount: 9900, currency: 'usd' })
  const { id = '' } = await stripe.invoices.create({ ...beside, auto_advance: false })
  await stripe.invoices.finalizeInvoice(id)
  await world.syncInvoice(id)
  for (const invoice of unpaid) {
    await stripe.invoices.pay(invoice.id ?? '', { payment_method: world.cardId })
    await world.syncInvoice(invoice.id ?? '')
    await world.sync(world.id)
  }
  const texts = world.sent.flatMap(({ queue, data }) => (queue === mailQueue ? [Sent.parse(data).text] : []))
  expect(texts.filter((text) => text.includes('Nothing is due any more'))).toHaveLength(1)
})
