import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { newBilling } from '../../../test/billing.ts'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'

const world = await ofFile(newCardsWorld())
let ids: Record<string, string>

beforeAll(async () => {
  const billing = newBilling(world)
  const { id: customer } = await billing.customer()
  const [monthly, yearly, once] = await Promise.all([
    billing.price(1000),
    billing.price(9000, { recurring: { interval: 'year' } }),
    billing.oneTime(500),
  ])
  const made = await world.stripe.subscriptions.create({ customer, items: [{ price: monthly.id }] })
  const { id: coupon } = await world.stripe.coupons.create({ amount_off: 5000, currency: 'usd', duration: 'forever' })
  const item = await world.stripe.invoiceItems.create({ customer, amount: -70, currency: 'usd' })
  ids = {
    CUSTOMER: customer,
    MONTHLY: monthly.id,
    YEARLY: yearly.id,
    ONCE: once.id,
    COUPON: coupon,
    SUBSCRIPTION: made.id,
    ITEM: made.items.data[0]?.id ?? '',
    INVOICE: String(made.latest_invoice),
    INVOICEITEM: item.id,
  }
})

const path = fc.constantFrom(
  '/v1/products',
  '/v1/products/none',
  '/v1/prices',
  '/v1/prices/MONTHLY',
  '/v1/coupons',
  '/v1/coupons/COUPON',
  '/v1/subscriptions',
  '/v1/subscriptions/SUBSCRIPTION',
  '/v1/invoices',
  '/v1/invoices/INVOICE',
  '/v1/invoices/INVOICE/pay',
  '/v1/invoices/INVOICE/void',
  '/v1/invoices/INVOICE/finalize',
  '/v1/invoices/INVOICE/lines',
  '/v1/invoices/create_preview',
  '/v1/invoice_payments',
  '/v1/invoiceitems',
  '/v1/invoiceitems/INVOICEITEM',
  '/v1/refunds',
)

const name = fc.constantFrom(
  'customer',
  'subscription',
  'items[0][id]',
  'items[0][price]',
  'items[0][quantity]',
  'items[0][deleted]',
  'items[1][price]',
  'subscription_details[items][0][id]',
  'subscription_details[items][0][price]',
  'subscription_details[items][0][quantity]',
  'subscription_details[proration_date]',
  'subscription_details[proration_behavior]',
  'invoice_items[0][amount]',
  'invoice_items[0][price]',
  'add_invoice_items[0][price]',
  'add_invoice_items[0][price_data][product]',
  'add_invoice_items[0][price_data][unit_amount]',
  'discounts[0][coupon]',
  'discounts',
  'proration_behavior',
  'proration_date',
  'payment_behavior',
  'billing_cycle_anchor',
  'billing_cycle_anchor[type]',
  'trial_end',
  'trial_period_days',
  'cancel_at',
  'cancel_at_period_end',
  'automatic_tax[enabled]',
  'default_payment_method',
  'payment_method',
  'pending_invoice_items_behavior',
  'amount',
  'currency',
  'unit_amount',
  'product',
  'lookup_key',
  'recurring[interval]',
  'recurring[interval_count]',
  'percent_off',
  'amount_off',
  'duration',
  'metadata[a]',
  'expand[]',
  'status',
  'price',
  'invoice',
  'limit',
  'starting_after',
)

const value = fc.oneof(
  fc.constantFrom('CUSTOMER', 'MONTHLY', 'YEARLY', 'ONCE', 'COUPON', 'SUBSCRIPTION', 'ITEM', 'INVOICE', 'INVOICEITEM'),
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1',
    '2',
    '99999999',
    '1893456000',
    '999999999999999',
    'true',
    'false',
    'now',
    'usd',
    'jpy',
  ),
  fc.constantFrom('always_invoice', 'create_prorations', 'none', 'month', 'year', 'once', 'forever', 'all', 'open'),
  fc.constantFrom('pending_if_incomplete', 'default_incomplete', 'allow_incomplete'),
  fc.constantFrom('include', 'pm_card_visa', 'pm_card_chargeCustomerFail', 'latest_invoice.payments'),
  fc.constantFrom('data.customer', 'discounts.source.coupon', 'lines.data.discounts', 'confirmation_secret'),
  fc.string({ maxLength: 20 }),
)

test('any request of billing is answered in the provider’s format, never with an internal error', async () => {
  let answered = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'POST', 'POST', 'DELETE'),
      path,
      fc.array(fc.tuple(name, value), { maxLength: 6 }),
      async (method, where, pairs) => {
        const named = pairs.map(([key, text]) => `${key}=${encodeURIComponent(ids[text] ?? text)}`).join('&')
        const target = where.replaceAll(/[A-Z]+/g, (word) => ids[word] ?? word)
        const address = method === 'POST' ? target : `${target}?${named}`
        // What a deletion removes is needed by later requests.
        if (method === 'DELETE' && !/none|INVOICE$/.test(where)) return
        const reply = await world.raw(method, address, named)

        // 503: a busy machine, which refuses before it works.
        if (reply.status === 503) return
        answered += 1
        expect(reply.status, `${method} ${address} ${named} ${reply.text}`).toBeLessThan(500)
        expect(reply.json).toHaveProperty(reply.status < 400 ? 'object' : 'error')
      },
    ),
    { numRuns: 1500 },
  )
  expect(answered).toBeGreaterThan(100)
})

const details = [
  'items[0][id]=ITEM',
  'items[0][price]=YEARLY',
  'items[0][price]=MONTHLY',
  'items[0][quantity]=99999',
  'items[0][quantity]=0',
  'items[0][deleted]=true',
  'items[1][price]=YEARLY',
  'items[1][quantity]=1000000',
  'proration_behavior=always_invoice',
  'proration_behavior=none',
  'trial_end=now',
  'trial_end=1893456000',
  'trial_end=9999999999',
  'billing_cycle_anchor[type]=now',
  'cancel_at_period_end=true',
  'cancel_at=9999999999',
  'cancel_at=',
]
const common = ['automatic_tax[enabled]=true']
const ofUpdate = [
  'discounts[0][coupon]=COUPON',
  'discounts=',
  'payment_behavior=pending_if_incomplete',
  'payment_behavior=allow_incomplete',
  'payment_behavior=default_incomplete',
  'off_session=true',
  'add_invoice_items[0][price]=ONCE',
  'metadata[a]=b',
  'expand[]=latest_invoice.payments',
]

/** A form of valid parameters, in any combination. */
function formOf(parts: readonly string[]) {
  return fc.subarray([...parts], { maxLength: 8 }).map((chosen) => chosen.join('&'))
}

test('valid changes in any combination are done or refused, never with an internal error', async () => {
  const previewed = details.filter((part) => /^(items|proration_behavior)/.test(part))
  const inside = previewed.map((part) => part.replace(/^([^[=]+)/, 'subscription_details[$1]'))
  const request = fc.oneof(
    fc.tuple(fc.constant('/v1/subscriptions/SUBSCRIPTION'), formOf([...details, ...common, ...ofUpdate])),
    fc.tuple(
      fc.constant('/v1/invoices/create_preview'),
      formOf([...inside, ...common, 'invoice_items[0][amount]=-99999999', 'invoice_items[0][price]=ONCE']).map(
        (form) => `subscription=SUBSCRIPTION&${form}`,
      ),
    ),
    fc.tuple(
      fc.constant('/v1/subscriptions'),
      formOf([
        ...ofUpdate,
        ...common,
        'trial_period_days=3',
        'billing_cycle_anchor=1893456000',
        'items[1][price]=YEARLY',
      ]).map((form) => `customer=CUSTOMER&items[0][price]=MONTHLY&${form}`),
    ),
  )
  let done = 0
  await fc.assert(
    fc.asyncProperty(request, async ([where, form]) => {
      const named = (text: string) => text.replaceAll(/\b[A-Z]{4,}\b/g, (word) => ids[word] ?? word)
      const reply = await world.raw('POST', named(where), named(form))
      // 503: a busy machine, which refuses before it works.
      if (reply.status !== 503) expect(reply.status, `${where} ${form} ${reply.text}`).toBeLessThan(500)
      if (reply.status === 200) done += 1
    }),
    { numRuns: 300 },
  )
  expect(done).toBeGreaterThan(20)
})
