import { listOnlineOrders } from '@atrium/contract/orders.ts'
import * as contract from '@atrium/contract/plan-changes.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { payments } from '../../../app.ts'
import { cardVendor } from '../../../test/card-billing.ts'
import { approve, comeBack, order, subscribed } from '../../../test/paypal-orders.ts'
import { prepaidVendor } from '../../../test/prepaid-terms.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { coupons } from '../../coupons/coupons.tables.ts'
import { mailQueue } from '../../mail/mail.writes.ts'
import { paidOrdersQueue } from '../../orders/receipts.writes.ts'
import { sendReceipt } from './send-receipt.ts'

const sandbox = await sandboxOfFile()

const Paid = z.object({ orderNumber: z.string(), channel: z.enum(['card', 'paypal']), queuedAt: z.string() })
const Sent = z.object({ subject: z.string(), text: z.string() })
const visa = 'Paid with: Visa ••••\u00a04242'

type World = Pick<Awaited<ReturnType<typeof cardVendor>>, 'deps' | 'sent'>

/** Runs the jobs of what was paid since the last time. @returns the emails that were queued since then */
async function mails({ deps, sent }: World) {
  const jobs = sent.filter(({ queue }) => queue === paidOrdersQueue)
  for (const { data } of jobs) await sendReceipt(deps, Paid.parse(data))
  return sent.splice(0).flatMap(({ queue, data }) => (queue === mailQueue ? [Sent.parse(data)] : []))
}

type Vendor = Awaited<ReturnType<typeof cardVendor>>

async function syncInvoices({ customerId, syncInvoice }: Pick<Vendor, 'customerId' | 'syncInvoice'>) {
  const { data } = await sandbox.stripe.invoices.list({ customer: customerId })
  for (const { id } of data.reverse()) await syncInvoice(id)
}

const subjects = (emails: readonly { subject: string }[]) => emails.map(({ subject }) => subject).sort()

test('a purchase, a change with a coupon, and a renewal: each is one receipt and one email about the subscription', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  await syncInvoices(world)
  const bought = await mails(world)
  expect(subjects(bought)).toEqual([
    'Your receipt for Folio PDF Editor+: $30.00',
    'Your subscription to Folio PDF Editor+ has started',
  ])
  expect(bought.find(({ subject }) => subject.includes('receipt'))?.text).toContain(visa)
  // The other one says what comes next.
  expect(bought.find(({ subject }) => subject.includes('started'))?.text).toMatch(
    /Renews on: .*, for \$30\.00 plus any tax/,
  )

  const anybody = { products: [], terms: [], countries: [], maxUsesPerCustomer: 1 }
  await world.db.insert(coupons).values({ code: 'THIRD-OFF', percentOff: 30, ...anybody })
  const change = { type: 'buy-more', increasingNumber: 2, couponCode: 'third-off' } as const
  const { quote } = (await world.as(world.buyer).send(contract.changePlanFrom, { body: { sid: id, ...change } })).body
  const body = { subscriptionId: id, ...change, quoteId: quote.quoteId }
  expect((await world.as(world.buyer).send(contract.changePlan, { body })).status).toBe(200)
  await syncInvoices(world)
  const charged = (quote.chargeAmount / 100).toFixed(2)
  const changed = await mails(world)
  expect(subjects(changed)).toEqual([
    `Your receipt for Folio PDF Editor+: $${charged}`,
    'Your subscription to Folio PDF Editor+ has changed',
  ])
  const receipt = changed.find(({ subject }) => subject.includes('receipt'))?.text
  expect(receipt).toContain(`Discount: -$${(quote.discount / 100).toFixed(2)}\n`)
  expect(receipt).toContain(`Total: $${charged}\n`)
  expect(receipt).not.toContain('Tax')

  const { items } = await sandbox.stripe.subscriptions.retrieve(id)
  const renewed = new Date(((items.data[0]?.current_period_end ?? 0) + 7200) * 1000)
  await sandbox.advanceTo(renewed)
  world.at(renewed)
  await syncInvoices(world)
  expect(subjects(await mails(world))).toEqual([
    'Folio PDF Editor+ has been renewed',
    'Your receipt for Folio PDF Editor+: $50.00',
  ])
})

test('a prepaid term that is renewed has a receipt, too', async () => {
  await using world = await prepaidVendor(sandbox)
  const id = await world.term()
  const { quoteId } = (await world.quote(id)).body.quote
  expect((await world.commit(id, { quoteId })).status).toBe(200)
  await syncInvoices(world)
  const sent = await mails(world)
  expect(subjects(sent)).toEqual(['Editor for Mac has been renewed', 'Your receipt for Editor for Mac: $238.00'])
  expect(sent.find(({ subject }) => subject.includes('receipt'))?.text).toContain(visa)
})

test('at PayPal: a payment of the subscription, and the order of a change, are paid with PayPal', async () => {
  const { world, id } = await subscribed(sandbox)
  await using _world = world
  for (const sale of await world.sales(id)) await payments.syncs.paypal.sale?.(world.deps, sale)
  const first = (await mails(world)).filter(({ subject }) => subject.includes('receipt'))
  expect(subjects(first)).toEqual(['Your receipt for Folio PDF Editor+: $30.00'])
  expect(first[0]?.text).toContain('Paid with: PayPal')

  const { approveUrl, paypalOrderId, chargeAmount } = (await order(world, id)).body
  await approve(world, approveUrl)
  expect((await comeBack(world, id, { invoiceId: paypalOrderId })).body.paymentIntentStatus).toBe('succeeded')
  const second = (await mails(world)).filter(({ subject }) => subject.includes('receipt'))
  expect(subjects(second)).toEqual([`Your receipt for Folio PDF Editor+: $${(chargeAmount / 100).toFixed(2)}`])
  expect(second[0]?.text).toContain('Paid with: PayPal')
})

test('a mail server that is away leaves the payment untouched, and the receipt follows when it is back', async () => {
  let isAway = true
  let tries = 0
  await using world = await cardVendor(sandbox, {
    work: true,
    mailServer() {
      tries += 1
      if (isAway) throw new Error('connect ECONNREFUSED')
    },
  })
  await world.buy()
  await syncInvoices(world)
  await expect.poll(() => tries).toBeGreaterThan(1)
  const { list } = (await world.as(world.buyer).send(listOnlineOrders, { query: {} })).body
  expect(list).toMatchObject([{ orderStatus: 'CO', orderAmount: 3000 }])
  expect((await world.listed()).map(({ stripeSubscriptionStatus: status }) => status)).toEqual(['active'])

  isAway = false
  await expect
    .poll(() => subjects(world.emails))
    .toEqual(['Your receipt for Folio PDF Editor+: $30.00', 'Your subscription to Folio PDF Editor+ has started'])
})
