import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { cardVendor } from '../../test/card-billing.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { mailQueue } from '../mail/mail.writes.ts'
import { paidOrdersQueue } from '../orders/receipts.writes.ts'
import { sendReceipt } from './receipts/send-receipt.ts'
import { subscriptions } from './subscriptions.tables.ts'

const sandbox = await sandboxOfFile()

const Paid = z.object({ orderNumber: z.string(), channel: z.enum(['card', 'paypal']), queuedAt: z.string() })
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
  // The provider's clock went on: what is paid from now on is from after the decline.
  world.at(new Date(Date.now() + 60_000))
  const emails = world.sent.flatMap(({ queue, data }) => (queue === mailQueue ? [Sent.parse(data)] : []))
  return { ...world, id, card, emails }
}

test('a payment that failed says to its Owner why, and which card it was; so does the email', async () => {
  await using world = await declinedWorld()
  const { data } = await sandbox.stripe.charges.list({ customer: world.customerId })
  const at = new Date((data[0]?.created ?? 0) * 1000).toISOString()
  expect(await world.listed()).toMatchObject([{ declineReason: 'unknown', declinedCard: world.card }])
  const [row] = await world.db.select().from(subscriptions).where(eq(subscriptions.id, world.id))
  expect(row?.lastDecline).toEqual({ cardId: world.card, brand: 'visa', last4: '0341', at })
  const [email] = world.emails
  expect(email?.text).toContain('The payment with Visa ••••\u00a00341 failed.')
  expect(email?.text).toContain('Your card was declined. Please try another card, or ask your bank.')

  await world.payWith('pm_card_visa')
  const { latest_invoice: invoice } = await sandbox.stripe.subscriptions.retrieve(world.id)
  await sandbox.stripe.invoices.pay(String(invoice), { payment_method: world.cardId })
  await world.sync(world.id)
  expect(await world.listed()).toMatchObject([{ declineReason: '', declinedCard: '' }])
})

test('a retry that is declined too moves the date of the decline; another card that is tried does not', async () => {
  await using world = await declinedWorld()
  const { stripe } = sandbox
  const stored = async () => {
    const [row] = await world.db.select().from(subscriptions).where(eq(subscriptions.id, world.id))
    return row?.lastDecline
  }
  const latest = await stored()
  const first = new Date(Date.parse(latest?.at ?? '') - 3 * 86_400_000)
  const declinedFirst = { cardId: world.card, brand: 'visa', last4: '0341', at: first.toISOString() }
  const toFirst = { pastDueSince: first, lastDecline: declinedFirst }
  await world.db.update(subscriptions).set(toFirst).where(eq(subscriptions.id, world.id))
  await world.sync(world.id)
  expect(await stored()).toEqual(latest)

  await world.db.update(subscriptions).set(toFirst).where(eq(subscriptions.id, world.id))
  const { latest_invoice: invoice } = await stripe.subscriptions.retrieve(world.id)
  const { id: other } = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: world.customerId })
  await stripe.invoices.pay(String(invoice), { payment_method: other }).catch(() => undefined)
  await world.sync(world.id)
  expect(await stored()).toEqual(declinedFirst)
})

/** The emails with what was paid, of the orders that were paid since. */
async function receipts(world: Awaited<ReturnType<typeof declinedWorld>>, invoice: string) {
  world.sent.splice(0)
  await world.syncInvoice(invoice)
  const queued = world.sent.flatMap(({ queue, data }) => (queue === paidOrdersQueue ? [Paid.parse(data)] : []))
  world.sent.splice(0)
  for (const paid of queued) await sendReceipt(world.deps, paid)
  return world.sent.flatMap(({ queue, data }) => (queue === mailQueue ? [Sent.parse(data)] : []))
}

test('after a payment with another card, the declined one is named as long as it pays the renewals', async () => {
  await using world = await declinedWorld()
  const { stripe } = sandbox
  const { latest_invoice: invoice } = await stripe.subscriptions.retrieve(world.id)
  // On the invoice's page one card fails, and then another one pays: the default stays.
  const { id: wrong } = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: world.customerId })
  await stripe.invoices.pay(String(invoice), { payment_method: wrong }).catch(() => undefined)
  await world.sync(world.id)
  await stripe.invoices.pay(String(invoice), { payment_method: world.cardId })
  const [receipt] = await receipts(world, String(invoice))
  expect(await world.listed()).toMatchObject([
    { stripeSubscriptionStatus: 'active', lastDecline: { cardId: world.card, brand: 'visa', last4: '0341' } },
  ])
  expect(receipt?.text).toContain('The next renewal is charged to Visa ••••\u00a00341, which was declined on')

  // Now that card pays something.
  const beside = { customer: world.customerId, subscription: world.id }
  await stripe.invoiceItems.create({ ...beside, description: 'Migration', amount: 500, currency: 'usd' })
  const again = await stripe.invoices.create(beside)
  await stripe.invoices.finalizeInvoice(again.id)
  world.deps.cards.cardOfInvoice = async () => ({ id: world.card, brand: 'visa', last4: '0341' })
  await stripe.invoices.pay(again.id, { payment_method: world.cardId })
  const [second] = await receipts(world, again.id)
  expect(second?.text).not.toContain('declined')
  const [listed] = await world.listed()
  expect(listed).not.toHaveProperty('lastDecline')
})
