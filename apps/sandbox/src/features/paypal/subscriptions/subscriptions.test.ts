import { expect, test } from 'vitest'
import { ofFile } from '../../../test/of-file.ts'
import { linkOf, newPaypalWorld, newPlan } from '../../../test/paypal.ts'

const world = await ofFile(newPaypalWorld())

const path = '/v1/billing/subscriptions'
const context = { return_url: 'https://folio.test/back?x=1', cancel_url: 'https://folio.test/stop' }
const usd = (value: string) => ({ value, currency_code: 'USD' })

/** A subscription that waits for the buyer. */
async function asked(more: object = {}, plan?: { id: string }) {
  const { id } = plan ?? (await newPlan(world))
  return world.create(path, { plan_id: id, quantity: '3', application_context: context, ...more })
}

/** A subscription that the buyer has approved. */
async function running(more: object = {}, plan?: { id: string }) {
  const { id, links } = await asked(more, plan)
  await world.answer(linkOf({ links }, 'approve'), 'approve')
  return (await world.get(`${path}/${id}`)).json
}

const act = (id: string, action: string, body: object = { reason: 'Test' }) =>
  world.post(`${path}/${id}/${action}`, body)
const statusOf = async (id: string) => (await world.get(`${path}/${id}`)).json.status

test('a new subscription waits for the buyer, without a payment', async () => {
  const subscription = await asked({ custom_id: 'ours-1' })

  expect(subscription.id).toMatch(/^I-\w{12}$/)
  expect(subscription).toMatchObject({
    status: 'APPROVAL_PENDING',
    quantity: '3',
    custom_id: 'ours-1',
    plan_overridden: false,
  })
  expect(subscription).not.toHaveProperty('billing_info')
  expect(subscription.links.map(({ rel }: { rel: string }) => rel)).toEqual(['approve', 'edit', 'self'])
})

test('the minimal answer has id, status and links', async () => {
  const { id } = await newPlan(world)
  const reply = await world.post(path, { plan_id: id })

  expect(reply.status).toBe(201)
  expect(Object.keys(reply.json).sort()).toEqual(['create_time', 'id', 'links', 'status'])
})

test('an approved subscription is active, paid, and billed next on the same day of the next month', async () => {
  const subscription = await running({ custom_id: 'ours-2' })
  const period = 'start_time=2026-06-01T00:00:00Z&end_time=2026-07-01T00:00:00Z'
  const { json } = await world.get(`${path}/${subscription.id}/transactions?${period}`)

  expect(subscription).toMatchObject({
    status: 'ACTIVE',
    subscriber: { payer_id: expect.stringMatching(/^[2-9A-HJ-NP-Z]{13}$/), name: { given_name: 'Sandy' } },
    billing_info: {
      outstanding_balance: usd('0.0'),
      cycle_executions: [{ tenure_type: 'REGULAR', cycles_completed: 1, cycles_remaining: 0, total_cycles: 0 }],
      last_payment: { amount: usd('30.0') },
      next_billing_time: '2026-07-15T10:00:00Z',
      failed_payments_count: 0,
    },
  })
  expect(json.transactions).toEqual([
    expect.objectContaining({
      status: 'COMPLETED',
      amount_with_breakdown: { gross_amount: usd('30.0'), fee_amount: usd('1.54'), net_amount: usd('28.46') },
    }),
  ])
  const sale = await world.get(`/v1/payments/sale/${json.transactions[0].id}`)
  expect(sale.json).toMatchObject({
    state: 'completed',
    amount: { total: '30.00', currency: 'USD' },
    billing_agreement_id: subscription.id,
    custom: 'ours-2',
  })
})

test('the plan and the last failure are shown on request only', async () => {
  const { id } = await running()
  const plain = await world.get(`${path}/${id}`)
  const whole = await world.get(`${path}/${id}?fields=plan,last_failed_payment`)

  expect(plain.json).not.toHaveProperty('plan')
  expect(whole.json.plan).toMatchObject({ name: 'Editor, monthly', quantity_supported: true })
  expect(whole.json.billing_info).not.toHaveProperty('last_failed_payment')
})

test('transactions need a period', async () => {
  const { id } = await running()
  const reply = await world.get(`${path}/${id}/transactions?start_time=2026-06-01T00:00:00Z`)

  expect(reply).toMatchObject({ status: 400, issues: ['MISSING_REQUIRED_PARAMETER'] })
  expect(reply.json.details[0]).toMatchObject({ field: 'end_time', location: 'query' })
})

test('only an active subscription can be suspended, only a suspended one activated, and both canceled', async () => {
  const { id } = await running()
  const steps: [string, number, string][] = [
    ['activate', 422, 'ACTIVE'],
    ['suspend', 204, 'SUSPENDED'],
    ['suspend', 422, 'SUSPENDED'],
    ['activate', 204, 'ACTIVE'],
    ['suspend', 204, 'SUSPENDED'],
    ['cancel', 204, 'CANCELLED'],
    ['cancel', 422, 'CANCELLED'],
    ['activate', 422, 'CANCELLED'],
    ['suspend', 422, 'CANCELLED'],
  ]
  for (const [action, status, after] of steps) {
    const reply = await act(id, action)
    expect(reply.status, action).toBe(status)
    if (status === 422) expect(reply.issues).toEqual(['SUBSCRIPTION_STATUS_INVALID'])
    expect(await statusOf(id)).toBe(after)
  }
  const { json } = await world.get(`${path}/${id}`)
  expect(json.status_change_note).toBe('Test')
  expect(json.billing_info).not.toHaveProperty('next_billing_time')
  expect(json.links.map(({ rel }: { rel: string }) => rel)).toEqual(['self'])
})

test('before the approval a subscription can neither be suspended, canceled nor revised', async () => {
  const { id } = await asked()
  const replies = [
    await act(id, 'suspend'),
    await act(id, 'cancel'),
    await act(id, 'activate'),
    await act(id, 'revise', { quantity: '2' }),
  ]

  for (const reply of replies) expect(reply).toMatchObject({ status: 422, issues: ['SUBSCRIPTION_STATUS_INVALID'] })
  expect(await statusOf(id)).toBe('APPROVAL_PENDING')
})

test('suspending and canceling need a reason', async () => {
  const { id } = await running()

  for (const action of ['suspend', 'cancel']) {
    expect(await act(id, action, {})).toMatchObject({ status: 400, issues: ['MISSING_REQUIRED_PARAMETER'] })
    expect(await world.post(`${path}/${id}/${action}`)).toMatchObject({ status: 400, issues: ['MISSING_REQUEST_BODY'] })
  }
  expect(await statusOf(id)).toBe('ACTIVE')
})

test('a merchant that asked the buyer to continue activates the subscription itself', async () => {
  const { id, links } = await asked({ application_context: { ...context, user_action: 'CONTINUE' } })
  await world.answer(linkOf({ links }, 'approve'), 'approve')
  const approved = await world.get(`${path}/${id}`)
  await act(id, 'activate')

  expect(approved.json).toMatchObject({ status: 'APPROVED' })
  expect(approved.json).not.toHaveProperty('billing_info')
  expect((await world.get(`${path}/${id}`)).json).toMatchObject({
    status: 'ACTIVE',
    billing_info: { last_payment: { amount: usd('30.0') } },
  })
})

test('the setup fee is charged at once, the first cycle when the subscription starts', async () => {
  const plan = await newPlan(world, { preferences: { setup_fee: usd('5') } })
  const { billing_info: billing } = await running({ start_time: '2026-08-01T00:00:00Z' }, plan)

  expect(billing).toMatchObject({
    last_payment: { amount: usd('5.0') },
    next_billing_time: '2026-08-01T00:00:00Z',
    cycle_executions: [{ cycles_completed: 0 }],
  })
})

test('a tax is added, unless the price includes it', async () => {
  const taxed = (inclusive: boolean) =>
    newPlan(world, { value: '9.99', more: { taxes: { percentage: '19', inclusive } } })
  const added = await running({ quantity: '2' }, await taxed(false))
  const included = await running({ quantity: '2' }, await taxed(true))

  expect(added.billing_info.last_payment.amount).toEqual(usd('23.78'))
  expect(included.billing_info.last_payment.amount).toEqual(usd('19.98'))
})

test.each([
  [{ quantity: 3 }, 'INVALID_PARAMETER_SYNTAX'],
  [{ quantity: '0' }, 'INVALID_PARAMETER_SYNTAX'],
  [{ start_time: '2020-01-01T00:00:00Z' }, 'INVALID_PARAMETER_VALUE'],
  [{ start_time: 'tomorrow' }, 'INVALID_PARAMETER_SYNTAX'],
  [{ plan_id: 'P-1' }, 'INVALID_STRING_MIN_LENGTH'],
  [{ plan: { billing_cycles: [] } }, 'INVALID_ARRAY_MIN_ITEMS'],
  [{ plan: { name: 'Mine' } }, 'INVALID_PARAMETER'],
  [{ quantity: '1e3' }, 'INVALID_PARAMETER_SYNTAX'],
  [{ application_context: { return_url: 'javascript:alert(1)' } }, 'INVALID_PARAMETER_SYNTAX'],
])('a subscription with %j is refused', async (more, issue) => {
  const { id } = await newPlan(world)

  expect(await world.post(path, { plan_id: id, ...more })).toMatchObject({
    status: 400,
    issues: expect.arrayContaining([issue]),
  })
})

test('a plan must exist, be active, and be sold by quantity if one is given', async () => {
  const inactive = await newPlan(world)
  await world.post(`/v1/billing/plans/${inactive.id}/deactivate`)
  const single = await newPlan(world, { more: { quantity_supported: false } })

  expect((await world.post(path, { plan_id: `P-${'X'.repeat(24)}` })).status).toBe(404)
  expect(await world.post(path, { plan_id: inactive.id })).toMatchObject({
    status: 422,
    issues: ['PLAN_STATUS_INVALID'],
  })
  expect(await world.post(path, { plan_id: single.id, quantity: '2' })).toMatchObject({
    status: 422,
    issues: ['SUBSCRIPTION_CANNOT_HAVE_QUANTITY'],
  })
  expect((await world.post(path, { plan_id: single.id, quantity: '1' })).status).toBe(201)
})

test('an unknown subscription is not found by any call', async () => {
  const at = `${path}/I-NONE`
  const replies = [
    await world.get(at),
    await world.get(`${at}/transactions?start_time=2026-01-01T00:00:00Z&end_time=2026-02-01T00:00:00Z`),
    await act('I-NONE', 'cancel'),
    await act('I-NONE', 'revise', { quantity: '2' }),
  ]

  expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404])
})

test('a repeated request id makes one subscription, and answers its present state', async () => {
  const { id: plan } = await newPlan(world)
  const headers = { 'paypal-request-id': 'subscribe-once' }
  const first = await world.post(path, { plan_id: plan, application_context: context }, headers)
  await world.answer(linkOf(first.json, 'approve'), 'approve')
  const second = await world.post(path, { plan_id: plan, quantity: '9' }, headers)

  expect(first.status).toBe(201)
  expect(second).toMatchObject({ status: 200, json: { id: first.json.id, status: 'ACTIVE' } })
})

test('subscriptions are listed newest first', async () => {
  const ids = [(await running()).id, (await asked()).id]
  const { json } = await world.get(`${path}?page_size=2`)

  expect(json.subscriptions.map(({ id }: { id: string }) => id)).toEqual(ids.toReversed())
})
