import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { termsVendor } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { orderLineText } from '../orders/line-words.rules.ts'
import { orders } from '../orders/orders.tables.ts'
import { syncSale } from '../subscriptions/paypal-subscriptions.sync.ts'

const sandbox = await sandboxOfFile()

/** Ten seats at $10 a month, of which a month could not be collected: it is outstanding, and charged with the next one. */
async function outstanding({ revisedTo, taxes }: { revisedTo?: string; taxes?: object } = {}) {
  const world = await termsVendor(sandbox)
  const planId = await world.ownPlan({ preferences: { auto_bill_outstanding: true }, ...(taxes && { taxes }) })
  const id = await world.buy({ planId, more: { quantity: '10' } })
  const told = async () => {
    for (const sale of await world.sales(id)) await syncSale(world.deps, sale)
    await world.sync(id)
  }
  await told()
  await world.fund(id, false)
  await world.advanceTo(world.inDays(47))
  await told()
  if (revisedTo) await world.revise(id, { plan_id: planId, quantity: revisedTo })
  await told()
  await world.fund(id, true)
  await world.advanceTo(world.inDays(20))
  await told()
  const last = async () => {
    const ofLast = eq(orders.providerId, (await world.sales(id)).at(-1) ?? '')
    const [{ lines = [] } = {}] = await world.db.select().from(orders).where(ofLast)
    return lines
  }
  return { world, last, row: async () => (await world.listed())[0] }
}

const hasWholeMonths = (facts: readonly ({ from: string; to: string } | null | undefined)[]) => {
  const [now, before] = facts
  expect(before?.to).toBe(now?.from)
  const days = facts.map((one) => Math.round((Date.parse(one?.to ?? '') - Date.parse(one?.from ?? '')) / 86_400_000))
  expect(days.every((many) => many >= 28 && many <= 31)).toBe(true)
}

test.each([
  ['', undefined, [10_000, 10_000]],
  [', with a tax on top', { percentage: '20', inclusive: false }, [12_000, 12_000]],
])(
  'a month that was outstanding has a line beside the one with which it was collected%s',
  async (_name, taxes, amounts) => {
    const { world, last, row } = await outstanding(taxes && { taxes })
    await using _ = world
    expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: 10 })
    const lines = await last()
    expect(lines.map(({ amount }) => amount)).toEqual(amounts)
    expect(lines.map((line) => orderLineText(line, 'en-us'))).toEqual([
      expect.stringMatching(/^Own, monthly × 10, /),
      expect.stringMatching(/^Own, monthly × 10, /),
    ])
    hasWholeMonths(lines.map(({ facts }) => facts))
  },
)

test('what was outstanding and is collected with a month of fewer seats grants those, and each line names what it was for', async () => {
  const { world, last, row } = await outstanding({ revisedTo: '1' })
  await using _ = world
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: 1, price: 1000 })
  const lines = await last()
  expect(lines.map(({ amount, facts }) => [amount, facts?.quantity])).toEqual([
    [1000, 1],
    [10_000, 10],
  ])
  hasWholeMonths(lines.map(({ facts }) => facts))
})

test('and of more seats grants those', async () => {
  const { world, last, row } = await outstanding({ revisedTo: '12' })
  await using _ = world
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: 12, price: 12_000 })
  expect((await last()).map(({ amount }) => amount)).toEqual([12_000, 10_000])
})
