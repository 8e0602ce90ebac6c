import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { cardVendor } from '../../test/card-billing.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { mailQueue } from '../mail/mail.writes.ts'
import { sendReminders } from './reminders.jobs.ts'
import { subscriptions } from './subscriptions.tables.ts'

const sandbox = await sandboxOfFile()

const Sent = z.object({ subject: z.string(), text: z.string() })
const dayMs = 86_400_000
const noDefault = 'No default card is set to pay for it. Add a card, or make one of yours the default.'
const toCards = 'http://localhost:3000/account?tab=payment-option-management'

/** A customer of the card provider, and what is sent to them. */
async function vendor() {
  const world = await cardVendor(sandbox)
  const emails = () =>
    world.sent.splice(0).flatMap(({ queue, data }) => (queue === mailQueue ? [Sent.parse(data)] : []))
  return {
    ...world,
    emails,
    async reminded() {
      emails()
      await sendReminders(world.deps)
      return emails()
    },
    removeDefault: () =>
      sandbox.stripe.customers.update(world.customerId, { invoice_settings: { default_payment_method: '' } }),
  }
}

test('the reminder of a trial names the card that will be charged', async () => {
  await using world = await vendor()
  const id = await world.buy({ trial_period_days: 6 })
  const began = new Date(world.deps.clock().getTime() - 8 * dayMs)
  await world.db.update(subscriptions).set({ periodStart: began }).where(eq(subscriptions.id, id))
  const [email, ...others] = await world.reminded()
  expect(others).toEqual([])
  expect(email?.subject).toMatch(/becomes a subscription/)
  expect(email?.text).toContain('Charged to: Visa ••••\u00a04242')
})

test('the reminder of a renewal names the card, or that none would pay and what to do', async () => {
  await using world = await vendor()
  const id = await world.buy()
  // As of a year whose last days have come.
  const year = async (days: number) => {
    const now = world.deps.clock().getTime()
    const period = { periodStart: new Date(now - 330 * dayMs), periodEnd: new Date(now + days * dayMs) }
    await world.db
      .update(subscriptions)
      .set({ term: 'yearly', ...period })
      .where(eq(subscriptions.id, id))
  }
  await year(20)
  expect((await world.reminded())[0]?.text).toContain('Charged to: Visa ••••\u00a04242')

  await world.removeDefault()
  await year(21)
  const [none] = await world.reminded()
  expect(none?.text).toContain(noDefault)
  expect(none?.text).toContain(toCards)
  expect(none?.text).not.toContain('Charged to')

  await world.payWith('pm_card_visa')
  await year(4000)
  expect(await world.reminded()).toEqual([])
})

test('the email of a failed payment says that no card on file would pay, and leads to the cards', async () => {
  await using world = await vendor()
  const id = await world.buy({ trial_period_days: 7 })
  await world.payWith('pm_card_chargeCustomerFail')
  world.emails()
  await sandbox.stripe.subscriptions.update(id, { trial_end: 'now' })
  await world.removeDefault()
  await world.sync(id)
  const [email] = world.emails()
  expect(email?.subject).toBe('Your payment for Folio PDF Editor+ failed')
  expect(email?.text).toContain(noDefault)
  expect(email?.text).toContain(toCards)
})

test('a card that has expired by the time of a failed payment is not said to expire, and another one can pay at once', async () => {
  await using world = await vendor()
  const id = await world.buy({ trial_period_days: 7 })
  await world.payWith('pm_card_chargeCustomerFail')
  world.emails()
  world.at(new Date(world.deps.clock().getTime() + 20 * 365 * dayMs))
  await sandbox.stripe.subscriptions.update(id, { trial_end: 'now' })
  await world.sync(id)
  const [email] = world.emails()
  expect(email?.subject).toBe('Your payment for Folio PDF Editor+ failed')
  expect(email?.text).not.toMatch(/will have expired|No default card/)
  expect(email?.text).toContain('Pay Now:')
})
