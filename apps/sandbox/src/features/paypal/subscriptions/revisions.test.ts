import { expect, test } from 'vitest'
import { linkOf, newPaypalWorld, newPlan, newProduct, type PaypalWorld } from '../../../test/paypal.ts'

const path = '/v1/billing/subscriptions'
const usd = (value: string) => ({ value, currency_code: 'USD' })
const context = { return_url: 'https://folio.test/back', cancel_url: 'https://folio.test/stop' }

/** An active subscription, and another plan of its product. */
async function subscribed(world: PaypalWorld, other: Parameters<typeof newPlan>[1] = { value: '25' }) {
  const { id: productId } = await newProduct(world)
  const plan = await newPlan(world, { productId })
  const better = await newPlan(world, { productId, ...other })
  const { id, links } = await world.create(path, { plan_id: plan.id, quantity: '2' })
  await world.answer(linkOf({ links }, 'approve'), 'approve')
  return {
    id,
    plan,
    better,
    revise: (body: object) => world.post(`${path}/${id}/revise`, { application_context: context, ...body }),
    found: async () => (await world.get(`${path}/${id}`)).json,
    charged: async () => {
      const period = 'start_time=2026-01-01T00:00:00Z&end_time=2030-01-01T00:00:00Z'
      const { json } = await world.get(`${path}/${id}/transactions?${period}`)
      return json.transactions.map((one: { amount_with_breakdown: { gross_amount: { value: string } } }) =>
        Number(one.amount_with_breakdown.gross_amount.value),
      )
    },
  }
}

test('another plan of the product is billed from the next cycle on, once the buyer has approved it', async () => {
  await using world = await newPaypalWorld()
  const { better, revise, found, charged, plan } = await subscribed(world)
  const reply = await revise({ plan_id: better.id, quantity: '3' })

  expect(reply).toMatchObject({ status: 200, json: { plan_id: better.id, quantity: '3', plan_overridden: false } })
  expect(await found()).toMatchObject({ plan_id: plan.id, quantity: '2' })
  const left = await world.answer(linkOf(reply.json, 'approve'), 'approve')
  expect(left.location).toMatch(/^https:\/\/folio\.test\/back\?subscription_id=I-\w+&ba_token=BA-\w+&token=\w+$/)
  expect(await found()).toMatchObject({
    plan_id: better.id,
    quantity: '3',
    billing_info: { next_billing_time: '2026-07-15T10:00:00Z' },
  })
  expect(await charged()).toEqual([20])

  await world.advance('2026-07-15T10:00:00Z')
  expect(await charged()).toEqual([20, 75])
})

test('a revision that is not approved changes nothing: the old plan renews', async () => {
  await using world = await newPaypalWorld()
  const { better, revise, found, charged, plan } = await subscribed(world)
  const { json } = await revise({ plan_id: better.id })
  const left = await world.answer(linkOf(json, 'approve'), 'cancel')
  await world.advance('2026-07-15T10:00:00Z')

  expect(left.location).toContain('https://folio.test/stop?subscription_id=')
  expect(await found()).toMatchObject({ plan_id: plan.id, quantity: '2', status: 'ACTIVE' })
  expect(await charged()).toEqual([20, 20])
})

test('a monthly subscription becomes a yearly one at its next payment', async () => {
  await using world = await newPaypalWorld()
  const { better, revise, found, charged } = await subscribed(world, { value: '100', unit: 'YEAR' })
  await world.answer(linkOf((await revise({ plan_id: better.id })).json, 'approve'), 'approve')
  await world.advance('2026-08-01T00:00:00Z')

  expect(await charged()).toEqual([20, 200])
  expect((await found()).billing_info.next_billing_time).toBe('2027-07-15T10:00:00Z')
})

test('a newer revision replaces the older one', async () => {
  await using world = await newPaypalWorld()
  const { revise, found } = await subscribed(world)
  const older = await revise({ quantity: '5' })
  const newer = await revise({ quantity: '7' })
  const { pathname, search } = new URL(linkOf(older.json, 'approve'))

  expect((await world.page(pathname + search)).status).toBe(404)
  expect((await world.answer(linkOf(older.json, 'approve'), 'approve')).status).toBe(404)
  await world.answer(linkOf(newer.json, 'approve'), 'approve')
  expect((await found()).quantity).toBe('7')
})

test('a plan of another product, or that is inactive or unknown, is refused', async () => {
  await using world = await newPaypalWorld()
  const { revise, better, plan } = await subscribed(world)
  const foreign = await newPlan(world)
  await world.post(`/v1/billing/plans/${better.id}/deactivate`)
  const euro = await newPlan(world, { productId: plan.product_id, currency: 'EUR' })

  expect(await revise({ plan_id: foreign.id })).toMatchObject({ status: 422, issues: ['PLAN_PRODUCT_NOT_COMPATIBLE'] })
  expect(await revise({ plan_id: better.id })).toMatchObject({ status: 422, issues: ['PLAN_STATUS_INVALID'] })
  expect(await revise({ plan_id: euro.id })).toMatchObject({ status: 422, issues: ['CURRENCY_MISMATCH'] })
  expect((await revise({ plan_id: `P-${'X'.repeat(24)}` })).status).toBe(404)
})

test('a new price counts for subscribers ten days later, for new ones at once', async () => {
  await using world = await newPaypalWorld()
  const { plan, charged } = await subscribed(world)
  const change = (value: string) =>
    world.post(`/v1/billing/plans/${plan.id}/update-pricing-schemes`, {
      pricing_schemes: [{ billing_cycle_sequence: 1, pricing_scheme: { fixed_price: usd(value) } }],
    })

  await world.advance('2026-07-10T00:00:00Z')
  await change('12')
  await world.advance('2026-08-15T10:00:00Z')
  const { links, id } = await world.create(path, { plan_id: plan.id })
  await world.answer(linkOf({ links }, 'approve'), 'approve')

  expect(await charged()).toEqual([20, 20, 24])
  expect((await world.get(`${path}/${id}`)).json.billing_info.last_payment.amount).toEqual(usd('12.0'))
})

test('terms of its own that a revision names are billed from the next cycle on, and shown as overridden', async () => {
  await using world = await newPaypalWorld()
  const { better, revise, found, charged } = await subscribed(world, { value: '159', unit: 'YEAR' })
  const plan = (value: string, sequence = 1) => ({
    billing_cycles: [{ sequence, pricing_scheme: { fixed_price: usd(value) } }],
  })
  expect((await revise({ plan_id: better.id, plan: plan('1', 7) })).issues).toEqual(['INVALID_BILLING_CYCLE_SEQUENCE'])
  const { json } = await revise({ plan_id: better.id, plan: plan('14.99') })
  expect(json.plan_overridden).toBe(true)
  expect((await found()).plan_overridden).toBe(false)
  await world.answer(linkOf(json, 'approve'), 'approve')
  await world.advance('2026-07-15T10:00:00Z')

  expect(await found()).toMatchObject({
    ...{ plan_id: better.id, plan_overridden: true },
    billing_info: { next_billing_time: '2027-07-15T10:00:00Z' },
  })
  expect(await charged()).toEqual([20, 29.98])

  // What was overridden before is not carried forward.
  await world.answer(linkOf((await revise({ quantity: '1' })).json, 'approve'), 'approve')
  await world.advance('2027-07-15T10:00:00Z')
  expect((await found()).plan_overridden).toBe(false)
  expect(await charged()).toEqual([20, 29.98, 159])
})

test('an approval fills no account: while the buyer has no funds, the next charge fails after it, too', async () => {
  await using world = await newPaypalWorld()
  const { id, better, revise, charged } = await subscribed(world)
  await world.control('PUT', `funds/${id}/`, { hasFunds: false })
  await world.answer(linkOf((await revise({ plan_id: better.id })).json, 'approve'), 'approve')
  await world.advance('2026-07-15T10:00:00Z')
  expect(await charged()).toEqual([20])

  await world.control('PUT', `funds/${id}/`, { hasFunds: true })
  await world.advance('2026-07-20T10:00:00Z')
  expect(await charged()).toEqual([20, 50])
})
