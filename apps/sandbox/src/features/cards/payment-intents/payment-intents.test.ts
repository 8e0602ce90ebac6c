import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'

const world = await ofFile(newCardsWorld())

const never = { enabled: true, allow_redirects: 'never' } as const
const price = {
  amount: 4999,
  currency: 'eur',
  automatic_payment_methods: never,
} satisfies Stripe.PaymentIntentCreateParams

/** A customer with a card that was set up for off-session charges. */
async function saved(card: string) {
  const { id: customer } = await world.stripe.customers.create()
  const setup = await world.stripe.setupIntents.create({
    customer,
    payment_method: card,
    confirm: true,
    automatic_payment_methods: never,
  })
  const url: unknown = setup.next_action?.use_stripe_sdk
  const token = /authenticate\/(\w+)/.exec(JSON.stringify(url) ?? '')?.[1]
  if (token) await world.press(`/cards/authenticate/${token}`, 'answer=complete')
  const [method] = (await world.stripe.paymentMethods.list({ customer })).data
  return { customer, payment_method: method?.id ?? '' }
}

test('a payment is created, confirmed and paid, and has a charge', async () => {
  const intent = await world.stripe.paymentIntents.create({ ...price, description: 'FPM', metadata: { order: '1' } })
  expect(intent).toMatchObject({ status: 'requires_payment_method', amount: 4999, amount_received: 0, currency: 'eur' })
  expect(intent.client_secret).toMatch(/^pi_\w+_secret_\w+$/)

  const paid = await world.stripe.paymentIntents.confirm(intent.id, {
    payment_method: 'pm_card_visa',
    expand: ['latest_charge'],
  })

  expect(paid).toMatchObject({
    status: 'succeeded',
    amount_received: 4999,
    latest_charge: {
      object: 'charge',
      amount: 4999,
      captured: true,
      paid: true,
      status: 'succeeded',
      description: 'FPM',
      metadata: { order: '1' },
      payment_method_details: { card: { brand: 'visa', last4: '4242', three_d_secure: null } },
    },
  })
  const { data } = await world.stripe.charges.list({ payment_intent: intent.id })
  expect(data).toHaveLength(1)
  expect((await world.stripe.charges.retrieve(data[0]?.id ?? '')).payment_intent).toBe(intent.id)
})

test.each([
  [{ amount: 49 }, 'amount_too_small'],
  [{ amount: 100_000_000 }, 'amount_too_large'],
  [{ amount: 49, currency: 'jpy' }, 'amount_too_small'],
  [{ currency: 'zzz' }, undefined],
  [{ amount: 5124, currency: 'kwd' }, undefined],
  [{ amount: 4010, currency: 'isk' }, 'invalid_charge_amount_no_decimal_compatible'],
  [{ amount: 4010, currency: 'ugx' }, undefined],
])('%o cannot be charged', async (change, code) => {
  const call = world.stripe.paymentIntents.create({ ...price, ...change })
  expect(await world.refused(call)).toMatchObject({ statusCode: 400, ...(code && { code }) })
})

test.each([
  ['kwd', 5120],
  ['isk', 4000],
  ['ugx', 400_000],
  ['huf', 400_010],
  ['twd', 4010],
])('a payment in %s, and its refund, has the last digits that the card networks take', async (currency, amount) => {
  const confirmed = { payment_method: 'pm_card_visa', confirm: true }
  const { id } = await world.stripe.paymentIntents.create({ ...price, amount, currency, ...confirmed })
  expect((await world.stripe.refunds.create({ payment_intent: id, amount: amount / 2 })).amount).toBe(amount / 2)
  const fraction = world.stripe.refunds.create({ payment_intent: id, amount: 1 })
  if (currency === 'huf' || currency === 'twd') expect((await fraction).amount).toBe(1)
  else expect(await world.refused(fraction)).toMatchObject({ statusCode: 400, param: 'amount' })
})

test('a payment is not changed to an amount with a last digit that its currency has not', async () => {
  const { id } = await world.stripe.paymentIntents.create({ ...price, amount: 5120, currency: 'kwd' })
  const call = world.stripe.paymentIntents.update(id, { amount: 5124 })
  expect(await world.refused(call)).toMatchObject({ statusCode: 400, param: 'amount' })
})

test('a declined payment has a failed charge, and can be retried with another card', async () => {
  const { id } = await world.stripe.paymentIntents.create(price)
  const error = await world.refused(
    world.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_chargeDeclinedInsufficientFunds' }),
  )

  expect(error).toMatchObject({ statusCode: 402, code: 'card_declined', decline_code: 'insufficient_funds' })
  expect(error.payment_intent).toMatchObject({ id, status: 'requires_payment_method', payment_method: null })
  expect(await world.stripe.charges.retrieve(error.charge ?? '')).toMatchObject({
    paid: false,
    status: 'failed',
    failure_code: 'card_declined',
    outcome: { type: 'issuer_declined', reason: 'insufficient_funds' },
  })

  const paid = await world.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })
  expect(paid).toMatchObject({ status: 'succeeded', last_payment_error: null })
  expect((await world.stripe.charges.list({ payment_intent: id })).data.map(({ status }) => status)).toEqual([
    'succeeded',
    'failed',
  ])
})

test('a saved card is charged off session', async () => {
  const held = await saved('pm_card_visa')
  const paid = await world.stripe.paymentIntents.create({ ...price, ...held, off_session: true, confirm: true })

  expect(paid).toMatchObject({ status: 'succeeded', customer: held.customer, payment_method: held.payment_method })
  expect((await world.stripe.paymentIntents.list({ customer: held.customer })).data).toHaveLength(1)
})

test('the card that fails later is saved, and its charge declined', async () => {
  const held = await saved('pm_card_chargeCustomerFail')
  const error = await world.refused(
    world.stripe.paymentIntents.create({ ...price, ...held, off_session: true, confirm: true }),
  )

  expect(error).toMatchObject({ statusCode: 402, code: 'card_declined', decline_code: 'generic_decline' })
})

test('once set up, a card that requires authentication is charged off session; one that always requires it is not', async () => {
  const quiet = await saved('pm_card_authenticationRequiredOnSetup')
  const strict = await saved('pm_card_authenticationRequired')
  const off = { off_session: true, confirm: true } as const

  expect((await world.stripe.paymentIntents.create({ ...price, ...quiet, ...off })).status).toBe('succeeded')
  const error = await world.refused(world.stripe.paymentIntents.create({ ...price, ...strict, ...off }))
  expect(error).toMatchObject({
    statusCode: 402,
    code: 'authentication_required',
    decline_code: 'authentication_required',
    payment_method: { id: strict.payment_method },
  })
  expect(error.payment_intent).toMatchObject({ status: 'requires_payment_method' })
})

test('a card that requires authentication and was never set up cannot be charged off session', async () => {
  const card = { payment_method: 'pm_card_authenticationRequiredOnSetup', off_session: true, confirm: true }

  expect((await world.refused(world.stripe.paymentIntents.create({ ...price, ...card }))).code).toBe(
    'authentication_required',
  )
})

test('a merchant that cannot handle 3-D Secure gets an error instead, and no charge', async () => {
  const { id } = await world.stripe.paymentIntents.create(price)
  const error = await world.refused(
    world.stripe.paymentIntents.confirm(id, {
      payment_method: 'pm_card_threeDSecure2Required',
      error_on_requires_action: true,
    }),
  )

  expect(error).toMatchObject({ statusCode: 402, code: 'authentication_required' })
  expect((await world.stripe.charges.list({ payment_intent: id })).data).toEqual([])
  expect((await world.stripe.paymentIntents.retrieve(id)).status).toBe('requires_payment_method')
})

test('a payment that saves its card attaches it to the customer', async () => {
  const { id: customer } = await world.stripe.customers.create()
  const paid = await world.stripe.paymentIntents.create({
    ...price,
    customer,
    payment_method: 'pm_card_mastercard',
    setup_future_usage: 'off_session',
    confirm: true,
  })

  expect((await world.stripe.paymentMethods.list({ customer })).data.map(({ id }) => id)).toEqual([paid.payment_method])
})

test('a card that was used without a customer cannot be used again', async () => {
  const { id } = await world.stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } })
  await world.stripe.paymentIntents.create({ ...price, payment_method: id, confirm: true })

  const error = await world.refused(world.stripe.paymentIntents.create({ ...price, payment_method: id }))
  expect(error).toMatchObject({ statusCode: 400, code: 'payment_method_unexpected_state' })
})

test('a paid payment cannot be confirmed again, canceled, or changed', async () => {
  const { paymentIntents, charges } = world.stripe
  const { id } = await paymentIntents.create({ ...price, payment_method: 'pm_card_visa', confirm: true })

  const refusals = await Promise.all([
    world.refused(paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })),
    world.refused(paymentIntents.cancel(id)),
    world.refused(paymentIntents.update(id, { amount: 100 })),
  ])

  for (const error of refusals) expect(error.code).toBe('payment_intent_unexpected_state')
  expect((await paymentIntents.update(id, { metadata: { note: 'x' } })).metadata).toEqual({ note: 'x' })
  expect((await charges.list({ payment_intent: id })).data).toHaveLength(1)
})

test('of ten concurrent confirmations, one is charged', async () => {
  const { id } = await world.stripe.paymentIntents.create(price)

  await Promise.allSettled(
    Array.from({ length: 10 }, () => world.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })),
  )

  const { data } = await world.stripe.charges.list({ payment_intent: id })
  expect(data.filter(({ paid }) => paid)).toHaveLength(1)
})

test('a browser confirms a payment with its client secret, and sees nothing of the customer', async () => {
  const { id: customer } = await world.stripe.customers.create()
  const intent = await world.stripe.paymentIntents.create({ ...price, customer, metadata: { inner: 'note' } })
  const form = new URLSearchParams({
    client_secret: intent.client_secret ?? '',
    payment_method: 'pm_card_visa',
    use_stripe_sdk: 'true',
  })

  const path = `/v1/payment_intents/${intent.id}/confirm`
  const { json, text } = await world.raw('POST', path, form.toString(), { authorization: 'Bearer pk_test_x' })

  expect(json).toMatchObject({ id: intent.id, status: 'succeeded', amount: 4999 })
  expect(text).not.toMatch(/note|cus_|latest_charge/)
})

test('a saved card expires at the end of its last month', async () => {
  const { customers, paymentMethods, paymentIntents } = world.stripe
  const { id: customer } = await customers.create()
  const now = new Date()
  const card = { number: '4242424242424242', exp_month: now.getUTCMonth() + 1, exp_year: now.getUTCFullYear() }
  const { id } = await paymentMethods.create({ type: 'card', card })
  await paymentMethods.attach(id, { customer })
  const due = { ...price, customer, payment_method: id, off_session: true, confirm: true }

  expect((await paymentIntents.create(due)).status).toBe('succeeded')
  world.pass(32 * 24 * 3600 * 1000)
  expect(await world.refused(paymentIntents.create(due))).toMatchObject({ statusCode: 402, code: 'expired_card' })
})
