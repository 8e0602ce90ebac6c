import type Stripe from 'stripe'
import { expect, test } from 'vitest'
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

function reading(status: string, latest: object, open: readonly object[]) {
  const fake = {
    subscriptions: { retrieve: async () => ({ ...wire, status, latest_invoice: latest }) },
    invoices: { list: async () => ({ data: open, has_more: false }) },
    invoicePayments: { list: async () => ({ data: [], has_more: false }) },
  }
  return subscriptionCalls(fake as unknown as Stripe).readSubscription('sub_1')
}

test.each([
  ['unpaid', { id: 'in_3', status: 'draft', amount_remaining: 1000, billing_reason: 'subscription_cycle' }],
  ['past_due', { id: 'in_3', status: 'paid', amount_remaining: 0, billing_reason: 'subscription_update' }],
])('%s: all open invoices are due, the oldest first, whatever the latest is', async (status, latest) => {
  const { openInvoice } = await reading(status, latest, [invoice('in_2', 500, 20), invoice('in_1', 1000, 10)])
  expect(openInvoice).toMatchObject({ amount: 1500, url: 'https://pay.example/in_1', since: new Date(10_000) })
})

test('without an open invoice nothing is due', async () => {
  const draft = { id: 'in_3', status: 'draft', amount_remaining: 1000, billing_reason: 'subscription_cycle' }
  expect((await reading('unpaid', draft, [])).openInvoice).toBeNull()
})
