import { expect, test } from 'vitest'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'
import { origin } from '../../../test/world.ts'

const world = await ofFile(newCardsWorld())

test('the page shows customers, intents and events, as text', async () => {
  const { id } = await world.stripe.customers.create({ name: '<script>alert(1)</script>', email: 'page@folio.test' })
  const intent = await world.stripe.setupIntents.create({ customer: id })
  const { text, status, headers } = await world.page('/cards')

  expect(status).toBe(200)
  expect(text).toContain('page@folio.test')
  expect(text).toContain(intent.id)
  expect(text).toContain('setup_intent.created')
  expect(text).not.toContain('<script')
  expect(headers['content-security-policy']).toContain("default-src 'none'")
})

test('the page links to the bank’s question, for a customer who closed it', async () => {
  const intent = await world.stripe.setupIntents.create({
    payment_method: 'pm_card_authenticationRequired',
    confirm: true,
    use_stripe_sdk: true,
  })
  const { text } = await world.page('/cards')
  const path = /\/cards\/authenticate\/\w+/.exec(text)?.[0] ?? ''

  await world.press(path, 'answer=complete')

  expect((await world.stripe.setupIntents.retrieve(intent.id)).status).toBe('succeeded')
})

test('an object is shown as the API returns it, without internal data', async () => {
  const { id } = await world.stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } })
  const { text } = await world.page(`/cards/objects/${id}`)

  expect(text).toContain('&#34;last4&#34;: &#34;4242&#34;')
  expect(text).not.toContain('isSpent')
  expect((await world.page('/cards/objects/pm_none')).status).toBe(404)
  expect((await world.page('/cards/objects/%00')).status).toBe(404)
})

test('faults are planned on the page, happen the given number of times, and can be cleared', async () => {
  const plan = 'kind=rate_limit&pattern=%2Fcustomers&times=2&milliseconds=0'
  expect((await world.press('/cards/faults', plan)).headers.location).toBe('/cards')
  expect((await world.page('/cards')).text).toContain('2 more')

  const statuses: number[] = []
  for (let index = 0; index < 3; index += 1) statuses.push((await world.raw('POST', '/v1/customers')).status)
  expect(statuses).toEqual([429, 429, 200])

  await world.press('/cards/faults', plan)
  await world.press('/cards/faults/forget', '')
  expect((await world.raw('POST', '/v1/customers')).status).toBe(200)
})

test('programs can do the same', async () => {
  const plan = { kind: 'error', pattern: '/payment_intents*', times: 1 }
  const planned = await world.app.inject({ method: 'POST', url: '/cards/control/faults', payload: plan })
  expect(planned.json().list).toEqual([expect.objectContaining({ kind: 'error', pattern: plan.pattern, remaining: 1 })])

  expect((await world.stripe.customers.list()).lastResponse.statusCode).toBe(200)
  expect((await world.app.inject({ url: '/cards/control/faults' })).json().list).toHaveLength(1)
  expect((await world.app.inject({ method: 'DELETE', url: '/cards/control/faults' })).json().list).toEqual([])
})

test('an invalid fault is refused, and another site cannot plan any', async () => {
  const never = [
    { kind: 'drop', pattern: '/subscriptions/*' },
    { kind: 'reset', pattern: 'invoice.paid' },
  ]
  const wrong = [{}, { kind: 'explode' }, { kind: 'drop', times: 0 }, { kind: 'drop', times: 5000 }, ...never]
  const replies = await Promise.all(
    wrong.map((payload) => world.app.inject({ method: 'POST', url: '/cards/control/faults', payload })),
  )
  const foreign = await world.app.inject({
    method: 'POST',
    url: '/cards/faults',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://evil.test' },
    payload: 'kind=drop',
  })

  expect(replies.map(({ statusCode }) => statusCode)).toEqual(wrong.map(() => 422))
  expect(foreign.statusCode).toBe(403)
  expect((await world.press('/cards/faults', 'kind=explode')).statusCode).toBe(404)
})

test('programs and our own page can change objects; another site cannot', async () => {
  const hook = { url: 'http://localhost:1/control', secret: 'whsec_chosenBeforehand123' }
  const { id } = await world.stripe.webhookEndpoints.create({ url: hook.url, enabled_events: ['*'] })
  const { id: customer } = await world.stripe.customers.create({})
  const { id: card } = await world.stripe.paymentMethods.attach('pm_card_visa', { customer })
  const [event] = (await world.stripe.events.list({ limit: 1 })).data
  const plan = { kind: 'rate_limit', pattern: '/nowhere' }
  const calls = [
    { method: 'POST', url: '/cards/control/faults/', payload: plan },
    { method: 'DELETE', url: '/cards/control/faults/' },
    { method: 'PUT', url: '/cards/control/webhook-endpoints/', payload: hook },
    { method: 'POST', url: `/cards/control/events/${event?.id}/resend/` },
    { method: 'PUT', url: `/cards/control/payment-methods/${card}/expiry/`, payload: { month: 2, year: 2020 } },
  ] as const
  const statuses = (headers: Record<string, string>) =>
    Promise.all(calls.map(async (call) => (await world.app.inject({ ...call, headers })).statusCode))

  for (const headers of [
    { origin: 'http://evil.test' },
    { origin: 'null' },
    { origin, 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]) {
    expect(await statuses(headers)).toEqual(calls.map(() => 403))
  }
  expect(await statuses({})).toEqual(calls.map(() => 200))
  expect(await statuses({ origin, 'sec-fetch-site': 'same-origin' })).toEqual(calls.map(() => 200))
  await world.stripe.webhookEndpoints.del(id)
})

test('a card expires without an event, and cannot be charged any more', async () => {
  const { id: customer } = await world.stripe.customers.create({})
  const { id } = await world.stripe.paymentMethods.attach('pm_card_visa', { customer })
  const replaced = (month: number, year: number, method = id) =>
    world.app.inject({
      method: 'PUT',
      url: `/cards/control/payment-methods/${method}/expiry/`,
      payload: { month, year },
    })

  expect((await replaced(2, 2020)).statusCode).toBe(200)
  expect((await world.stripe.paymentMethods.retrieve(id)).card).toMatchObject({ exp_month: 2, exp_year: 2020 })
  const [event] = (await world.stripe.events.list({ limit: 1 })).data
  expect(event).toMatchObject({ type: 'payment_method.attached', data: { object: { id } } })
  const charged = { customer, payment_method: id, amount: 1000, currency: 'usd', confirm: true, off_session: true }
  expect(await world.refused(world.stripe.paymentIntents.create(charged))).toMatchObject({ code: 'expired_card' })
  expect((await replaced(13, 2020)).statusCode).toBe(422)
  expect((await replaced(1, 2020, 'pm_none')).statusCode).toBe(404)
})

test('of many concurrent requests, exactly the planned number fails', async () => {
  await world.press('/cards/faults', 'kind=rate_limit&pattern=*&times=3')

  const replies = await Promise.all(Array.from({ length: 8 }, () => world.raw('GET', '/v1/customers')))

  expect(replies.filter(({ status }) => status === 429)).toHaveLength(3)
})
