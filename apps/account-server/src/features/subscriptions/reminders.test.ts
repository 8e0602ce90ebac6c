import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { newProduct, newSubscription } from '../../test/factories.ts'
import { newWorld } from '../../test/world.ts'
import { mailQueue } from '../mail/mail.writes.ts'
import { sendReminders } from './reminders.jobs.ts'
import { subscriptionNotices } from './subscription-notices.tables.ts'
import { endSubscriptions } from './subscriptions.jobs.ts'
import { subscriptions } from './subscriptions.tables.ts'

const now = '2026-06-01T00:00:00.000Z'
const at = (day: number) => new Date(Date.parse(now) + day * 86_400_000)

const Sent = z.object({ to: z.string(), subject: z.string() })

/** A world with one subscription that ends on day 100, and the emails of each day. */
async function ending(values: Partial<typeof subscriptions.$inferInsert> = {}) {
  const world = await newWorld({ now })
  const member = await world.member()
  const { code: productCode } = await newProduct(world, { name: 'Folio PDF Editor+' })
  const row = { productCode, status: 'offline-purchase', origin: 'offline', channel: 'invoice' } as const
  const period = { periodStart: at(-265), periodEnd: at(100), createdAt: at(-265), autoRenew: false }
  const { id } = await newSubscription(world, member, { ...row, ...period, ...values })

  const emails = () =>
    world.sent.splice(0).flatMap(({ queue, data }) => {
      const sent = queue === mailQueue ? [Sent.parse(data)] : []
      return sent.filter(({ to }) => to === member.email).map(({ subject }) => subject)
    })
  return {
    ...world,
    id,
    emails,
    set: (change: Partial<typeof subscriptions.$inferInsert>) =>
      world.db.update(subscriptions).set(change).where(eq(subscriptions.id, id)),
    /** What is sent at this day by two jobs at once. */
    async on(day: number) {
      world.at(at(day))
      await Promise.all([sendReminders(world.deps), sendReminders(world.deps)])
      return emails()
    },
    async endsOn(day: number) {
      world.at(at(day))
      await endSubscriptions(world.deps)
      return emails()
    },
  }
}

const reminder = 'Your subscription to Folio PDF Editor+ ends on September 9, 2026'

test('an end is reminded of 30 and 7 days before, once each, and told when it has come', async () => {
  await using world = await ending()
  const told = new Map<number, string[]>()
  for (let day = 0; day <= 110; day += 1) {
    const sent = [...(await world.on(day)), ...(await world.endsOn(day))]
    if (sent.length > 0) told.set(day, sent)
  }
  expect([...told]).toEqual([
    [70, [reminder]],
    [93, [reminder]],
    [100, ['Your subscription to Folio PDF Editor+ has ended']],
  ])
})

const annual = {
  status: 'active',
  origin: 'online',
  autoRenew: true,
  term: 'yearly',
  providerId: 'sub_annual',
} as const

test('what a provider charges for another year is announced 30 and 7 days before, once each', async () => {
  await using world = await ending({ ...annual, channel: 'card' })
  const told = new Map<number, string[]>()
  for (let day = 0; day <= 99; day += 1) {
    const sent = await world.on(day)
    if (sent.length > 0) told.set(day, sent)
  }
  const renews = 'Your subscription to Folio PDF Editor+ renews on September 9, 2026'
  expect([...told]).toEqual([
    [70, [renews]],
    [93, [renews]],
  ])
})

test.each([
  { ...annual, term: 'monthly', providerId: 'sub_monthly' },
  { ...annual, status: 'past_due', pastDueSince: at(60), providerId: 'sub_due' },
  { ...annual, providerId: null },
] as const)('no renewal is announced of: %o', async (values) => {
  await using world = await ending(values)
  expect([...(await world.on(71)), ...(await world.on(94))]).toEqual([])
})

test.each([
  { status: 'given', origin: 'given' },
  { status: 'active', origin: 'online', channel: 'invoice', term: 'paid_yearly' },
  { status: 'active', origin: 'online', channel: 'card', autoRenew: false, cancelAt: at(100), providerId: 'sub_off' },
  { status: 'active', channel: 'paypal', cancelAt: at(100), endedAt: at(100), periodEnd: at(110), providerId: 'I-OFF' },
  { status: 'trialing', cancelAt: at(100), trialEnd: at(100), providerId: 'sub_trial_off' },
  { status: 'trialing', trialEnd: at(100) },
] as const)('reminded of: %o', async (values) => {
  await using world = await ending(values)
  expect(await world.on(69)).toEqual([])
  expect(await world.on(71)).toEqual([reminder])
})

test.each([
  { status: 'active', origin: 'online', channel: 'card', autoRenew: true, providerId: 'sub_renews' },
  { status: 'past_due', channel: 'card', cancelAt: at(100), pastDueSince: at(70), providerId: 'sub_past_due' },
  { status: 'canceled', endedAt: at(60) },
  { status: 'prepayment-expired', endedAt: at(60) },
  { status: 'offline-purchase', periodEnd: null },
  { status: 'pending', cancelAt: at(100) },
] as const)('not reminded of: %o', async (values) => {
  await using world = await ending(values)
  for (const day of [71, 94, 99]) expect(await world.on(day)).toEqual([])
})

test('after days without the job the nearest reminder is sent alone', async () => {
  await using world = await ending()
  expect(await world.on(80)).toEqual([reminder])
  expect(await world.on(98)).toEqual([reminder])
  expect(await world.on(99)).toEqual([])

  await using missed = await ending()
  expect(await missed.on(95)).toEqual([reminder])
  expect(await missed.on(96)).toEqual([])
  expect(await missed.on(101)).toEqual([])
})

test('a new end gets new reminders, and the old one is not repeated when it comes back', async () => {
  await using world = await ending()
  await world.on(94)
  await world.set({ periodEnd: at(200) })
  expect(await world.on(95)).toEqual([])
  expect(await world.on(171)).toEqual(['Your subscription to Folio PDF Editor+ ends on December 18, 2026'])

  await using back = await ending()
  await back.on(71)
  await back.set({ periodEnd: at(200) })
  await back.on(72)
  await back.set({ periodEnd: at(100) })
  expect(await back.on(73)).toEqual([])
})

test('a month is not reminded of 30 days before its end, nor ten days a week before', async () => {
  await using month = await ending({ periodStart: at(69) })
  expect(await month.on(71)).toEqual([])
  expect(await month.on(94)).toEqual([reminder])

  await using days = await ending({ periodStart: at(91) })
  expect(await days.on(94)).toEqual([])
})

test('what ended long ago was there before: the job ends it without an email', async () => {
  await using world = await ending()
  expect(await world.endsOn(104)).toEqual([])
  const [row] = await world.db.select().from(subscriptions).where(eq(subscriptions.id, world.id))
  expect(row).toMatchObject({ status: 'prepayment-expired', endedAt: at(100) })
})

test('an end is told once, also if the subscription is read as active again', async () => {
  await using world = await ending({ status: 'active', channel: 'paypal', cancelAt: at(100), providerId: 'I-TWICE' })
  expect(await world.endsOn(100.1)).toHaveLength(1)
  await world.set({ status: 'active', endedAt: null })
  expect(await world.endsOn(100.2)).toEqual([])
})

test('more than a page of ends is reminded of, and notes of past ends are deleted', async () => {
  await using world = await ending()
  const member = await world.member()
  const { code: productCode } = await newProduct(world)
  const row = { productCode, status: 'given', origin: 'given', periodStart: at(-265), periodEnd: at(100) } as const
  for (let count = 0; count < 205; count += 1) await newSubscription(world, member, row)
  world.at(at(71))
  await sendReminders(world.deps)
  expect(world.sent.splice(0).length).toBeGreaterThanOrEqual(206)

  world.at(at(131))
  await sendReminders(world.deps)
  expect(await world.db.$count(subscriptionNotices, eq(subscriptionNotices.subscriptionId, world.id))).toBe(0)
})
