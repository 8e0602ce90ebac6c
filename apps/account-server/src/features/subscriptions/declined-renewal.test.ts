import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { cardVendor } from '../../test/card-billing.ts'
import { type Sandbox, startSandbox } from '../../test/sandbox.ts'
import { mailQueue } from '../mail/mail.writes.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(async () => {
  await sandbox[Symbol.asyncDispose]()
})

const Sent = z.object({ subject: z.string(), text: z.string() })

/** The first payment after a trial is declined. */
async function declinedWorld() {
  const world = await cardVendor(sandbox)
  const id = await world.buy({ trial_period_days: 7 })
  const { stripe } = sandbox
  const { id: card } = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: world.customerId })
  await stripe.customers.update(world.customerId, { invoice_settings: { default_payment_method: card } })
  world.sent.splice(0)
  await stripe.subscriptions.update(id, { trial_end: 'now' })
  await world.sync(id)
  const emails = world.sent.flatMap(({ queue, data }) => (queue === mailQueue ? [Sent.parse(data)] : []))
  return { ...world, id, card, emails }
}

test('a payment that failed says to its Owner why, and which card it was; so does the email', async () => {
  await using world = await declinedWorld()
  expect(await world.listed()).toMatchObject([{ declineReason: 'unknown', declinedCard: world.card }])
  const [email] = world.emails
  expect(email?.text).toContain('The payment with Visa ••••\u00a00341 failed.')
  expect(email?.text).toContain('Your card was declined. Please try another card, or ask your bank.')

  await world.payWith('pm_card_visa')
  const { latest_invoice: invoice } = await sandbox.stripe.subscriptions.retrieve(world.id)
  await sandbox.stripe.invoices.pay(String(invoice), { payment_method: world.cardId })
  await world.sync(world.id)
  expect(await world.listed()).toMatchObject([{ declineReason: '', declinedCard: '' }])
})
