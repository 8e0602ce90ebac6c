import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { newProduct } from '../../test/factories.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { newWorld } from '../../test/world.ts'
import { providerPrices } from '../catalog/provider-prices.tables.ts'
import { mailQueue } from '../mail/mail.writes.ts'
import { type BankQuestion, bankQuestionsQueue, emailBankQuestion } from './bank-questions.ts'
import { sendReminders } from './reminders.jobs.ts'
import { hasEndedUnpaid } from './subscription-flags.rules.ts'
import { syncSubscription } from './subscriptions.sync.ts'
import { subscriptions } from './subscriptions.tables.ts'

const sandbox = await sandboxOfFile()

const Sent = z.object({ subject: z.string(), text: z.string() })
const Question = z.object({ subscriptionId: z.string(), isFirst: z.boolean() })
const Moved = z.object({ now: z.string() })

const [hour, day] = [3600, 86_400]

/** A member whose subscription is billed by the stand-in, on a clock that both share. */
async function billing(subscription: { card?: string; trialDays?: number } = {}) {
  const world = await newWorld({ settings: sandbox.settings })
  const { stripe } = sandbox
  const { code: productCode } = await newProduct(world, { name: 'Folio PDF Editor+' })
  const product = await stripe.products.create({ name: 'Folio PDF Editor+' })
  const price = await stripe.prices.create({
    ...{ product: product.id, currency: 'usd', unit_amount: 1000 },
    recurring: { interval: 'month' },
  })
  const known = { provider: 'card', productId: product.id, currency: 'USD', isCurrent: true } as const
  await world.db.insert(providerPrices).values({ ...known, productCode, id: price.id, term: 'monthly', amount: 1000 })
  const member = await world.member()
  const customer = (await stripe.customers.create({ email: member.email, metadata: { memberId: member.id } })).id

  async function useCard(card: string) {
    const { id } = await stripe.paymentMethods.attach(card, { customer })
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } })
    return id
  }

  async function advance(seconds: number) {
    const reply = await fetch(`${sandbox.url}/clock/control/advance/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ seconds }),
    })
    world.at(Moved.parse(await reply.json()).now)
  }

  await advance(1)
  if (subscription.card) await useCard(subscription.card)
  const { trialDays } = subscription
  const bought = await stripe.subscriptions.create({
    customer,
    items: [{ price: price.id, quantity: 2 }],
    ...(trialDays && {
      trial_period_days: trialDays,
      trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
    }),
  })

  const emails = () =>
    world.sent.splice(0).flatMap(({ queue, data }) => (queue === mailQueue ? [Sent.parse(data)] : []))
  const questions: BankQuestion[] = []
  /** The subjects of what the events until now send, in whatever number they come. */
  async function told() {
    for (let time = 0; time < 3; time += 1) await syncSubscription(world.deps, bought.id)
    for (const { queue, data } of [...world.sent]) {
      if (queue === bankQuestionsQueue) questions.push(Question.parse(data))
    }
    return emails().map(({ subject }) => subject)
  }
  /** What is sent once there was time to answer the bank. */
  async function unanswered() {
    for (const question of questions.splice(0)) await emailBankQuestion(world.deps, question)
    return emails().map(({ subject }) => subject)
  }
  async function after(seconds: number) {
    await advance(seconds)
    return told()
  }
  async function reminded(seconds: number) {
    await advance(seconds)
    await Promise.all([sendReminders(world.deps), sendReminders(world.deps)])
    return emails().map(({ subject }) => subject)
  }
  const end = () =>
    stripe.subscriptions.retrieve(bought.id).then(({ items }) => (items.data[0]?.current_period_end ?? 0) * 1000)
  /** Seconds until the period ends. */
  const rest = async () => Math.ceil(((await end()) - world.deps.clock().getTime()) / 1000)
  return { ...world, stripe, bought, useCard, advance, told, unanswered, after, reminded, rest }
}

test('months in a life: bought, renewed, refused, confirmed by the bank, changed, turned off, ended', async () => {
  await using world = await billing({ card: 'pm_card_visa' })
  const { stripe, bought } = world
  expect(await world.told()).toEqual(['Your subscription to Folio PDF Editor+ has started'])

  expect(await world.after(await world.rest())).toEqual([])
  expect(await world.after(hour + 1)).toEqual(['Folio PDF Editor+ has been renewed'])

  await world.useCard('pm_card_chargeCustomerFail')
  expect(await world.after(await world.rest())).toEqual([])
  expect(await world.after(hour + 1)).toEqual(['Your payment for Folio PDF Editor+ failed'])
  expect(await world.after(3 * day)).toEqual(['Your payment for Folio PDF Editor+ failed'])
  const visa = await world.useCard('pm_card_visa')
  const { latest_invoice: invoice } = await stripe.subscriptions.retrieve(bought.id)
  await stripe.invoices.pay(String(invoice), { payment_method: visa })
  expect(await world.told()).toEqual(['The payment for Folio PDF Editor+ is settled'])

  await world.useCard('pm_card_authenticationRequired')
  expect(await world.after(await world.rest())).toEqual([])
  expect(await world.after(hour + 1)).toEqual([])
  expect(await world.unanswered()).toEqual(['Please confirm your payment for Folio PDF Editor+'])
  const card = await world.useCard('pm_card_visa')
  const { latest_invoice: open } = await stripe.subscriptions.retrieve(bought.id)
  await stripe.invoices.pay(String(open), { payment_method: card })
  expect(await world.told()).toEqual(['The payment for Folio PDF Editor+ is settled'])

  const [item] = bought.items.data
  await stripe.subscriptions.update(bought.id, { items: [{ id: item?.id ?? '', quantity: 5 }] })
  expect(await world.told()).toEqual(['Your subscription to Folio PDF Editor+ has changed'])
  await stripe.subscriptions.update(bought.id, { cancel_at_period_end: true })
  expect(await world.told()).toEqual(['Automatic renewal of Folio PDF Editor+ is off'])
  await stripe.subscriptions.update(bought.id, { cancel_at_period_end: false })
  expect(await world.told()).toEqual(['Automatic renewal of Folio PDF Editor+ is on again'])
  await stripe.subscriptions.update(bought.id, { cancel_at_period_end: true })
  await world.told()
  expect(await world.after((await world.rest()) + 1)).toEqual(['Your subscription to Folio PDF Editor+ has ended'])
})

test('a question of the bank that is answered within minutes is not emailed; one that was refused is', async () => {
  await using world = await billing({ card: 'pm_card_visa' })
  const { stripe, bought } = world
  await world.told()
  await world.useCard('pm_card_authenticationRequired')
  await world.after((await world.rest()) + 1)
  const openInvoice = async () => String((await stripe.subscriptions.retrieve(bought.id)).latest_invoice)
  expect(await world.after(hour)).toEqual([])
  await stripe.invoices.pay(await openInvoice(), { payment_method: await world.useCard('pm_card_visa') })
  expect(await world.told()).toEqual(['The payment for Folio PDF Editor+ is settled'])
  expect(await world.unanswered()).toEqual([])

  await world.useCard('pm_card_authenticationRequired')
  await world.after((await world.rest()) + 1)
  expect(await world.after(hour)).toEqual([])
  const { data } = await stripe.invoicePayments.list({ invoice: await openInvoice() })
  for (const { payment } of data) await sandbox.answerBank(String(payment.payment_intent), 'fail')
  expect(await world.told()).toEqual([])
  expect(await world.unanswered()).toEqual(['Your payment for Folio PDF Editor+ failed'])
})

test('what is refused until the end has ended with the last retry', async () => {
  await using world = await billing({ card: 'pm_card_visa' })
  await world.told()
  await world.useCard('pm_card_chargeCustomerFail')
  await world.after((await world.rest()) + hour + 1)
  const told: string[] = []
  for (let days = 0; days < 22; days += 1) told.push(...(await world.after(day)))
  expect(told).toHaveLength(4)
  expect(told.slice(0, -1).every((subject) => subject === 'Your payment for Folio PDF Editor+ failed')).toBe(true)
  expect(told.at(-1)).toBe('Your subscription to Folio PDF Editor+ has ended')
  const [row] = await world.db.select().from(subscriptions).where(eq(subscriptions.id, world.bought.id))
  expect(row && hasEndedUnpaid(row)).toBe(true)
})

test('a trial with a card is announced to be charged a week before, once, and becomes a paid subscription', async () => {
  await using world = await billing({ card: 'pm_card_visa', trialDays: 14 })
  expect(await world.told()).toEqual(['Your trial of Folio PDF Editor+ has started'])
  const [announced, ...others] = await world.reminded(8 * day)
  expect(announced).toMatch(/^Your trial of Folio PDF Editor\+ becomes a subscription on /)
  expect([others, await world.reminded(day)]).toEqual([[], []])
  expect(await world.after(5 * day)).toEqual([])
  expect(await world.after(hour + 1)).toEqual(['Your paid subscription to Folio PDF Editor+ has started'])
})

test('a trial whose card has expired by its end is not announced to be charged: the card is to be replaced', async () => {
  await using world = await billing({ card: 'pm_card_visa', trialDays: 14 })
  await world.told()
  const card = await world.useCard('pm_card_mastercard')
  const now = new Date(world.deps.clock())
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1))
  const expiry = { exp_month: next.getUTCMonth() + 1, exp_year: next.getUTCFullYear() }
  await world.stripe.paymentMethods.update(card, { card: expiry })
  // By its end, that month is over.
  const trialEnd = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 3) / 1000
  await world.stripe.subscriptions.update(world.bought.id, { trial_end: trialEnd, proration_behavior: 'none' })
  await world.told()
  const [announced, ...others] = await world.reminded(trialEnd - Math.floor(now.getTime() / 1000) - 6 * day)
  expect(announced).toMatch(/^Update your card before your trial of Folio PDF Editor\+ ends on /)
  expect(others).toEqual([])
})

test('a trial without a card is reminded of its end once, and a new end once more', async () => {
  await using world = await billing({ trialDays: 14 })
  await world.told()
  expect(await world.reminded(6 * day)).toEqual([])
  const [reminder, ...others] = await world.reminded(day + 1)
  expect(reminder).toMatch(/^Your trial of Folio PDF Editor\+ ends on /)
  expect(others).toEqual([])
  expect(await world.reminded(day)).toEqual([])

  const later = Math.floor(world.deps.clock().getTime() / 1000) + 20 * day
  await world.stripe.subscriptions.update(world.bought.id, { trial_end: later, proration_behavior: 'none' })
  await world.told()
  expect(await world.reminded(day)).toEqual([])
  expect(await world.reminded(13 * day)).toHaveLength(1)
  expect(await world.after(7 * day)).toEqual(['Your trial of Folio PDF Editor+ has ended'])
})

test('a trial that its customer turned off ends as they know: no card is missing', async () => {
  await using world = await billing({ trialDays: 14 })
  await world.stripe.subscriptions.update(world.bought.id, { cancel_at_period_end: true })
  await world.told()
  expect(await world.after(14 * day + 1)).toEqual(['Your subscription to Folio PDF Editor+ has ended'])
})

test('while the provider does not answer nobody is told that a card is missing, and the next run does it', async () => {
  await using world = await billing({ trialDays: 14 })
  await world.told()
  await world.advance(9 * day)
  await sandbox.misbehave({ kind: 'error', pattern: '/subscriptions/*', times: 4 })
  expect(await world.reminded(1)).toEqual([])
  await sandbox.behave()
  expect(await world.reminded(1)).toHaveLength(1)
})
