import { listOnlineOrders, listPaymentsBeingChecked } from '@atrium/contract/orders.ts'
import { expect, test } from 'vitest'
import { priceOf, termsVendor } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { syncSale, takeOverPaypalSubscription } from '../subscriptions/paypal-subscriptions.sync.ts'
import { acceptUnmatched, unmatchedLines } from './unmatched.ts'

const sandbox = await sandboxOfFile()

const cent = { plan: priceOf('0.01') }

/** A subscription of three seats for a cent each, revised within its first month, and billed again. */
async function billedTwice(revision: object, customId?: string) {
  const world = await termsVendor(sandbox)
  const id = await world.buy({ more: cent, ...(customId && { customId }) })
  await world.sync(id)
  await world.revise(id, { ...cent, ...revision })
  await world.daysLater(36, id)
  const hear = async () => {
    for (const sale of await world.sales(id)) await syncSale(world.deps, sale)
    await world.sync(id)
  }
  await hear()
  const client = async () => world.as({ cookie: await world.session(world.buyer.id) })
  return {
    ...{ world, id, hear },
    line: async () => (await unmatchedLines(world.db, 'paypal')).find((one) => one.includes(id)),
    checked: async () => (await (await client()).send(listPaymentsBeingChecked, {})).body.list,
    ordered: async () => (await (await client()).send(listOnlineOrders, { query: {} })).body.list,
  }
}

test.each([
  ['as much', '3', 3],
  ['more', '30', 30],
])(
  'payments that wait at once, the later of them %s, are each seen, and accepted together',
  async (_name, quantity, amount) => {
    const { world, id, hear, line, checked, ordered } = await billedTwice({ quantity })
    await using _ = world
    expect(await line()).toContain(`2 payments, ${3 + amount} USD in minor units`)
    const seen = await checked()
    expect(seen.map((one) => one.amount)).toEqual([3, amount])
    expect(new Set(seen.map((one) => one.id)).size).toBe(2)
    expect(seen[0]?.paidAt).toBeLessThan(seen[1]?.paidAt ?? 0)

    const [row] = await world.waiting(id)
    await acceptUnmatched(world.db, { id: row?.id ?? '', provider: 'paypal', now: world.deps.clock() })
    await takeOverPaypalSubscription({ ...world.deps, say: () => undefined }, id)
    await hear()
    expect([await line(), await checked()]).toEqual([undefined, []])
    expect((await ordered()).map(({ orderAmount }) => orderAmount).toSorted()).toEqual([3, amount])
    expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active', userCount: Number(quantity) }])
  },
)

test('of several that wait what is left is seen once one was given back, and another id is accepted then', async () => {
  const { world, id, line, checked } = await billedTwice({ quantity: '30' })
  await using _ = world
  const [before] = await world.waiting(id)
  const [first = ''] = await world.sales(id)
  await world.refund(first)
  await world.sync(id)
  expect(await line()).toContain(', 30 USD in minor units')
  expect((await checked()).map((one) => one.amount)).toEqual([30])
  const accepting = { id: before?.id ?? '', provider: 'paypal', now: world.deps.clock() } as const
  expect(await acceptUnmatched(world.db, accepting)).toEqual({ kind: 'unknown' })
})

test('the line of what nobody here has bought says how much was paid for it', async () => {
  const { world, line } = await billedTwice({ quantity: '30' }, 'nobody@example.test')
  await using _ = world
  expect(await line()).toContain('2 payments, 33 USD in minor units')
})

test('the line of an overridden plan that no catalog knows does not say that less was paid', async () => {
  await using world = await termsVendor(sandbox)
  const id = await world.buy({ planId: await world.ownPlan(), more: { quantity: '1', plan: priceOf('12') } })
  await world.sync(id)
  const line = (await unmatchedLines(world.db, 'paypal')).find((one) => one.includes(id))
  expect(line).toContain('what was paid is not known to be the price of the catalog')
})
