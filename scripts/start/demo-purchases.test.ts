import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { sandboxOfFile } from '../../apps/account-server/src/test/sandbox-of-file.ts'
import { purchases } from '../../demo/folio/billing.ts'
import { demoPurchases, type PurchaseIds } from './demo-purchases.ts'

const sandbox = await sandboxOfFile()
const today = new Date()
const byCard = purchases(today).filter(({ provider }) => provider === 'card')

/** A provider with the catalog's prices and the cast's customers; one of them pays with a card that fails. */
async function stage(stripe: Stripe) {
  const { id: product } = await stripe.products.create({ name: 'Folio' })
  for (const key of new Set(byCard.flatMap(({ items }) => items.map(({ price }) => price)))) {
    const [, term = '', currency = ''] = key.split('-')
    const interval = term === 'yearly' ? 'year' : 'month'
    await stripe.prices.create({ product, currency, unit_amount: 1000, lookup_key: key, recurring: { interval } })
  }
  const customers = new Map<string, string>()
  for (const { email } of byCard) {
    if (customers.has(email)) continue
    const { id: customer } = await stripe.customers.create({ email })
    customers.set(email, customer)
    if (!email.startsWith('grace')) continue
    const { id: failing } = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: failing } })
  }
  return customers
}

test('the cast buys in the past and each thing once, though a start is interrupted; the clock shows the present afterwards', async () => {
  const { stripe, url: address } = sandbox
  const customers = await stage(stripe)
  const where = { stripe, address, customers, hasPaypal: false }
  let ids: PurchaseIds = {}
  const start = (most: number) =>
    demoPurchases(where, {
      today,
      ids,
      async keep(all) {
        ids = all
        if (Object.keys(all).length === most) throw new Error('interrupted')
      },
    })
  await expect(start(4)).rejects.toThrow('interrupted')
  await start(Number.POSITIVE_INFINITY)

  const { data } = await stripe.subscriptions.list({ status: 'all', limit: 100 })
  expect(data.map(({ id }) => id).sort()).toEqual(Object.values(ids).sort())
  expect(Object.keys(ids).sort()).toEqual(byCard.map(({ name }) => name).sort())
  const statusOf = (name: string) => data.find(({ id }) => id === ids[name])?.status
  expect(['ada-editor', 'ada-redact', 'grace-editor', 'linus-esign'].map(statusOf)).toEqual([
    ...['active', 'trialing', 'past_due', 'canceled'],
  ])
  const open = await stripe.invoices.list({ customer: customers.get('kai@folio.test') ?? '', status: 'open' })
  expect(open.data.map(({ billing_reason: reason }) => reason).sort()).toEqual(['manual', 'subscription_update'])
  expect(statusOf('kai-editor')).toBe('active')
  expect(statusOf('kai-cloud')).toBe('active')
  const { created } = await stripe.customers.create({})
  expect(Math.abs(created * 1000 - Date.now())).toBeLessThan(10_000)

  // Of another database: nothing of it is there.
  ids = { 'ada-editor': 'sub_ElsewhereElsewhere000000' }
  await expect(start(2)).rejects.toThrow('interrupted')
  expect(Object.values(ids)).not.toContain('sub_ElsewhereElsewhere000000')
})
