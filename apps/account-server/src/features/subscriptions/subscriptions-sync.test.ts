import { listSubscriptions } from '@atrium/contract/subscriptions.ts'
import { and, asc, eq, like, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { at, billedWorld } from '../../test/billed-subscription.ts'
import { newSubscription } from '../../test/factories.ts'
import { activity } from '../activity/activity.tables.ts'
import { events } from '../events/events.tables.ts'
import { unmatchedPurchases } from '../payments/unmatched/unmatched.tables.ts'
import { seats } from './seats.tables.ts'
import { subscriptions } from './subscriptions.tables.ts'

const settings = { EVENT_URLS: 'http://localhost:1/events', EVENT_SECRET: `whsec_${'a'.repeat(32)}` }

/** A subscription whose changes are events, and what there is of it. */
async function toldWorld() {
  const world = await billedWorld({ settings })
  const { db, id, member } = world
  return {
    ...world,
    stored: async () => (await db.select().from(subscriptions).where(eq(subscriptions.id, id)))[0],
    listed: async () => (await world.as(member).send(listSubscriptions, { query: {} })).body.list,
    history: () =>
      db
        .select({ action: activity.action, kind: activity.actorKind, details: activity.details })
        .from(activity)
        .where(and(eq(activity.target, id), like(activity.action, 'subscription.%')))
        .orderBy(asc(activity.id)),
  }
}

test('a purchase in the vendor’s shop arrives by its event alone: subscription, Owner’s seat, activity, event', async () => {
  await using world = await toldWorld()
  await world.sync()

  expect(await world.listed()).toMatchObject([
    {
      stripeSubscriptionId: world.id,
      appCode: world.productCode,
      userCount: 2,
      joinCount: 1,
      userType: 2,
      paidType: 'monthly',
      price: 2000,
      currency: 'USD',
      autoRenewal: 1,
      stripeCurrentPeriodEnd: at(30).toISOString(),
    },
  ])
  expect(await world.history()).toMatchObject([{ action: 'subscription.created', kind: 'provider' }])
  const published = await world.db.select().from(events).where(eq(events.type, 'subscription.changed'))
  expect(published.map(({ data }) => data)).toMatchObject([
    { subscriptionId: world.id, status: 'active', userCount: 2 },
  ])
})

test('the same state again changes nothing, and leaves no trace', async () => {
  await using world = await toldWorld()
  for (let time = 0; time < 3; time += 1) await world.sync()

  expect(await world.history()).toHaveLength(1)
  expect(await world.db.$count(events, sql`${events.data} ->> 'subscriptionId' = ${world.id}`)).toBe(1)
  expect(await world.db.$count(seats, eq(seats.subscriptionId, world.id))).toBe(1)
})

test('a renewal that nobody asked for here arrives, with what changed', async () => {
  await using world = await toldWorld()
  await world.sync()
  world.provider.has = { ...world.billed, items: [{ ...world.item, periodStart: at(30), periodEnd: at(60) }] }
  await world.sync()

  expect(await world.stored()).toMatchObject({ periodStart: at(30), periodEnd: at(60), createdAt: at(0) })
  const [, renewed] = await world.history()
  expect(renewed).toMatchObject({
    action: 'subscription.changed',
    details: {
      before: { periodStart: at(0).toISOString(), periodEnd: at(30).toISOString() },
      after: { periodStart: at(30).toISOString(), periodEnd: at(60).toISOString() },
    },
  })
})

test('what was read earlier never overwrites what was read later, in whatever order it is written', async () => {
  await using world = await toldWorld()
  await world.sync()
  const { cards } = world.deps
  const [isRead, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const old = world.provider.has
  cards.readSubscription = async () => {
    isRead.resolve()
    await mayGoOn.promise
    return old
  }
  const slow = world.sync()
  await isRead.promise
  world.provider.has = { ...old, status: 'canceled', endedAt: at(1) }
  cards.readSubscription = async () => world.provider.has
  await world.sync()
  mayGoOn.resolve()
  await slow

  expect(await world.stored()).toMatchObject({ status: 'canceled', endedAt: at(1) })
  expect(await world.history()).toHaveLength(2)
})

test('twenty jobs about a new subscription make one, with one seat', async () => {
  await using world = await toldWorld()
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, world.sync))
  // One that lost is tried again by its queue.
  await world.sync()

  expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true)
  expect(await world.db.$count(seats, eq(seats.subscriptionId, world.id))).toBe(1)
  expect((await world.history()).map(({ action }) => action)).toEqual(['subscription.created'])
})

test('one that is not paid yet is not listed, and one that never was neither', async () => {
  await using world = await toldWorld()
  for (const status of ['incomplete', 'incomplete_expired']) {
    world.provider.has = { ...world.billed, status }
    await world.sync()
    expect(await world.listed()).toEqual([])
  }
  world.provider.has = world.billed
  await world.sync()
  expect(await world.listed()).toHaveLength(1)
})

test('a subscription of a customer whom nobody here is changes nothing', async () => {
  await using world = await toldWorld()
  world.provider.has = { ...world.billed, customerId: 'cus_stranger' }
  await world.sync()

  expect(await world.stored()).toBeUndefined()
})

test('a price that the catalog does not know is shown as the provider calls it, and is not for sale', async () => {
  await using world = await toldWorld()
  world.deps.cards.productName = async () => 'Folio Classic 2009'
  world.provider.has = {
    ...world.billed,
    items: [{ ...world.item, priceId: 'price_old', productId: `prod_old_${world.id}` }],
  }
  await world.sync()

  const [shown] = await world.listed()
  expect(shown).toMatchObject({ appName: 'Folio Classic 2009', paidType: '', price: 2000, subscriptionUpgrade: 0 })
})

test.each([0, 2 ** 31])(
  '%s of something cannot have been sold: it gives nothing, and waits for its correction',
  async (quantity) => {
    await using world = await toldWorld()
    world.provider.has = { ...world.billed, items: [{ ...world.item, quantity }] }
    await world.sync()
    expect(await world.listed()).toEqual([])
    const waiting = () => world.db.select().from(unmatchedPurchases).where(eq(unmatchedPurchases.objectId, world.id))
    expect(await waiting()).toMatchObject([{ reason: 'impossible_amount', memberId: world.member.id, isProven: true }])

    world.provider.has = world.billed
    await world.sync()
    expect(await world.listed()).toMatchObject([{ userCount: 2 }])
    expect(await waiting()).toEqual([])

    world.provider.has = { ...world.billed, items: [{ ...world.item, quantity }] }
    await world.sync()
    expect(await world.listed()).toMatchObject([{ userCount: 0, stripeSubscriptionStatus: 'pending' }])
    expect(await waiting()).toMatchObject([{ reason: 'impossible_amount', memberId: world.member.id, isProven: true }])
  },
)

test('a state that is not known here is pending, and gives no access', async () => {
  await using world = await toldWorld()
  world.provider.has = { ...world.billed, status: 'hibernating' }
  await world.sync()

  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'pending', isExpiring: 0, manageBy: 'none' }])
})

test('a failed payment shows what is due and until when access lasts, and is gone once it is paid', async () => {
  await using world = await toldWorld()
  const openInvoice = {
    amount: 2000,
    url: 'https://pay.example/1',
    since: at(-6),
    dates: [at(-6)],
    retriedSince: at(-6),
    nextAttemptAt: at(2),
    needsConfirmation: false,
    declineCode: '',
    declinedCard: null,
    declinedAt: null,
  }
  world.provider.has = { ...world.billed, status: 'past_due', openInvoice }
  await world.sync()
  expect(await world.listed()).toMatchObject([
    {
      stripeSubscriptionStatus: 'past_due',
      isExpiring: 1,
      accessEnd: at(15).toISOString(),
      stripeSdkUrl: 'https://pay.example/1',
      dueAmount: 2000,
      nextPaymentAttempt: at(2).toISOString(),
    },
  ])
  world.provider.has = world.billed
  await world.sync()
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active', stripeSdkUrl: '' }])
})

test('one that a file brought under the provider’s id becomes the provider’s, with its Owner and what the vendor said of it', async () => {
  await using world = await toldWorld()
  const imported = { id: world.id, productCode: world.productCode, origin: 'offline', channel: 'invoice' } as const
  await newSubscription(world, world.member, { ...imported, userCount: 9, isPriceHidden: true })
  await Promise.all([world.sync(), world.sync()])
  expect(await world.stored()).toMatchObject({
    ...{ providerId: world.id, memberId: world.member.id, origin: 'online', channel: 'card' },
    ...{ userCount: 2, status: 'active', isPriceHidden: true },
  })
  expect(await world.db.$count(seats, eq(seats.subscriptionId, world.id))).toBe(1)
})

test('what says that it continues another member’s subscription changes nothing of that one', async () => {
  await using world = await toldWorld()
  await using theirWorld = await toldWorld()
  const { member: other } = theirWorld
  const { id: continues } = await newSubscription(world, other, { userCount: 5 })
  world.provider.has = { ...world.billed, metadata: { continues } }
  await world.sync()

  const [theirs] = await world.db.select().from(subscriptions).where(eq(subscriptions.id, continues))
  expect(theirs).toMatchObject({ memberId: other.id, userCount: 5, providerId: null })
  expect(await world.stored()).toMatchObject({ memberId: world.member.id, userCount: 2 })
})
