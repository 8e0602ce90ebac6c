import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { ofFile } from '../../../test/of-file.ts'
import { linkOf, newPaypalWorld, newPlan, planBody } from '../../../test/paypal.ts'

const world = await ofFile(newPaypalWorld())
let valid: { path: string; body: object }[]

const usd = { value: '9.99', currency_code: 'USD' }

beforeAll(async () => {
  const plan = await newPlan(world)
  const subscription = await world.create('/v1/billing/subscriptions', { plan_id: plan.id })
  await world.answer(linkOf(subscription, 'approve'), 'approve')
  const context = {
    return_url: 'https://folio.test/back',
    cancel_url: 'https://folio.test/stop',
    user_action: 'CONTINUE',
  }
  valid = [
    { path: '/v1/catalogs/products', body: { name: 'Editor', category: 'SOFTWARE' } },
    { path: '/v1/billing/plans', body: planBody(plan.product_id, { more: { taxes: { percentage: '19' } } }) },
    {
      path: '/v1/billing/subscriptions',
      body: {
        plan_id: plan.id,
        quantity: '2',
        start_time: '2027-01-01T00:00:00Z',
        application_context: context,
      },
    },
    {
      path: `/v1/billing/subscriptions/${subscription.id}/revise`,
      body: { quantity: '3', application_context: context },
    },
    {
      path: '/v2/checkout/orders',
      body: { intent: 'CAPTURE', purchase_units: [{ amount: usd, custom_id: 'a' }] },
    },
    { path: '/v1/notifications/webhooks', body: { url: 'https://folio.test/hook', event_types: [{ name: '*' }] } },
  ]
})

const nonsense = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e9',
    '\0',
    '\ud800',
    '999999999.99',
    '0.001',
    'JPY',
    '9999-12-31T23:59:59Z',
    '__proto__',
  ),
  fc.constantFrom(null, true, -1, 0, 1e21, [], {}),
  fc.jsonValue(),
)

test('a valid body with nonsense in one place is accepted or refused, never an internal error', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(5), fc.nat(40), nonsense, async (which, place, value) => {
      const { path, body } = valid[which] ?? { path: '/v2/nothing', body: {} }
      const places = JSON.stringify(body).match(/"[^"]*"(?!:)|true|false|\b\d+\b/g) ?? []
      let index = -1
      const changed = JSON.stringify(body, (_name, one) => {
        if (typeof one === 'object') return one
        index += 1
        return index === place % places.length ? value : one
      })
      const reply = await world.post(path, changed)

      // 503: a busy machine, which refuses before it works.
      if (reply.status !== 503) expect(reply.status, `${path} ${changed} ${reply.text}`).toBeLessThan(500)
    }),
    { numRuns: 500 },
  )
})
