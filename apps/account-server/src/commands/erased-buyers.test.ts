import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { syncInvoices } from '../features/orders/orders.sync.ts'
import { orders } from '../features/orders/orders.tables.ts'
import { eraseMember } from '../features/personal-data/erase-member.service.ts'
import { knownSubscriptions } from '../features/subscriptions/known-subscriptions.queries.ts'
import { syncPaypalSubscriptions, syncSale, syncSales } from '../features/subscriptions/paypal-subscriptions.sync.ts'
import { syncSubscriptions } from '../features/subscriptions/subscriptions.sync.ts'
import { subscriptions } from '../features/subscriptions/subscriptions.tables.ts'
import { termsVendor } from '../test/paypal-terms.ts'
import { everything } from '../test/personal-data.ts'
import { sandboxOfFile } from '../test/sandbox-of-file.ts'
import { typedPurchase } from '../test/typed-purchase.ts'

const sandbox = await sandboxOfFile()

const say = () => undefined

type World = Pick<Awaited<ReturnType<typeof typedPurchase>>, 'db' | 'deps' | 'buyer'>

/** What was paid is written as a document elsewhere. */
async function erase({ db, deps, buyer }: World) {
  await db
    .update(orders)
    .set({ origin: 'imported' })
    .where(and(eq(orders.memberId, buyer.id), eq(orders.status, 'CO')))
  const asked = { email: buyer.email, secret: 'a secret of at least 32 characters', pastDueDays: 21, dryRun: false }
  expect(await eraseMember(db, { ...asked, now: deps.clock() })).toMatchObject({ kind: 'erased' })
}

const ordersOf = ({ db, buyer }: World) => db.select().from(orders).where(eq(orders.memberId, buyer.id))

/** An invoice that was voided, of a customer with a name, and an ended subscription of another one, who stays at the provider; their member is erased. */
async function erasedCustomer() {
  const world = await typedPurchase(sandbox)
  const { stripe, buyer, customerId: customer, sid } = world
  const address = { line1: '7 Secret Lane', city: 'Turku', postal_code: '20100', country: 'FI' }
  await stripe.customers.update(customer, { name: 'Paula Firstowner', address })
  await stripe.subscriptions.update(sid, { metadata: { memberId: buyer.id } })
  await world.sync(sid)
  const { id } = await stripe.invoices.create({ customer, auto_advance: false })
  await stripe.invoiceItems.create({ customer, invoice: id, amount: 4200, currency: 'usd' })
  await stripe.invoices.finalizeInvoice(id)
  await world.syncInvoice(id)
  await stripe.invoices.voidInvoice(id)
  await world.syncInvoice(id)
  await stripe.subscriptions.cancel(sid)
  await world.sync(sid)
  await erase(world)
  await world.reconcileAfter(60)
  return { ...world, id }
}

test.each(['event', 'operator'] as const)(
  'name, street and card of an erased person do not come back from the card provider by an %s',
  async (by) => {
    await using world = await erasedCustomer()
    const { deps, db, id, sid } = world
    if (by === 'event') {
      await world.syncInvoice(id)
      await world.sync(sid)
    } else {
      await syncInvoices({ ...deps, say }, knownSubscriptions)
      await syncSubscriptions({ ...deps, say })
    }
    const [order] = (await ordersOf(world)).filter(({ providerId }) => providerId === id)
    expect(order).toMatchObject({
      status: 'CL',
      payUrl: '',
      buyer: { name: '', email: '', address: [], country: 'FI' },
    })
    const [row] = await db.select().from(subscriptions).where(eq(subscriptions.providerId, sid))
    expect(row).toMatchObject({ status: 'canceled', payingCard: null, ownCard: '', declinedCard: '', dueUrl: '' })
    const stored = await everything(world)
    for (const personal of ['Paula', 'Secret Lane', world.buyer.email]) expect(stored).not.toContain(personal)
  },
)

test.each(['event', 'operator'] as const)(
  'nor does the name of the PayPal account of a payment that was denied, by an %s',
  async (by) => {
    await using world = await termsVendor(sandbox)
    const { deps } = world
    const id = await world.buy()
    const told = async () => {
      for (const sale of await world.sales(id)) await syncSale(deps, sale)
      await world.sync(id)
    }
    await told()
    await world.control('PUT', `echecks/${id}/`, { paysByEcheck: true })
    await world.advanceTo(world.inDays(31))
    await told()
    const [, held] = await world.sales(id)
    await world.control('POST', `payments/${held}/clear/`, { isCleared: false })
    await told()
    await world.control('POST', `subscriptions/${id}/cancel/`, { by: 'buyer' })
    await told()
    await world.advanceTo(world.inDays(5))
    await world.hourlyJobsAt(deps.clock())
    await erase(world)

    if (by === 'event') await told()
    else {
      await syncPaypalSubscriptions({ ...deps, say })
      await syncSales({ ...deps, say })
    }
    const denied = (await ordersOf(world)).filter(({ status }) => status === 'CL')
    expect(denied).toMatchObject([{ buyer: { name: '', email: '', address: [] } }])
  },
)
