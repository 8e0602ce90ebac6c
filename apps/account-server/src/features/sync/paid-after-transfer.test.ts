import { subscriptionRenew } from '@atrium/contract/auto-renewal.ts'
import * as contract from '@atrium/contract/plan-changes.ts'
import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { approve, comeBack, order } from '../../test/paypal-orders.ts'
import { termsVendor } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { transfersIn } from '../../test/transfers.ts'
import type { TestMember } from '../../test/world.ts'
import { orders } from '../orders/orders.tables.ts'
import { providerCustomers } from '../payments/customers/customers.tables.ts'
import { unmatchedPurchases } from '../payments/unmatched/unmatched.tables.ts'
import { syncSale } from '../subscriptions/paypal-subscriptions.sync.ts'
import { syncInvoiceOfSubscription } from '../subscriptions/subscriptions.sync.ts'
import { transfers } from '../transfers/transfers.tables.ts'

const sandbox = await sandboxOfFile()
const { stripe } = sandbox

/**
 * The first Owner has paid a month of three seats at PayPal, and two more by an order; the second one goes on by card and has paid for
 * twenty more; a third one has it.
 */
async function paidByTwo({ isOrdered = true } = {}) {
  const world = await termsVendor(sandbox)
  await world.sellByCard()
  const { transfer, stored } = transfersIn(world)
  const [second, third] = [await world.member(), await world.member()]
  const fresh = async (member: TestMember) => ({ ...member, cookie: await world.session(member.id) })
  const id = await world.buy()
  // PayPal bills at its own time of the day, so that a month of it can be hours longer than the card provider's.
  await world.daysLater(1, id)
  const [sale = ''] = await world.sales(id)
  if (isOrdered) await syncSale(world.deps, sale)
  const { paypalOrderId, approveUrl } = (await order(world, id)).body
  await approve(world, approveUrl)
  await approve(world, (await comeBack(world, id)).body.approveLink)
  await world.sync(id)
  expect((await transfer(await fresh(world.buyer), await fresh(second))).status).toBe(200)
  await world.reconcileAfter(60)

  const { id: customer } = await stripe.customers.create({ email: second.email })
  const link = { proof: 'ours', isMain: true, memberId: second.id, customerId: customer } as const
  await world.db.insert(providerCustomers).values({ ...link, createdAt: world.deps.clock() })
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer })
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: card } })
  const caller = world.as(await fresh(second))
  expect((await caller.send(subscriptionRenew, { body: { sid: id } })).status).toBe(200)
  const asked = { type: 'buy-more', increasingNumber: 20 } as const
  const { quoteId } = (await caller.send(contract.changePlanFrom, { body: { sid: id, ...asked } })).body.quote
  expect((await caller.send(contract.changePlan, { body: { subscriptionId: id, ...asked, quoteId } })).status).toBe(200)
  for (const invoice of (await stripe.invoices.list({ customer })).data) {
    await syncInvoiceOfSubscription(world.deps, invoice.id)
  }
  // Nobody transfers twice in 30 days.
  await world.db.delete(transfers).where(eq(transfers.recipientId, second.id))
  expect((await transfer(await fresh(second), await fresh(third))).status).toBe(200)
  await world.reconcileAfter(60)
  return {
    ...{ world, id, sale, orderId: String(paypalOrderId) },
    stored: () => stored(id),
    waiting: (objectId: string) =>
      world.db.select().from(unmatchedPurchases).where(eq(unmatchedPurchases.objectId, objectId)),
  }
}

const waits = [{ provider: 'paypal', reason: 'taken_back_after_transfer' }]

function daysBetween(one: Date | null | undefined, other: Date | null | undefined): number {
  return (Number(other) - Number(one)) / 86_400_000
}

test.each([true, false])(
  'PayPal’s payment that is taken back takes as much time of what the second Owner has paid by card, read before: %s',
  async (isOrdered) => {
    const { world, id, sale, stored, waiting } = await paidByTwo({ isOrdered })
    await using _ = world
    const before = await stored()
    expect(before).toMatchObject({ status: 'active', userCount: 25 })
    await world.told('refund', await world.refund(sale))
    // Three of 25 seats, of 30 days.
    const after = await stored()
    expect(after).toMatchObject({ status: 'active', userCount: 25, cancelAt: after.periodEnd })
    const days = daysBetween(after.periodEnd, before.periodEnd)
    expect(days).toBeGreaterThan(3)
    expect(days).toBeLessThan(4.5)
    expect(await waiting(id)).toEqual([])
  },
)

test.each(['the sale', 'every order'])(
  'the operator hears of it where %s came by a file, without its time',
  async (which) => {
    const { world, id, sale, stored, waiting } = await paidByTwo()
    await using _ = world
    for (const { orderNumber, providerId, lines } of await world.db.select().from(orders)) {
      const untimed = lines.map(({ facts: _time, ...line }) => line)
      if (which === 'every order' || providerId === sale)
        await world.db.update(orders).set({ lines: untimed }).where(eq(orders.orderNumber, orderNumber))
    }
    const before = await stored()
    await world.told('refund', await world.refund(sale))
    expect(await stored()).toEqual(before)
    expect(await waiting(id)).toMatchObject(waits)
  },
)

test('an order of the first Owner that is given back takes its part, and the log says if that fails later', async () => {
  const { world, orderId, stored, waiting } = await paidByTwo()
  await using _ = world
  const before = await stored()
  const { readOrder, readCaptureRefund } = world.deps.paypal
  const captureId = (await readOrder(orderId)).capture?.id ?? ''
  const refunded = await world.call('POST', `/v2/payments/captures/${captureId}/refund`, {})
  await world.told('capture_refund', String(refunded.id))
  // Two of 25 seats, of 30 days.
  const after = await stored()
  const days = daysBetween(after.periodEnd, before.periodEnd)
  expect(days).toBeGreaterThan(2)
  expect(days).toBeLessThan(3)
  expect(await waiting(captureId)).toEqual([])

  const error = vi.spyOn(world.deps.logger, 'error')
  vi.spyOn(world.deps.paypal, 'readOrder').mockImplementation(async (asked) => {
    const found = await readOrder(asked)
    return { ...found, capture: found.capture && { ...found.capture, refundedAt: null } }
  })
  const failing = vi.spyOn(world.deps.paypal, 'readCaptureRefund')
  failing.mockImplementation(async (asked) => ({ ...(await readCaptureRefund(asked)), isFailed: true }))
  await world.told('capture_refund', String(refunded.id))
  expect(await stored()).toEqual(after)
  expect(error).toHaveBeenCalledWith(
    expect.objectContaining({ captureId }),
    expect.stringContaining('cannot come back by itself'),
  )
})
