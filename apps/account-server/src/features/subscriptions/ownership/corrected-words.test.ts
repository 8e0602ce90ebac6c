import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { linkCustomerCommand } from '../../../commands/link-customer.ts'
import { filedPurchase } from '../../../test/filed-purchase.ts'
import { load } from '../../../test/import.ts'
import { paypalVendor } from '../../../test/paypal.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { typedPurchase } from '../../../test/typed-purchase.ts'
import type { TestMember } from '../../../test/world.ts'
import { mainCustomerId } from '../../payments/customers/customers.queries.ts'
import { syncCustomers } from '../../payments/customers/customers.sync.ts'
import { subscriptions } from '../subscriptions.tables.ts'

const sandbox = await sandboxOfFile()

type Filed = Awaited<ReturnType<typeof filedPurchase>>
type Typed = Parameters<typeof filedPurchase>[1]['typed']

const corrections: Record<string, (world: Filed) => Promise<unknown>> = {
  async 'link-customer'(world) {
    expect(await world.linkCustomer(world.payer)).toMatchObject({ code: 0 })
  },
  async 'the vendor’s key at the subscription'({ stripe, sid, payer }) {
    await stripe.subscriptions.update(sid, { metadata: { memberId: payer.id } })
  },
}

const typed: [string, Typed][] = [
  ['the same', (email) => email],
  ['nobody’s', (email) => `accounts-${email}`],
]

test.each(
  Object.entries(corrections).flatMap(([word, correct]) =>
    typed.map(([whose, of]) => [word, whose, correct, of] as const),
  ),
)('%s corrects what a file has said of a purchase with %s address', async (_word, _whose, correct, of) => {
  await using world = await filedPurchase(sandbox, { typed: of })
  const { named, payer, read, has } = world
  expect([await has(named), await has(payer)]).toEqual([
    [1, 1],
    [0, 0],
  ])

  await correct(world)
  await read()
  expect([await has(named), await has(payer)]).toEqual([
    [0, 0],
    [1, 1],
  ])
  await world.load(named)
  expect(await has(payer)).toEqual([1, 1])
})

const generalWords: Record<string, (world: Awaited<ReturnType<typeof typedPurchase>>) => Promise<unknown>> = {
  '--confirmed-until': ({ deps }) =>
    syncCustomers({ ...deps, confirmedUntil: new Date(Date.now() + 60_000), now: deps.clock(), say: () => undefined }),
  'a provider-customer line': (world) =>
    load(world, [{ type: 'provider-customer', email: world.buyer.email, customerId: world.otherCustomer }]),
}

const specialWords: Record<string, (world: Awaited<ReturnType<typeof typedPurchase>>, id: string) => Promise<unknown>> =
  {
    async 'the vendor’s key'({ stripe, otherCustomer, syncCustomer }, memberId) {
      await stripe.customers.update(otherCustomer, { metadata: { memberId } })
      await syncCustomer()
    },
    async 'the vendor’s key at the subscription'({ stripe, sid, sync }, memberId) {
      await stripe.subscriptions.update(sid, { metadata: { memberId } })
      await sync(sid)
    },
  }

test.each(
  Object.keys(generalWords).flatMap((word) => [...Object.keys(specialWords), 'link-customer'].map((by) => [word, by])),
)('whose it is gets it after %s that was wrong: by %s', async (word = '', by = '') => {
  await using world = await typedPurchase(sandbox)
  const payer = await world.member()
  await generalWords[word]?.(world)
  expect(await world.link()).toMatchObject({ memberId: world.buyer.id, proof: 'vendor', isPartlyProven: false })

  if (by === 'link-customer') expect(await world.linkCustomer(payer.email)).toBe(0)
  else await specialWords[by]?.(world, payer.id)
  await world.sync(world.sid)
  expect([await world.ids(), await world.ids(payer)]).toEqual([[], [world.sid]])
  await generalWords[word]?.(world)
  await world.sync(world.sid)
  expect(await world.ids(payer)).toEqual([world.sid])
})

test('of two words about the customer itself, the first one stays', async () => {
  await using world = await typedPurchase(sandbox)
  const { stripe, otherCustomer, syncCustomer, buyer } = world
  const [first, second] = [await world.member(), await world.member()]
  await stripe.customers.update(otherCustomer, { metadata: { memberId: first.id } })
  await syncCustomer()
  await stripe.customers.update(otherCustomer, { metadata: { memberId: second.id } })
  await syncCustomer()
  expect([await world.ids(first), await world.ids(second)]).toEqual([[world.sid], []])
  expect(await world.linkCustomer(buyer.email)).toBe(1)
})

test('the main customer that is corrected leaves its member with the next one as the main', async () => {
  await using world = await typedPurchase(sandbox)
  const { buyer, db, customerId, otherCustomer } = world
  await load(world, [{ type: 'provider-customer', email: buyer.email, customerId: otherCustomer, main: true }])
  expect(await mainCustomerId(db, buyer)).toBe(otherCustomer)
  const payer = await world.member()
  await world.linkCustomer(payer.email)
  expect([await mainCustomerId(db, buyer), await mainCustomerId(db, payer)]).toEqual([customerId, otherCustomer])
})

/** What somebody has bought at PayPal, of which a file and the operator can say whose it is. */
async function boughtAtPaypal(customId?: (named: TestMember) => string) {
  const world = await paypalVendor(sandbox)
  const [named, payer] = [await world.member(), await world.member()]
  const id = await world.buy(customId && { customId: customId(named) })
  const line = { subscriptionId: id, email: named.email }
  const periodStart = new Date().toISOString()
  const { deps, config } = world
  return {
    ...{ ...world, id, named, payer },
    file: () =>
      load(world, [
        {
          ...{ type: 'subscription', ...line, productCode: world.productCode, status: 'active', userCount: 3 },
          ...{ origin: 'online', channel: 'paypal', autoRenewal: true, periodStart, term: 'monthly' },
        },
      ]),
    async link() {
      const run = linkCustomerCommand((_db, run) => run(deps.jobs)).prepare([payer.email, id])
      expect(await run?.(deps.db, () => undefined, { ...config, PAST_DUE_DAYS: 21, now: deps.clock() })).toBe(0)
    },
    stored: async () => (await world.db.select().from(subscriptions).where(eq(subscriptions.id, id)))[0],
  }
}

/** The vendor's file names a member as the Owner; then PayPal is read. */
async function filedAtPaypal(customId?: (named: TestMember) => string) {
  const world = await boughtAtPaypal(customId)
  await world.file()
  await world.sync(world.id)
  return world
}

test('at PayPal, a file does not name another one than link-customer has of what was not read yet', async () => {
  await using world = await boughtAtPaypal(() => 'nobody-here@example.test')
  const { id, payer, stored } = world
  await world.sync(id)
  await world.link()
  expect((await world.file()).refusals).toEqual([expect.stringContaining('link-customer')])
  await world.sync(id)
  expect(await stored()).toMatchObject({ memberId: payer.id })
})

test.each([
  ['the same', ({ email }: TestMember) => email],
  ['nobody’s', ({ email }: TestMember) => `accounts-${email}`],
])('at PayPal, link-customer corrects what a file has said of a purchase with %s address', async (_whose, customId) => {
  await using world = await filedAtPaypal(customId)
  const { id, named, payer, stored } = world
  expect(await stored()).toMatchObject({ memberId: named.id })
  await world.link()
  await world.sync(id)
  expect(await stored()).toMatchObject({ memberId: payer.id, proof: 'vendor' })
})

test('at PayPal, what the shop has signed corrects what a file has said', async () => {
  await using world = await filedAtPaypal()
  expect(await world.stored()).toMatchObject({ memberId: world.buyer.id, proof: 'signed' })
})
