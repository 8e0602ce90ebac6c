import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { ProviderFailure } from '../../outside/provider-failure.ts'
import { approve, comeBack, halfway, order, type PaypalVendor, stored, subscribed } from '../../test/paypal-orders.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { mailQueue } from '../mail/mail.writes.ts'
import { sendReminders } from './reminders.jobs.ts'

const sandbox = await sandboxOfFile()

const Sent = z.object({ subject: z.string(), text: z.string() })
const dayMs = 86_400_000

/** Two seats more are bought and paid; PayPal has not the customer's confirmation of the next cycle. */
async function unconfirmed(start: typeof halfway = halfway) {
  const { world, id } = await start(sandbox)
  const { body } = await order(world, id)
  await approve(world, body.approveUrl)
  const back = await comeBack(world, id)
  const { periodEnd, pendingPlanId, userCount } = await stored(world, id)
  expect([pendingPlanId, userCount]).toEqual([world.plan?.id, 5])
  return { world, id, end: periodEnd ?? new Date(0), approveLink: back.body.approveLink }
}

/** What two jobs at once send so many days before the renewal. */
async function remindedAt(world: PaypalVendor, end: Date, days: number) {
  world.at(new Date(end.getTime() - days * dayMs))
  world.sent.splice(0)
  await Promise.all([sendReminders(world.deps), sendReminders(world.deps)])
  return world.sent.flatMap(({ queue, data }) => (queue === mailQueue ? [Sent.parse(data)] : []))
}

test('three days before the renewal one email says what renews without the confirmation', async () => {
  const { world, end } = await unconfirmed()
  await using _ = world
  expect(await remindedAt(world, end, 3.1)).toEqual([])
  const [email, ...others] = await remindedAt(world, end, 2.9)
  expect(others).toEqual([])
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(end)
  expect(email?.subject).toBe(`Confirm your change of Folio PDF Editor+ at PayPal before ${day}`)
  expect(email?.text).toContain('Without your confirmation, this plan renews on that day instead:')
  expect(email?.text).toContain('Product: Folio PDF Editor+\nSeats: 3\nTerm: Monthly\n')
  expect(email?.text).toContain(`Renews on: ${day}, for $30.00 plus any tax`)
  expect(email?.text).toContain('Confirm renewal:')
  expect(await remindedAt(world, end, 1.9)).toEqual([])
})

test('nobody is reminded of what is confirmed, even if we have not heard of it', async () => {
  const { world, end, approveLink } = await unconfirmed()
  await using _ = world
  await approve(world, approveLink)
  expect(await remindedAt(world, end, 2.9)).toEqual([])
})

test('while PayPal does not answer nobody is reminded, and the next day is', async () => {
  const { world, end } = await unconfirmed()
  await using _ = world
  const away = new ProviderFailure('unavailable', new Error('away'))
  vi.spyOn(world.deps.paypal, 'readSubscription').mockRejectedValue(away)
  expect(await remindedAt(world, end, 2.9)).toEqual([])
  vi.restoreAllMocks()
  expect(await remindedAt(world, end, 1.9)).toHaveLength(1)
})

test('a change of the last days was just emailed with its date: it is not repeated', async () => {
  const { world, end } = await unconfirmed(async (of) => {
    const begun = await subscribed(of)
    const { periodEnd } = await stored(begun.world, begun.id)
    begun.world.at(new Date((periodEnd?.getTime() ?? 0) - 2 * dayMs))
    return begun
  })
  await using _ = world
  expect(await remindedAt(world, end, 1.5)).toEqual([])
})
