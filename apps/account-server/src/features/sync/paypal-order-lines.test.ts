import { listOnlineOrders } from '@atrium/contract/orders.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { termsVendor, usd } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { orderLineText } from '../orders/line-words.rules.ts'
import { orders } from '../orders/orders.tables.ts'
import { syncSale } from '../subscriptions/paypal-subscriptions.sync.ts'

const sandbox = await sandboxOfFile()

interface Bought {
  ownPlan?: { trial?: object; preferences?: object; taxes?: object }
  answer?: string
  quantity?: string
  plan?: object
}

/** What the buyer reads of the payments of a plan, in the order in which they were made. */
async function buyer({ ownPlan, answer = 'approve', ...more }: Bought) {
  const world = await termsVendor(sandbox)
  const planId = ownPlan && (await world.ownPlan(ownPlan))
  const id = await world.buy({ more, answer, ...(planId && { planId }) })
  const lines = async (lang: 'en-us' | 'de-de') => {
    for (const sale of await world.sales(id)) await syncSale(world.deps, sale)
    const rows = await world.db.select().from(orders).where(eq(orders.providerSubscriptionId, id)).orderBy(orders.date)
    return rows.map((row) => row.lines.map((line) => orderLineText(line, lang)).join())
  }
  return { world, id, lines }
}

test('a setup fee is a line of its own with the product’s name, and the month beside it one as any other', async () => {
  for (const fee of ['5', '10', '30']) {
    const { world, lines } = await buyer({ plan: { payment_preferences: { setup_fee: usd(fee) } } })
    await using _ = world
    const english = await lines('en-us')
    expect(english.toSorted()).toEqual([
      expect.stringMatching(/^Folio PDF Editor\+ × 3, /),
      'Setup fee: Folio PDF Editor+',
    ])
    expect(await lines('de-de')).toContain('Einrichtungsgebühr: Folio PDF Editor+')
    const client = world.as({ cookie: await world.session(world.buyer.id) })
    const { body } = await client.send(listOnlineOrders, { query: {} })
    expect(body.list.map(({ orderProduct }) => orderProduct?.[0]?.name).toSorted()).toEqual([
      'Folio PDF Editor+ × 3',
      'Setup fee: Folio PDF Editor+',
    ])
  }
})

test.each([
  ['', undefined, [1000, 1500]],
  [' and a tax on top', { percentage: '20', inclusive: false }, [1200, 1800]],
  [' and a tax within both', { percentage: '25', inclusive: true }, [1000, 1500]],
])('a setup fee that is collected later with a month%s has a line beside it', async (_name, taxes, amounts) => {
  const preferences = { setup_fee: usd('15'), setup_fee_failure_action: 'CONTINUE', auto_bill_outstanding: true }
  const { world, id, lines } = await buyer({
    ownPlan: { preferences, ...(taxes && { taxes }) },
    ...{ quantity: '1', answer: 'no-funds' },
  })
  await using _ = world
  await world.fund(id, true)
  await world.daysLater(6, id)
  expect(await world.sales(id)).toHaveLength(1)
  expect(await lines('en-us')).toEqual([expect.stringMatching(/^Own, monthly × 1, .*,Setup fee: Own, monthly$/)])
  const [order] = await world.db.select().from(orders).where(eq(orders.providerSubscriptionId, id))
  expect(order?.lines.map(({ amount }) => amount)).toEqual(amounts)
})

const paidTrial = {
  frequency: { interval_unit: 'WEEK', interval_count: 2 },
  ...{ tenure_type: 'TRIAL', sequence: 1, total_cycles: 2 },
  pricing_scheme: { fixed_price: usd('1') },
}

test('each payment of a trial is named by the product, for its cycle of the trial, and what follows by its month', async () => {
  const { world, id, lines } = await buyer({ ownPlan: { trial: paidTrial, preferences: { setup_fee: usd('5') } } })
  await using _ = world
  await world.sync(id)
  const from = world.deps.clock().getTime()
  for (const days of [15, 18]) {
    await world.daysLater(days, id)
    await lines('en-us')
  }
  const day = (days: number) => new Date(from + days * 86_400_000).toISOString().slice(0, 10)
  const rows = await world.db.select().from(orders).where(eq(orders.providerSubscriptionId, id)).orderBy(orders.date)
  const facts = rows.flatMap((row) => row.lines.map((line) => line.facts))
  const periods = facts.map((one) => one && [one.kind, one.product, one.from.slice(0, 10), one.to.slice(0, 10)])
  expect(periods.filter((one) => one?.[0] !== 'period')).toEqual([['setupFee', 'Own, monthly', day(0), day(0)]])
  expect(periods.filter((one) => one?.[0] === 'period').slice(0, 2)).toEqual([
    ['period', 'Own, monthly', day(0), day(14)],
    ['period', 'Own, monthly', day(14), day(28)],
  ])
  expect(periods).toHaveLength(4)
  expect(rows.every((row) => row.lines.every(({ text }) => text.includes('Own, monthly')))).toBe(true)
})
