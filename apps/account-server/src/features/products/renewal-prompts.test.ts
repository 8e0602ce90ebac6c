import { dismissRenewalPrompt, listRenewalPrompts, type RenewalReason } from '@atrium/contract/products.ts'
import { listSubscriptions } from '@atrium/contract/subscriptions.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newContact, newLicense, newProduct, newSeat, newSubscription } from '../../test/factories.ts'
import { newWorld, type TestMember } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'

type World = Awaited<ReturnType<typeof newWorld>>
type Row = NonNullable<Parameters<typeof newSubscription>[2]>

const now = '2026-06-01T12:00:00.000Z'
const day = 86_400_000
const after = (days: number) => new Date(Date.parse(now) + days * day)

async function banner(world: World, member: TestMember) {
  const { status, body } = await world.as(member).send(listRenewalPrompts, { query: {} })
  expect(status).toBe(200)
  return body
}

const dismiss = (world: World, member: TestMember, sid: string, reason: RenewalReason) =>
  world.as(member).send(dismissRenewalPrompt, { body: { subject: sid, reason } })

const fixed = { autoRenew: false, periodEnd: after(10) } as const
const ended = { status: 'canceled', autoRenew: false, periodEnd: after(-20), endedAt: after(-20) } as const
const trial = { status: 'trialing', trialEnd: after(6), periodEnd: after(6) } as const
const due = { status: 'past_due', pastDueSince: after(-2), periodEnd: after(-2) } as const

const cases: readonly (readonly [string, Row, string | undefined])[] = [
  ['a payment failed', due, 'past_due'],
  ['a payment failed so long ago that access has ended', { ...due, pastDueSince: after(-40) }, 'past_due'],
  ['it ended 30 days ago', { ...ended, endedAt: after(-30) }, 'ended'],
  ['it ended 31 days ago', { ...ended, endedAt: after(-31), periodEnd: after(-31) }, undefined],
  ['a fixed term ends in 30 days', { ...fixed, periodEnd: after(30) }, 'ending'],
  ['a fixed term ends in 31 days', { ...fixed, periodEnd: after(31) }, undefined],
  ['it was canceled and ends in 30 days', { cancelAt: after(30), periodEnd: after(30) }, 'ending'],
  ['it renews tomorrow', { periodEnd: after(1), channel: 'paypal' }, undefined],
  ['a trial ends in seven days', { ...trial, trialEnd: after(7) }, 'trial_ending'],
  ['a trial ends in eight days', { ...trial, trialEnd: after(8) }, undefined],
  ['an offline term ends', { ...fixed, origin: 'offline', channel: 'invoice', status: 'offline-purchase' }, 'ending'],
]

test.each(cases)('the Owner is told or not: %s', async (_name, row, reason) => {
  await using world = await newWorld({ now })
  const owner = await world.member()
  await newSubscription(world, owner, row)
  const { list, total } = await banner(world, owner)
  expect(list.map((prompt) => prompt.reason)).toEqual(reason === undefined ? [] : [reason])
  expect(total).toBe(list.length)
})

test('the worst comes first, then the soonest; colleagues and add-ons are left out', async () => {
  await using world = await newWorld({ now })
  const [owner, colleague] = [await world.member(), await world.member()]
  const { id: parentId } = await newSubscription(world, owner, { ...fixed, periodEnd: after(20) })
  await newSubscription(world, owner, { ...fixed, parentId })
  await newSubscription(world, owner, trial)
  await newSubscription(world, owner, ended)
  await newSubscription(world, owner, fixed)
  const { id } = await newSubscription(world, owner, due)
  await newSeat(world, id, { memberId: colleague.id, type: 1 })

  const { list } = await banner(world, owner)
  expect(list.map(({ reason, remainDays, showButtonType }) => [reason, remainDays, showButtonType])).toEqual([
    ['past_due', 19, 'past_due'],
    ['ended', 0, 'renew'],
    ['ending', 10, 'renew'],
    ['ending', 20, 'renew'],
    ['trial_ending', 6, 'view'],
  ])
  expect(await banner(world, colleague)).toEqual({ list: [], total: 0, charges: [] })
})

test('the banner knows of a trial what its subscription’s row knows, to say what follows', async () => {
  await using world = await newWorld({ now })
  const owner = await world.member()
  await newSubscription(world, owner, { ...trial, autoRenew: false })
  const price = { term: 'monthly', price: 900, currency: 'USD' } as const
  const { id } = await newSubscription(world, owner, {
    ...trial,
    ...price,
    trialEnd: after(5),
    providerId: 'sub_billed',
  })
  await newSubscription(world, owner, fixed)
  const { list } = await banner(world, owner)
  const trials = list.map(({ reason, trial: terms, showButtonType }) => [reason, terms?.autoRenewal, showButtonType])
  expect(trials).toEqual([
    ['ending', undefined, 'renew'],
    ['trial_ending', 1, 'view'],
    ['trial_ending', 0, 'purchase'],
  ])

  const { body } = await world.as(owner).send(listSubscriptions, { query: { keywords: id } })
  expect(body.list[0]).toMatchObject(list[1]?.trial ?? {})
})

test('the next charge of each card is told, so that the page compares it with the card', async () => {
  await using world = await newWorld({ now })
  const owner = await world.member()
  const own = { ownCard: 'pm_own', term: 'monthly' } as const
  await newSubscription(world, owner, { ...own, periodEnd: after(50) })
  const { id: first } = await newSubscription(world, owner, { ...own, periodEnd: after(5) })
  const { id: byDefault } = await newSubscription(world, owner, { periodEnd: after(59) })
  await newSubscription(world, owner, { periodEnd: after(61), ownCard: 'pm_later' })
  await newSubscription(world, owner, { periodEnd: after(3), channel: 'paypal', ownCard: 'pm_none' })
  await newSubscription(world, owner, { periodEnd: after(3), cancelAt: after(3), ownCard: 'pm_canceled' })

  const { charges } = await banner(world, owner)
  expect(charges.map(({ stripeSubscriptionId, paymentMethodId }) => [stripeSubscriptionId, paymentMethodId])).toEqual([
    [first, 'pm_own'],
    [byDefault, ''],
  ])

  const { body, status } = await dismiss(world, owner, first, 'card_expiring')
  expect(status).toBe(200)
  expect(body.charges.map(({ stripeSubscriptionId }) => stripeSubscriptionId)).toEqual([byDefault])
})

test('a dismissed prompt is hidden for seven days, wherever the Owner looks, and recorded once', async () => {
  await using world = await newWorld({ now })
  const owner = await world.member()
  const { id } = await newSubscription(world, owner, fixed)
  const { id: other } = await newSubscription(world, owner, trial)

  const replies = await Promise.all([0, 1, 2].map(() => dismiss(world, owner, id, 'ending')))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(replies[0]?.body.list.map((prompt) => prompt.stripeSubscriptionId)).toEqual([other])
  const rows = await world.db.select().from(activity).where(eq(activity.target, id))
  expect(rows.map(({ action, details, memberId }) => [action, details, memberId])).toEqual([
    ['renewal.dismissed', { reason: 'ending' }, owner.id],
  ])

  const idsAfter = async (days: number) => {
    world.at(after(days))
    const { body } = await world.as({ cookie: await world.session(owner.id) }).send(listRenewalPrompts, { query: {} })
    return body.list.map((prompt) => prompt.stripeSubscriptionId)
  }
  expect(await idsAfter(6.9)).not.toContain(id)
  expect(await idsAfter(7.1)).toContain(id)
  const again = { body: { subject: id, reason: 'ending' } } as const
  expect((await world.as({ cookie: await world.session(owner.id) }).send(dismissRenewalPrompt, again)).status).toBe(200)
  expect(await idsAfter(7.2)).not.toContain(id)
})

test('what the Owner before has dismissed is shown to the new one', async () => {
  await using world = await newWorld({ now })
  const [before, owner] = [await world.member(), await world.member()]
  const { id } = await newSubscription(world, before, fixed)
  await dismiss(world, before, id, 'ending')
  await world.db.update(subscriptions).set({ memberId: owner.id }).where(eq(subscriptions.id, id))

  expect((await banner(world, owner)).list).toMatchObject([{ stripeSubscriptionId: id, reason: 'ending' }])
})

test('what is past due cannot be dismissed; what is not shown, or another’s, is not there', async () => {
  await using world = await newWorld({ now })
  const [owner, stranger, colleague] = [await world.member(), await world.member(), await world.member()]
  const { id } = await newSubscription(world, owner, due)
  const { id: foreign } = await newSubscription(world, stranger, fixed)
  await newSeat(world, foreign, { memberId: colleague.id, type: 1 })

  const refused = await dismiss(world, owner, id, 'past_due')
  expect(refused).toMatchObject({ status: 409, body: { code: 'not_dismissible' } })
  const answers = await Promise.all([
    dismiss(world, owner, id, 'ending'),
    dismiss(world, owner, foreign, 'ending'),
    dismiss(world, colleague, foreign, 'ending'),
    dismiss(world, owner, 'missing', 'ending'),
  ])
  for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
  // The one it belongs to still has it.
  expect((await banner(world, stranger)).list.map(({ reason }) => reason)).toEqual(['ending'])
})

/** Licenses without a subscription that a member holds of one product. */
async function licensesOf(world: World, member: TestMember, ends: readonly (Date | null)[]) {
  const { code } = await newProduct(world)
  for (const expiresAt of ends) {
    const { id } = await newLicense(world, { productCode: code, expiresAt })
    await newContact(world, id, member)
  }
  return { subject: `licenses:${code}`, code }
}

const licenseCases: readonly (readonly [string, readonly (Date | null)[], readonly unknown[]])[] = [
  ['one that ends in 30 days', [after(30)], ['license_ending', 30]],
  ['the first of several to end', [after(400), after(9), null], ['license_ending', 9]],
  ['one that ends in 31 days', [after(31)], []],
  ['the last ended 30 days ago', [after(-300), after(-30)], ['ended', 0]],
  ['one ended, and another continues', [after(-3), after(200)], []],
  ['a perpetual one', [null], []],
]

test.each(licenseCases)(
  'the Holder of licenses without a subscription is told or not: %s',
  async (_name, ends, told) => {
    await using world = await newWorld({ now })
    const holder = await world.member()
    const { code } = await licensesOf(world, holder, ends)
    const { list } = await banner(world, holder)
    expect(list.flatMap(({ reason, remainDays }) => [reason, remainDays])).toEqual(told)
    for (const prompt of list) {
      expect(prompt).toMatchObject({ appCode: code, stripeSubscriptionId: '', showButtonType: 'renew' })
      expect(prompt.showButtonUrl).toContain('/shopping')
    }
  },
)

test('the prompt of a license is hidden for its Holder alone', async () => {
  await using world = await newWorld({ now })
  const [holder, stranger] = [await world.member(), await world.member()]
  const { subject } = await licensesOf(world, holder, [after(5)])

  const foreign = await dismiss(world, stranger, subject, 'license_ending')
  expect(foreign).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect((await banner(world, holder)).list).toHaveLength(1)
  const { status, body } = await dismiss(world, holder, subject, 'license_ending')
  expect([status, body.list]).toEqual([200, []])
})

test('an end that the Owner chose is marked', async () => {
  await using world = await newWorld({ now })
  const owner = await world.member()
  await newSubscription(world, owner, fixed)
  await newSubscription(world, owner, { cancelAt: after(12), periodEnd: after(12) })
  const { list } = await banner(world, owner)
  expect(list.map(({ isCanceled }) => isCanceled)).toEqual([0, 1])
})
