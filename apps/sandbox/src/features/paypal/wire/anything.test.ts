import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { ofFile } from '../../../test/of-file.ts'
import { linkOf, newPaypalWorld, newPlan } from '../../../test/paypal.ts'

const world = await ofFile(newPaypalWorld())
let ids: string[]

beforeAll(async () => {
  const plan = await newPlan(world)
  const subscription = await world.create('/v1/billing/subscriptions', { plan_id: plan.id })
  await world.answer(linkOf(subscription, 'approve'), 'approve')
  ids = [plan.id, subscription.id, 'NONE', '%00', '%F0%9F%92%B3', '..%2F']
})

const paths = [
  '/v1/catalogs/products',
  '/v1/catalogs/products/ID',
  '/v1/billing/plans',
  '/v1/billing/plans/ID',
  '/v1/billing/plans/ID/deactivate',
  '/v1/billing/plans/ID/update-pricing-schemes',
  '/v1/billing/subscriptions',
  '/v1/billing/subscriptions/ID',
  '/v1/billing/subscriptions/ID/revise',
  '/v1/billing/subscriptions/ID/suspend',
  '/v1/billing/subscriptions/ID/transactions',
  '/v2/checkout/orders',
  '/v2/checkout/orders/ID/capture',
  '/v2/payments/captures/ID/refund',
  '/v1/payments/sale/ID/refund',
  '/v1/notifications/webhooks',
  '/v1/notifications/webhooks-events',
  '/v1/nothing-of-paypal',
  '/v2/nothing',
]

const words = fc.constantFrom(
  'name id product_id plan_id quantity status billing_cycles pricing_scheme fixed_price value currency_code amount reason',
  'purchase_units intent CAPTURE payment_source paypal event_types url path op replace add /custom_id /url __proto__ total',
)
const word = words.chain((some) => fc.constantFrom(...some.split(' ')))
const leaf = fc.oneof(
  word,
  fc.constantFrom('', '0', '-1', '1e9', 'USD', 'JPY', '10.00', '99999999999999999999', '\0', '\ud800', 'javascript:x'),
  fc.constantFrom('2026-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '0000-01-01T00:00:00Z'),
  fc.jsonValue(),
)
const time = fc.constantFrom(
  '2026-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '0000-01-01T00:00:00+14:00',
  '2026-02-30T00:00:00Z',
)
const parameter = fc.constantFrom(
  'start_time',
  'end_time',
  'page',
  'page_size',
  'event_type',
  'plan_ids',
  'fields',
  'product_id',
)
const body = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(word, tie('any'), { maxKeys: 5 }),
  ),
})).any

test('any request is answered in PayPal’s format, never with an internal error', async () => {
  let answered = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE'),
      fc.constantFrom(...paths),
      fc.nat(5),
      fc.oneof(
        body.map((value) => JSON.stringify(value)),
        fc.string(),
      ),
      fc.dictionary(parameter, fc.oneof(fc.string(), time, fc.constantFrom('0', '1e9', '-1')), { maxKeys: 3 }),
      async (method, path, place, given, query) => {
        const id = ids[place] ?? ''
        const search = new URLSearchParams()
        for (const [name, value] of Object.entries(query)) search.set(name, value.toWellFormed())
        const address = `${path.replace('ID', id)}?${search}`
        const reply = await world.send(method, address, { body: given })

        // 503: a busy machine, which refuses before it works.
        if (reply.status === 503) return
        answered += 1
        expect(reply.status, `${method} ${address} ${given} ${reply.text}`).toBeLessThan(500)
        if (reply.status >= 400) expect(reply.json, reply.text).toSatisfy(isError)
      },
    ),
    { numRuns: 1000 },
  )
  expect(answered).toBeGreaterThan(100)
})

/** PayPal's format, or the card provider's for a path that is not PayPal's. */
function isError(json: object): boolean {
  return 'name' in json || 'error' in json
}
