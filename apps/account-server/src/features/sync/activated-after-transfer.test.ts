import { listOnlineOrders, listPaymentsBeingChecked } from '@atrium/contract/orders.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { paypalVendor } from '../../test/paypal.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { transfersIn } from '../../test/transfers.ts'
import { unmatchedPurchases } from '../payments/unmatched/unmatched.tables.ts'
import { syncPaypalRefund, syncSale } from '../subscriptions/paypal-subscriptions.sync.ts'
import { acceptUnmatched, unmatchedLines } from './unmatched.ts'

const sandbox = await sandboxOfFile()

test('what was transferred and is activated again at PayPal waits for the operator, and is checked for who paid, until it is given back and canceled', async () => {
  await using world = await paypalVendor(sandbox)
  const recipient = await world.member()
  const id = await world.buy()
  await world.sync(id)
  for (const sale of await world.sales(id)) await syncSale(world.deps, sale)
  // PayPal's clock has gone on.
  world.at(new Date())
  const { transfer, stored } = { ...world, ...transfersIn(world) }
  expect((await transfer(world.buyer, recipient)).status).toBe(200)
  const row = await stored(id)
  await world.call('POST', `/v1/billing/subscriptions/${id}/activate`, { reason: 'by the vendor' })
  await world.advanceTo(new Date((row.periodEnd?.getTime() ?? 0) + 3_600_000).toISOString())
  const sales = await world.sales(id)
  for (const sale of sales) await syncSale(world.deps, sale)
  await world.sync(id)
  const as = async (memberId: string) => world.as({ cookie: await world.session(memberId) })
  const waiting = () => world.db.select().from(unmatchedPurchases).where(eq(unmatchedPurchases.objectId, id))
  const seenBy = async (memberId: string) => {
    const client = await as(memberId)
    const checked = (await client.send(listPaymentsBeingChecked, {})).body.list
    const ordered = (await client.send(listOnlineOrders, { query: {} })).body.list
    return [checked.map(({ amount }) => amount), ordered.length]
  }
  expect([sales.length, await seenBy(world.buyer.id), await seenBy(recipient.id)]).toEqual([2, [[3000], 1], [[], 0]])
  const [waits] = await waiting()
  expect(waits).toMatchObject({ reason: 'transferred', memberId: world.buyer.id, isProven: true })
  expect((await unmatchedLines(world.db, 'paypal')).join()).toContain('give the money back and cancel it')
  const accepting = { id: waits?.id ?? '', provider: 'paypal', now: world.deps.clock() } as const
  expect(await acceptUnmatched(world.db, accepting)).toMatchObject({ kind: 'refused' })

  await syncPaypalRefund(world.deps, await world.refund(sales.at(-1) ?? ''))
  expect([await waiting(), await seenBy(world.buyer.id)]).toMatchObject([[{ amount: 0 }], [[], 1]])
  await world.call('POST', `/v1/billing/subscriptions/${id}/cancel`, { reason: 'by the vendor' })
  await world.sync(id)
  expect([await waiting(), await seenBy(world.buyer.id)]).toEqual([[], [[], 1]])
  expect((await stored(id)).memberId).toBe(recipient.id)
})
