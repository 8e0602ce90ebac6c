import { expect, test } from 'vitest'
import { linkOf, newPaypalWorld, newPlan, type PaypalWorld } from '../../../test/paypal.ts'

const path = '/v1/billing/subscriptions'
const usd = (value: string) => ({ value, currency_code: 'USD' })

interface Transaction {
  time: string
  amount_with_breakdown: { gross_amount: { value: string } }
}

/** A subscription that the buyer has answered. */
async function subscribe(
  world: PaypalWorld,
  plan: Parameters<typeof newPlan>[1] = {},
  answer: 'approve' | 'no-funds' = 'approve',
) {
  const { id: planId } = await newPlan(world, plan)
  const { id, links } = await world.create(path, { plan_id: planId })
  await world.answer(linkOf({ links }, 'approve'), answer)
  return {
    id,
    found: async () => (await world.get(`${path}/${id}?fields=last_failed_payment`)).json,
    act: (action: string, body: object = { reason: 'Test' }) => world.post(`${path}/${id}/${action}`, body),
    funds: (hasFunds: boolean) => world.control('PUT', `funds/${id}/`, { hasFunds }),
    charged: async () => {
      const period = 'start_time=2026-01-01T00:00:00Z&end_time=2036-01-01T00:00:00Z'
      const { json } = await world.get(`${path}/${id}/transactions?${period}`)
      return json.transactions.map(({ time, amount_with_breakdown: amount }: Transaction) => [
        time.slice(0, 16),
        Number(amount.gross_amount.value),
      ])
    },
  }
}

test('renewals are charged at ten o’clock, on the day of the start or the last day of the month', async () => {
  await using world = await newPaypalWorld('2026-12-31T12:00:00Z')
  const { charged, found } = await subscribe(world)
  await world.advance('2027-04-30T10:00:00Z')

  expect((await charged()).map(([time]: [string]) => time)).toEqual([
    '2026-12-31T12:00',
    '2027-01-31T10:00',
    '2027-02-28T10:00',
    '2027-03-31T10:00',
    '2027-04-30T10:00',
  ])
  expect(await found()).toMatchObject({
    billing_info: { next_billing_time: '2027-05-31T10:00:00Z', cycle_executions: [{ cycles_completed: 5 }] },
  })
})

test('an eCheck is pending until it clears or is denied, while the subscription goes on', async () => {
  await using world = await newPaypalWorld()
  const { id, charged, found } = await subscribe(world)
  await world.control('PUT', `echecks/${id}/`, { paysByEcheck: true })
  await world.advance('2026-08-15T10:00:00Z')
  const transactions = async () =>
    (await world.get(`${path}/${id}/transactions?start_time=2026-01-01T00:00:00Z&end_time=2036-01-01T00:00:00Z`)).json
      .transactions
  const states = async () => (await transactions()).map(({ status }: { status: string }) => status)
  expect(await states()).toEqual(['COMPLETED', 'PENDING', 'PENDING'])
  expect(await found()).toMatchObject({
    status: 'ACTIVE',
    billing_info: { cycle_executions: [{ cycles_completed: 3 }] },
  })
  const [, second, third] = (await transactions()).map((sale: { id: string }) => sale.id)
  const sale = async (saleId: string) => (await world.get(`/v1/payments/sale/${saleId}`)).json
  expect(await sale(second)).toMatchObject({ state: 'pending', payment_mode: 'ECHECK', reason_code: 'ECHECK' })
  expect((await world.post(`/v1/payments/sale/${second}/refund`, {})).json.name).toBe('TRANSACTION_REFUSED')

  const clear = (saleId: string, isCleared: boolean) =>
    world.control('POST', `payments/${saleId}/clear/`, { isCleared })
  expect((await clear(second, true)).status).toBe(200)
  expect((await clear(third, false)).status).toBe(200)
  expect([await states(), (await sale(third)).state]).toEqual([['COMPLETED', 'COMPLETED', 'DECLINED'], 'denied'])
  expect(await charged()).toHaveLength(3)
  expect((await clear(second, false)).status).toBe(404)
})

test('moving the clock twice to the same moment charges once', async () => {
  await using world = await newPaypalWorld()
  const { charged } = await subscribe(world)
  const statuses = await Promise.all(['2026-07-20T00:00:00Z', '2026-07-20T00:00:00Z'].map((to) => world.advance(to)))
  expect(statuses).toContain(200)
  // It runs on.
  expect(await world.advance('2026-07-20T00:00:00Z')).toBe(422)

  expect(await charged()).toHaveLength(2)
})

test('a free trial is followed by the regular price', async () => {
  await using world = await newPaypalWorld()
  const trial = {
    frequency: { interval_unit: 'DAY', interval_count: 14 },
    tenure_type: 'TRIAL',
    sequence: 1,
    total_cycles: 1,
  }
  const { charged, found } = await subscribe(world, { trial })
  const { billing_info: before } = await found()
  await world.advance('2026-06-30T00:00:00Z')

  expect(before).toMatchObject({
    next_billing_time: '2026-06-29T10:00:00Z',
    cycle_executions: [{ tenure_type: 'TRIAL', cycles_completed: 1, cycles_remaining: 0 }, { cycles_completed: 0 }],
  })
  expect(before).not.toHaveProperty('last_payment')
  expect(await charged()).toEqual([['2026-06-29T10:00', 10]])
  expect((await found()).billing_info.next_billing_time).toBe('2026-07-29T10:00:00Z')
})

test.each([
  ['2026-11-27T12:00:00Z', 'WEEK', ['2026-12-04', '2027-01-04', '2027-02-04']],
  ['2027-01-10T12:00:00Z', 'DAY', ['2027-01-31', '2027-02-28', '2027-03-31']],
])('from %s, after a trial in units of a %s, months are counted from its end', async (start, unit, days) => {
  await using world = await newPaypalWorld(start)
  const frequency = { interval_unit: unit, interval_count: unit === 'DAY' ? 21 : 1 }
  const { charged } = await subscribe(world, {
    trial: { frequency, tenure_type: 'TRIAL', sequence: 1, total_cycles: 1 },
  })
  await world.advance(`${days.at(-1)}T12:00:00Z`)
  expect(await charged()).toEqual(days.map((day) => [`${day}T10:00`, 10]))
})

test('a plan with an end expires after its last period', async () => {
  await using world = await newPaypalWorld()
  const { charged, found, act } = await subscribe(world, { total: 2 })
  expect((await found()).billing_info.final_payment_time).toBe('2026-07-15T10:00:00Z')
  await world.advance('2026-08-15T09:59:00Z')
  const last = await found()
  await world.advance('2026-08-15T10:00:00Z')

  expect(last).toMatchObject({ status: 'ACTIVE', billing_info: { cycle_executions: [{ cycles_remaining: 0 }] } })
  expect(last.billing_info).not.toHaveProperty('next_billing_time')
  expect((await found()).status).toBe('EXPIRED')
  expect(await charged()).toHaveLength(2)
  expect((await act('cancel')).issues).toEqual(['SUBSCRIPTION_STATUS_INVALID'])
})

test('a failed payment is tried again every five days, twice; the cycle stays due until then', async () => {
  await using world = await newPaypalWorld()
  const { found, funds, charged } = await subscribe(world)
  await funds(false)
  await world.advance('2026-07-15T10:00:00Z')

  expect(await found()).toMatchObject({
    status: 'ACTIVE',
    billing_info: {
      failed_payments_count: 0,
      outstanding_balance: usd('0.0'),
      next_billing_time: '2026-07-15T10:00:00Z',
      last_failed_payment: {
        amount: usd('10.0'),
        time: '2026-07-15T10:00:00Z',
        next_payment_retry_time: '2026-07-20T10:00:00Z',
      },
    },
  })
  await funds(true)
  await world.advance('2026-07-20T10:00:00Z')
  expect(await charged()).toEqual([expect.anything(), ['2026-07-20T10:00', 10]])
  expect((await found()).billing_info).toMatchObject({
    next_billing_time: '2026-08-15T10:00:00Z',
    failed_payments_count: 0,
  })
})

test('what stays unpaid is charged with the next cycle', async () => {
  await using world = await newPaypalWorld()
  const { found, funds, charged } = await subscribe(world)
  await funds(false)
  await world.advance('2026-07-26T00:00:00Z')
  const { billing_info: unpaid } = await found()
  await funds(true)
  await world.advance('2026-08-15T10:00:00Z')

  expect(unpaid).toMatchObject({
    failed_payments_count: 1,
    outstanding_balance: usd('10.0'),
    next_billing_time: '2026-08-15T10:00:00Z',
  })
  expect(unpaid.last_failed_payment).not.toHaveProperty('next_payment_retry_time')
  expect(await charged()).toEqual([expect.anything(), ['2026-08-15T10:00', 20]])
  expect((await found()).billing_info).toMatchObject({ failed_payments_count: 0, outstanding_balance: usd('0.0') })
})

test('at its threshold of failures a subscription is suspended, for good while its balance is outstanding', async () => {
  await using world = await newPaypalWorld()
  const { found, funds, act } = await subscribe(world)
  await funds(false)
  await world.advance('2026-09-01T00:00:00Z')

  expect(await found()).toMatchObject({
    status: 'SUSPENDED',
    billing_info: { failed_payments_count: 2, outstanding_balance: usd('20.0') },
  })
  expect((await act('activate')).issues).toEqual(['SUBSCRIPTION_CANNOT_BE_ACTIVATED'])
})

test('without a threshold a subscription is never suspended', async () => {
  await using world = await newPaypalWorld()
  const { found, funds } = await subscribe(world, { preferences: { payment_failure_threshold: 0 } })
  await funds(false)
  await world.advance('2027-01-10T00:00:00Z')

  expect(await found()).toMatchObject({ status: 'ACTIVE', billing_info: { failed_payments_count: 6 } })
})

test('a subscription is not charged while it is suspended, nor for that time afterwards', async () => {
  await using world = await newPaypalWorld()
  const { act, charged, found } = await subscribe(world)
  await act('suspend')
  await world.advance('2026-09-20T00:00:00Z')
  const { billing_info: suspended } = await found()
  await act('activate')
  await world.advance('2026-10-15T10:00:00Z')

  expect(suspended).not.toHaveProperty('next_billing_time')
  expect((await charged()).map(([time]: [string]) => time)).toEqual(['2026-06-15T08:00', '2026-10-15T10:00'])
})

test('a subscription that is activated before its next payment keeps its date', async () => {
  await using world = await newPaypalWorld()
  const { act, found } = await subscribe(world)
  await act('suspend')
  await world.advance('2026-07-01T00:00:00Z')
  await act('activate')

  expect((await found()).billing_info.next_billing_time).toBe('2026-07-15T10:00:00Z')
})

test('a canceled subscription is never charged again', async () => {
  await using world = await newPaypalWorld()
  const { act, charged } = await subscribe(world)
  await act('cancel')
  await world.advance('2027-06-15T00:00:00Z')

  expect(await charged()).toHaveLength(1)
})

test('an approval without funds is an active subscription whose first payment fails', async () => {
  await using world = await newPaypalWorld()
  const { found, charged } = await subscribe(world, {}, 'no-funds')

  expect(await found()).toMatchObject({
    status: 'ACTIVE',
    billing_info: { last_failed_payment: { next_payment_retry_time: expect.stringMatching(/^2026-06-20T08/) } },
  })
  expect(await charged()).toEqual([])
})

test('a setup fee that fails cancels the subscription, or is outstanding, as the plan says', async () => {
  await using world = await newPaypalWorld()
  const preferences = (action: string) => ({
    preferences: { setup_fee: usd('5'), setup_fee_failure_action: action },
  })
  const canceled = await subscribe(world, preferences('CANCEL'), 'no-funds')
  const continued = await subscribe(world, preferences('CONTINUE'), 'no-funds')

  expect((await canceled.found()).status).toBe('CANCELLED')
  expect(await continued.found()).toMatchObject({
    status: 'ACTIVE',
    billing_info: { outstanding_balance: usd('5.0') },
  })
})
