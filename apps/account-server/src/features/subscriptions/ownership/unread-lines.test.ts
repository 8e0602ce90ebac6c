import { declineSubscription } from '@atrium/contract/offered-subscriptions.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import { and, eq, isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newSeat } from '../../../test/factories.ts'
import { unreadPurchase } from '../../../test/filed-purchase.ts'
import { load } from '../../../test/import.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { typedPurchase } from '../../../test/typed-purchase.ts'
import { seats } from '../seats.tables.ts'

const sandbox = await sandboxOfFile()

type World = Awaited<ReturnType<typeof unreadPurchase>>

const words: Record<string, (world: World) => Promise<unknown>> = {
  'a line': (world) => world.load(world.named),
  'a line of customers': (world) =>
    load(world, [{ type: 'provider-customer', email: world.payer.email, customerId: world.customer }]),
  'link-customer': (world) => world.linkCustomer(world.payer),
  'link-customer for another one': (world) => world.linkCustomer(world.stranger),
}

test.each([
  [['a line', 'link-customer']],
  [['link-customer', 'a line']],
  [['a line', 'link-customer for another one', 'link-customer']],
  [['a line of customers', 'a line', 'link-customer']],
])('link-customer corrects what a file says of a purchase that was not read yet: %s', async (said) => {
  await using world = await unreadPurchase(sandbox, { typed: (email) => email })
  const { named, payer, read, has } = world
  for (const word of said) await words[word]?.(world)
  await read()
  expect([await has(named), await has(payer)]).toEqual([
    [0, 0],
    [1, 1],
  ])
  await world.load(named)
  await read()
  expect(await has(payer)).toEqual([1, 1])
})

test.each([
  ['read after the correction', 'whose address was typed', ['let in', 'link', 'read']],
  ['read after the correction', 'of whom no address tells', ['let in', 'link', 'read']],
  ['read before it', 'whose address was typed', ['read', 'let in', 'link']],
  ['read before it', 'of whom no address tells', ['read', 'let in', 'link']],
  ['read in between', 'of whom no address tells', ['let in', 'read', 'link']],
] as const)(
  'whom a wrongly named member has let in is not in the true Owner’s team: %s, %s',
  async (_when, typed, acts) => {
    const isTyped = typed === 'whose address was typed'
    await using world = await unreadPurchase(sandbox, { typed: (email) => (isTyped ? email : `accounts-${email}`) })
    const { named, payer, read, sid, db } = world
    await world.load(named)
    const friend = await world.member()
    const act = {
      read,
      'let in': () => newSeat(world, sid, { memberId: friend.id, email: friend.email, type: seatTypes.setupAdmin }),
      link: () => world.linkCustomer(payer),
    }
    for (const one of acts) await act[one]()
    const isLeft = and(eq(seats.subscriptionId, sid), isNull(seats.removedAt))
    expect(await db.select({ email: seats.email }).from(seats).where(isLeft)).toEqual([{ email: payer.email }])
  },
)

test('what a file says of one purchase stays beside what it says of the customer', async () => {
  await using world = await unreadPurchase(sandbox, { typed: (email) => email })
  const { named, payer, read, has } = world
  for (const word of ['a line of customers', 'a line']) await words[word]?.(world)
  await read()
  expect([(await has(named))[0], (await has(payer))[0]]).toEqual([1, 0])
})

/** A member has said that a purchase is not theirs; then a file names them for another one of the same customer, which was not read yet. */
async function declinedThenFiled() {
  const world = await typedPurchase(sandbox)
  const { buyer, caller, sid, product } = world
  const second = await world.subscribe()
  expect((await caller.send(declineSubscription, { params: { sid } })).status).toBe(200)
  const line = { subscriptionId: second, email: buyer.email, productCode: product.code, userCount: 3 }
  const periodStart = new Date().toISOString()
  await load(world, [
    {
      ...{ type: 'subscription', ...line, status: 'active', origin: 'online', channel: 'card' },
      ...{ autoRenewal: true, term: 'monthly', periodStart },
    },
  ])
  return { ...world, second }
}

test('no file makes theirs what else the customer has bought of whom a member has said Not mine', async () => {
  await using world = await declinedThenFiled()
  const { sid, second } = world
  await world.sync(second)
  await world.syncInvoice(world.onceId)
  expect([await world.ids(), await world.ordered(), await world.link()]).toEqual([[], [], undefined])

  const payer = await world.member()
  expect(await world.linkCustomer(payer.email)).toBe(0)
  await world.sync(second)
  expect((await world.ids(payer)).toSorted()).toEqual([sid, second].toSorted())
})

test('it is whose the customer is, if that is known', async () => {
  await using world = await declinedThenFiled()
  const { second, otherCustomer } = world
  const payer = await world.member()
  await load(world, [{ type: 'provider-customer', email: payer.email, customerId: otherCustomer }])
  await world.sync(second)
  expect([await world.ids(), await world.ids(payer)]).toEqual([[], [second]])
})
