import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { members } from '../db/members.tables.ts'
import { isNobody } from '../db/nobody.queries.ts'
import { invoiceFiles, orders } from '../features/orders/orders.tables.ts'
import { eraseMember } from '../features/personal-data/erase-member.service.ts'
import { linkPurchase } from '../features/subscriptions/ownership/link-purchase.service.ts'
import { syncPaypalSubscriptions, syncSale, syncSales } from '../features/subscriptions/paypal-subscriptions.sync.ts'
import { subscriptions } from '../features/subscriptions/subscriptions.tables.ts'
import { unmatchedLines } from '../features/sync/unmatched.ts'
import { termsVendor } from '../test/paypal-terms.ts'
import { sandboxOfFile } from '../test/sandbox-of-file.ts'

const sandbox = await sandboxOfFile()

async function vendor() {
  const world = await termsVendor(sandbox)
  const { db, deps, buyer } = world
  const say = () => undefined
  const row = async (id: string) => {
    const [found] = await db
      .select({ status: subscriptions.status, email: members.email })
      .from(subscriptions)
      .innerJoin(members, eq(members.id, subscriptions.memberId))
      .where(eq(subscriptions.id, id))
    return found
  }
  return {
    ...world,
    row,
    async hear(id: string) {
      for (const sale of await world.sales(id)) await syncSale(deps, sale)
      await world.sync(id)
    },
    syncSubscriptions: () => syncPaypalSubscriptions({ ...deps, say }),
    syncInvoices: () => syncSales({ ...deps, say }),
    /** The month that was paid ends, and nothing bills another one. */
    async letEnd(id: string) {
      await world.call('POST', `/v1/billing/subscriptions/${id}/suspend`, { reason: 'Paused' })
      await this.hear(id)
      await world.daysLater(40, id)
      expect(await row(id)).toMatchObject({ status: 'canceled' })
    },
    async bill(id: string) {
      await world.call('POST', `/v1/billing/subscriptions/${id}/activate`, { reason: 'Asked to' })
      await world.advanceTo(world.inDays(33))
    },
    async erase() {
      const isPaid = and(eq(orders.memberId, buyer.id), eq(orders.status, 'CO'))
      const file = { kind: 'invoice', pdf: Buffer.from('%PDF'), createdAt: deps.clock() } as const
      for (const { orderNumber } of await db.select().from(orders).where(isPaid))
        await db.insert(invoiceFiles).values({ ...file, orderNumber })
      const secret = 'a secret of at least 32 characters'
      return eraseMember(db, { email: buyer.email, secret, pastDueDays: 21, dryRun: false, now: deps.clock() })
    },
    lines: async (id: string) => (await unmatchedLines(db, 'paypal')).filter((line) => line.includes(id)),
    ordersOf: (memberId: string) => db.$count(orders, eq(orders.memberId, memberId)),
    ordersOfNobody: (id: string) =>
      db.$count(orders, and(eq(orders.providerSubscriptionId, id), isNobody(orders.memberId))),
    async link(objectId: string) {
      const right = await world.member()
      const asked = { email: right.email, objectId, dryRun: false, now: deps.clock() }
      expect(await linkPurchase({ db, jobs: deps.jobs }, asked)).toMatchObject({ kind: 'linked' })
      return right
    },
  }
}

/** One that the shop has signed for a member who is erased. */
async function signed() {
  const world = await vendor()
  const id = await world.buy()
  await world.hear(id)
  await world.letEnd(id)
  expect(await world.erase()).toMatchObject({ kind: 'erased', purchases: [] })
  expect(await world.lines(id)).toEqual([])
  await world.bill(id)
  return { world, id }
}

test.each(['events', 'sync -- subscriptions', 'sync -- invoices'])(
  'what is billed again of what was an erased member’s is granted to nobody and listed, as read by %s',
  async (how) => {
    const { world, id } = await signed()
    await using _ = world
    if (how === 'events') await world.hear(id)
    else if (how === 'sync -- invoices') await world.syncInvoices()
    else await world.syncSubscriptions()
    expect(await world.waiting(id)).toMatchObject([{ reason: 'no_member', memberId: null, amount: 3000 }])
    await world.syncSubscriptions()
    await world.syncInvoices()
    await world.hear(id)
    expect(await world.lines(id)).toHaveLength(1)
    expect(await world.row(id)).toMatchObject({ status: 'canceled' })
    expect(await world.ordersOf(world.buyer.id)).toBe(1)
  },
)

test('the operator gives it to whose it is, without the orders of who was erased', async () => {
  const { world, id } = await signed()
  await using _ = world
  await world.hear(id)
  const right = await world.link(id)
  await world.syncSubscriptions()
  await world.syncInvoices()
  expect([await world.row(id), await world.lines(id)]).toEqual([{ status: 'active', email: right.email }, []])
  expect([await world.ordersOf(right.id), await world.ordersOf(world.buyer.id)]).toEqual([1, 1])
})

test('given back, and canceled there, it is no line any more', async () => {
  const { world, id } = await signed()
  await using _ = world
  await world.hear(id)
  await world.refund((await world.sales(id)).at(-1) ?? '')
  await world.call('POST', `/v1/billing/subscriptions/${id}/cancel`, { reason: 'Of nobody' })
  await world.hear(id)
  expect(await world.lines(id)).toEqual([])
})

test('what only an address had made theirs is nobody’s, and is listed as soon as it is billed again', async () => {
  await using world = await vendor()
  const { buyer } = world
  const id = await world.buy({ customId: buyer.email })
  await world.hear(id)
  await world.letEnd(id)
  expect(await world.erase()).toMatchObject({ kind: 'erased', purchases: [] })
  expect([await world.ordersOf(buyer.id), await world.ordersOfNobody(id), await world.lines(id)]).toEqual([0, 1, []])
  await world.bill(id)
  await world.hear(id)
  expect(await world.waiting(id)).toMatchObject([{ reason: 'not_mine', memberId: null }])
  expect((await world.lines(id)).join()).toContain('that person was erased')
  expect([await world.ordersOf(buyer.id), await world.ordersOfNobody(id)]).toEqual([0, 2])

  const right = await world.link(id)
  expect([await world.row(id), await world.ordersOf(right.id)]).toEqual([{ status: 'active', email: right.email }, 2])
  expect(await world.lines(id)).toEqual([])
})

test('so is what an eCheck pays that clears after the cancellation and the erasure', async () => {
  await using world = await vendor()
  const { buyer } = world
  const id = await world.buy({ customId: buyer.email })
  await world.hear(id)
  await world.control('PUT', `echecks/${id}/`, { paysByEcheck: true })
  await world.daysLater(32, id)
  await world.call('POST', `/v1/billing/subscriptions/${id}/cancel`, { reason: 'Test' })
  await world.hear(id)
  expect(await world.row(id)).toMatchObject({ status: 'canceled' })
  expect(await world.erase()).toMatchObject({ kind: 'erased' })
  await world.control('POST', `payments/${(await world.sales(id)).at(-1)}/clear/`, { isCleared: true })
  await world.hear(id)
  expect(await world.waiting(id)).toMatchObject([{ reason: 'not_mine', memberId: null }])
  expect([await world.ordersOf(buyer.id), await world.ordersOfNobody(id)]).toEqual([0, 2])
})
