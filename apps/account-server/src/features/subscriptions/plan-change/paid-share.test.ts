import * as contract from '@atrium/contract/plan-changes.ts'
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { cardTransfer } from '../../../test/card-transfer.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import type { TestMember } from '../../../test/world.ts'

const sandbox = await sandboxOfFile()

async function discounted(coupon: Stripe.CouponCreateParams) {
  const world = await cardTransfer(sandbox)
  const { id } = await sandbox.stripe.coupons.create(coupon)
  const sid = await world.buy({ quantity: 5, discounts: [{ coupon: id }] })
  const as = async (member: TestMember) => world.as({ cookie: await world.session(member.id) })
  /** What an upgrade credits and charges. */
  const upgrade = async (member: TestMember) => {
    const body = { sid, type: 'switch-to-business-billing' } as const
    return (await (await as(member)).send(contract.changePlanFrom, { body })).body.quote
  }
  return { ...world, sid, as, upgrade }
}

test.each([
  ['all of it', { percent_off: 100, duration: 'once' }, []],
  ['a half', { percent_off: 50, duration: 'once' }, [-2500]],
  ['an amount', { amount_off: 1234, currency: 'usd', duration: 'once' }, [-3766]],
] as const)(
  'the new Owner is credited what the one before has paid: %s was a discount',
  async (_what, coupon, credits) => {
    await using world = await discounted(coupon)
    const own = await world.upgrade(world.buyer)
    expect((await world.transfer()).status).toBe(200)
    const received = await world.upgrade(world.recipient)
    const credited = (lines: typeof own.lines) => lines.flatMap(({ amount }) => (amount < 0 ? [amount] : []))
    expect([credited(own.lines), credited(received.lines)]).toEqual([credits, credits])

    const body = { subscriptionId: world.sid, type: 'switch-to-business-billing', quoteId: received.quoteId } as const
    expect((await (await world.as(world.recipient)).send(contract.changePlan, { body })).status).toBe(200)
    const [begun] = await world.begun()
    const [invoice] = (await sandbox.stripe.invoices.list({ subscription: begun?.id ?? '' })).data
    expect(invoice?.amount_paid).toBe(received.chargeAmount)
  },
)

test('a lasting discount counts in what the Owner before has bought since, too', async () => {
  await using world = await discounted({ percent_off: 50, duration: 'forever' })
  const buyer = await world.as(world.buyer)
  const asked = { type: 'buy-more', increasingNumber: 2 } as const
  const { quote } = (await buyer.send(contract.changePlanFrom, { body: { sid: world.sid, ...asked } })).body
  const body = { subscriptionId: world.sid, ...asked, quoteId: quote.quoteId }
  expect((await buyer.send(contract.changePlan, { body })).status).toBe(200)
  expect((await world.transfer()).status).toBe(200)
  const [credit] = (await world.upgrade(world.recipient)).lines
  expect(credit?.quantity).toBe(7)
  expect(Math.abs((credit?.amount ?? 0) + 3500)).toBeLessThanOrEqual(1)
})
