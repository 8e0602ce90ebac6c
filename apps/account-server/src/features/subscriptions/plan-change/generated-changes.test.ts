import { randomUUID } from 'node:crypto'
import { listOnlineOrders } from '@atrium/contract/orders.ts'
import { changePlan, changePlanFrom } from '@atrium/contract/plan-changes.ts'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { generatedCases } from '../../../test/generated.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { soldIn, taxedAs, worldwideVendor } from '../../../test/worldwide-vendor.ts'
import { coupons } from '../../coupons/coupons.tables.ts'
import { subscriptions } from '../subscriptions.tables.ts'

const sandbox = await sandboxOfFile()
const { stripe } = sandbox
const many = generatedCases(12)

const daySeconds = 86_400
const places = {
  germany: { country: 'DE' },
  france: { country: 'FR' },
  california: { country: 'US', state: 'CA', postal_code: '94107' },
  japan: { country: 'JP' },
} as const

const scenarios = fc.record({
  tax: fc.constantFrom(...taxedAs),
  isTaxed: fc.constantFrom(true, true, false),
  place: fc.constantFrom('germany', 'germany', 'france', 'california', 'japan'),
  currency: fc.constantFrom(...soldIn),
  term: fc.constantFrom('monthly', 'yearly'),
  quantity: fc.constantFrom(1, 2, 3, 7),
  connectors: fc.constantFrom(0, 0, 1, 3),
  /** Of another product in the same subscription. */
  others: fc.constantFrom(0, 0, 0, 2),
  change: fc.constantFrom('buy-more', 'buy-connector', 'switch-to-annual-billing', 'switch-to-business-billing'),
  more: fc.constantFrom(1, 2, 5),
  /** How much of the period is over. */
  over: fc.constantFrom(0, 0.01, 0.333, 0.5, 0.77, 0.999),
  coupon: fc.constantFrom('none', 'none', '15 %', '33.33 %', '100 %', 'an amount', 'more than all'),
  lasting: fc.constantFrom('none', 'none', '20 %', 'an amount'),
  /** Minor units; negative: the customer has a credit. */
  balance: fc.constantFrom(0, 0, -730, 450, -10_000_000),
  /** What an Owner before has paid, in millionths; null: it was not transferred. */
  paidBefore: fc.constantFrom(null, null, null, 1_000_000, 666_667),
})
type Scenario = typeof scenarios extends fc.Arbitrary<infer Value> ? Value : never
type Vendor = Awaited<ReturnType<typeof worldwideVendor>>

async function bought(world: Vendor, customer: string, scenario: Scenario): Promise<string> {
  const { tax, isTaxed, currency, term, quantity, connectors, others, lasting, paidBefore } = scenario
  const anchor = Math.floor(Date.now() / 1000) + (term === 'monthly' ? 20 : 200) * daySeconds
  const amount = { amount_off: currency === 'KWD' ? 1270 : 127, currency: currency.toLowerCase() }
  const coupon = lasting === 'none' ? '' : await world.lastingCoupon(lasting === '20 %' ? { percent_off: 20 } : amount)
  const share: Record<string, string> = paidBefore === 1_000_000 ? {} : { paidMillionths: String(paidBefore) }
  const moved: Partial<Stripe.SubscriptionCreateParams> = {
    ...{ billing_cycle_anchor: anchor, proration_behavior: 'none' },
    metadata: { continues: randomUUID(), ...share },
  }
  const { id } = await stripe.subscriptions.create({
    ...{ customer, automatic_tax: { enabled: isTaxed }, ...(coupon && { discounts: [{ coupon }] }) },
    items: [
      await world.item(world.codeOf(tax), scenario, quantity),
      ...(connectors > 0 ? [await world.item(world.connectorCode, scenario, connectors)] : []),
      ...(others > 0 ? [await world.item(world.otherCode, scenario, others)] : []),
    ],
    ...(paidBefore !== null && moved),
  })
  await world.hear('subscription', id)
  await world.db.update(subscriptions).set({ isPooled: true }).where(eq(subscriptions.id, id))
  return id
}

/** @returns its code; empty: none */
async function couponOf({ db }: Vendor, { coupon, currency }: Scenario): Promise<string> {
  if (coupon === 'none') return ''
  const code = `C${randomUUID()}`.toUpperCase()
  const amountOff = coupon === 'an amount' ? 310 : 99_999_990
  const off = coupon.endsWith('%') ? { percentOff: Number.parseFloat(coupon) } : { amountOff, currency }
  await db.insert(coupons).values({ code, ...off, products: [], terms: [], countries: [], maxUsesPerCustomer: 1 })
  return code
}

const sum = (amounts: readonly { amount: number }[] | null) => (amounts ?? []).reduce((all, one) => all + one.amount, 0)

/** Of the last invoice of a customer. */
async function chargedAt(customer: string) {
  const [invoice] = (await stripe.invoices.list({ customer, limit: 1 })).data
  if (!invoice) throw new Error('no invoice')
  const { id, amount_due: due, amount_paid: paid, currency, total_taxes, total_discount_amounts, lines } = invoice
  const subAmount = sum(lines.data) - sum(total_discount_amounts)
  return { id, charged: { due, paid, currency: currency.toUpperCase(), tax: sum(total_taxes), subAmount } }
}

interface Outcome {
  shown?: object
  charged?: object
  /** Why there is nothing to compare. */
  refused?: string
}

async function outcomeOf(world: Vendor, scenario: Scenario): Promise<Outcome> {
  const { balance, over, change: type, more: increasingNumber } = scenario
  world.at(new Date())
  const { member, customerId } = await world.customer(places[scenario.place])
  const sid = await bought(world, customerId, scenario)
  if (balance !== 0) await stripe.customers.update(customerId, { balance })
  const [row] = await world.db.select().from(subscriptions).where(eq(subscriptions.id, sid))
  const [begin, end] = [row?.periodStart.getTime() ?? 0, row?.periodEnd?.getTime() ?? 0]
  world.at(new Date(Math.max(Date.now(), begin + Math.floor((end - begin) * over))))

  const caller = world.as({ cookie: await world.session(member.id) })
  const asked = { type, increasingNumber, couponCode: await couponOf(world, scenario) } as const
  const { status, body: detail } = await caller.send(changePlanFrom, { body: { sid, ...asked } })
  if (status !== 200) return { refused: String(detail.code) }
  const { quoteId, chargeAmount, currency, taxAmount, subAmount, lines, discount } = detail.quote
  const done = await caller.send(changePlan, { body: { subscriptionId: sid, ...asked, quoteId } })
  if (done.status !== 200) return { shown: detail.quote, charged: done.body }
  const { id, charged } = await chargedAt(customerId)
  await world.hear('invoice', id)
  const { list } = (await caller.send(listOnlineOrders, { query: {} })).body
  const next = await stripe.invoices.createPreview({ subscription: sid })
  const isOrdered = list.some(({ orderAmount }) => orderAmount === chargeAmount)
  return {
    shown: {
      ...{ due: chargeAmount, paid: chargeAmount, currency, tax: taxAmount, subAmount },
      ...{ ordered: true, sums: sum(lines) - discount, next: detail.quote.nextRenewal?.amount },
    },
    charged: {
      ...charged,
      // What charges nothing is no order.
      ...{ ordered: isOrdered || chargeAmount === 0, sums: subAmount },
      next: Math.max(0, next.total + (next.starting_balance ?? 0)),
    },
  }
}

/** @param refused of the server */
function refusalOf({ change, term, coupon, over }: Scenario, refused: string | undefined): string | undefined {
  if (change === 'switch-to-annual-billing' && term === 'yearly') return 'change_not_possible'
  // At the very end of a period a coupon may take off nothing.
  return refused === 'invalid' && coupon !== 'none' && over > 0.99 ? refused : undefined
}

const title = `of ${many} generated changes each is charged, invoiced and ordered as it was shown, and renews so`

test(title, { timeout: 60_000 + many * 5000 }, async () => {
  await using world = await worldwideVendor(sandbox)
  const wrong: unknown[] = []
  let compared = 0
  for (const scenario of fc.sample(scenarios, { numRuns: many, seed: 34 })) {
    const { shown, charged, refused } = await outcomeOf(world, scenario)
    if (JSON.stringify(shown) !== JSON.stringify(charged) || refused !== refusalOf(scenario, refused))
      wrong.push({ scenario, shown, charged, refused })
    if (shown) compared += 1
  }
  expect(wrong).toEqual([])
  expect(compared).toBeGreaterThan(many / 2)
})
