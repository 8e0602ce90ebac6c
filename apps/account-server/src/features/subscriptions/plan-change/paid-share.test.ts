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
    // The two quotes are some minutes apart, which are a cent of a month of 28 days.
    const almost = credits.map((amount) => expect.toSatisfy((other: number) => Math.abs(other - amount) <= 1))
    expect([credited(own.lines), credited(received.lines)]).toEqual([credits, almost])

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

test.each([
  ['the connectors were', 'connector', [-500]],
  ['the seats were', 'product', [-1200]],
] as const)(
  'what was free of several things is not credited, and the rest is wholly: %s',
  async (_what, free, credits) => {
    await using world = await cardTransfer(sandbox)
    const { stripe } = sandbox
    const priceOf = async (of: 'connector' | 'product') => {
      const { data } = await stripe.prices.list({ lookup_keys: [`${world[of].code.toLowerCase()}-yearly-usd`] })
      return data[0]
    }
    const given = await priceOf(free)
    const applies_to = { products: [String(given?.product)] }
    const coupon = await stripe.coupons.create({ percent_off: 100, duration: 'once', applies_to })
    const { id: sid } = await stripe.subscriptions.create({
      customer: world.customerId,
      items: [
        { price: (await priceOf('product'))?.id ?? '', quantity: 5 },
        { price: (await priceOf('connector'))?.id ?? '', quantity: 10 },
      ],
      discounts: [{ coupon: coupon.id }],
    })
    world.at(new Date(Math.max(Date.now(), world.deps.clock().getTime())))
    await world.sync(sid)
    expect((await world.transfer()).status).toBe(200)
    const recipient = world.as({ cookie: await world.session(world.recipient.id) })
    const body = { sid, type: 'buy-connector', increasingNumber: 1 } as const
    const more = { sid, type: 'buy-more', increasingNumber: 1 } as const
    // In dollars, since the two quotes are some seconds after the beginning.
    const credited = []
    for (const asked of [more, body]) {
      const { quote } = (await recipient.send(contract.changePlanFrom, { body: asked })).body
      credited.push(...quote.lines.flatMap(({ amount }) => (amount < 0 ? [Math.round(amount / 100)] : [])))
    }
    expect(credited).toEqual(credits)
  },
)

test('a year that was free until it is billed credits nothing after a transfer either', async () => {
  await using world = await cardTransfer(sandbox)
  const anchor = Math.floor(Date.now() / 1000) + 330 * 86_400
  const sid = await world.buy({
    ...{ term: 'yearly', quantity: 5, billing_cycle_anchor: anchor, proration_behavior: 'none' },
  })
  expect((await world.transfer()).status).toBe(200)
  const recipient = world.as({ cookie: await world.session(world.recipient.id) })
  const body = { sid, type: 'buy-more', increasingNumber: 1 } as const
  const { quote } = (await recipient.send(contract.changePlanFrom, { body })).body
  expect(quote.lines.filter(({ amount }) => amount < 0)).toEqual([])
})
