import type { PlanChangeType } from '@atrium/contract/plan-change-types.ts'
import * as contract from '@atrium/contract/plan-changes.ts'
import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { cardTransfer } from '../../../test/card-transfer.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import type { TestMember } from '../../../test/world.ts'
import { coupons } from '../../coupons/coupons.tables.ts'
import { orders } from '../../orders/orders.tables.ts'
import { sendReceipt } from '../receipts/send-receipt.ts'

const sandbox = await sandboxOfFile()

interface Asked {
  type: PlanChangeType
  increasingNumber?: number
  couponCode?: string
}

const day = 86_400
const twoMore: Asked = { type: 'buy-more', increasingNumber: 2 }

/**
 * A team whose Owner before has paid until a day that is twenty days away, and who has transferred it. Some fifteen days are left.
 */
async function transferred({ connectors = 0, isTaxed = false, isTaxIncluded = false } = {}) {
  const world = await cardTransfer(sandbox, { hasOwnCatalog: isTaxIncluded })
  const { stripe } = sandbox
  const anchor = Math.floor(Date.now() / 1000) + 20 * day
  if (isTaxed) {
    for (const id of [world.customerId, world.recipientCustomerId]) {
      await stripe.customers.update(id, { address: { country: 'DE' } })
    }
  }
  if (isTaxIncluded) {
    const lookup_keys = [`${world.product.code.toLowerCase()}-monthly-usd`]
    const [price] = (await stripe.prices.list({ lookup_keys })).data
    await stripe.prices.update(price?.id ?? '', { tax_behavior: 'inclusive' })
  }
  const values = { quantity: 5, billing_cycle_anchor: anchor, automatic_tax: { enabled: isTaxed } }
  const id = await world.buy(values)
  // Days later, the first session is over.
  const signedIn = async ({ id: memberId }: TestMember) => world.as({ cookie: await world.session(memberId) })
  const quote = async (asked: Asked, member: TestMember = world.recipient) =>
    (await (await signedIn(member)).send(contract.changePlanFrom, { body: { sid: id, ...asked } })).body.quote
  const commit = async (asked: Asked, quoteId: string, member: TestMember = world.recipient) =>
    (await signedIn(member)).send(contract.changePlan, { body: { subscriptionId: id, ...asked, quoteId } })
  if (connectors > 0) {
    const asked = { type: 'buy-connector' as const, increasingNumber: connectors }
    const { quoteId } = await quote(asked, world.buyer)
    expect((await commit(asked, quoteId, world.buyer)).status).toBe(200)
  }
  expect((await world.transfer()).status).toBe(200)
  const [begun] = await world.begun()
  if (!begun) throw new Error('it does not go on')
  world.later(5 * day + 12_345)
  const invoices = async () => (await stripe.invoices.list({ subscription: begun.id })).data
  return { ...world, id, anchor, begun, quote, commit, invoices }
}

type Moved = Awaited<ReturnType<typeof transferred>>

/** What falls to the time until the first charge, of an amount for a month: exact, halves away from zero. */
function part(month: number, { anchor }: Moved, from: string | undefined): number {
  const end = new Date(anchor * 1000)
  const begin = Date.UTC(
    end.getUTCFullYear(),
    end.getUTCMonth() - 1,
    Math.min(end.getUTCDate(), new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth(), 0)).getUTCDate()),
    end.getUTCHours(),
    end.getUTCMinutes(),
    end.getUTCSeconds(),
  )
  const whole = BigInt(anchor - begin / 1000)
  const rest = BigInt(anchor - Date.parse(from ?? '') / 1000)
  return Number((2n * BigInt(month) * rest + whole) / (2n * whole))
}

const sum = (lines: readonly { amount: number | null }[]) => lines.reduce((all, { amount }) => all + (amount ?? 0), 0)

/** The lines of the order of what the new Owner has paid last. */
async function orderOf(world: Moved) {
  const [invoice] = await world.invoices()
  const providerId = invoice?.id ?? ''
  await world.syncInvoice(providerId)
  const [order] = await world.db.select().from(orders).where(eq(orders.providerId, providerId))
  return { order, paid: invoice?.amount_paid }
}

test.each([
  ['two more seats', twoMore, { connectors: 0 }, [-5000, 7000]],
  ['another connector', { type: 'buy-connector', increasingNumber: 1 }, { connectors: 2 }, [-2400, 3600]],
  ['an upgrade', { type: 'switch-to-business-billing' }, { connectors: 0 }, [-5000, 7500]],
] as const)(
  '%s: what the Owner before has paid until the first charge is credited',
  async (_what, asked, of, months) => {
    await using world = await transferred(of)
    const shown = await world.quote(asked)
    const [credit, charge] = shown.lines
    const expected = months.map((month) => Math.sign(month) * part(Math.abs(month), world, credit?.from))
    expect(shown.lines.map(({ amount }) => amount)).toEqual(expected)
    const isUpgrade = asked.type === 'switch-to-business-billing'
    expect(isUpgrade ? credit?.appName : [credit?.appName]).toEqual(isUpgrade ? world.product.name : [charge?.appName])
    const until = new Date(world.anchor * 1000).toISOString()
    expect([credit, charge].map((line) => [line?.kind, line?.to])).toEqual([
      ['credit', until],
      ['charge', until],
    ])
    expect(shown.chargeAmount).toBe(sum(shown.lines))

    const { status, body } = await world.commit(asked, shown.quoteId)
    expect([status, body.chargeAmount]).toEqual([200, shown.chargeAmount])
    const { order, paid } = await orderOf(world)
    expect([paid, order?.amount]).toEqual([shown.chargeAmount, shown.chargeAmount])
    expect(order?.lines.map(({ amount, facts }) => [amount, facts?.kind, facts?.quantity])).toEqual([
      [expected[0], 'credit', credit?.quantity],
      [expected[1], 'remaining', charge?.quantity],
    ])
    expect(order?.lines[0]?.facts).toMatchObject({ product: credit?.appName, from: credit?.from, to: until })
    const queuedAt = world.deps.clock().toISOString()
    await sendReceipt(world.deps, { orderNumber: order?.orderNumber ?? '', channel: 'card', queuedAt })
    expect(world.emailsTo(world.recipient.email).at(-1).text).toContain(order?.lines[0]?.text)
  },
)

test('a year instead of months begins now: the months that were paid are credited, seats and connectors', async () => {
  await using world = await transferred({ connectors: 2 })
  const asked: Asked = { type: 'switch-to-annual-billing' }
  const shown = await world.quote(asked)
  const from = shown.lines[0]?.from
  const credits = [part(5000, world, from), part(2400, world, from)]
  expect(shown.lines.map(({ amount }) => amount)).toEqual([...credits.map((one) => -one), 50_000, 24_000])
  expect((await world.commit(asked, shown.quoteId)).status).toBe(200)
  const { order, paid } = await orderOf(world)
  expect([paid, order?.amount]).toEqual([shown.chargeAmount, 74_000 - sum(credits.map((amount) => ({ amount })))])
  expect((await world.stored(world.id)).term).toBe('yearly')
})

test('with a coupon and tax: the coupon counts what is bought, and the credit is taxed like the product', async () => {
  await using world = await transferred({ isTaxed: true })
  const couponCode = `C${world.recipient.id}`.toUpperCase()
  const anybody = { products: [], terms: [], countries: [], maxUsesPerCustomer: 1 }
  await world.db.insert(coupons).values({ code: couponCode, percentOff: 30, ...anybody })
  const asked = { ...twoMore, couponCode }
  const shown = await world.quote(asked)
  const bought = part(7000, world, shown.lines[0]?.from) - part(5000, world, shown.lines[0]?.from)
  const net = Math.floor(bought * 0.7)
  expect([sum(shown.lines), shown.subAmount]).toEqual([bought, net])
  // Each line is taxed and rounded alone.
  expect(Math.abs(shown.taxAmount - net * 0.19)).toBeLessThanOrEqual(1.5)
  expect(shown.chargeAmount).toBe(net + shown.taxAmount)
  expect((await world.commit(asked, shown.quoteId)).status).toBe(200)
  const { order, paid } = await orderOf(world)
  expect([paid, order?.amount, order?.tax]).toEqual([shown.chargeAmount, shown.chargeAmount, shown.taxAmount])
  expect(sum(order?.lines ?? [])).toBe(net)
})

test('a price that contains its tax is credited with its tax', async () => {
  await using world = await transferred({ isTaxed: true, isTaxIncluded: true })
  const shown = await world.quote(twoMore)
  const [from] = shown.lines.map((line) => line.from)
  expect(shown.chargeAmount).toBe(part(7000, world, from) - part(5000, world, from))
  expect((await world.commit(twoMore, shown.quoteId)).status).toBe(200)
  expect((await orderOf(world)).paid).toBe(shown.chargeAmount)
})

test('what the new Owner has paid is credited by the provider, once: a second change in the same time', async () => {
  await using world = await transferred({ connectors: 2 })
  const first = await world.quote(twoMore)
  expect((await world.commit(twoMore, first.quoteId)).status).toBe(200)
  world.later(3 * day)
  const more = await world.quote(twoMore)
  const [from] = more.lines.map((line) => line.from)
  const [credit, charge] = more.lines
  // The provider credits a share of what it has charged, which was rounded: in a month of 31 days that is a cent more.
  expect(Math.abs((credit?.amount ?? 0) + part(7000, world, from))).toBeLessThanOrEqual(1)
  expect([more.lines.length, charge?.amount]).toEqual([2, part(9000, world, from)])
  // What was not touched yet is still paid by the Owner before.
  const connector: Asked = { type: 'buy-connector', increasingNumber: 1 }
  const link = await world.quote(connector)
  const [begin] = link.lines.map((line) => line.from)
  expect(link.chargeAmount).toBe(part(3600, world, begin) - part(2400, world, begin))
})

test('of two tabs one pays; the other gets a fresh quote without what is credited already', async () => {
  await using world = await transferred()
  const [one, other] = [await world.quote(twoMore), await world.quote(twoMore)]
  expect((await world.commit(twoMore, one.quoteId)).status).toBe(200)
  const refused = await world.commit(twoMore, other.quoteId)
  expect(refused.status).toBe(409)
  const lines = [
    { kind: 'credit', quantity: 7 },
    { kind: 'charge', quantity: 9 },
  ]
  expect(refused.body).toMatchObject({ code: 'quote_changed', data: { before: { userCount: 7 }, lines } })
  expect((await world.invoices()).filter(({ amount_paid: paid }) => paid > 0)).toHaveLength(1)
})

test('a declined payment changes nothing: the next quote credits the same', async () => {
  await using world = await transferred()
  await world.payWith('pm_card_chargeCustomerFail', world.recipientCustomerId)
  const before = await world.quote(twoMore)
  expect((await world.commit(twoMore, before.quoteId)).body.code).toBe('card_refused')
  await world.reconcileAfter(60)
  await world.addCard()
  const after = await world.quote(twoMore)
  const [from] = after.lines.map((line) => line.from)
  expect(after.lines.map(({ amount }) => amount)).toEqual([-part(5000, world, from), part(7000, world, from)])
  expect((await world.stored(world.id)).userCount).toBe(5)
  expect((await world.commit(twoMore, after.quoteId)).status).toBe(200)
  expect((await orderOf(world)).paid).toBe(after.chargeAmount)
})

test('killed after the charge, the change is found with its credit and made once', async () => {
  await using world = await transferred()
  const shown = await world.quote(twoMore)
  const { changePlan } = world.deps.cards
  vi.spyOn(world.deps.cards, 'changePlan').mockImplementationOnce(async (change) => {
    await changePlan(change)
    throw new Error('the process is gone')
  })
  expect((await world.commit(twoMore, shown.quoteId)).status).toBeGreaterThanOrEqual(400)
  for (let minute = 0; minute < 3; minute += 1) await world.reconcileAfter(60)
  expect((await world.stored(world.id)).userCount).toBe(7)
  const { order, paid } = await orderOf(world)
  expect([paid, sum(order?.lines ?? [])]).toEqual([shown.chargeAmount, shown.chargeAmount])
  expect(order?.lines.map(({ facts }) => facts?.kind)).toEqual(['credit', 'remaining'])
  expect((await world.invoices()).filter(({ amount_paid: amount }) => amount > 0)).toHaveLength(1)
})

// Last in this file: it moves the provider's clock.
test('after the first charge the provider credits what was charged, and an older quote is not charged', async () => {
  await using world = await transferred()
  const minutes = (count: number) => world.at(new Date((world.anchor + count * 60) * 1000))
  minutes(-61)
  const early = await world.quote(twoMore)
  expect(early.lines).toHaveLength(2)
  const seconds = world.anchor - Math.floor(Date.now() / 1000) + 2 * 3600
  const headers = { 'content-type': 'application/json' }
  const moved = await fetch(`${sandbox.url}/clock/control/advance/`, {
    ...{ method: 'POST', headers, body: JSON.stringify({ seconds }) },
  })
  expect(moved.status).toBe(200)

  // The row here does not show the charge yet.
  minutes(5)
  const refused = await world.commit(twoMore, early.quoteId)
  expect([refused.status, refused.body.code]).toEqual([409, 'change_not_possible'])
  const { lines } = await world.quote(twoMore)
  const [from, to] = [lines[0]?.from, lines[0]?.to].map((instant) => Date.parse(instant ?? '') / 1000)
  const rest = ((to ?? 0) - (from ?? 0)) / ((to ?? 0) - world.anchor)
  expect(to).toBeGreaterThan(world.anchor)
  expect(lines.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['credit', -Math.round(5000 * rest)],
    ['charge', Math.round(7000 * rest)],
  ])
  expect((await world.invoices()).map(({ amount_paid: paid }) => paid)).toEqual([5000, 0])
})
