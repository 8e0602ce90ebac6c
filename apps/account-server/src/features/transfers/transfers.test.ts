import { randomUUID } from 'node:crypto'
import { listLicenses } from '@atrium/contract/licenses.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { daysLater } from '../../db/calendar.rules.ts'
import { newContact, newEmailDevice, newKey, newLicense, newSeat, newSubscription } from '../../test/factories.ts'
import { newOrder } from '../../test/orders.ts'
import { noProviders, transfersIn } from '../../test/transfers.ts'
import { newWorld, type TestMember } from '../../test/world.ts'
import { events } from '../events/events.tables.ts'
import { providerOperations } from '../payments/operations/operations.tables.ts'
import { seats } from '../subscriptions/seats.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'

const hears = { EVENT_URLS: 'http://localhost:1/events', EVENT_SECRET: `whsec_${'a'.repeat(32)}` }

/** An Owner with a team, an offline contract and a gift, and somebody who may receive them. */
async function twoPeople() {
  const world = await newWorld({ settings: { ...hears, ...noProviders } })
  const [owner, recipient] = [await world.member(), await world.member({ firstName: 'Grace' })]
  const online = await newSubscription(world, owner)
  const addOn = await newSubscription(world, owner, { parentId: online.id, userCount: 1 })
  const given = await newSubscription(world, owner, { origin: 'given', status: 'given', autoRenew: false })
  const offline = await newSubscription(world, owner, {
    ...{ origin: 'offline', status: 'offline-purchase', channel: 'invoice', autoRenew: false },
  })
  return { ...world, ...transfersIn(world), owner, recipient, online, addOn, given, offline }
}

type World = Awaited<ReturnType<typeof twoPeople>>

const change = (world: World, id: string, values: Partial<typeof subscriptions.$inferInsert>) =>
  world.db.update(subscriptions).set(values).where(eq(subscriptions.id, id))

test('everything online and given moves, with add-ons, seats and devices; contracts stay; both are told', async () => {
  await using world = await twoPeople()
  const { owner, recipient, online, addOn, given, offline } = world
  const colleague = await newSeat(world, online.id)
  const device = await newEmailDevice(world, online.ownerSeat.id)
  const license = await newLicense(world, { subscriptionId: online.id })
  await newKey(world, license.id)
  // A file has named the Holder, whom the Owner is anyway.
  await newContact(world, license.id, owner, { userRole: 'bill' })
  const shown = await world.check(owner)
  expect(shown).toMatchObject({ canTransfer: 1, obstacle: '', currentAccount: owner.email })
  expect(shown.moves.map((one) => one.stripeSubscriptionId).sort()).toEqual([online.id, addOn.id, given.id].sort())
  expect(shown.stays.map((one) => one.stripeSubscriptionId)).toEqual([offline.id])
  const ends = { fate: 'ends', until: online.periodEnd?.toISOString() }
  expect(shown.moves.find((one) => one.stripeSubscriptionId === online.id)).toMatchObject(ends)

  const before = await world.seatsOf(online.id)
  const { status, body } = await world.transfer(owner, recipient)
  expect([status, body.email, body.moved.length, body.stays.length]).toEqual([200, recipient.email, 3, 1])
  for (const { id } of [online, addOn, given]) expect((await world.stored(id)).memberId).toBe(recipient.id)
  expect((await world.stored(offline.id)).memberId).toBe(owner.id)

  const after = await world.seatsOf(online.id)
  expect(after.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort())
  expect(after.filter(({ type }) => type === 2)).toMatchObject([
    { id: online.ownerSeat.id, memberId: recipient.id, email: recipient.email, isUse: true },
  ])
  expect(after.some(({ id }) => id === colleague.id)).toBe(true)
  expect(device.seatId).toBe(online.ownerSeat.id)

  expect(await world.actions(owner)).toEqual(['transfer.codes_sent', 'subscriptions.transferred'])
  expect(await world.actions(recipient)).toEqual(['subscriptions.transferred'])
  expect(world.emailsTo(owner.email)).toHaveLength(2)
  expect(world.emailsTo(recipient.email)).toHaveLength(2)
  expect(world.emailsTo(recipient.email).at(-1)?.text).toContain('may still know the license keys')
  const licenses = async (member: TestMember) => (await world.as(member).send(listLicenses, { query: {} })).body.total
  expect([await licenses(owner), await licenses(recipient)]).toEqual([0, 1])
  const told = await world.db.select().from(events).where(eq(events.type, 'subscription.transferred'))
  const ofThese = told.filter(({ data }) => data.fromEmail === owner.email)
  expect(ofThese.map(({ data }) => data.subscriptionId).sort()).toEqual([online.id, addOn.id, given.id].sort())
  expect(await world.check(owner)).toMatchObject({ canTransfer: 0, obstacle: 'nothing_to_transfer', moves: [] })
})

test('who cannot receive is answered alike, whatever the reason, and nothing is sent', async () => {
  await using world = await twoPeople()
  const { owner, online } = world
  const holder = await world.member()
  await newSeat(world, online.id, { email: holder.email, memberId: holder.id })
  // Whose seat still has the address of before.
  const renamed = await world.member()
  await newSeat(world, online.id, { memberId: renamed.id })
  const otherOwner = await world.member()
  await newSubscription(world, otherOwner)
  const unverified = await world.member({ emailVerified: false })
  const people = [owner, holder, renamed, otherOwner, unverified]
  const addresses = [...people.map(({ email }) => email), `${randomUUID()}@example.test`]

  const answers = await Promise.all(
    addresses.flatMap((email) => [world.checkEmail(owner, email), world.send(owner, email)]),
  )
  const bodies = answers.map(({ status, body, headers }) => [
    ...[status, { ...body, requestId: '' }, headers['content-length']],
  ])
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
  expect(answers[0]).toMatchObject({ status: 409, body: { code: 'transfer_not_allowed' } })
  expect(world.sent.filter(({ queue }) => queue === 'mail')).toEqual([])

  const formerHolder = await world.member()
  await newSeat(world, online.id, { email: formerHolder.email, memberId: formerHolder.id, removedAt: new Date() })
  expect((await world.checkEmail(owner, formerHolder.email)).status).toBe(200)
})

const soon = new Date('2026-06-01T20:00:00Z')

test.each([
  ['past due', { status: 'past_due', pastDueSince: new Date('2026-05-30T00:00:00Z') }, 'payment_due'],
  ['of a state that is not known here', { status: 'pending' }, 'pending'],
  ['waiting for a payment', { dueUrl: 'https://pay.example.test' }, 'payment_due'],
  ['renewing right now, or renewed with an invoice that is void', { isRenewing: true }, 'period_unpaid'],
  ['… beside what is due', { isRenewing: true, dueUrl: 'https://pay.example.test' }, 'payment_due'],
  ['waiting for an approval at PayPal', { channel: 'paypal', pendingPlanId: 'P-1' }, 'change_pending'],
  ['charged within a day', { providerId: 'sub_soon', periodEnd: soon }, 'renewal_near'],
  ['ended', { status: 'canceled', endedAt: new Date('2026-05-30T00:00:00Z') }, 'nothing_to_transfer'],
] as const)('nothing can be transferred while one is %s', async (_name, values, obstacle) => {
  await using world = await twoPeople()
  const { owner, recipient, online, addOn } = world
  const codes = await world.codesFor(owner, recipient)
  if (obstacle === 'nothing_to_transfer') await change(world, addOn.id, values)
  await change(world, online.id, values)

  expect(await world.check(owner)).toMatchObject({ canTransfer: 0, obstacle })
  world.later(31)
  for (const answer of [
    await world.checkEmail(owner, recipient.email),
    await world.send(owner, recipient.email),
    await world.use(owner, recipient.email, codes),
  ]) {
    expect(answer).toMatchObject({ status: 409, body: { code: 'transfer_not_possible' } })
  }
  expect((await world.stored(online.id)).memberId).toBe(owner.id)
})

test.each([
  ['an order beside the periods of one is not paid', { status: 'PD', isDue: true }, 'payment_due'],
  ['an invoice that was sent is not paid', { status: 'OP' }, 'period_unpaid'],
] as const)('nothing can be transferred while %s', async (_name, values, obstacle) => {
  await using world = await twoPeople()
  const { owner, online } = world
  const providerId = `sub_${randomUUID()}`
  await change(world, online.id, { providerId })
  const payUrl = 'https://pay.example.test'
  await newOrder(world, owner, { origin: 'charged', providerSubscriptionId: providerId, payUrl, ...values })
  expect(await world.check(owner)).toMatchObject({ canTransfer: 0, obstacle })
})

test('an unresolved change at a provider holds a transfer up, and a transfer comes once in 30 days', async () => {
  await using world = await twoPeople()
  const { owner, recipient, online } = world
  const codes = await world.codesFor(owner, recipient)
  const now = world.deps.wallClock()
  const left = { memberId: owner.id, provider: 'card', subject: online.id, input: {}, status: 'pending' } as const
  const times = { requestId: 'request', createdAt: now, nextCheckAt: now }
  await world.db.insert(providerOperations).values({ ...left, kind: 'subscription.change', ...times })
  expect((await world.check(owner)).obstacle).toBe('change_pending')
  expect((await world.use(owner, recipient.email, codes)).body.code).toBe('transfer_not_possible')
  await world.db
    .update(providerOperations)
    .set({ status: 'failed', resolvedAt: now })
    .where(eq(providerOperations.memberId, owner.id))
  expect((await world.use(owner, recipient.email, codes)).status).toBe(200)

  // There is no provider in this world that could end the old one.
  await world.db
    .update(providerOperations)
    .set({ status: 'succeeded', resolvedAt: now })
    .where(eq(providerOperations.memberId, recipient.id))
  const next = await newSubscription(world, owner)
  expect([(await world.check(owner)).obstacle, (await world.check(recipient)).obstacle]).toEqual([
    ...['transferred_recently', 'transferred_recently'],
  ])
  world.at(daysLater(now, 30))
  const cookie = await world.session(owner.id)
  expect((await world.check({ ...owner, cookie })).obstacle).toBe('')
  expect((await world.stored(next.id)).memberId).toBe(owner.id)
})

test('a member without a session, or with nothing of their own, gets nowhere', async () => {
  await using world = await twoPeople()
  const { recipient, owner, online } = world
  const admin = await world.member()
  await newSeat(world, online.id, { email: admin.email, memberId: admin.id, type: 1 })
  expect(await world.check(admin)).toMatchObject({ canTransfer: 0, moves: [], stays: [] })
  expect((await world.send(admin, recipient.email)).body.code).toBe('transfer_not_possible')
  expect((await world.check({ ...owner, cookie: '' })).code).toBe('signed_out')
})

test('an invitation of the recipient is withdrawn: they are the Owner now', async () => {
  await using world = await twoPeople()
  const { owner, recipient, online } = world
  const invited = await newSeat(world, online.id, { email: recipient.email, status: 'Pending', isUse: false })
  expect((await world.transfer(owner, recipient)).status).toBe(200)
  const [seat] = await world.db.select().from(seats).where(eq(seats.id, invited.id))
  expect(seat?.removedAt).not.toBeNull()
  expect(await world.actions(owner)).toContain('seat.invitation_withdrawn')
})

test('the emails name storage and connectors by their size', async () => {
  await using world = await twoPeople()
  await change(world, world.online.id, { storageCapacity: 2, userCount: 1 })
  await change(world, world.given.id, { connectors: 3, userCount: 5 })
  await world.send(world.owner, world.recipient.email)
  const [email] = world.emailsTo(world.recipient.email)
  expect(email?.text).toMatch(/2\sTB storage/)
  expect(email?.text).toMatch(/5\sseats · 3\sconnectors/)
})

test('what has changed since the codes were sent is not transferred', async () => {
  await using world = await twoPeople()
  const { owner, recipient, online } = world
  const codes = await world.codesFor(owner, recipient)
  await change(world, online.id, { userCount: 4 })
  expect(await world.use(owner, recipient.email, codes)).toMatchObject({
    status: 409,
    body: { code: 'transfer_changed' },
  })
  await change(world, online.id, { userCount: 3 })
  await newSubscription(world, owner)
  expect((await world.use(owner, recipient.email, codes)).body.code).toBe('transfer_changed')
  world.later(31)
  expect((await world.transfer(owner, recipient)).body.moved).toHaveLength(4)
})

test('a recipient who has bought meanwhile cannot receive any more', async () => {
  await using world = await twoPeople()
  const { owner, recipient, online } = world
  const codes = await world.codesFor(owner, recipient)
  await newSubscription(world, recipient)
  expect((await world.use(owner, recipient.email, codes)).body.code).toBe('transfer_not_allowed')
  expect((await world.stored(online.id)).memberId).toBe(owner.id)
})

test('sent twice with one key, it happens once, and is answered alike', async () => {
  await using world = await twoPeople()
  const { owner, recipient } = world
  const codes = await world.codesFor(owner, recipient)
  const key = randomUUID()
  const answers = await Promise.all([1, 2, 3].map(() => world.use(owner, recipient.email, codes, key)))
  answers.push(await world.use(owner, recipient.email, codes, key))
  expect(answers.map(({ status, body }) => [status, body.moved?.length])).toEqual(Array(4).fill([200, 3]))
  expect((await world.actions(recipient)).length).toBe(1)
  expect((await world.use(owner, recipient.email, codes)).body.code).toBe('codes_void')
})

test('two transfers of the same subscriptions at once: one of them is made', async () => {
  await using world = await twoPeople()
  const { owner, recipient, online } = world
  const codes = await world.codesFor(owner, recipient)
  const answers = await Promise.all(Array.from({ length: 8 }, () => world.use(owner, recipient.email, codes)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect((await world.seatsOf(online.id)).filter(({ type }) => type === 2)).toHaveLength(1)
})

test('a transfer does not wait for what is going on with another member’s subscriptions', async () => {
  await using world = await twoPeople()
  const { owner, recipient } = world
  const other = await newSubscription(world, await world.member())
  const codes = await world.codesFor(owner, recipient)
  await world.db.transaction(async (tx) => {
    await tx.select().from(subscriptions).where(eq(subscriptions.id, other.id)).for('update')
    expect((await world.use(owner, recipient.email, codes)).status).toBe(200)
  })
})
