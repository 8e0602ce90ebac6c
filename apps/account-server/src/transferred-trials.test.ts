import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendReminders } from './features/subscriptions/reminders.jobs.ts'
import { subscriptions } from './features/subscriptions/subscriptions.tables.ts'
import { cardTransfer } from './test/card-transfer.ts'
import { type Sandbox, startSandbox } from './test/sandbox.ts'

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(async () => {
  await sandbox[Symbol.asyncDispose]()
})

const dayMs = 86_400_000

/** A trial that was begun a month ago and ends in some days, of which its Owner has been reminded, if it was time. */
async function trialEndingIn(days: number) {
  const world = await cardTransfer(sandbox)
  const id = await world.buy({ trial_period_days: days })
  const periodStart = new Date(world.deps.clock().getTime() - 30 * dayMs)
  await world.db.update(subscriptions).set({ periodStart }).where(eq(subscriptions.id, id))
  await sendReminders(world.deps)
  const { trialEnd } = await world.stored(id)
  const end = trialEnd?.getTime() ?? 0

  const reminders = (email: string) =>
    world.emailsTo(email).filter(({ subject }) => /^Your trial of .* becomes a subscription on /.test(subject))
  return {
    ...world,
    id,
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
  await using world = await trialEndingIn(6)
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
  await using world = await trialEndingIn(3)
  expect((await world.transfer()).status).toBe(200)

  expect(await world.remindedOn()).toEqual([])
})

test('who was given a trial long before its end is reminded a week before, like anybody', async () => {
  await using world = await trialEndingIn(20)
  expect((await world.transfer()).status).toBe(200)
  const { trialEnd } = await world.stored(world.id)
  world.at(new Date((trialEnd?.getTime() ?? 0) - 7 * dayMs + 3_600_000))
  await sendReminders(world.deps)

  expect(world.reminders(world.recipient.email)).toHaveLength(1)
  expect(await world.remindedOn()).toEqual([])
})
