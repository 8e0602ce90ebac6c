import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { sendReminders } from './features/subscriptions/reminders.jobs.ts'
import { subscriptions } from './features/subscriptions/subscriptions.tables.ts'
import { cardTransfer } from './test/card-transfer.ts'
import { sandboxOfFile } from './test/sandbox-of-file.ts'

const sandbox = await sandboxOfFile()

const dayMs = 86_400_000

const subjects = {
  trial: /^Your trial of .* becomes a subscription on /,
  year: /^Your subscription to .* renews on /,
}

/** A trial, or a year, that began a month ago and ends in some days, of which its Owner has been reminded, if it was time. */
async function endingIn(days: number, is: keyof typeof subjects) {
  const world = await cardTransfer(sandbox)
  const anchor = Math.floor(Date.now() / 1000) + (days * dayMs) / 1000
  const year = { term: 'yearly', billing_cycle_anchor: anchor } as const
  const id = await world.buy(is === 'trial' ? { trial_period_days: days } : year)
  const periodStart = new Date(world.deps.clock().getTime() - 30 * dayMs)
  await world.db.update(subscriptions).set({ periodStart }).where(eq(subscriptions.id, id))
  await sendReminders(world.deps)
  const { periodEnd } = await world.stored(id)
  const end = periodEnd?.getTime() ?? 0

  const reminders = (email: string) => world.emailsTo(email).filter(({ subject }) => subjects[is].test(subject))
  return {
    ...world,
    end,
    reminders,
    /** The days before the end, from six on, on which the recipient is reminded. */
    async remindedOn() {
      const on: number[] = []
      for (let before = 6; before > 0; before -= 1) {
        const now = new Date(end - before * dayMs + 3_600_000)
        if (now < world.deps.clock()) continue
        world.at(now)
        const known = reminders(world.recipient.email).length
        await Promise.all([sendReminders(world.deps), sendReminders(world.deps)])
        if (reminders(world.recipient.email).length > known) on.push(before)
      }
      return on
    },
  }
}

test('the new Owner of a trial is reminded of its first charge once, though the Owner before was too', async () => {
  await using world = await endingIn(6, 'trial')
  expect(world.reminders(world.buyer.email)).toHaveLength(1)
  expect((await world.check(world.buyer)).moves).toMatchObject([{ isTrial: 1, fate: 'needs_card' }])
  expect(await world.transfer()).toMatchObject({ status: 200, body: { moved: [{ isTrial: 1, fate: 'goes_on' }] } })

  expect(await world.remindedOn()).toEqual([4])
  const [reminder] = world.reminders(world.recipient.email)
  expect(reminder.text).toContain('Mastercard ••••\u00a04444')
  expect(reminder.text).toContain('$30.00')
  expect(world.reminders(world.buyer.email)).toHaveLength(1)
})

test('a transfer in the last days is itself the reminder: its email has just named the charge', async () => {
  await using world = await endingIn(3, 'trial')
  expect((await world.transfer()).status).toBe(200)

  expect(await world.remindedOn()).toEqual([])
})

test('who was given a trial long before its end is reminded a week before, like anybody', async () => {
  await using world = await endingIn(20, 'trial')
  expect((await world.transfer()).status).toBe(200)
  world.at(new Date(world.end - 7 * dayMs + 3_600_000))
  await sendReminders(world.deps)

  expect(world.reminders(world.recipient.email)).toHaveLength(1)
  expect(await world.remindedOn()).toEqual([])
})

test.each([
  [9, [4]],
  [6, [4]],
  [3, []],
])(
  'the new Owner of a year that renews %i days after the transfer is reminded %j days before, unless that has just been named',
  async (days, on) => {
    await using world = await endingIn(days, 'year')
    expect((await world.transfer()).status).toBe(200)

    expect(await world.remindedOn()).toEqual(on)
    const texts = world.reminders(world.recipient.email).map(({ text }) => text)
    for (const text of texts) expect(text).toContain('Mastercard ••••\u00a04444')
  },
)

test('… long before its renewal, a week before, like anybody', async () => {
  await using world = await endingIn(20, 'year')
  expect(world.reminders(world.buyer.email)).toHaveLength(1)
  expect((await world.transfer()).status).toBe(200)
  world.at(new Date(world.end - 7 * dayMs + 3_600_000))
  await sendReminders(world.deps)

  expect(world.reminders(world.recipient.email)).toHaveLength(1)
  expect(await world.remindedOn()).toEqual([])
})
