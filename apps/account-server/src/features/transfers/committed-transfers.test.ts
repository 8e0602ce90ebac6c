import { checkCancelSr, subscriptionCancel, subscriptionRenew } from '@atrium/contract/auto-renewal.ts'
import { expect, test, vi } from 'vitest'
import { ProviderFailure } from '../../outside/provider-failure.ts'
import { cardTransfer } from '../../test/card-transfer.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import type { TestMember } from '../../test/world.ts'
import { transfers } from './transfers.tables.ts'

const sandbox = await sandboxOfFile()
const { subscriptions } = sandbox.stripe

const daySeconds = 86_400
const secondsOf = (date: Date) => date.getTime() / 1000
const dayOf = (date: Date) => new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(date)

/** A subscription that is paid by the month, whose Owner is bound for a year, or as many days. */
async function committed({ hasCard = true, isOff = false, days = 365, trialDays = 0 } = {}) {
  const world = await cardTransfer(sandbox, { hasCard })
  const end = new Date((Math.floor(Date.now() / 1000) + days * daySeconds) * 1000)
  const metadata = { commitmentEnd: end.toISOString() }
  const id = await world.buy({ metadata, ...(trialDays > 0 && { trial_period_days: trialDays }) })
  const turnOff = () => world.as(world.buyer).send(subscriptionCancel, { body: { sid: id, reasons: [4] } })
  if (isOff) expect((await turnOff()).status).toBe(200)
  const { periodEnd } = await world.stored(id)
  if (!periodEnd) throw new Error('nothing is paid')
  return {
    ...{ ...world, id, end, periodEnd },
    resume: async (member: TestMember = world.recipient) =>
      world.as({ cookie: await world.session(member.id) }).send(subscriptionRenew, { body: { sid: id } }),
    codesMail: () => world.emailsTo(world.recipient.email)[0].text,
  }
}

type World = Awaited<ReturnType<typeof committed>>

/** The recipient has what is paid, and no more at this price. */
async function expectEndsForGood(world: World) {
  const { id, periodEnd } = world
  expect(await world.stored(id)).toMatchObject({ autoRenew: false, cancelAt: periodEnd, endedAt: periodEnd })
  expect(await world.listed(world.recipient)).toMatchObject([{ hideResume: 1 }])
  await world.addCard()
  expect(await world.resume()).toMatchObject({ status: 409, body: { code: 'not_resumable' } })
  expect(await world.begun()).toEqual([])
}

test('with the recipient’s card a commitment goes on until its end, which binds them as it did the Owner before', async () => {
  await using world = await committed()
  const { id, end, periodEnd } = world
  expect((await world.check(world.buyer)).moves).toMatchObject([{ fate: 'needs_card' }])
  expect(await world.transfer()).toMatchObject({ status: 200, body: { moved: [{ fate: 'goes_on' }] } })

  const charge = `On ${dayOf(periodEnd)}, $30.00 plus any tax will be charged to Mastercard ••••\u00a04444.`
  const bound = `From then on it is charged each month until ${dayOf(end)}, as agreed for a year. It can’t be ended before.`
  expect(world.codesMail()).toContain(`${charge}\n${bound}`)
  const metadata = { commitmentEnd: end.toISOString() }
  expect(await world.begun()).toMatchObject([{ metadata, cancel_at: null, billing_cycle_anchor: secondsOf(periodEnd) }])
  const recipient = world.as({ cookie: await world.session(world.recipient.id) })
  const { body } = await recipient.send(checkCancelSr, { body: { sid: id } })
  expect(body).toMatchObject({ endsAt: end.toISOString(), charges: 'monthly' })
})

test('turned off before, it is charged to the recipient’s card until the end of the commitment, and ends then', async () => {
  await using world = await committed({ isOff: true })
  const { id, end } = world
  expect((await world.check(world.buyer)).moves).toMatchObject([{ fate: 'needs_card' }])
  expect(await world.transfer()).toMatchObject({ status: 200, body: { moved: [{ fate: 'goes_on' }] } })

  const bound = `each month until ${dayOf(end)}, as agreed for a year. It ends then.`
  expect(world.codesMail()).toContain(bound)
  expect(await world.begun()).toMatchObject([{ cancel_at: secondsOf(end), cancel_at_period_end: false }])
  const [begun] = await world.begun()
  await world.sync(begun?.id ?? '')
  const row = await world.stored(id)
  expect(row).toMatchObject({
    providerId: begun?.id,
    autoRenew: false,
    cancelAt: end,
    commitmentEnd: end,
    endedAt: null,
  })

  expect((await world.resume()).status).toBe(200)
  expect(await world.begun()).toMatchObject([{ cancel_at: null, metadata: { commitmentEnd: end.toISOString() } }])
})

test.each([false, true])(
  'without a card it ends for good with what is paid: its price is not to be had without it; off before: %s',
  async (isOff) => {
    await using world = await committed({ hasCard: false, isOff })
    const { end, periodEnd } = world
    expect(await world.transfer()).toMatchObject({ status: 200, body: { moved: [{ fate: 'ends' }] } })
    await world.reconcileAfter(60)
    const [old] = (await subscriptions.list({ customer: world.customerId, status: 'all' })).data
    expect(old?.cancel_at).toBe(secondsOf(periodEnd))

    const mail = world.codesMail()
    expect(mail).toContain(`Without a card on file, it ends on ${dayOf(periodEnd)}. With one, it goes on`)
    expect(mail).toContain(`until ${dayOf(end)}, as agreed for a year.`)
    const done = world.emailsTo(world.recipient.email)[1].text
    expect(done).toContain(`It ends on ${dayOf(periodEnd)}. You won’t be charged for it.`)
    expect(done).not.toContain('turn auto-renewal on')
    await expectEndsForGood(world)
  },
)

test('a trial that was turned off before its commitment began ends for good, whatever the recipient pays with', async () => {
  await using world = await committed({ trialDays: 14, isOff: true })
  expect(await world.transfer()).toMatchObject({ status: 200, body: { moved: [{ fate: 'ends' }] } })
  await expectEndsForGood(world)
})

test('a card that is added before the code is used keeps the commitment', async () => {
  await using world = await committed({ hasCard: false, isOff: true })
  const codes = await world.codesFor(world.buyer, world.recipient)
  await world.addCard()
  const answer = await world.use(world.buyer, world.recipient.email, codes)
  expect(answer).toMatchObject({ status: 200, body: { moved: [{ fate: 'goes_on' }] } })
  expect(await world.begun()).toMatchObject([{ cancel_at: secondsOf(world.end) }])
})

test.each([false, true])(
  'what could not begin, for a card that is gone, ends with what is paid; turned on, it keeps the commitment; off before: %s',
  async (isOff) => {
    await using world = await committed({ isOff })
    const { id, end, periodEnd } = world
    const codes = await world.codesFor(world.buyer, world.recipient)
    await world.removeCard()
    expect((await world.use(world.buyer, world.recipient.email, codes)).status).toBe(200)
    expect(await world.stored(id)).toMatchObject({ autoRenew: false, cancelAt: periodEnd, endedAt: null })
    expect(world.emailsTo(world.recipient.email).at(-1).subject).toMatch(/^Automatic renewal of .* is off$/)

    await world.addCard()
    expect((await world.resume()).status).toBe(200)
    expect(await world.begun()).toMatchObject([{ cancel_at: null, metadata: { commitmentEnd: end.toISOString() } }])
  },
)

test('what could not begin is nobody’s to turn on once it was transferred further', async () => {
  await using world = await committed()
  const { id, periodEnd, recipient } = world
  const codes = await world.codesFor(world.buyer, recipient)
  await world.removeCard()
  expect((await world.use(world.buyer, recipient.email, codes)).status).toBe(200)
  await world.db.update(transfers).set({ createdAt: new Date(0) })

  const third = await world.member()
  await world.giveCard(third)
  expect(await world.transferBetween(recipient, third)).toMatchObject({ body: { moved: [{ fate: 'ends' }] } })
  expect(await world.stored(id)).toMatchObject({ memberId: third.id, endedAt: periodEnd })
  expect(await world.resume(third)).toMatchObject({ status: 409, body: { code: 'not_resumable' } })
})

test('in its last month nothing binds any more: without a card it ends, and can be turned on', async () => {
  await using world = await committed({ hasCard: false, days: 20 })
  expect(await world.transfer()).toMatchObject({ body: { moved: [{ fate: 'ends_unless_resumed' }] } })
  await world.addCard()
  expect((await world.resume()).status).toBe(200)
  expect(await world.begun()).toHaveLength(1)
})

// Last in this file: its clock is ahead.
test('begun only after the end of the commitment, it is not charged: it has ended with what was paid', async () => {
  await using world = await committed({ isOff: true, days: 40 })
  const { id, periodEnd } = world
  const isAway = vi.spyOn(world.deps.cards, 'continueSubscription')
  isAway.mockRejectedValue(new ProviderFailure('unavailable', new Error('away')))
  expect((await world.transfer()).status).toBe(200)
  isAway.mockRestore()
  await world.reconcileAfter(41 * daySeconds)
  expect(await world.begun()).toEqual([])
  expect(await world.stored(id)).toMatchObject({ autoRenew: false, cancelAt: periodEnd })
})
