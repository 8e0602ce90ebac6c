import { declineSubscription } from '@atrium/contract/offered-subscriptions.ts'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { isNobody } from '../db/nobody.queries.ts'
import { invoiceFiles, orders } from '../features/orders/orders.tables.ts'
import { type ErasureOutcome, eraseMember } from '../features/personal-data/erase-member.service.ts'
import { subscriptions } from '../features/subscriptions/subscriptions.tables.ts'
import { unmatchedLines } from '../features/sync/unmatched.ts'
import { termsVendor } from '../test/paypal-terms.ts'
import { everything } from '../test/personal-data.ts'
import { sandboxOfFile } from '../test/sandbox-of-file.ts'
import { typedPurchase } from '../test/typed-purchase.ts'

const sandbox = await sandboxOfFile()
type World = Pick<Awaited<ReturnType<typeof typedPurchase>>, 'db' | 'deps' | 'buyer'>

function erase({ db, deps, buyer }: World, dryRun = false): Promise<ErasureOutcome> {
  const secret = 'a secret of at least 32 characters'
  return eraseMember(db, { email: buyer.email, secret, pastDueDays: 21, dryRun, now: deps.clock() })
}

/** The invoices of what was paid are written. */
async function writeInvoices({ db, deps, buyer }: World) {
  const paid = await db
    .select()
    .from(orders)
    .where(and(eq(orders.memberId, buyer.id), eq(orders.status, 'CO')))
  const file = { kind: 'invoice', pdf: Buffer.from('%PDF'), createdAt: deps.clock() } as const
  for (const { orderNumber } of paid) await db.insert(invoiceFiles).values({ ...file, orderNumber })
}

const ofNobody = ({ db }: World, id: string) =>
  db.$count(subscriptions, and(eq(subscriptions.providerId, id), isNobody(subscriptions.memberId)))

test('a stranger who pays with a person’s address does not hold up their erasure, and goes on to pay for what is nobody’s', async () => {
  await using world = await typedPurchase(sandbox)
  const { db, sid, buyer, otherCustomer } = world
  await writeInvoices(world)

  const outcome = { kind: 'erased', purchases: [sid], detached: [otherCustomer] }
  expect(await erase(world, true)).toMatchObject(outcome)
  expect(await ofNobody(world, sid)).toBe(0)
  expect(await erase(world)).toMatchObject(outcome)
  expect(await ofNobody(world, sid)).toBe(1)
  expect(await everything(world)).not.toContain(buyer.email)
  const line = (await unmatchedLines(db, 'card')).find((one) => one.includes(sid))
  expect(line).toContain('that person was erased')

  await world.stripe.subscriptions.update(sid, { items: [{ id: await itemOf(world), quantity: 4 }] })
  await world.sync(sid)
  expect(await db.select().from(subscriptions).where(eq(subscriptions.providerId, sid))).toMatchObject([
    { userCount: 4, status: 'active' },
  ])
  expect(await everything(world)).not.toContain(buyer.email)

  const right = await world.member()
  expect(await world.linkCustomer(right.email)).toBe(0)
  expect(await world.ids(right)).toEqual([sid])
  expect(await world.unmatched()).toEqual([])
})

async function itemOf({ stripe, sid }: Pick<Awaited<ReturnType<typeof typedPurchase>>, 'stripe' | 'sid'>) {
  return (await stripe.subscriptions.retrieve(sid)).items.data[0]?.id ?? ''
}

test('nor do payments that the stranger has not made', async () => {
  await using world = await typedPurchase(sandbox)
  const { db, sid, buyer } = world
  await writeInvoices(world)
  await db
    .update(orders)
    .set({ status: 'PD' })
    .where(and(eq(orders.memberId, buyer.id), eq(orders.providerSubscriptionId, sid)))
  expect(await erase(world)).toMatchObject({ kind: 'erased', purchases: [sid] })
})

test('so it is at PayPal, while what is proven to be the person’s still is in the way', async () => {
  await using world = await termsVendor(sandbox)
  const typed = await world.buy({ customId: world.buyer.email })
  await world.sync(typed)
  const own = await world.buy()
  await world.sync(own)
  expect(await erase(world)).toMatchObject({ obstacles: [{ kind: 'running_subscription', subscriptionId: own }] })

  await world.call('POST', `/v1/billing/subscriptions/${own}/cancel`, { reason: 'Asked to be erased' })
  const ended = { status: 'canceled', endedAt: world.deps.clock(), autoRenew: false } as const
  await world.db.update(subscriptions).set(ended).where(eq(subscriptions.providerId, own))
  expect(await erase(world)).toMatchObject({ kind: 'erased', purchases: [typed] })
  expect(await ofNobody(world, typed)).toBe(1)
})

test('what somebody has said is not theirs keeps nothing of their address once they are erased', async () => {
  await using world = await typedPurchase(sandbox)
  await writeInvoices(world)
  expect(await world.caller.send(declineSubscription, { params: { sid: world.sid } })).toMatchObject({ status: 200 })
  expect(await erase(world)).toMatchObject({ kind: 'erased' })
  expect(await everything(world)).not.toContain(world.buyer.email)
})
