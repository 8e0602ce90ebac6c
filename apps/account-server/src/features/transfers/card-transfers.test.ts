import { subscriptionCancel } from '@atrium/contract/auto-renewal.ts'
import { changePlan, changePlanFrom } from '@atrium/contract/plan-changes.ts'
import { addSubscriptionUsers, removeSubscriptionUser } from '@atrium/contract/team.ts'
import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { cardTransfer } from '../../test/card-transfer.ts'
import { newSeat } from '../../test/factories.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import type { TestMember } from '../../test/world.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'

const sandbox = await sandboxOfFile()

const cardPeople = (options?: { hasCard: boolean }) => cardTransfer(sandbox, options)
type World = Awaited<ReturnType<typeof cardPeople>>

const atProvider = (id: string) => sandbox.stripe.subscriptions.retrieve(id)

/** The old one ends with its period, one new one begins there, and nobody has paid for that. */
async function expectMoved(world: World, id: string) {
  const old = await atProvider(id)
  const end = old.items.data[0]?.current_period_end ?? 0
  expect([old.cancel_at_period_end, old.customer]).toEqual([true, world.customerId])
  const [begun, second] = await world.begun()
  expect(second).toBeUndefined()
  expect(begun).toMatchObject({ status: 'active', billing_cycle_anchor: end, trial_end: null, cancel_at: null })
  expect(
    begun?.items.data.map(({ price, quantity, current_period_end }) => [price.id, quantity, current_period_end]),
  ).toEqual(old.items.data.map(({ price, quantity }) => [price.id, quantity, end]))
  const row = await world.stored(id)
  expect(row).toMatchObject({ memberId: world.recipient.id, providerId: begun?.id, status: 'active', autoRenew: true })
  expect([row.userCount, row.periodEnd?.getTime(), row.cancelAt]).toEqual([3, end * 1000, null])
  expect(await world.charged()).toBe(1)
  return { begun: begun?.id ?? '', end }
}

test('by card, the old one ends with its period and the recipient’s begins there; the email said what it costs', async () => {
  await using world = await cardPeople()
  const id = await world.buy()
  expect((await world.transfer()).status).toBe(200)
  const { begun, end } = await expectMoved(world, id)

  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(end * 1000)
  const [told] = world.emailsTo(world.recipient.email)
  expect(told.text).toContain(`On ${day}, $30.00 plus any tax will be charged to Mastercard ••••\u00a04444.`)
  expect(told.text).toContain('3 seats · Monthly')
  expect(told.text).toContain('you accept the transfer and the charges above')
  expect(told.html).toContain('$30.00')

  // What happens to the old one changes nothing here, whether its events come now or later.
  const before = await world.stored(id)
  await sandbox.stripe.subscriptions.cancel(id)
  await world.sync(id)
  expect(await world.stored(id)).toEqual(before)
  expect((await world.listed(world.buyer)).length).toBe(0)

  // It is the recipient's as any other: they can turn it off.
  const cookie = await world.session(world.recipient.id)
  const off = await world.as({ cookie }).send(subscriptionCancel, { body: { sid: id, reasons: [1] } })
  expect([off.status, off.body.autoRenewal]).toEqual([200, 0])
  expect((await atProvider(begun)).cancel_at_period_end).toBe(true)
})

test('without a card it ends with the paid time, can be resumed until then, and the email says so', async () => {
  await using world = await cardPeople({ hasCard: false })
  const id = await world.buy()
  expect((await world.transfer()).status).toBe(200)
  const end = (await atProvider(id)).items.data[0]?.current_period_end ?? 0
  const row = await world.stored(id)
  expect(row).toMatchObject({ autoRenew: false, providerId: null, status: 'active' })
  expect([row.cancelAt?.getTime(), row.endedAt]).toEqual([end * 1000, null])
  expect(await world.begun()).toEqual([])
  expect((await atProvider(id)).cancel_at_period_end).toBe(true)
  expect(world.emailsTo(world.recipient.email)[0].text).toContain('Without a card on file, it ends on')
  expect(await world.listed(world.recipient)).toMatchObject([{ stripeSubscriptionId: id, hideResume: 0 }])
})

test('a card that is gone by then ends it too, and the recipient is told', async () => {
  await using world = await cardPeople()
  const id = await world.buy()
  const codes = await world.codesFor(world.buyer, world.recipient)
  await world.removeCard()
  expect((await world.use(world.buyer, world.recipient.email, codes)).status).toBe(200)
  expect(await world.stored(id)).toMatchObject({ autoRenew: false, providerId: null })
  expect((await world.operations()).map(({ status }) => status)).toEqual(['succeeded', 'canceled'])
  expect(world.emailsTo(world.recipient.email).map(({ subject }) => subject)[2]).toMatch(
    /^Automatic renewal of .* is off$/,
  )
  expect(await world.actions(world.recipient)).toEqual(['subscriptions.transferred', 'subscription.changed'])
})

test('a trial moves until its end, and is paid from then on: no second trial', async () => {
  await using world = await cardPeople()
  const id = await world.buy({ trial_period_days: 14 })
  expect((await world.transfer()).status).toBe(200)
  const old = await atProvider(id)
  const [begun] = await world.begun()
  expect([begun?.status, begun?.trial_end, begun?.billing_cycle_anchor]).toEqual(['active', null, old.trial_end])
  expect(await world.charged()).toBe(0)
  const trialEnd = new Date((old.trial_end ?? 0) * 1000)
  const ofTrial = { status: 'trialing', providerId: begun?.id, trialEnd, autoRenew: true }
  expect(await world.stored(id)).toMatchObject(ofTrial)
  await world.sync(begun?.id ?? '')
  expect(await world.stored(id)).toMatchObject(ofTrial)
  expect(await world.listed(world.recipient)).toMatchObject([{ stripeSubscriptionStatus: 'trialing', autoRenewal: 1 }])
})

test('what was turned off before stays off; add-ons go on beside what they belong to', async () => {
  await using world = await cardPeople()
  const id = await world.buy()
  const addOn = await world.buy({ quantity: 1, metadata: { parent: id } })
  const off = await world.buy({ cancel_at_period_end: true })
  expect((await world.transfer()).status).toBe(200)
  const begun = await world.begun()
  expect(begun).toHaveLength(2)
  const rows = await Promise.all([id, addOn, off].map((one) => world.stored(one)))
  expect(rows.map(({ autoRenew, parentId }) => [autoRenew, parentId])).toEqual([
    [true, null],
    [true, id],
    [false, null],
  ])
  for (const one of begun) await world.sync(one.id)
  expect(await world.listed(world.recipient)).toHaveLength(3)
})

test.each([
  ['the end', 'reset', '/subscriptions/*', 1],
  ['the end, for a while', 'error', '/subscriptions/*', 6],
  ['the begin', 'reset', '/subscriptions', 1],
  ['the begin, with a stored error', 'error', '/subscriptions', 2],
  ['the begin, with no access at all', 'rate_limit', '/subscriptions', 6],
] as const)(
  'the provider’s answer to %s is lost: it happens once',
  async (_what, kind, pattern, times) => {
    await using world = await cardPeople()
    const id = await world.buy()
    const codes = await world.codesFor(world.buyer, world.recipient)
    const { cards } = world.deps
    const { endMoved } = cards
    // It is read before.
    vi.spyOn(cards, 'endMoved').mockImplementationOnce(async (asked) => {
      await sandbox.misbehave({ kind, pattern, times })
      return endMoved(asked)
    })
    expect((await world.use(world.buyer, world.recipient.email, codes)).status).toBe(200)
    await sandbox.behave()
    for (let round = 0; round < 4; round += 1) await world.reconcileAfter(60)
    await expectMoved(world, id)
    expect((await world.operations()).map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
  },
  60_000,
)

/** The process dies at the first call: before it, or after the provider has done it. */
function dyingOnce<Asked extends readonly unknown[], Answer>(
  call: (...asked: Asked) => Promise<Answer>,
  isDone: boolean,
): (...asked: Asked) => Promise<Answer> {
  let times = 0
  return async (...asked) => {
    times += 1
    if (times > 1) return call(...asked)
    if (isDone) await call(...asked)
    throw new Error('the process is gone')
  }
}

test.each([false, true])('killed at either step, done there: %s, the reconciler goes on', async (isDone) => {
  await using world = await cardPeople()
  const { cards } = world.deps
  const id = await world.buy()
  cards.endMoved = dyingOnce(cards.endMoved, isDone)
  cards.continueSubscription = dyingOnce(cards.continueSubscription, isDone)
  expect((await world.transfer()).status).toBe(200)
  for (let round = 0; round < 5; round += 1) await world.reconcileAfter(60)
  await expectMoved(world, id)
})

test('the provider’s event about the new one comes before our own answer: it is no other subscription', async () => {
  await using world = await cardPeople()
  const id = await world.buy()
  const { continueSubscription } = world.deps.cards
  vi.spyOn(world.deps.cards, 'continueSubscription').mockImplementationOnce(async (asked) => {
    const begun = await continueSubscription(asked)
    await Promise.all([world.sync(begun.id), world.sync(id), world.sync(begun.id)])
    return begun
  })
  expect((await world.transfer()).status).toBe(200)
  await expectMoved(world, id)
  const rows = await world.db.select().from(subscriptions).where(eq(subscriptions.memberId, world.recipient.id))
  expect(rows.map((row) => row.id)).toEqual([id])
  const foreign = await world.db.select().from(subscriptions).where(eq(subscriptions.memberId, world.buyer.id))
  expect(foreign).toEqual([])
})

test('renewed at the last moment, the time that the old Owner paid is the recipient’s', async () => {
  await using world = await cardPeople()
  const id = await world.buy({ trial_period_days: 7 })
  const { endMoved } = world.deps.cards
  vi.spyOn(world.deps.cards, 'endMoved').mockImplementationOnce(async (one) => {
    await sandbox.stripe.subscriptions.update(one, { trial_end: 'now' })
    return endMoved(one)
  })
  expect((await world.transfer()).status).toBe(200)
  const later = (await sandbox.stripe.subscriptions.retrieve(id)).items.data[0]?.current_period_end ?? 0
  expect(later).toBeGreaterThan(Date.now() / 1000 + 20 * 86_400)
  expect((await world.begun())[0]?.billing_cycle_anchor).toBe(later)
  expect((await world.stored(id)).periodEnd).toEqual(new Date(later * 1000))
})

const seatsSum = async (world: World, id: string) =>
  (await world.seatsOf(id)).filter(({ removedAt }) => removedAt === null).length

test('racing cancel, invite and remove: one Owner, one truth at the provider, and no seat is lost', async () => {
  for (let times = 0; times < 4; times += 1) {
    await using world = await cardPeople()
    const { buyer, recipient } = world
    const id = await world.buy({ quantity: 5 })
    const colleague = await newSeat(world, id)
    const codes = await world.codesFor(buyer, recipient)
    const common = { orgCode: '', lang: 'en-us' as const }
    const invited = { ...common, emailList: ['new@example.test'], setupType: 'member' as const, type: false }
    const removed = { ...common, email: colleague.email, setupAdmin: 0 as const, type: 0 as const }
    const [moved, off, added, gone] = await Promise.all([
      world.use(buyer, recipient.email, codes),
      world.as(buyer).send(subscriptionCancel, { body: { sid: id, reasons: [1] } }),
      world.as(buyer).send(addSubscriptionUsers, { params: { sid: id }, body: invited }),
      world.as(buyer).send(removeSubscriptionUser, {
        params: { sid: id },
        body: { ...removed, distributionUuid: colleague.id },
      }),
    ])
    for (let round = 0; round < 2; round += 1) await world.reconcileAfter(60)
    const row = await world.stored(id)
    const seats = await world.seatsOf(id)
    expect(seats.filter(({ type, removedAt }) => type === 2 && removedAt === null)).toHaveLength(1)
    expect(await seatsSum(world, id)).toBe(2 + (added.status === 200 ? 1 : 0) - (gone.status === 200 ? 1 : 0))
    expect(await world.charged()).toBe(1)
    expect(row.memberId).toBe(moved.status === 200 ? recipient.id : buyer.id)
    const begun = await world.begun()
    if (moved.status === 200) expect(begun).toHaveLength(row.autoRenew ? 1 : 0)
    else expect([begun.length, moved.body.code]).toEqual([0, expect.stringMatching(/^transfer_/)])
    expect([200, 404, 409]).toContain(off.status)
    const old = await atProvider(id)
    expect(old.cancel_at_period_end).toBe(moved.status === 200 || off.status === 200)
  }
})

test('racing buy-more and a renewal that is read: what moves is what the recipient was told, paid once', async () => {
  for (let times = 0; times < 3; times += 1) {
    await using world = await cardPeople()
    const { buyer, recipient } = world
    const id = await world.buy()
    const asked = { type: 'buy-more' as const, increasingNumber: 1 }
    const { body } = await world.as(buyer).send(changePlanFrom, { body: { sid: id, lang: 'en-us', ...asked } })
    const codes = await world.codesFor(buyer, recipient)
    const quoteId = body.quote?.quoteId ?? ''
    const [moved, bought] = await Promise.all([
      world.use(buyer, recipient.email, codes),
      world.as(buyer).send(changePlan, { body: { subscriptionId: id, quoteId, ...asked } }),
      world.sync(id),
    ])
    for (let round = 0; round < 2; round += 1) await world.reconcileAfter(60)
    const row = await world.stored(id)
    const begun = await world.begun()
    expect([moved.status, bought.status].sort()).not.toEqual([200, 200])
    expect(row.memberId).toBe(moved.status === 200 ? recipient.id : buyer.id)
    expect(row.userCount).toBe(bought.status === 200 ? 4 : 3)
    expect(begun.map(({ items }) => items.data[0]?.quantity)).toEqual(moved.status === 200 ? [3] : [])
    expect(await world.charged()).toBe(bought.status === 200 ? 2 : 1)
  }
})

test('of two people who transfer to each other at once, nobody ends up with both or none twice', async () => {
  await using world = await cardPeople()
  const id = await world.buy()
  const { buyer, recipient } = world
  const codes = await world.codesFor(buyer, recipient)
  const other: TestMember = await world.member()
  const answers = await Promise.all([
    world.use(buyer, recipient.email, codes),
    world.use(buyer, recipient.email, codes),
    world.use(recipient, buyer.email, codes),
    world.use(other, recipient.email, codes),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  expect((await world.stored(id)).memberId).toBe(recipient.id)
})
