import { expect, test } from 'vitest'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'

const world = await ofFile(newCardsWorld())

const return_url = 'http://localhost:3000/account?tab=cards'

async function askedSetup(payment_method: string) {
  const { id: customer } = await world.stripe.customers.create()
  const intent = await world.stripe.setupIntents.create({ customer, payment_method, confirm: true, return_url })
  return { customer, intent, path: new URL(intent.next_action?.redirect_to_url?.url ?? '').pathname }
}

async function askedPayment(payment_method: string) {
  const price = { amount: 1250, currency: 'usd', payment_method, confirm: true, return_url }
  const intent = await world.stripe.paymentIntents.create(price)
  return { intent, path: new URL(intent.next_action?.redirect_to_url?.url ?? '').pathname }
}

test('the bank’s page is marked as a stand-in, shows the question, and can be framed by the merchant only', async () => {
  const { path } = await askedPayment('pm_card_authenticationRequired')
  const { status, text, headers } = await world.page(path)

  expect(status).toBe(200)
  expect(text).toContain('Sandbox bank – 3-D Secure')
  expect(text).toContain('Pay 12.50 USD')
  expect(text).toContain('visa •••• 3184')
  expect(text).toContain('value="complete"')
  expect(text).not.toContain('<script')
  expect(headers['content-security-policy']).toContain("frame-ancestors 'self' http://localhost:3000")
  expect(headers['x-frame-options']).toBeUndefined()
})

test('a completed question sets the card up, and redirects back with the outcome', async () => {
  const { intent, path, customer } = await askedSetup('pm_card_authenticationRequiredOnSetup')
  const reply = await world.press(path, 'answer=complete')

  expect(reply.statusCode).toBe(303)
  const back = new URL(String(reply.headers.location))
  expect(back.origin + back.pathname).toBe('http://localhost:3000/account')
  expect(Object.fromEntries(back.searchParams)).toEqual({
    tab: 'cards',
    setup_intent: intent.id,
    setup_intent_client_secret: intent.client_secret,
    redirect_status: 'succeeded',
  })
  expect(await world.stripe.setupIntents.retrieve(intent.id)).toMatchObject({ status: 'succeeded', next_action: null })
  expect((await world.stripe.paymentMethods.list({ customer })).data).toHaveLength(1)
})

test('a failed question saves no card', async () => {
  const { intent, path, customer } = await askedSetup('pm_card_authenticationRequired')
  const reply = await world.press(path, 'answer=fail')

  expect(String(reply.headers.location)).toContain('redirect_status=failed')
  expect(await world.stripe.setupIntents.retrieve(intent.id)).toMatchObject({
    status: 'requires_payment_method',
    payment_method: null,
    last_setup_error: { code: 'setup_intent_authentication_failure', payment_method: { card: { last4: '3184' } } },
  })
  expect((await world.stripe.paymentMethods.list({ customer })).data).toEqual([])
})

test('closing the page leaves the question open', async () => {
  const { intent, path, customer } = await askedSetup('pm_card_authenticationRequired')
  await world.page(path)

  expect((await world.stripe.setupIntents.retrieve(intent.id)).status).toBe('requires_action')
  expect((await world.stripe.paymentMethods.list({ customer })).data).toEqual([])
  expect((await world.stripe.setupIntents.cancel(intent.id)).next_action).toBeNull()
  expect((await world.page(path)).status).toBe(404)
})

test('a payment is charged after the answer, and shows that it was authenticated', async () => {
  const { intent, path } = await askedPayment('pm_card_threeDSecure2Required')
  expect((await world.stripe.charges.list({ payment_intent: intent.id })).data).toEqual([])

  await world.press(path, 'answer=complete')

  const [charge] = (await world.stripe.charges.list({ payment_intent: intent.id })).data
  expect(charge).toMatchObject({
    paid: true,
    payment_method_details: { card: { three_d_secure: { result: 'authenticated' } } },
  })
})

test('a payment with a failed authentication is not charged', async () => {
  const { intent, path } = await askedPayment('pm_card_threeDSecure2Required')
  await world.press(path, 'answer=fail')

  expect(await world.stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { code: 'payment_intent_authentication_failure' },
  })
  expect((await world.stripe.charges.list({ payment_intent: intent.id })).data).toEqual([])
})

test.each([
  ['pm_card_threeDSecureRequiredChargeDeclined', 'generic_decline'],
  ['pm_card_authenticationRequiredChargeDeclinedInsufficientFunds', 'insufficient_funds'],
])('%s is declined after its holder answered', async (card, decline_code) => {
  const { intent, path } = await askedPayment(card)
  const reply = await world.press(path, 'answer=complete')

  expect(String(reply.headers.location)).toContain('redirect_status=failed')
  expect(await world.stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { code: 'card_declined', decline_code },
  })
})

test('a card whose bank cannot authenticate is declined immediately', async () => {
  const error = await world.refused(askedPayment('pm_card_threeDSecureRequiredProcessingError'))

  expect(error).toMatchObject({ statusCode: 402, code: 'card_declined' })
})

test('of two answers, the first counts', async () => {
  const { intent, path } = await askedPayment('pm_card_authenticationRequired')
  const replies = await Promise.all([world.press(path, 'answer=complete'), world.press(path, 'answer=complete')])

  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([303, 404])
  expect((await world.stripe.charges.list({ payment_intent: intent.id })).data).toHaveLength(1)
})

test('another site cannot answer for the cardholder, and an unknown question cannot be answered', async () => {
  const { intent, path } = await askedSetup('pm_card_authenticationRequired')
  const foreign = await world.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://evil.test' },
    payload: 'answer=complete',
  })

  expect(foreign.statusCode).toBe(403)
  expect((await world.stripe.setupIntents.retrieve(intent.id)).status).toBe('requires_action')
  expect((await world.press(`/cards/authenticate/${'x'.repeat(32)}`, 'answer=complete')).statusCode).toBe(404)
  expect((await world.press(path, 'answer=maybe')).statusCode).toBe(404)
  expect((await world.page('/cards/authenticate/%00')).status).toBe(404)
})

/** As the browser SDK does: the bank's page is in a frame, and there is no redirect. */
async function framedSetup(more: { return_url?: string } = {}) {
  const { id: customer } = await world.stripe.customers.create()
  const intent = await world.stripe.setupIntents.create({
    customer,
    payment_method: 'pm_card_authenticationRequired',
    confirm: true,
    use_stripe_sdk: true,
    ...more,
  })
  const token = /authenticate\/(\w+)/.exec(JSON.stringify(intent.next_action))?.[1] ?? ''
  return { customer, intent, token, path: `/cards/authenticate/${token}` }
}

test.each([{}, { return_url }])('in a frame the page says that it can be closed (%o)', async (more) => {
  const { intent, path } = await framedSetup(more)

  const reply = await world.press(path, 'answer=complete')

  expect(reply.statusCode).toBe(200)
  expect(reply.body).toContain('Authentication complete')
  expect((await world.stripe.setupIntents.retrieve(intent.id)).status).toBe('succeeded')
})

/** The call of the provider's SDKs when the question is closed. */
function giveUp(kind: 'setup' | 'payment', intent: { id: string; client_secret: string | null }, source: string) {
  const form = new URLSearchParams({ source, client_secret: intent.client_secret ?? '' }).toString()
  return world.raw('POST', `/v1/${kind}_intents/${intent.id}/source_cancel`, form, {
    authorization: 'Bearer pk_test_sandbox',
  })
}

test('a question that is closed in the browser counts as failed', async () => {
  const { intent, token, path, customer } = await framedSetup()

  const { status, json } = await giveUp('setup', intent, `src_${token}`)

  expect(status).toBe(200)
  expect(json).toMatchObject({
    status: 'requires_payment_method',
    last_setup_error: { code: 'setup_intent_authentication_failure' },
  })
  expect(json).not.toHaveProperty('customer')
  expect((await world.page(path)).status).toBe(404)
  expect((await world.stripe.paymentMethods.list({ customer })).data).toEqual([])
})

test('a payment whose question is closed is not charged', async () => {
  const intent = await world.stripe.paymentIntents.create({
    amount: 1250,
    currency: 'usd',
    payment_method: 'pm_card_authenticationRequired',
    confirm: true,
    use_stripe_sdk: true,
  })
  const source = /src_\w+/.exec(JSON.stringify(intent.next_action))?.[0] ?? ''

  expect((await giveUp('payment', intent, source)).json).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { code: 'payment_intent_authentication_failure' },
  })
  expect((await world.stripe.charges.list({ payment_intent: intent.id })).data).toEqual([])
})

test('only the current question can be closed, and only with the client secret', async () => {
  const { intent, token, path } = await framedSetup()

  expect((await giveUp('setup', intent, 'src_another')).json).toMatchObject({ status: 'requires_action' })
  expect((await giveUp('setup', { ...intent, client_secret: 'seti_1_secret_1' }, `src_${token}`)).status).toBe(400)
  expect((await world.page(path)).status).toBe(200)

  await world.press(path, 'answer=complete')
  expect((await giveUp('setup', intent, `src_${token}`)).json).toMatchObject({ status: 'succeeded' })
})
