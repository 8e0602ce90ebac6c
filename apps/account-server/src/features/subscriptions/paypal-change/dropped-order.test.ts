import * as contract from '@atrium/contract/plan-changes.ts'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { ProviderFailure } from '../../../outside/provider-failure.ts'
import { approve, buyer, comeBack, halfway, order, quote } from '../../../test/paypal-orders.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { mailQueue } from '../../mail/mail.writes.ts'

const sandbox = await sandboxOfFile()

const Sent = z.object({ subject: z.string() })

/** Emails that a change was not made. */
function notMade({ sent }: Pick<Awaited<ReturnType<typeof halfway>>['world'], 'sent'>) {
  const emails = sent.flatMap(({ queue, data }) => (queue === mailQueue ? [Sent.parse(data)] : []))
  return emails.filter(({ subject }) => /^Your change of .* was not made$/.test(subject))
}

test('an order that was not approved in time is said not to be made; one that gives way to another is not', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  await order(world, id)
  await order(world, id, { type: 'buy-more', increasingNumber: 3 })
  expect(notMade(world)).toEqual([])
  await world.reconcileAfter(4 * 3600)
  expect((await world.listed())[0]).not.toHaveProperty('openChange')
  expect(notMade(world)).toHaveLength(1)
})

test('an order that is dropped is not taken, even if it is approved afterwards', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const { approveUrl } = (await order(world, id)).body
  expect(await world.listed()).toMatchObject([{ openChange: { type: 'buy-more', increasedNumber: 2 } }])
  const dropped = await (await buyer(world)).send(contract.dropOpenChange, { params: { sid: id } })
  expect(dropped.body).toEqual({ isDropped: 1 })
  expect(notMade(world)).toHaveLength(1)
  expect((await world.listed())[0]).not.toHaveProperty('openChange')
  await approve(world, approveUrl)
  const back = await (await buyer(world)).send(contract.paypalCallBack, { body: { subscriptionId: id } })
  expect(back).toMatchObject({ status: 409, body: { code: 'nothing_to_finish' } })
  expect((await world.listed())[0]?.userCount).toBe(3)
  expect((await quote(world, id)).status).toBe(200)
})

test('a payment that PayPal holds back, and of which nobody here has heard, is not said to be dropped', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const { approveUrl } = (await order(world, id)).body
  await approve(world, approveUrl)
  const { paypal } = world.deps
  const { readOrder, captureOrder } = paypal
  const heldBack = async (orderId: string) => {
    const found = await readOrder(orderId)
    return found.capture ? { ...found, capture: { ...found.capture, state: 'pending' as const } } : found
  }
  vi.spyOn(paypal, 'captureOrder').mockImplementationOnce(async (asked) => {
    await captureOrder(asked)
    throw new ProviderFailure('unknown', new Error('the answer is lost'))
  })
  expect((await comeBack(world, id)).status).toBe(502)
  const reading = vi.spyOn(paypal, 'readOrder').mockImplementation(heldBack)
  const drop = async () => (await buyer(world)).send(contract.dropOpenChange, { params: { sid: id } })
  expect(await drop()).toMatchObject({ status: 502, body: { code: 'payment_outcome_unknown' } })
  expect((await world.listed())[0]).not.toHaveProperty('openChange')
  expect(await drop()).toMatchObject({ status: 409, body: { code: 'nothing_to_finish' } })

  reading.mockRestore()
  expect((await comeBack(world, id)).status).toBe(200)
  expect((await world.listed())[0]?.userCount).toBe(5)
})
