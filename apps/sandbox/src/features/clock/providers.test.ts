import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { linkOf, newPaypalWorld, newPlan } from '../../test/paypal.ts'

const Moved = z.object({ steps: z.array(z.object({ at: z.iso.datetime(), title: z.string() })) })

test('what both providers do happens in the order of its moments, each at its own, and is upcoming beforehand', async () => {
  await using world = await newPaypalWorld()
  const { id: plan } = await newPlan(world, { unit: 'WEEK' })
  const subscribed = await world.create('/v1/billing/subscriptions', { plan_id: plan })
  await world.answer(linkOf(subscribed, 'approve'), 'approve')
  const { port } = new URL(world.address)
  const stripe = new Stripe('sk_test_sandbox', { host: 'localhost', port, protocol: 'http', telemetry: false })
  const { id: customer } = await stripe.customers.create({ email: 'ada@folio.test' })
  const { id: method } = await stripe.paymentMethods.attach('pm_card_visa', { customer })
  const { id: product } = await stripe.products.create({ name: 'Editor' })
  const wanted = { product, currency: 'usd', unit_amount: 1000, recurring: { interval: 'week' } } as const
  const { id: price } = await stripe.prices.create(wanted)
  await stripe.subscriptions.create({ customer, items: [{ price }], default_payment_method: method })

  expect((await world.page('/clock')).text).toMatch(/PayPal[\s\S]*Card provider|Card provider[\s\S]*PayPal/)
  const reply = await fetch(`${world.address}/clock/control/advance/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ seconds: 22 * 86_400 }),
  })
  const { steps } = Moved.parse(await reply.json())
  expect(steps.map(({ at }) => at)).toEqual(steps.map(({ at }) => at).toSorted())
  const titles = steps.map(({ title }) => title.split(' ')[0])
  expect(titles.filter((title) => title === 'Charge')).toHaveLength(3)
  expect(titles.filter((title) => title === 'Renew')).toHaveLength(3)
  expect((await stripe.invoices.list({ customer, status: 'paid' })).data).toHaveLength(4)
})
