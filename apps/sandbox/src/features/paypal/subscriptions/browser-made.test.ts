import { expect, test } from 'vitest'
import { linkOf, newPaypalWorld, newPlan, type PaypalWorld, requestToken } from '../../../test/paypal.ts'

const path = '/v1/billing/subscriptions'
const usd = (value: string) => ({ value, currency_code: 'USD' })

/** What anybody's browser can do, who knows the client's public id. */
async function browser({ address, send }: PaypalWorld) {
  const { json } = await requestToken(address, 'client_sandbox:')
  const headers = { authorization: `Bearer ${json.access_token}`, prefer: 'return=representation' }
  return (method: string, at: string, body?: object) => send(method, at, { body, headers })
}

const priced = (value: string, sequence = 1) => ({
  billing_cycles: [{ sequence, pricing_scheme: { fixed_price: usd(value) } }],
})

test('a browser without the secret makes a subscription with terms, quantity, start and owner of its own', async () => {
  await using world = await newPaypalWorld()
  const { id: planId } = await newPlan(world)
  const call = await browser(world)
  const made = await call('POST', path, {
    ...{ plan_id: planId, quantity: '500', custom_id: 'somebody@folio.test', start_time: '2035-01-01T00:00:00Z' },
    plan: priced('0.01'),
  })
  expect([made.status, made.json.plan_overridden]).toEqual([201, true])
  await world.answer(linkOf(made.json, 'approve'), 'approve')
  const { json } = await world.get(`${path}/${made.json.id}?fields=plan`)

  expect(json).toMatchObject({
    ...{ status: 'ACTIVE', quantity: '500', custom_id: 'somebody@folio.test', plan_overridden: true },
    billing_info: { next_billing_time: '2035-01-01T00:00:00Z', cycle_executions: [{ cycles_completed: 0 }] },
    plan: { billing_cycles: [{ pricing_scheme: { fixed_price: usd('0.01') } }] },
  })
  expect(json.billing_info).not.toHaveProperty('last_payment')
})

test('a browser reads nothing, and ends nothing', async () => {
  await using world = await newPaypalWorld()
  const { id: planId } = await newPlan(world)
  const call = await browser(world)
  const { json } = await call('POST', path, { plan_id: planId })
  const replies = [
    await call('GET', `${path}/${json.id}`),
    await call('POST', `${path}/${json.id}/cancel`, { reason: 'Mine' }),
    await call('GET', '/v1/billing/plans'),
    await call('POST', '/v1/payments/sale/X/refund', {}),
  ]
  for (const reply of replies) expect(reply).toMatchObject({ status: 403, json: { name: 'NOT_AUTHORIZED' } })
})

test('an overridden price is what is charged, in every cycle, and the plan itself stays as it is', async () => {
  await using world = await newPaypalWorld()
  const { id: planId } = await newPlan(world)
  const { id, links } = await world.create(path, {
    plan_id: planId,
    plan: { ...priced('1'), taxes: { percentage: '10', inclusive: false } },
  })
  await world.answer(linkOf({ links }, 'approve'), 'approve')
  await world.advance('2026-07-15T10:00:00Z')
  const { json } = await world.get(
    `${path}/${id}/transactions?start_time=2026-01-01T00:00:00Z&end_time=2027-01-01T00:00:00Z`,
  )

  expect(json.transactions).toMatchObject([1, 2].map(() => ({ amount_with_breakdown: { gross_amount: usd('1.1') } })))
  const plan = await world.get(`/v1/billing/plans/${planId}`)
  expect(plan.json.billing_cycles[0].pricing_scheme.fixed_price).toEqual(usd('10.0'))
})

test.each([
  [priced('1', 7), 'INVALID_BILLING_CYCLE_SEQUENCE'],
  [
    { billing_cycles: [{ sequence: 1, pricing_scheme: { fixed_price: { value: '1', currency_code: 'EUR' } } }] },
    'CURRENCY_MISMATCH',
  ],
])('an inline plan that does not fit its plan is refused: %j', async (plan, issue) => {
  await using world = await newPaypalWorld()
  const { id: planId } = await newPlan(world)
  expect(await world.post(path, { plan_id: planId, plan })).toMatchObject({ status: 422, issues: [issue] })
})

test('another plan that is approved later has its own terms', async () => {
  await using world = await newPaypalWorld()
  const first = await newPlan(world)
  const { id: second } = await newPlan(world, { productId: first.product_id, value: '30' })
  const { id, links } = await world.create(path, { plan_id: first.id, plan: priced('1') })
  await world.answer(linkOf({ links }, 'approve'), 'approve')
  const revised = await world.post(`${path}/${id}/revise`, { plan_id: second })
  await world.answer(linkOf(revised.json, 'approve'), 'approve')

  expect((await world.get(`${path}/${id}`)).json).toMatchObject({ plan_id: second, plan_overridden: false })
})

test('PayPal bills hours after the time that it names', async () => {
  await using world = await newPaypalWorld()
  const { id: planId } = await newPlan(world)
  const { id, links } = await world.create(path, { plan_id: planId })
  await world.answer(linkOf({ links }, 'approve'), 'approve')
  await world.control('PUT', `lateness/${id}/`, { hours: 18 })
  const found = async () => (await world.get(`${path}/${id}`)).json.billing_info
  await world.advance('2026-07-16T03:59:00Z')
  const before = await found()
  await world.advance('2026-07-16T04:00:00Z')

  expect(before).toMatchObject({
    next_billing_time: '2026-07-15T10:00:00Z',
    cycle_executions: [{ cycles_completed: 1 }],
  })
  expect(await found()).toMatchObject({
    ...{ next_billing_time: '2026-08-15T10:00:00Z', last_payment: { time: '2026-07-16T04:00:00Z' } },
    cycle_executions: [{ cycles_completed: 2 }],
  })
  expect((await world.control('PUT', 'lateness/I-NONE/', { hours: 1 })).status).toBe(404)
})
