import { checkCancelSr } from '@atrium/contract/auto-renewal.ts'
import { exportOrders } from '@atrium/contract/order-files.ts'
import { downloadInvoice, listOnlineOrders, listPaymentsBeingChecked } from '@atrium/contract/orders.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cardVendor } from '../../test/card-billing.ts'
import { cardTransfer } from '../../test/card-transfer.ts'
import { load } from '../../test/import.ts'
import { mountedEndpoints } from '../../test/mounted-endpoints.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { supportIn } from '../../test/support.ts'
import { mailQueue } from '../mail/mail.writes.ts'
import { numberOfExported } from '../orders/exported-orders.queries.ts'
import { syncInvoice } from '../orders/orders.sync.ts'
import { orders } from '../orders/orders.tables.ts'
import { knownSubscriptions } from '../subscriptions/known-subscriptions.queries.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { exportMember } from './export-member.service.ts'

const sandbox = await sandboxOfFile()

type Vendor = Awaited<ReturnType<typeof cardVendor>>

const someId = '00000000-0000-4000-8000-000000000000'

/** Seats for 10 dollars each: what is paid for them stands nowhere by chance. */
const quantity = 29

/** The sum or the price, in minor units or as it is written. Not a part of an id, which may have any digits. */
const aPrice = /(?<![\w-])(29000|290[.,]00|1000|10[.,]00)(?![\w-])/

/** An amount of its own, in minor units or as it is written. */
function pattern(amount: number): RegExp {
  const written = (amount / 100).toFixed(2).replace('.', '[.,]')
  return new RegExp(`(?<![\\w-])(${amount}|${written})(?![\\w-])`)
}

/** The vendor says that a partner sold it. */
async function sellThroughPartner(world: Vendor, subscriptionId: string): Promise<void> {
  const { refusals } = await load(world, [
    {
      ...{ type: 'subscription', subscriptionId, email: world.buyer.email, productCode: world.product.code },
      ...{ status: 'active', userCount: quantity, origin: 'online', channel: 'card', autoRenewal: true },
      ...{ periodStart: '2026-01-01T00:00:00Z', priceHidden: true },
    },
  ])
  expect(refusals).toEqual([])
}

/** What every endpoint answers, by its name, as the member and as a support agent in their account. */
async function replies(world: Vendor, id: string, orderNumber: string): Promise<Map<string, string>> {
  world.deps.limitCalls = async () => undefined
  const support = { cookie: await supportIn(world, world.buyer) }
  const bodies = new Map<string, string>()
  const answers = new Set<number>()
  for (const { method, path, support: reading } of await mountedEndpoints(world)) {
    const url = path.replaceAll(/:sid/g, id).replaceAll(/:\w+/g, someId)
    const search = path === '/account/search/' ? `?keyWord=${orderNumber}` : ''
    const payload = { sid: id, subscriptionId: id, orderNum: orderNumber, email: 'a@b.test', type: 'buy-more' }
    const asked = { method, url: `${url}${search}`, ...(method !== 'GET' && { payload }) }
    if (reading === 'read') {
      const seen = await world.request({ ...asked, url: `/support${asked.url}`, headers: support })
      bodies.set(`support ${path}`, seen.body)
      answers.add(seen.statusCode)
    }
    // One of the calls signs out.
    const headers = { origin: 'http://localhost:3000', cookie: await world.session(world.buyer.id) }
    const own = await world.request({ ...asked, headers })
    bodies.set(`${method} ${path}`, own.body)
    answers.add(own.statusCode)
  }
  expect([...answers]).not.toContain(401)
  return bodies
}

function ordersOf(world: Vendor, id: string) {
  return world.db.select().from(orders).where(eq(orders.providerSubscriptionId, id))
}

async function sold(world: Vendor) {
  const id = await world.buy({ quantity })
  const [invoice] = (await sandbox.stripe.invoices.list({ subscription: id })).data
  await world.syncInvoice(invoice?.id ?? '')
  const [order] = await ordersOf(world, id)
  if (!order) throw new Error('the purchase has no order')
  return { id, order }
}

test('no endpoint’s reply names a price that is hidden, to its Owner or to support', async () => {
  await using world = await cardVendor(sandbox)
  const { id, order } = await sold(world)
  const reply = () => world.as(world.buyer).send(listOnlineOrders, { query: {} })
  expect(JSON.stringify((await reply()).body)).toMatch(aPrice)

  await sellThroughPartner(world, id)
  const { list, paid } = (await reply()).body
  expect(list).toMatchObject([
    {
      ...{ orderNumber: order.orderNumber, orderAmount: null, orderTotal: null, orderTax: null, invoiceKind: 'none' },
      orderProduct: [{ amount: null }],
    },
  ])
  expect(paid).toEqual([])
  const bodies = await replies(world, id, order.orderNumber)
  expect(bodies.size).toBeGreaterThan(70)
  for (const [name, body] of bodies) expect([name, body.match(aPrice)?.[0]]).toEqual([name, undefined])
})

test('… nor what a change that waits would charge, or where that is paid, nor does the email that it was not made', async () => {
  await using world = await cardVendor(sandbox)
  const { stripe } = sandbox
  const id = await world.buy({ quantity: 3 })
  await world.payWith('pm_card_authenticationRequired')
  const [item] = (await stripe.subscriptions.retrieve(id)).items.data
  await stripe.subscriptions.update(id, {
    items: [{ id: item?.id ?? '', quantity: 26 }],
    ...{ proration_behavior: 'always_invoice', payment_behavior: 'pending_if_incomplete' },
  })
  await world.sync(id)
  const [open] = (await stripe.invoices.list({ subscription: id, status: 'open' })).data
  const amount = pattern(open?.amount_due ?? 0)
  const as = world.as(world.buyer)
  const ending = async () => (await as.send(checkCancelSr, { body: { sid: id } })).body
  expect(JSON.stringify(await ending())).toMatch(amount)

  await sellThroughPartner(world, id)
  const { openChange } = await ending()
  expect(openChange).toMatchObject({ type: 'buy-more', increasedNumber: 23, payUrl: '' })
  for (const [name, body] of await replies(world, id, '')) {
    expect([name, body.match(amount)?.[0], body.includes(open?.hosted_invoice_url ?? '')]).toEqual([
      ...[name, undefined, false],
    ])
  }
  // One of the calls has dropped it.
  const emails = world.sent.flatMap(({ queue, data }) => (queue === mailQueue ? [JSON.stringify(data)] : []))
  expect(emails.join()).toMatch(/23\s(<[^>]*>)?more seats\./)
  for (const email of emails) expect(email).not.toMatch(amount)
  expect(JSON.stringify(await exportMember(world.db, world.buyer, world.deps.clock()))).not.toMatch(amount)
})

test('… nor what waits because it was billed again after a transfer, to whoever paid it', async () => {
  await using world = await cardTransfer(sandbox, { hasCard: false })
  const { stripe } = sandbox
  const id = await world.buy({ quantity })
  await sellThroughPartner(world, id)
  const transferred = await world.transfer()
  expect(transferred.status).toBe(200)
  await stripe.subscriptions.update(id, { cancel_at_period_end: false })
  const { items } = await stripe.subscriptions.retrieve(id)
  const renewedAt = new Date(((items.data[0]?.current_period_end ?? 0) + 2 * 3600) * 1000)
  await sandbox.advanceTo(renewedAt)
  world.at(renewedAt)
  const [again] = (await stripe.invoices.list({ subscription: id })).data
  await world.syncInvoice(again?.id ?? '')

  const buyer = { ...world.buyer, cookie: await world.session(world.buyer.id) }
  const { list } = (await world.as(buyer).send(listPaymentsBeingChecked, {})).body
  expect(list).toEqual([{ id: expect.any(String), provider: 'card', paidAt: expect.any(Number) }])
  for (const [name, body] of await replies({ ...world, buyer }, id, '')) {
    expect([name, body.match(aPrice)?.[0]]).toEqual([name, undefined])
  }
  const { data } = await exportMember(world.db, buyer, world.deps.clock())
  expect(data.purchasesToBeChecked).toMatchObject([{ reason: 'transferred', providerSubscriptionId: id }])
  expect(JSON.stringify(data)).not.toMatch(aPrice)
})

test('a price that is hidden hides none of what somebody else has bought', async () => {
  await using world = await cardVendor(sandbox)
  await using other = await cardVendor(sandbox)
  const { id } = await sold(world)
  await sellThroughPartner(world, id)
  const theirs = await sold(other)
  const { data } = await exportMember(other.db, other.buyer, other.deps.clock())
  expect(data.orders).toMatchObject([{ orderNumber: theirs.order.orderNumber, amount: 29_000 }])
})

test('no file that a customer takes away names a price that is hidden', async () => {
  await using world = await cardVendor(sandbox)
  const { id, order } = await sold(world)
  await sellThroughPartner(world, id)
  const { buyer, deps, db } = world
  const now = deps.clock()

  const { content } = (await world.as(buyer).send(exportOrders, { query: {} })).body
  const csv = Buffer.from(content, 'base64').toString()
  expect(csv).toContain(order.orderNumber)
  expect(csv).not.toMatch(aPrice)

  const { orderNumber: orderNum, invoiceNumber: invoiceNum } = order
  expect((await world.as(buyer).send(downloadInvoice, { body: { orderNum, invoiceNum } })).status).toBe(409)
  const exported = { memberId: buyer.id, filter: { keyWord: '' }, now }
  expect(await numberOfExported(db, exported)).toEqual({ orders: 1, documents: 0 })

  const { data, files } = await exportMember(db, buyer, now)
  expect(files).toEqual([])
  expect(data.orders).toMatchObject([
    { orderNumber: orderNum, isPriceHidden: true, lines: [{ text: expect.any(String) }] },
  ])
  expect(data.subscriptions).toMatchObject([{ id, userCount: quantity }])
  expect(JSON.stringify(data)).not.toMatch(aPrice)
})

test('an order that comes after the price was hidden is hidden too, and shown again when the vendor says so', async () => {
  await using world = await cardVendor(sandbox)
  const { id } = await sold(world)
  await world.db.update(subscriptions).set({ isPriceHidden: true }).where(eq(subscriptions.id, id))
  await world.sync(id)
  const hidden = async () => (await ordersOf(world, id)).map(({ isPriceHidden }) => isPriceHidden)
  expect(await hidden()).toEqual([true])
  await world.db.update(subscriptions).set({ isPriceHidden: false }).where(eq(subscriptions.id, id))
  await world.sync(id)
  expect(await hidden()).toEqual([false])
})

test('a renewal of what a partner sold is hidden at once, before its subscription was read again', async () => {
  await using world = await cardVendor(sandbox)
  const { id } = await sold(world)
  await sellThroughPartner(world, id)
  const { items } = await sandbox.stripe.subscriptions.retrieve(id)
  await sandbox.advanceTo(new Date(((items.data[0]?.current_period_end ?? 0) + 2 * 3600) * 1000))
  const [again] = (await sandbox.stripe.invoices.list({ subscription: id })).data
  await syncInvoice(world.deps, again?.id ?? '', knownSubscriptions)
  expect((await ordersOf(world, id)).map(({ isPriceHidden }) => isPriceHidden)).toEqual([true, true])
})
