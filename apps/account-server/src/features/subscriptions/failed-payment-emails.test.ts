import { expect, test } from 'vitest'
import { z } from 'zod'
import { cardVendor } from '../../test/card-billing.ts'
import { newSubscription } from '../../test/factories.ts'
import { termsVendor } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import type { newWorld } from '../../test/world.ts'
import { mailQueue } from '../mail/mail.writes.ts'
import { bankQuestionsQueue, emailBankQuestion } from './bank-questions.ts'
import { syncPaypalSubscriptions } from './paypal-subscriptions.sync.ts'
import { syncSubscriptions } from './subscriptions.sync.ts'

const sandbox = await sandboxOfFile()

const Sent = z.object({ to: z.string(), subject: z.string() })
const Question = z.object({ subscriptionId: z.string(), isFirst: z.boolean() })
const say = () => undefined

/** The subjects of what was emailed to somebody since, with what the running program sends for the command. */
async function emailsTo(world: Pick<Awaited<ReturnType<typeof newWorld>>, 'deps' | 'sent'>, email: string) {
  const queued = world.sent.flatMap(({ queue, data }) => (queue === bankQuestionsQueue ? [Question.parse(data)] : []))
  for (const question of queued) await emailBankQuestion(world.deps, question)
  const all = world.sent.splice(0).flatMap(({ queue, data }) => (queue === mailQueue ? [Sent.parse(data)] : []))
  return all.filter(({ to }) => to === email).map(({ subject }) => subject)
}

const failed = 'Your payment for Folio PDF Editor+ failed'

/** A trial at the card provider, whose first payment will be declined. */
async function trial({ isRead }: { isRead: boolean }) {
  const world = await cardVendor(sandbox)
  const { stripe } = sandbox
  await world.payWith('pm_card_chargeCustomerFail')
  const bought = await world.buy({ trial_period_days: 7 })
  const { items } = await stripe.subscriptions.retrieve(bought)
  const price = items.data[0]?.price.id ?? ''
  const terms = { customer: world.customerId, items: [{ price, quantity: 2 }], trial_period_days: 7 }
  const id = isRead ? bought : (await stripe.subscriptions.create(terms)).id
  await emailsTo(world, world.buyer.email)
  return {
    ...world,
    id,
    decline: () => stripe.subscriptions.update(id, { trial_end: 'now' }),
    takeOver: () => syncSubscriptions({ ...world.deps, say }),
    emails: () => emailsTo(world, world.buyer.email),
    status: async () => (await world.listed()).find((one) => one.stripeSubscriptionId === id)?.stripeSubscriptionStatus,
  }
}

test.each([true, false])(
  'who becomes past due is told so once, if the command has read it first (%s), and if the event came first',
  async (isCommandFirst) => {
    await using world = await trial({ isRead: true })
    await world.decline()
    const readings = [world.takeOver, () => world.sync(world.id)]
    const emails: string[] = []
    for (const read of isCommandFirst ? readings : readings.toReversed()) {
      await read()
      emails.push(...(await world.emails()))
    }
    expect(emails).toEqual([expect.stringContaining('payment for')])
    for (const read of readings) await read()
    expect([await world.status(), await world.emails()]).toEqual(['past_due', []])
  },
)

test('what is paid before the running program can say so is not told', async () => {
  await using world = await trial({ isRead: true })
  await world.decline()
  await world.takeOver()
  const { latest_invoice: invoice } = await sandbox.stripe.subscriptions.retrieve(world.id)
  await sandbox.stripe.invoices.pay(String(invoice), { payment_method: world.cardId })
  await world.takeOver()
  expect([await world.status(), await world.emails()]).toEqual(['active', []])
})

test.each(['nothing', 'a row that a file has brought'])(
  'a take-over of what is past due already tells nobody, with %s here',
  async (what) => {
    await using world = await trial({ isRead: false })
    const { id } = world
    if (what !== 'nothing') await newSubscription(world, world.buyer, { id, productCode: world.product.code })
    await world.decline()
    await world.takeOver()
    await world.sync(id)
    await world.takeOver()
    expect([await world.status(), await world.emails()]).toEqual(['past_due', []])
  },
)

test.each([true, false])('the same at PayPal, if the command has read it first: %s', async (isCommandFirst) => {
  await using world = await termsVendor(sandbox)
  const { readSubscription } = world.deps.paypal
  const id = await world.buy()
  world.deps.paypal.subscriptions = async () => ({ subscriptions: [await readSubscription(id)], hasMore: false })
  const readings = [() => syncPaypalSubscriptions({ ...world.deps, say }), () => world.sync(id)]
  await world.sync(id)
  await emailsTo(world, world.buyer.email)
  await world.fund(id, false)
  await world.advanceTo(world.inDays(33))
  for (const read of isCommandFirst ? readings : readings.toReversed()) await read()
  expect(await emailsTo(world, world.buyer.email)).toEqual([failed])
  for (const read of readings) await read()
  expect(await emailsTo(world, world.buyer.email)).toEqual([])
})
