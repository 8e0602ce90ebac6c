import { expect, test } from 'vitest'
import { newBilling } from '../../../test/billing.ts'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'

const world = await ofFile(newCardsWorld())
const billing = newBilling(world)

async function newSubscription(more: { payment_behavior?: 'default_incomplete' } = {}) {
  const { id: customer } = await billing.customer()
  const { id: price } = await billing.price(1000)
  const made = await world.stripe.subscriptions.create({ customer, items: [{ price }], ...more })
  return { id: made.id, invoice: String(made.latest_invoice) }
}

test('subscriptions and invoices are shown, and a subscription is canceled by its button', async () => {
  const { id, invoice } = await newSubscription()
  const { text } = await world.page('/cards')
  for (const shown of [id, invoice, '10.00 USD', `/cards/billing/subscriptions/${id}/cancel`])
    expect(text).toContain(shown)

  expect((await world.press(`/cards/billing/subscriptions/${id}/cancel`, '')).statusCode).toBe(303)
  expect((await world.stripe.subscriptions.retrieve(id)).status).toBe('canceled')
  const again = await world.press(`/cards/billing/subscriptions/${id}/cancel`, '')
  expect(again.statusCode).toBe(404)
  expect(again.body).toContain('No such subscription')
})

test('an invoice is refunded, once, by its button', async () => {
  const { invoice } = await newSubscription()
  expect((await world.press(`/cards/billing/invoices/${invoice}/refund`, '')).statusCode).toBe(303)
  expect((await world.stripe.refunds.list({ limit: 1 })).data[0]?.amount).toBe(1000)
  expect((await world.press(`/cards/billing/invoices/${invoice}/refund`, '')).statusCode).toBe(400)
})

test('an open invoice is marked uncollectible, or voided, by its buttons', async () => {
  for (const [action, status] of [
    ['uncollectible', 'uncollectible'],
    ['void', 'void'],
  ]) {
    const { invoice } = await newSubscription({ payment_behavior: 'default_incomplete' })
    expect((await world.press(`/cards/billing/invoices/${invoice}/${action}`, '')).statusCode).toBe(303)
    expect((await world.stripe.invoices.retrieve(invoice)).status).toBe(status)
  }
})

test('what follows the last retry is changed on the page and by the control', async () => {
  expect((await world.press('/cards/billing/retries', 'afterRetries=past_due')).statusCode).toBe(303)
  expect((await world.app.inject({ url: '/cards/control/collection/' })).json()).toEqual({
    retryDays: [3, 5, 7, 6],
    afterRetries: 'past_due',
  })
  expect((await world.page('/cards')).text).toContain('<option value="past_due" selected>')
  expect((await world.press('/cards/billing/retries', 'afterRetries=forgive')).statusCode).toBe(404)
})

test('a mistyped button is not found, and another page presses none', async () => {
  const { id } = await newSubscription()
  expect((await world.press('/cards/billing/subscriptions/x/cancel', '')).statusCode).toBe(404)
  const foreign = await world.app.inject({
    method: 'POST',
    url: `/cards/billing/subscriptions/${id}/cancel`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://other.test' },
    payload: '',
  })
  expect(foreign.statusCode).toBe(403)
  expect((await world.stripe.subscriptions.retrieve(id)).status).toBe('active')
})
