import { dropOpenChange } from '@atrium/contract/plan-changes.ts'
import { eq } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { killOnce } from '../../../test/killed.ts'
import {
  approve,
  approveAs,
  buyer,
  comeBack,
  order,
  quote,
  stored,
  subscribed,
  typed,
} from '../../../test/paypal-orders.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { providerOperations } from '../../payments/operations/operations.tables.ts'
import { syncOrder, syncOrderedPayment } from './ordered-payments.sync.ts'
import { proveByPayment } from './paying-account.ts'

const sandbox = await sandboxOfFile()
afterEach(() => vi.restoreAllMocks())

type World = Awaited<ReturnType<typeof typed>>['world']

const strangers = ['other', 'guest'] as const

const refused = {
  ...{ status: 409, body: { code: 'other_paypal_account', data: { type: 'buy-more', increasingNumber: 2 } } },
}

async function statusAtPaypal(world: World, orderId: string): Promise<unknown> {
  return (await world.call('GET', `/v2/checkout/orders/${orderId}`)).status
}

const isCaptured = async (world: World, orderId: string) =>
  JSON.stringify(await world.call('GET', `/v2/checkout/orders/${orderId}`)).includes('"status":"COMPLETED"')

/** The page takes the payment of an approved order. @returns the id of the payment */
async function capture(world: World, orderId: string): Promise<string> {
  const captured = JSON.stringify(await world.call('POST', `/v2/checkout/orders/${orderId}/capture`, {}))
  return /"captures":\[\{"id":"(\w+)"/.exec(captured)?.[1] ?? ''
}

const paymentAtPaypal = async (world: World, captureId: string) =>
  (await world.call('GET', `/v2/payments/captures/${captureId}`)).status

test('who pays with the account that pays for the subscription has bought it, and it is proven to be theirs', async () => {
  const { world, id } = await typed(sandbox)
  await using _ = world
  expect(await stored(world, id)).toMatchObject({ proof: 'address' })
  expect((await quote(world, id)).body.needsPayingAccount).toBe(1)
  await approve(world, (await order(world, id)).body.approveUrl)
  expect((await comeBack(world, id)).body).toMatchObject({ paymentIntentStatus: 'succeeded' })
  expect(await stored(world, id)).toMatchObject({ userCount: 5, proof: 'ours' })
  expect((await quote(world, id)).body.needsPayingAccount).toBe(0)
  await world.sync(id)
  expect(await stored(world, id)).toMatchObject({ userCount: 5, proof: 'ours' })
  expect(await world.listed()).toMatchObject([{ knownByAddress: 0 }])
})

test.each(strangers)(
  'of an approval by %s nothing is captured, and the right account can pay after it',
  async (who) => {
    const { world, id } = await typed(sandbox)
    await using _ = world
    const { approveUrl, paypalOrderId } = (await order(world, id)).body
    await approveAs(world, approveUrl, who)
    expect(await comeBack(world, id)).toMatchObject(refused)
    // Another return answers the same.
    expect(await comeBack(world, id)).toMatchObject(refused)
    expect(await statusAtPaypal(world, paypalOrderId)).toBe('APPROVED')
    expect(await stored(world, id)).toMatchObject({ userCount: 3, proof: 'address', pendingQuantity: null })

    await approve(world, (await order(world, id)).body.approveUrl)
    expect((await comeBack(world, id)).status).toBe(200)
    expect(await stored(world, id)).toMatchObject({ userCount: 5, proof: 'ours' })
    expect(await statusAtPaypal(world, paypalOrderId)).toBe('APPROVED')
  },
)

test('so is it when PayPal’s event comes before the page returns', async () => {
  const { world, id } = await typed(sandbox)
  await using _ = world
  const { approveUrl, paypalOrderId } = (await order(world, id)).body
  await approveAs(world, approveUrl, 'other')
  await syncOrder(world.deps, paypalOrderId)
  expect(await statusAtPaypal(world, paypalOrderId)).toBe('APPROVED')
  expect(await comeBack(world, id)).toMatchObject(refused)
})

test('where PayPal does not say which account pays for the subscription, nothing is captured', async () => {
  const { world, id } = await typed(sandbox)
  await using _ = world
  const { approveUrl, paypalOrderId } = (await order(world, id)).body
  await approve(world, approveUrl)
  vi.spyOn(world.deps.paypal, 'payingAccount').mockResolvedValue('')
  expect(await comeBack(world, id)).toMatchObject(refused)
  expect(await isCaptured(world, paypalOrderId)).toBe(false)
})

test.each(strangers)('what the page has taken of %s is given back, and grants nothing', async (who) => {
  const { world, id } = await typed(sandbox)
  await using _ = world
  const { approveUrl, paypalOrderId } = (await order(world, id)).body
  await approveAs(world, approveUrl, who)
  const captureId = await capture(world, paypalOrderId)
  // The server dies once it was given back.
  killOnce('subscription.change_by_order', 'after', 'find')
  expect((await comeBack(world, id)).status).toBe(500)
  expect(await comeBack(world, id)).toMatchObject(refused)
  await syncOrderedPayment(world.deps, captureId)
  expect(await paymentAtPaypal(world, captureId)).toBe('REFUNDED')
  expect(await stored(world, id)).toMatchObject({ userCount: 3, proof: 'address' })
})

test('an account that takes the approved order over while we capture it is given its payment back', async () => {
  const { world, id } = await typed(sandbox)
  await using _ = world
  const { approveUrl, paypalOrderId } = (await order(world, id)).body
  await approveAs(world, approveUrl, 'other')
  const { paypal } = world.deps
  const { readOrder } = paypal
  // As it was when it was read.
  vi.spyOn(paypal, 'readOrder').mockImplementationOnce(async (orderId) => ({
    ...(await readOrder(orderId)),
    accountId: await paypal.payingAccount(id),
  }))
  expect(await comeBack(world, id)).toMatchObject(refused)
  expect((await readOrder(paypalOrderId)).capture).toMatchObject({ refundedAt: expect.any(Date) })
  expect(await stored(world, id)).toMatchObject({ userCount: 3, proof: 'address' })
})

test.each(strangers)('a proven subscription may be paid by %s, and what is proven stays so', async (who) => {
  const { world, id } = await subscribed(sandbox)
  await using _ = world
  const { proof } = await stored(world, id)
  await approveAs(world, (await order(world, id)).body.approveUrl, who)
  expect((await comeBack(world, id)).status).toBe(200)
  expect(await stored(world, id)).toMatchObject({ userCount: 5, proof })
  expect(proof).toBe('signed')
})

test('a payment proves nothing for anybody else', async () => {
  const { world, id } = await typed(sandbox)
  await using _ = world
  const [other, now] = [await world.member(), world.deps.clock()]
  await world.db.transaction((tx) => proveByPayment(tx, { providerId: id, memberId: other.id, now }))
  expect(await stored(world, id)).toMatchObject({ memberId: world.buyer.id, proof: 'address' })
})

test('what costs nothing now proves nothing', async () => {
  const { world, id } = await typed(sandbox)
  await using _ = world
  const { body } = await order(world, id, { type: 'switch-to-annual-billing' })
  expect(body.paymentIntentStatus).toBe('succeeded')
  expect(await stored(world, id)).toMatchObject({ proof: 'address' })
})

test.each([
  ['after', 'find'],
  ['before', 'apply'],
  ['after', 'apply'],
] as const)('a server killed %s %s: it is granted, and proven with that', async (when, step) => {
  const { world, id } = await typed(sandbox)
  await using _ = world
  await approve(world, (await order(world, id)).body.approveUrl)
  killOnce('subscription.change_by_order', when, step)
  expect((await comeBack(world, id)).status).toBe(500)
  expect(await stored(world, id)).toMatchObject({ userCount: 3, proof: 'address' })
  for (let minute = 0; minute < 2; minute += 1) await world.reconcileAfter(60)
  expect(await stored(world, id)).toMatchObject({ userCount: 5, proof: 'ours' })
})

test('an order that another account has approved can still be dropped, and is failed in any case', async () => {
  const { world, id } = await typed(sandbox)
  await using _ = world
  const { approveUrl } = (await order(world, id)).body
  await approveAs(world, approveUrl, 'other')
  await (await buyer(world)).send(dropOpenChange, { params: { sid: id } })
  const { memberId, status } = providerOperations
  expect(await world.db.select({ status }).from(providerOperations).where(eq(memberId, world.buyer.id))).toEqual([
    { status: 'failed' },
  ])
  expect(await stored(world, id)).toMatchObject({ userCount: 3, proof: 'address' })
})
