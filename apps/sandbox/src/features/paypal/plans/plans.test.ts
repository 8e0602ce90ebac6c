import { expect, test } from 'vitest'
import { ofFile } from '../../../test/of-file.ts'
import { newPaypalWorld, newPlan, newProduct, planBody } from '../../../test/paypal.ts'

const world = await ofFile(newPaypalWorld())

const path = '/v1/billing/plans'
const usd = (value: string) => ({ value, currency_code: 'USD' })
const freeTrial = {
  frequency: { interval_unit: 'DAY', interval_count: 14 },
  tenure_type: 'TRIAL',
  sequence: 1,
  total_cycles: 1,
}

test('a plan shows its cycles, preferences and taxes', async () => {
  const plan = await newPlan(world, {
    value: '19.90',
    trial: freeTrial,
    preferences: { setup_fee: usd('5'), payment_failure_threshold: 3 },
    more: { taxes: { percentage: '19', inclusive: false } },
  })

  expect(plan.id).toMatch(/^P-\w{24}$/)
  expect(plan).toMatchObject({
    status: 'ACTIVE',
    quantity_supported: true,
    billing_cycles: [
      { tenure_type: 'TRIAL', sequence: 1, total_cycles: 1 },
      { tenure_type: 'REGULAR', sequence: 2, pricing_scheme: { version: 1, fixed_price: usd('19.9') } },
    ],
    payment_preferences: { setup_fee: usd('5.0'), setup_fee_failure_action: 'CANCEL', payment_failure_threshold: 3 },
    taxes: { percentage: '19', inclusive: false },
  })
  expect(plan.billing_cycles[0]).not.toHaveProperty('pricing_scheme')
  expect((await world.get(`${path}/${plan.id}`)).json).toEqual(plan)
})

test('plans are listed newest first, in pages', async () => {
  const made: string[] = []
  for (const value of ['1', '2', '3']) made.unshift((await newPlan(world, { value })).id)
  const [first, second] = [await world.get(`${path}?page_size=2`), await world.get(`${path}?page_size=2&page=2`)]
  const ids = [...first.json.plans, ...second.json.plans].map((plan: { id: string }) => plan.id)

  expect(ids.slice(0, 3)).toEqual(made)
})

test('a plan is deactivated once', async () => {
  const { id } = await newPlan(world)
  expect((await world.post(`${path}/${id}/deactivate`)).status).toBe(204)
  expect((await world.get(`${path}/${id}`)).json.status).toBe('INACTIVE')
  expect(await world.post(`${path}/${id}/deactivate`)).toMatchObject({ status: 422, issues: ['PLAN_STATUS_INVALID'] })
})

test('fee and tax of a plan are changed by patches, unless it is inactive', async () => {
  const { id } = await newPlan(world)
  const patch = [
    { op: 'replace', path: '/payment_preferences/setup_fee', value: usd('3.50') },
    { op: 'replace', path: '/taxes/percentage', value: '19' },
  ]
  expect((await world.patch(`${path}/${id}`, patch)).status).toBe(204)
  expect((await world.get(`${path}/${id}`)).json).toMatchObject({
    payment_preferences: { setup_fee: usd('3.5') },
    taxes: { percentage: '19' },
  })
  const name = [{ op: 'replace', path: '/name', value: 'Renamed' }]
  expect(await world.patch(`${path}/${id}`, name)).toMatchObject({ status: 400, issues: ['INVALID_PATCH_PATH'] })

  await world.post(`${path}/${id}/deactivate`)
  expect(await world.patch(`${path}/${id}`, patch)).toMatchObject({ status: 422, issues: ['PLAN_STATUS_INACTIVE'] })
})

test('new prices have a new version', async () => {
  const { id } = await newPlan(world, { value: '10' })
  const prices = (value: string, sequence = 1, currency = 'USD') => ({
    pricing_schemes: [
      {
        billing_cycle_sequence: sequence,
        pricing_scheme: { fixed_price: { value, currency_code: currency } },
      },
    ],
  })
  const change = (body: object) => world.post(`${path}/${id}/update-pricing-schemes`, body)

  expect((await change(prices('12'))).status).toBe(204)
  expect((await world.get(`${path}/${id}`)).json.billing_cycles[0].pricing_scheme).toMatchObject({
    version: 2,
    fixed_price: usd('12.0'),
  })
  expect((await change(prices('12'))).issues).toEqual(['PRICING_SCHEME_UPDATE_NOT_ALLOWED'])
  expect((await change(prices('13', 2))).issues).toEqual(['INVALID_BILLING_CYCLE_SEQUENCE'])
  expect((await change(prices('13', 1, 'EUR'))).issues).toEqual(['CURRENCY_MISMATCH'])
  await world.post(`${path}/${id}/deactivate`)
  expect((await change(prices('13'))).issues).toEqual(['PRICING_SCHEME_UPDATE_NOT_ALLOWED'])
})

test.each([
  [{ trial: { ...freeTrial, total_cycles: 0 } }, 'INVALID_TRIAL_BILLING_TOTAL_CYCLES'],
  [{ trial: { ...freeTrial, sequence: 3 } }, 'INVALID_BILLING_CYCLE_SEQUENCE'],
  [
    { trial: { ...freeTrial, pricing_scheme: { fixed_price: { value: '1', currency_code: 'EUR' } } } },
    'CURRENCY_MISMATCH',
  ],
  [{ more: { billing_cycles: [freeTrial] } }, 'MISSING_REGULAR_BILLING_CYCLE'],
  [{ currency: 'XAU' }, 'INVALID_CURRENCY_CODE'],
  [{ value: '10.001' }, 'DECIMAL_PRECISION'],
  [{ value: '1000.5', currency: 'JPY' }, 'DECIMAL_PRECISION'],
])('a plan with %j is refused', async (options, issue) => {
  const { id } = await newProduct(world)

  expect(await world.post(path, planBody(id, options))).toMatchObject({ status: 422, issues: [issue] })
})

test.each([
  [{ value: '-1' }, 'INVALID_PARAMETER_SYNTAX'],
  [{ unit: 'HOUR' }, 'INVALID_PARAMETER_VALUE'],
  [{ more: { billing_cycles: [] } }, 'INVALID_ARRAY_MIN_ITEMS'],
  [{ more: { payment_preferences: undefined } }, 'MISSING_REQUIRED_PARAMETER'],
  [{ preferences: { payment_failure_threshold: 1000 } }, 'INVALID_INTEGER_MAX_VALUE'],
])('a malformed plan with %j is refused', async (options, issue) => {
  const { id } = await newProduct(world)

  expect(await world.post(path, planBody(id, options))).toMatchObject({ status: 400, issues: [issue] })
})

test('a plan needs a product that exists', async () => {
  expect((await world.post(path, planBody('PROD-NONE'))).status).toBe(404)
})
