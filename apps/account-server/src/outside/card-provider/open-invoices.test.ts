import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { overdueInvoiceCalls } from './overdue-invoices.ts'
import { subscriptionCalls } from './subscriptions.ts'

const wire = {
  ...{
    id: 'sub_1',
    customer: 'cus_1',
    metadata: {},
    items: { data: [] },
    created: 1,
    cancel_at: null,
    trial_end: null,
  },
  ...{ cancel_at_period_end: false, ended_at: null },
}

const invoice = (id: string, amount: number, created: number) => ({
  ...{ id, status: 'open', amount_remaining: amount, currency: 'usd', hosted_invoice_url: `https://pay.example/${id}` },
  ...{ created, status_transitions: { finalized_at: null }, next_payment_attempt: null },
})

async function reading(status: string, latest: object, open: readonly object[]) {
  const fake = {
    subscriptions: { retrieve: async () => ({ ...wire, status, latest_invoice: latest }) },
    invoices: { list: async () => ({ data: open, has_more: false }) },
    invoicePayments: { list: async () => ({ data: [], has_more: false }) },
  }
  const stripe = fake as unknown as Stripe
  const { openInvoice } = await subscriptionCalls(stripe).readSubscription('sub_1')
  const toPay = await overdueInvoiceCalls(stripe).overdueInvoices('sub_1')
  return { openInvoice, toPay: toPay.map(({ id, amount }) => [id, amount]) }
}

const ofPeriod = { billing_reason: 'subscription_cycle' }

test.each([
  ['past_due', { id: 'in_3', status: 'paid', amount_remaining: 0, billing_reason: 'subscription_update' }],
  // It is asked for within the hour.
  ['past_due', { ...invoice('in_3', 1000, 30), ...ofPeriod, status: 'draft' }],
  ['past_due', { ...invoice('in_3', 1000, 30), billing_reason: 'subscription_update', status: 'uncollectible' }],
])('%s: all open invoices are due, the oldest first, whatever the latest is', async (status, latest) => {
  const open = [invoice('in_2', 500, 20), invoice('in_1', 1000, 10)]
  const { openInvoice, toPay } = await reading(status, latest, open)
  expect(openInvoice).toMatchObject({ amount: 1500, url: 'https://pay.example/in_1', since: new Date(10_000) })
  expect(toPay).toEqual([
    ['in_1', 1000],
    ['in_2', 500],
  ])
})

test('unpaid: the draft of the period that runs is due as well, and no page takes the sum', async () => {
  const draft = { ...invoice('in_3', 1000, 30), ...ofPeriod, status: 'draft', hosted_invoice_url: null }
  const both = await reading('unpaid', draft, [invoice('in_1', 1000, 10)])
  expect(both.openInvoice).toMatchObject({ amount: 2000, url: '', since: new Date(10_000) })
  expect(both.toPay).toEqual([
    ['in_1', 1000],
    ['in_3', 1000],
  ])
  const alone = await reading('unpaid', draft, [])
  expect([alone.openInvoice, alone.toPay]).toMatchObject([{ amount: 1000, url: '' }, [['in_3', 1000]]])
})

test.each(['past_due', 'unpaid'])(
  '%s: what is written off after the last retry is due, and can be paid',
  async (status) => {
    const latest = { ...invoice('in_2', 1000, 20), ...ofPeriod, status: 'uncollectible' }
    const { openInvoice, toPay } = await reading(status, latest, [])
    expect(openInvoice).toMatchObject({ amount: 1000, url: 'https://pay.example/in_2' })
    expect(toPay).toEqual([['in_2', 1000]])
  },
)

test('without an invoice that is not paid, nothing is due', async () => {
  const paid = { ...invoice('in_3', 0, 30), ...ofPeriod, status: 'paid' }
  expect(await reading('past_due', paid, [])).toEqual({ openInvoice: null, toPay: [] })
})
