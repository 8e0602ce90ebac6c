import { randomUUID } from 'node:crypto'
import { removeSubscriptionUser } from '@atrium/contract/team.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { identities, members } from '../../db/members.tables.ts'
import { newProduct } from '../../test/factories.ts'
import { load } from '../../test/import.ts'
import { sessionCookieOf, signInAs } from '../../test/sign-in.ts'
import { noProviders, transfersIn } from '../../test/transfers.ts'
import { meanwhile, untilWaiting } from '../../test/waiting.ts'
import { newWorld } from '../../test/world.ts'
import { licenseContacts } from '../licenses/licenses.tables.ts'
import { seats } from '../subscriptions/seats.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'

/** A vendor whose file has a subscription with a colleague in it. */
async function vendor() {
  const world = await newWorld({ settings: noProviders })
  const [owner, colleague, other] = [await world.member(), await world.member(), await world.member()]
  const { code: productCode } = await newProduct(world)
  const sid = `S-${owner.id}`
  const subscription = {
    ...{ type: 'subscription', subscriptionId: sid, email: owner.email, productCode, userCount: 3 },
    ...{ status: 'active', origin: 'online', channel: 'card', price: 12000, currency: 'USD', term: 'yearly' },
    ...{ autoRenewal: true, periodStart: '2026-01-01T00:00:00Z', periodEnd: '2027-01-01T00:00:00Z' },
  }
  // It goes along with what renews.
  const billing = { autoRenewal: false, status: 'given', origin: 'given', channel: 'invoice' }
  const { price: _, currency: __, term: ___, ...unbilled } = subscription
  const given = { ...unbilled, ...billing, subscriptionId: `G-${owner.id}` }
  const seat = { type: 'seat', status: 'Accepted', invited: '2026-05-31T00:00:00Z' }
  const ownSeats = [sid, given.subscriptionId].map((subscriptionId) => ({
    ...{ ...seat, subscriptionId, email: owner.email, seatType: 2, isUse: true },
  }))
  const theirSeat = { ...seat, subscriptionId: sid, email: colleague.email, seatType: 0, isUse: true }
  const file = [subscription, given, ...ownSeats, theirSeat]
  expect((await load(world, file)).refusals).toEqual([])
  const seatsNow = (subscriptionId: string) =>
    world.db
      .select()
      .from(seats)
      .where(and(eq(seats.subscriptionId, subscriptionId), isNull(seats.removedAt)))
      .orderBy(asc(seats.email))
  return { world, sid, owner, colleague, other, subscription, given, theirSeat, file, seatsNow }
}

const holdSubscription = (id: string) => (tx: Tx) =>
  tx.select().from(subscriptions).where(eq(subscriptions.id, id)).for('update')

test('a file that is applied during a transfer is refused what it is refused afterwards', async () => {
  const { world, owner, other, given, file, seatsNow } = await vendor()
  await using _ = world
  const { codesFor, use, stored } = transfersIn(world)
  const codes = await codesFor(owner, other)
  const [done, loaded] = await meanwhile(world, {
    hold: holdSubscription(given.subscriptionId),
    act: () => use(owner, other.email, codes),
    next: () => load(world, file),
  })
  expect(done.status).toBe(200)
  expect(loaded.refusals.slice(0, 2)).toEqual(
    [1, 2].map(
      (line) =>
        `${line} email it is billed to another customer, or was transferred to one; whom a file has named is corrected by npm run members -- link-customer`,
    ),
  )
  expect(await stored(given.subscriptionId)).toMatchObject({ memberId: other.id, importedFor: owner.id })
  expect(await seatsNow(given.subscriptionId)).toMatchObject([{ email: other.email, type: 2 }])
})

test('a file that is applied during a transfer makes the Owner before no Holder again', async () => {
  const { world, sid, owner, other } = await vendor()
  await using _ = world
  const licenseId = `L-${sid}`
  const contact = { type: 'license-contact', licenseId, email: owner.email, relationship: 'Holder', userRole: 'bill' }
  const license = {
    ...{ type: 'license', licenseId, subscriptionId: sid, version: '13', edition: 'Standard', language: 'English' },
    ...{ platform: 'Windows', created: '2026-01-01T00:00:00Z', activationMethod: 'keycode' },
  }
  expect((await load(world, [license, contact])).refusals).toEqual([])
  const { codesFor, use } = transfersIn(world)
  const codes = await codesFor(owner, other)
  const [done, loaded] = await meanwhile(world, {
    hold: holdSubscription(sid),
    act: () => use(owner, other.email, codes),
    next: () => load(world, [contact]),
  })
  expect([done.status, loaded.refused]).toEqual([200, 1])
  expect(await world.db.$count(licenseContacts, eq(licenseContacts.licenseId, licenseId))).toBe(0)
})

test('who is removed from a team while a file says something new of them is not in it again', async () => {
  const { world, sid, owner, colleague, theirSeat, seatsNow } = await vendor()
  await using _ = world
  const id = (await seatsNow(sid)).find(({ email }) => email === colleague.email)?.id ?? ''
  const asked = { lang: 'en-us' as const, orgCode: '', setupAdmin: 0 as const, type: 0 as const }
  const [done, loaded] = await meanwhile(world, {
    hold: (tx) => tx.select().from(seats).where(eq(seats.id, id)).for('update'),
    act: () => {
      const body = { ...asked, email: colleague.email, distributionUuid: id }
      return world.as(owner).send(removeSubscriptionUser, { params: { sid }, body })
    },
    next: () => load(world, [{ ...theirSeat, seatType: 3, isUse: false }]),
  })
  expect([done.status, loaded.warnings]).toEqual([200, 1])
  expect(await seatsNow(sid)).toMatchObject([{ email: owner.email }])
})

test('what a provider is read for during the file is billed there, and takes nothing of its state from the file', async () => {
  const { world, sid, owner, other, subscription } = await vendor()
  await using _ = world
  const [known] = await world.db.select().from(subscriptions).where(eq(subscriptions.id, sid))
  if (!known) throw new Error('no subscription')
  const [id, others] = [`sub_${owner.id}`, `sub_${other.id}`]
  const billed = { ...known, userCount: 7, importedFor: null, isPriceHidden: false }
  const loaded = await world.db.transaction(async (tx) => {
    await tx.insert(subscriptions).values([
      { ...billed, id, providerId: id },
      { ...billed, id: others, providerId: others, memberId: other.id },
    ])
    const loading = load(world, [
      { ...subscription, subscriptionId: id, priceHidden: true },
      { ...subscription, subscriptionId: others },
      { ...subscription, subscriptionId: `N-${owner.id}` },
    ])
    await untilWaiting(world, 1)
    return { loading }
  })
  expect(await loaded.loading).toMatchObject({
    warned: [expect.stringMatching(/^1 subscriptionId is billed at a payment provider/)],
    refusals: [
      '2 email it is billed to another customer, or was transferred to one; whom a file has named is corrected by npm run members -- link-customer',
    ],
  })
  const isOfBoth = inArray(subscriptions.id, [id, others])
  const rows = await world.db.select().from(subscriptions).where(isOfBoth).orderBy(asc(subscriptions.isPriceHidden))
  expect(rows).toMatchObject([
    { id: others, userCount: 7, memberId: other.id },
    { id, userCount: 7, memberId: owner.id, isPriceHidden: true },
  ])
})

test('who signs in for the first time while a file brings them is its member', async () => {
  await using world = await newWorld({ settings: noProviders })
  const email = `new-${randomUUID()}@example.test`
  const signingIn = await world.db.transaction(async (tx) => {
    // What a `member` line does.
    await tx.insert(members).values({ email, emailVerified: true, company: 'Analytical', createdAt: new Date() })
    const signing = signInAs(world, { user: email, attributes: { email, emailVerified: 'true' } })
    await untilWaiting(world, 1)
    return { signing }
  })
  expect(sessionCookieOf(await signingIn.signing)).toBeDefined()
  const known = await world.db.select().from(members).where(eq(members.email, email))
  expect(known).toMatchObject([{ company: 'Analytical' }])
  expect(await world.db.select().from(identities).where(eq(identities.subject, email))).toMatchObject([
    { memberId: known[0]?.id },
  ])
})
