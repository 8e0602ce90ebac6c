import { randomUUID } from 'node:crypto'
import { listOnlineOrders, listPaymentsBeingChecked } from '@atrium/contract/orders.ts'
import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { linkCustomerCommand } from '../../commands/link-customer.ts'
import { members } from '../../db/members.tables.ts'
import { ProviderFailure } from '../../outside/provider-failure.ts'
import { termsVendor } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { transfersIn } from '../../test/transfers.ts'
import type { TestMember } from '../../test/world.ts'
import { orders } from '../orders/orders.tables.ts'
import { paidOrdersQueue } from '../orders/receipts.writes.ts'
import { movedObjects } from '../subscriptions/moving/moved-objects.tables.ts'
import { syncSale, syncSales } from '../subscriptions/paypal-subscriptions.sync.ts'
import { unmatchedLines } from './unmatched.ts'

const sandbox = await sandboxOfFile()

async function vendor() {
  const world = await termsVendor(sandbox)
  const [right, recipient] = [await world.member(), await world.member()]
  const fresh = async (member: TestMember) => ({ ...member, cookie: await world.session(member.id) })
  const people = new Map([
    [world.buyer.id, 'typed'],
    [right.id, 'right'],
    [recipient.id, 'recipient'],
  ])
  return {
    ...world,
    right,
    async link(objectId: string) {
      const command = linkCustomerCommand((_db, run) => run(world.deps.jobs)).prepare([right.email, objectId])
      const facts = { ...world.config, PAST_DUE_DAYS: 21, now: world.deps.clock() }
      expect(await command?.(world.db, () => undefined, facts)).toBe(0)
    },
    /** The event of no payment has come until then, and PayPal does not tell of one that is asked for. */
    async transfer(from: TestMember) {
      const away = vi.spyOn(world.deps.paypal, 'readSale')
      away.mockRejectedValue(new ProviderFailure('missing', new Error('not yet')))
      world.at(world.inDays(0.01))
      expect((await transfersIn(world).transfer(await fresh(from), await fresh(recipient))).status).toBe(200)
      away.mockRestore()
    },
    async hear(id: string) {
      for (const sale of await world.sales(id)) await syncSale(world.deps, sale)
      await syncSales({ ...world.deps, say: () => undefined })
    },
    /** Whose the orders of the subscription are, and how many receipts were queued for them. */
    async orders(id: string) {
      const rows = await world.db.select().from(orders).where(eq(orders.providerSubscriptionId, id))
      const receipts = world.sent.filter(({ queue }) => queue === paidOrdersQueue)
      return [rows.map(({ memberId, status }) => [people.get(memberId), status]), receipts.length]
    },
    async checkedFor(member: TestMember) {
      const client = world.as({ cookie: await world.session(member.id) })
      const ordered = (await client.send(listOnlineOrders, { query: {} })).body.list.length
      return [(await client.send(listPaymentsBeingChecked, {})).body.list.map(({ amount }) => amount), ordered]
    },
    lines: async (id: string) => (await unmatchedLines(world.db, 'paypal')).filter((line) => line.includes(id)),
  }
}

/** Its buyer has typed another's address, and the operator has said whose it is. */
async function linked() {
  const world = await vendor()
  const id = await world.buy({ customId: world.buyer.email })
  await world.sync(id)
  await world.link(id)
  return { world, id }
}

test.each(['a member’s', 'nobody’s any more'])(
  'a payment that is read after its subscription was transferred is an order of who had it then; the address that was typed is %s',
  async (whose) => {
    const { world, id } = await linked()
    await using _ = world
    const { db, buyer } = world
    if (whose !== 'a member’s')
      await db
        .update(members)
        .set({ email: `${randomUUID()}@example.test` })
        .where(eq(members.id, buyer.id))
    await world.transfer(world.right)
    await world.hear(id)
    expect([await world.orders(id), await world.lines(id)]).toEqual([[[['right', 'CO']], 1], []])
  },
)

test('so is one of a plan that was revised to a dearer one before the transfer', async () => {
  await using world = await vendor()
  const id = await world.buy({ customId: world.referenceTo(world.right.id) })
  await world.sync(id)
  await world.revise(id, { plan_id: await world.planOf(world.suiteCode, 'monthly'), quantity: '3' })
  await world.transfer(world.right)
  await world.hear(id)
  expect([await world.orders(id), await world.lines(id)]).toEqual([[[['right', 'CO']], 1], []])
})

test('what is billed again after a transfer is checked for who had it then, of whom no order is known', async () => {
  const { world, id } = await linked()
  await using _ = world
  await world.transfer(world.right)
  await world.call('POST', `/v1/billing/subscriptions/${id}/activate`, { reason: 'by the vendor' })
  await world.daysLater(32, id)
  expect(await world.waiting(id)).toMatchObject([{ reason: 'transferred', memberId: world.right.id, isProven: true }])
  expect(await world.checkedFor(world.right)).toEqual([[3000], 0])
  expect(await world.checkedFor(world.buyer)).toEqual([[], 0])
})

test('where nobody knows who had it, the payment is a line until the operator has said whose it is', async () => {
  const { world, id } = await linked()
  await using _ = world
  await world.transfer(world.right)
  // As an earlier version of this program has moved it.
  await world.db.update(movedObjects).set({ memberId: null })
  await world.hear(id)
  const [sale = ''] = await world.sales(id)
  expect([await world.orders(id), await world.waiting(sale)]).toMatchObject([
    [[], 0],
    [{ reason: 'no_member', memberId: null, amount: 3000 }],
  ])
  expect(await world.lines(sale)).toHaveLength(1)
  await world.link(sale)
  await world.hear(id)
  expect([await world.orders(id), await world.lines(sale)]).toEqual([[[['right', 'CO']], 1], []])
})
