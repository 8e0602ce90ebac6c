import { exportOrders } from '@atrium/contract/order-files.ts'
import { downloadInvoice, listOnlineOrders } from '@atrium/contract/orders.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cardVendor } from '../../test/card-billing.ts'
import { load } from '../../test/import.ts'
import { mountedEndpoints } from '../../test/mounted-endpoints.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { supportIn } from '../../test/support.ts'
import { numberOfExported } from '../orders/exported-orders.queries.ts'
import { orders } from '../orders/orders.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { exportMember } from './export-member.service.ts'

const sandbox = await sandboxOfFile()

type Vendor = Awaited<ReturnType<typeof cardVendor>>

const someId = '00000000-0000-4000-8000-000000000000'

/** Seats for 10 dollars each: what is paid for them stands nowhere by chance. */
const quantity = 29

/** The sum or the price, in minor units or as it is written. */
const aPrice = /(?<![\d-])(29000|290[.,]00|1000(?![\d-])|10[.,]00)(?!\d)/

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
  const support = { cookie: await supportIn(world, world.buyer) }
  const bodies = new Map<string, string>()
  for (const { method, path, support: reading } of await mountedEndpoints(world)) {
    const url = path.replaceAll(/:sid/g, id).replaceAll(/:\w+/g, someId)
    const search = path === '/account/search/' ? `?keyWord=${orderNumber}` : ''
    const payload = { sid: id, subscriptionId: id, orderNum: orderNumber, email: 'a@b.test', type: 'buy-more' }
    const asked = { method, url: `${url}${search}`, ...(method !== 'GET' && { payload }) }
    const headers = { origin: 'http://localhost:3000', cookie: world.buyer.cookie }
    const own = await world.request({ ...asked, headers })
    bodies.set(`${method} ${path}`, own.body)
    if (reading !== 'read') continue
    const seen = await world.request({ ...asked, url: `/support${asked.url}`, headers: support })
    bodies.set(`support ${path}`, seen.body)
  }
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
