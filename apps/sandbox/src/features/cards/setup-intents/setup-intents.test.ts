import { expect, test } from 'vitest'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'

const world = await ofFile(newCardsWorld())

const never = { enabled: true, allow_redirects: 'never' } as const

test('a setup starts without a card, and ends with one attached to its customer', async () => {
  const { id: customer } = await world.stripe.customers.create()
  const intent = await world.stripe.setupIntents.create({ customer, metadata: { attempt: '1' } })
  expect(intent).toMatchObject({
    object: 'setup_intent',
    status: 'requires_payment_method',
    usage: 'off_session',
    payment_method: null,
    payment_method_types: ['card'],
    automatic_payment_methods: { enabled: true, allow_redirects: 'always' },
  })
  expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_[0-9A-Za-z]{25}$`))

  const done = await world.stripe.setupIntents.confirm(intent.id, {
    payment_method: 'pm_card_visa',
    return_url: 'http://localhost:3000/account',
  })

  expect(done).toMatchObject({ status: 'succeeded', next_action: null, last_setup_error: null })
  const { data } = await world.stripe.paymentMethods.list({ customer })
  expect(data.map(({ id }) => id)).toEqual([done.payment_method])
})

test('a browser confirms with only the client secret, and sees nothing of the customer', async () => {
  const { id: customer } = await world.stripe.customers.create({ email: 'secret@folio.test' })
  const intent = await world.stripe.setupIntents.create({ customer, metadata: { inner: 'note' } })
  const client_secret = intent.client_secret ?? ''
  const form = new URLSearchParams({
    client_secret,
    key: 'pk_test_sandbox',
    use_stripe_sdk: 'true',
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': '4242424242424242',
    'payment_method_data[card][exp_month]': '4',
    'payment_method_data[card][exp_year]': '30',
    'payment_method_data[card][cvc]': '314',
  })
  const path = `/v1/setup_intents/${intent.id}`

  const confirmed = await world.raw('POST', `${path}/confirm`, form.toString(), { authorization: '' })
  const read = await world.raw('GET', `${path}?client_secret=${client_secret}&key=pk_test_x`, '', { authorization: '' })

  expect(confirmed.json).toMatchObject({ id: intent.id, status: 'succeeded', client_secret })
  for (const { json, text } of [confirmed, read]) {
    expect(json).not.toHaveProperty('customer')
    expect(text).not.toMatch(/note|cus_|fingerprint/)
  }
})

test('a browser without the right client secret is refused', async () => {
  const intent = await world.stripe.setupIntents.create({})
  const wrong = ['', '?client_secret=', `?client_secret=${intent.id}_secret_x`]
  const authorization = 'Bearer pk_test_sandbox'

  const replies = await Promise.all(
    wrong.map((query) => world.raw('GET', `/v1/setup_intents/${intent.id}${query}`, '', { authorization })),
  )

  expect(replies.map(({ status }) => status)).toEqual([400, 400, 400])
  for (const { text } of replies) expect(text).not.toContain('requires_payment_method')
})

test('a declined card is answered with 402 and the intent, which stores the reason', async () => {
  const intent = await world.stripe.setupIntents.create({ automatic_payment_methods: never })
  const error = await world.refused(
    world.stripe.setupIntents.confirm(intent.id, { payment_method: 'pm_card_visa_chargeDeclinedLostCard' }),
  )

  expect(error).toMatchObject({ statusCode: 402, code: 'card_declined', decline_code: 'lost_card' })
  expect(error.setup_intent).toMatchObject({ id: intent.id, status: 'requires_payment_method', payment_method: null })
  expect(await world.stripe.setupIntents.retrieve(intent.id)).toMatchObject({
    last_setup_error: { code: 'card_declined', decline_code: 'lost_card', payment_method: { card: { last4: '9987' } } },
  })

  const second = await world.stripe.setupIntents.confirm(intent.id, { payment_method: 'pm_card_visa' })
  expect(second).toMatchObject({ status: 'succeeded', last_setup_error: null })
})

test('confirming requires a card, and a return address if it may redirect', async () => {
  const { setupIntents } = world.stripe
  const bare = await setupIntents.create({ automatic_payment_methods: never })
  const open = await setupIntents.create({ payment_method: 'pm_card_visa' })

  expect(open.status).toBe('requires_confirmation')
  expect(await world.refused(setupIntents.confirm(bare.id))).toMatchObject({ code: 'setup_intent_unexpected_state' })
  expect((await world.refused(setupIntents.confirm(open.id))).message).toContain('return_url')
  expect((await setupIntents.confirm(open.id, { use_stripe_sdk: true })).status).toBe('succeeded')
  expect(await world.refused(setupIntents.confirm(open.id, { use_stripe_sdk: true }))).toMatchObject({
    statusCode: 400,
    code: 'setup_intent_unexpected_state',
    setup_intent: { status: 'succeeded' },
  })
})

test('a card with 3-D Secure waits for authentication, by redirect or in the browser SDK', async () => {
  const { setupIntents } = world.stripe
  const card = { payment_method: 'pm_card_authenticationRequiredOnSetup' }
  const return_url = 'http://localhost:3000/account?tab=cards'
  const redirected = await setupIntents.create({ ...card, confirm: true, return_url })
  const inPage = await setupIntents.create({ ...card, confirm: true, use_stripe_sdk: true })

  expect(redirected).toMatchObject({
    status: 'requires_action',
    next_action: {
      type: 'redirect_to_url',
      redirect_to_url: {
        return_url,
        url: expect.stringMatching(/^http:\/\/localhost:3002\/cards\/authenticate\/\w{32}$/),
      },
    },
  })
  expect(inPage.next_action).toMatchObject({
    type: 'use_stripe_sdk',
    use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: expect.stringContaining('/cards/authenticate/') },
  })
})

test('another customer’s card is refused', async () => {
  const { customers, paymentMethods, setupIntents } = world.stripe
  const [ada, grace] = await Promise.all([customers.create(), customers.create()])
  const hers = await paymentMethods.attach('pm_card_visa', { customer: ada.id })

  const error = await world.refused(setupIntents.create({ customer: grace.id, payment_method: hers.id }))
  const nobody = await world.refused(setupIntents.create({ payment_method: hers.id }))

  expect(error).toMatchObject({ statusCode: 400, code: 'resource_missing', param: 'payment_method' })
  expect(nobody.statusCode).toBe(400)
  expect((await paymentMethods.retrieve(hers.id)).customer).toBe(ada.id)
})

test('a setup can be canceled once, and not after it has succeeded', async () => {
  const { setupIntents } = world.stripe
  const { id } = await setupIntents.create({})

  expect(await setupIntents.cancel(id, { cancellation_reason: 'abandoned' })).toMatchObject({
    status: 'canceled',
    cancellation_reason: 'abandoned',
  })
  expect((await world.refused(setupIntents.cancel(id))).code).toBe('setup_intent_unexpected_state')
  expect((await world.refused(setupIntents.update(id, { payment_method: 'pm_card_visa' }))).code).toBe(
    'setup_intent_unexpected_state',
  )
})

test('two concurrent confirmations set up one card', async () => {
  const { id: customer } = await world.stripe.customers.create()
  const { id } = await world.stripe.setupIntents.create({ customer, automatic_payment_methods: never })

  const results = await Promise.allSettled(
    [1, 2].map(() => world.stripe.setupIntents.confirm(id, { payment_method: 'pm_card_visa' })),
  )

  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect((await world.stripe.paymentMethods.list({ customer })).data).toHaveLength(1)
})

test('every attempt is stored: declined, pending, authenticated', async () => {
  const { setupIntents, setupAttempts } = world.stripe
  const return_url = 'http://localhost:3000/account'
  const { id } = await setupIntents.create({})
  await world.refused(setupIntents.confirm(id, { payment_method: 'pm_card_chargeDeclined', return_url }))
  const asked = await setupIntents.confirm(id, { payment_method: 'pm_card_authenticationRequired', return_url })
  await world.press(new URL(asked.next_action?.redirect_to_url?.url ?? '').pathname, 'answer=complete')

  const done = await setupIntents.retrieve(id, { expand: ['latest_attempt'] })
  const { data } = await setupAttempts.list({ setup_intent: id })

  expect(done.latest_attempt).toMatchObject({
    id: asked.latest_attempt,
    status: 'succeeded',
    payment_method_details: { card: { three_d_secure: { result: 'authenticated' } } },
  })
  expect(data.map(({ status, setup_error }) => [status, setup_error?.code])).toEqual([
    ['succeeded', undefined],
    ['failed', 'card_declined'],
  ])
})

test('an attempt whose question is never answered becomes abandoned', async () => {
  const { setupIntents, setupAttempts } = world.stripe
  const return_url = 'http://localhost:3000/account'
  const { id } = await setupIntents.create({})
  const ask = () => setupIntents.confirm(id, { payment_method: 'pm_card_authenticationRequired', return_url })
  const statuses = async () => (await setupAttempts.list({ setup_intent: id })).data.map(({ status }) => status)

  await ask()
  await ask()
  expect(await statuses()).toEqual(['requires_action', 'abandoned'])
  await setupIntents.cancel(id)
  expect(await statuses()).toEqual(['abandoned', 'abandoned'])
})

test('setups are listed by customer and by card', async () => {
  const { id: customer } = await world.stripe.customers.create()
  const made = await world.stripe.setupIntents.create({ customer, payment_method: 'pm_card_visa' })
  const payment_method = String(made.payment_method)

  expect((await world.stripe.setupIntents.list({ customer })).data.map(({ id }) => id)).toEqual([made.id])
  expect((await world.stripe.setupIntents.list({ payment_method })).data.map(({ id }) => id)).toEqual([made.id])
  expect((await world.stripe.setupIntents.list({ created: { lt: made.created - 3600 } })).data).toEqual([])
})
