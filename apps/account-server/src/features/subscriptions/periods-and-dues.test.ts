import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { subscriptionCalls } from '../../outside/card-provider/subscriptions.ts'
import { nothingKnown, paypalSubscription, withDecided } from '../../test/paypal-subscriptions.ts'
import { paypalProjectionOf } from './paypal-projection.rules.ts'
import { projectionOf } from './projection.rules.ts'
import { emailOfChange } from './subscription-emails.rules.ts'

const projected = (...[given, facts]: Parameters<typeof paypalProjectionOf>) =>
  paypalProjectionOf(given, withDecided(given, facts))

const year = {
  ...{ quantity: 1, amount: 10_000, interval: { unit: 'YEAR', count: 1 } as const },
  startsAt: new Date('2026-03-01T10:00:00Z'),
}
const given = paypalSubscription({ ...year, nextBillingAt: new Date('2027-03-01T10:00:00Z') })
const price = { productCode: 'FPE', term: 'yearly', isConnector: false, isStorage: false } as const
const row = (p: ReturnType<typeof paypalProjectionOf>) => ({ ...p, pendingPlanId: null, pendingQuantity: null })

describe('PayPal', () => {
  const before = row(
    projected(given, { ...nothingKnown, price, before: undefined, now: new Date('2026-03-01T11:00:00Z') }),
  )

  test('renewed for a year, and canceled an hour later, before Atrium read either', () => {
    const after = projected(
      paypalSubscription({
        ...year,
        ...{ status: 'CANCELLED', nextBillingAt: null, lastPaidAt: new Date('2027-03-01T10:00:00Z') },
        changedAt: new Date('2027-03-01T11:00:00Z'),
      }),
      { ...nothingKnown, price, before, now: new Date('2027-03-01T11:05:00Z') },
    )
    expect(after).toMatchObject({ status: 'active', cancelAt: new Date('2028-03-01T10:00:00Z') })
  })

  test('the same without a row before (take-over) is right', () => {
    const after = projected(
      paypalSubscription({
        ...year,
        ...{ status: 'CANCELLED', nextBillingAt: null, lastPaidAt: new Date('2027-03-01T10:00:00Z') },
        changedAt: new Date('2027-03-01T11:00:00Z'),
      }),
      { ...nothingKnown, price, before: undefined, now: new Date('2027-03-01T11:05:00Z') },
    )
    expect(after).toMatchObject({ status: 'active', cancelAt: new Date('2028-03-01T10:00:00Z') })
  })

  test('a renewal failed, was paid by a retry, and then canceled, before Atrium read the payment', () => {
    const failed = projected(
      paypalSubscription({
        ...year,
        nextBillingAt: new Date('2028-03-01T10:00:00Z'),
        failure: {
          amount: 10_000,
          at: new Date('2027-03-01T10:00:00Z'),
          nextAttemptAt: new Date('2027-03-06T10:00:00Z'),
        },
      }),
      { ...nothingKnown, price, before, now: new Date('2027-03-01T10:05:00Z') },
    )
    expect(failed.status).toBe('past_due')
    const after = projected(
      paypalSubscription({
        ...year,
        ...{ status: 'CANCELLED', nextBillingAt: null, lastPaidAt: new Date('2027-03-06T10:00:00Z'), failure: null },
        changedAt: new Date('2027-03-06T11:00:00Z'),
      }),
      { ...nothingKnown, price, before: row(failed), now: new Date('2027-03-06T11:05:00Z') },
    )
    expect(after.status).toBe('active')
  })

  test('a renewal that was paid days late, and canceled before Atrium read it, lasts a year from the day on which it was due', () => {
    const after = projected(
      paypalSubscription({
        ...year,
        ...{ status: 'CANCELLED', nextBillingAt: null, lastPaidAt: new Date('2027-03-06T10:00:00Z') },
        changedAt: new Date('2027-03-06T11:00:00Z'),
      }),
      { ...nothingKnown, price, before, now: new Date('2027-03-06T11:05:00Z') },
    )
    const period = { periodStart: new Date('2027-03-01T10:00:00Z'), periodEnd: new Date('2028-03-01T10:00:00Z') }
    expect(after).toMatchObject({ status: 'active', cancelAt: period.periodEnd, ...period })
  })

  test('the last cycle of a plan with an end: nothing is billed next', () => {
    const after = projected(paypalSubscription({ ...year, lastPaidAt: new Date('2027-03-01T10:00:00Z') }), {
      ...nothingKnown,
      price,
      before,
      now: new Date('2027-03-01T10:05:00Z'),
    })
    expect(after).toMatchObject({
      periodStart: new Date('2027-03-01T10:00:00Z'),
      periodEnd: new Date('2028-03-01T10:00:00Z'),
    })
  })
})

const day = 86_400
const t0 = 1_780_000_000
const item = (over: object = {}) => ({
  ...{ id: 'si_1', quantity: 30, current_period_start: t0, current_period_end: t0 + 365 * day },
  price: { id: 'price_1', product: 'prod_1', currency: 'usd', unit_amount: 5000, lookup_key: null, ...over },
})
const invoice = (over: object) => ({
  ...{ id: 'in_1', status: 'open', amount_remaining: 5000, currency: 'usd', hosted_invoice_url: 'https://pay/in_1' },
  ...{
    created: t0,
    next_payment_attempt: null,
    attempted: false,
    billing_reason: 'subscription_cycle',
    due_date: null,
  },
  ...{ collection_method: 'charge_automatically', status_transitions: { finalized_at: t0 } },
  ...over,
})
async function reading(status: string, latest: object, open: object[] = [], over: object = {}) {
  const fake = {
    subscriptions: {
      retrieve: async () => ({
        ...{
          id: 'sub_1',
          customer: 'cus_1',
          metadata: {},
          created: 1,
          cancel_at: null,
          trial_end: null,
          ended_at: null,
        },
        ...{
          cancel_at_period_end: false,
          pending_update: null,
          status,
          latest_invoice: latest,
          items: { data: [item(over)] },
        },
      }),
    },
    invoices: { list: async () => ({ data: open, has_more: false }) },
    invoicePayments: { list: async () => ({ data: [], has_more: false }) },
  }
  return subscriptionCalls(fake as unknown as Stripe).readSubscription('sub_1')
}
const prices = new Map([
  ['price_1', { productCode: 'FPE', term: 'yearly', isConnector: false, isStorage: false } as const],
])
const at = (days: number) => new Date((t0 + days * day) * 1000)

describe('card provider', () => {
  test('an invoice that is sent, due in 30 days: the days of access begin when it is overdue', async () => {
    const sent = invoice({ collection_method: 'send_invoice', due_date: t0 + 30 * day })
    const billed = await reading('past_due', sent, [sent])
    const after = projectionOf(billed, { prices, before: { pastDueSince: null }, now: at(30) })
    expect(after?.pastDueSince).toEqual(at(30))
  })

  test('an invoice that was left open a year ago: the days of access begin with the payment that failed now', async () => {
    const old = invoice({
      id: 'in_0',
      attempted: true,
      created: t0 - 365 * day,
      status_transitions: { finalized_at: t0 - 365 * day },
    })
    const now = invoice({ attempted: true })
    const billed = await reading('past_due', now, [now, old])
    // The row was active: the latest invoice was paid meanwhile.
    const after = projectionOf(billed, { prices, before: { pastDueSince: null }, now: at(0) })
    expect(after?.pastDueSince).toEqual(at(0))
  })

  test('an older invoice that is still tried: the days of access begin with it, since its retries run out first', async () => {
    const tried = { attempted: true, next_payment_attempt: t0 + 3 * day }
    const older = invoice({ ...tried, id: 'in_0', status_transitions: { finalized_at: t0 - 8 * day } })
    const renewal = invoice(tried)
    const pastDue = async (open: object[], before: Date | null) => {
      const billed = await reading('past_due', renewal, open)
      return projectionOf(billed, { prices, before: { pastDueSince: before }, now: at(1) })?.pastDueSince
    }
    expect(await pastDue([renewal, older], null)).toEqual(at(-8))
    // It was read before as due since the renewal.
    expect(await pastDue([renewal, older], at(0))).toEqual(at(-8))
    // The older one is paid alone.
    expect(await pastDue([renewal], at(-8))).toEqual(at(0))
    // A later period that is due as well gives no more days.
    const next = invoice({ ...tried, id: 'in_2', status_transitions: { finalized_at: t0 + 30 * day } })
    expect(await pastDue([next, invoice({ attempted: true })], at(0))).toEqual(at(0))
  })

  test('a renewal whose invoice is void (collection paused: nothing is charged) is not told as renewed for a price', async () => {
    const draft = await reading('active', invoice({ status: 'draft' }))
    const voided = await reading('active', invoice({ status: 'void', amount_remaining: 5000 }))
    const [one, two] = [draft, voided].map((b) =>
      projectionOf(b, { prices, before: { pastDueSince: null }, now: at(0) }),
    )
    if (!one || !two) throw new Error('none')
    expect(emailOfChange(one, two, at(0))).toBeUndefined()
  })

  test('a package price: 30 seats at 50.00 for each ten', async () => {
    const billed = await reading('active', invoice({ status: 'paid' }), [], {
      transform_quantity: { divide_by: 10, round: 'up' },
    })
    const after = projectionOf(billed, { prices, before: undefined, now: at(0) })
    expect(after?.price).not.toBe(150_000)
  })
})

describe('more', () => {
  const first = row(
    projected(given, { ...nothingKnown, price, before: undefined, now: new Date('2026-03-01T11:00:00Z') }),
  )
  const last = paypalSubscription({ ...year, lastPaidAt: new Date('2027-03-01T10:00:00Z') })
  const during = row(projected(last, { ...nothingKnown, price, before: first, now: new Date('2027-03-01T10:05:00Z') }))

  test('a plan with an end has expired: the end is that of the last paid period, and is told', () => {
    const now = new Date('2028-03-01T10:05:00Z')
    const after = projected(
      { ...last, status: 'EXPIRED', changedAt: new Date('2028-03-01T10:00:00Z') },
      { ...nothingKnown, price, before: during, now },
    )
    expect([after.endedAt?.toISOString(), emailOfChange(during, after, now)]).toEqual([
      '2028-03-01T10:00:00.000Z',
      'ended',
    ])
  })

  test('canceled during the last paid period of a plan with an end, every webhook in time: it can be used until that end', () => {
    const now = new Date('2027-06-01T10:05:00Z')
    const after = projected(
      { ...last, status: 'CANCELLED', changedAt: new Date('2027-06-01T10:00:00Z') },
      { ...nothingKnown, price, before: during, now },
    )
    expect(after).toMatchObject({ status: 'active', cancelAt: new Date('2028-03-01T10:00:00Z') })
  })
})

test('a subscription that the vendor suspended at PayPal, whose payments all succeeded: no email of a failed payment', () => {
  const before = row(
    projected(given, { ...nothingKnown, price, before: undefined, now: new Date('2026-03-01T11:00:00Z') }),
  )
  const after = projected(
    { ...given, status: 'SUSPENDED', nextBillingAt: null, changedAt: new Date('2026-06-01T10:00:00Z') },
    { ...nothingKnown, price, before, now: new Date('2026-06-01T10:05:00Z') },
  )
  expect(emailOfChange(before, after, new Date('2026-06-01T10:05:00Z'))).not.toBe('paymentFailed')
})
