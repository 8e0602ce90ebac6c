import { randomUUID } from 'node:crypto'
import { ChangeQuote } from '@atrium/contract/change-quotes.ts'
import { checkCoupon } from '@atrium/contract/coupons.ts'
import { listLicenses } from '@atrium/contract/licenses.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { daysLater, monthsLater } from '../../../db/calendar.rules.ts'
import { newLicense, newProduct, newSeat } from '../../../test/factories.ts'
import { prepaidVendor } from '../../../test/prepaid-terms.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { products } from '../../catalog/catalog.tables.ts'
import { coupons } from '../../coupons/coupons.tables.ts'
import { events } from '../../events/events.tables.ts'
import { mailQueue } from '../../mail/mail.writes.ts'
import { changeQuotes } from '../plan-change/change-quotes.tables.ts'
import { seats } from '../seats.tables.ts'
import { subscriptions } from '../subscriptions.tables.ts'

const sandbox = await sandboxOfFile()

const amount = 23_800
const Sent = z.object({ to: z.string(), subject: z.string(), text: z.string() })
type Vendor = Awaited<ReturnType<typeof prepaidVendor>>

/** Quotes and commits at once. */
async function renew(world: Vendor, id: string) {
  const { quoteId } = (await world.quote(id)).body.quote
  return world.commit(id, { quoteId })
}

test('a year more: the charge is what was shown, the end moves by a year, and it is told once', async () => {
  const settings = { EVENT_URLS: 'http://localhost:1/events', EVENT_SECRET: `whsec_${'a'.repeat(32)}` }
  await using world = await prepaidVendor(sandbox, { settings })
  const { endsAt, yearAfter, buyer } = world
  const id = await world.term()
  const { status, body } = await world.quote(id)
  expect([status, body.price, body.totalPrice, body.maxIncrease]).toEqual([200, 11_900, amount, 0])
  expect(body.cardList).toMatchObject([{ id: world.cardId, card: { last4: '4242' } }])
  const period = { from: endsAt.toISOString(), to: yearAfter.toISOString() }
  expect(
    body.quote.lines.map(({ from, to, ...line }) => ({ ...line, from: sameSecond(from), to: sameSecond(to) })),
  ).toEqual([
    {
      kind: 'charge',
      appName: 'Editor for Mac',
      quantity: 2,
      amount,
      from: sameSecond(period.from),
      to: sameSecond(period.to),
    },
  ])
  expect(body.quote).toMatchObject({
    ...{ subAmount: amount, taxAmount: 0, discount: 0, chargeAmount: amount, currency: 'USD', nextRenewal: null },
    ...{ before: { paidType: 'paid_yearly', price: 20_000, userCount: 2 }, after: { price: amount, userCount: 2 } },
  })

  const paid = await world.commit(id, { quoteId: body.quote.quoteId })
  expect([paid.status, paid.body]).toMatchObject([
    200,
    { payType: 'card', paymentIntentStatus: 'succeeded', clientSecret: '', chargeAmount: amount, increasedNumber: 0 },
  ])
  expect(await world.row(id)).toMatchObject({ periodEnd: yearAfter, status: 'active', price: amount, endedAt: null })
  expect(await world.invoices()).toMatchObject([{ status: 'paid', paid: amount }])
  expect(await world.changes()).toMatchObject([{ kind: 'member', target: id, after: { price: amount } }])
  const told = await world.db.select().from(events).where(eq(events.type, 'subscription.changed'))
  const own = told.filter(({ data }) => data.subscriptionId === id)
  expect(own.map(({ data }) => data.periodEnd)).toEqual([yearAfter.toISOString()])
  const mails = world.sent.flatMap(({ queue, data }) => (queue === mailQueue ? [Sent.parse(data)] : []))
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([[buyer.email, 'Editor for Mac has been renewed']])
  expect(mails[0]?.text).toMatch(/Ends on/)
})

/** The provider counts in seconds. */
function sameSecond(instant: string): number {
  return Math.floor(Date.parse(instant) / 1000)
}

test('its license follows it, also after its end', async () => {
  await using world = await prepaidVendor(sandbox)
  // A license counts in seconds.
  const periodEnd = new Date(Math.floor(daysLater(world.deps.clock(), -5).getTime() / 1000) * 1000)
  const subscriptionId = await world.term({ periodEnd, status: 'prepayment-expired', endedAt: periodEnd })
  await newLicense(world, { subscriptionId })
  const license = async () => {
    const { licenses } = (await world.as(world.buyer).send(listLicenses, { query: {} })).body
    return licenses[world.prepaidProduct.sku]?.list[0]
  }
  expect(await license()).toMatchObject({ expirationDate: Math.floor(periodEnd.getTime() / 1000), status: 'expired' })
  expect((await renew(world, subscriptionId)).status).toBe(200)
  const end = monthsLater(periodEnd, 12)
  expect(await license()).toMatchObject({ expirationDate: Math.floor(end.getTime() / 1000), status: 'valid' })
})

test('its order names product and time, and is there once with the charged amount', async () => {
  await using world = await prepaidVendor(sandbox)
  const id = await world.term()
  expect((await renew(world, id)).status).toBe(200)
  const [invoice] = await world.invoices()
  await Promise.all([1, 2, 3].map(() => world.syncInvoice(invoice?.id ?? '')))
  const orders = await world.orders()
  expect(orders).toMatchObject([{ orderAmount: amount, orderStatus: 'CO' }])
  expect(JSON.stringify(orders)).toContain('Editor for Mac')
  expect(JSON.stringify(orders)).toContain(String(world.yearAfter.getUTCFullYear()))
  expect((await world.row(id))?.periodEnd).toEqual(world.yearAfter)
})

test('connectors are a second line; without a price for a year of them it cannot be renewed', async () => {
  await using world = await prepaidVendor(sandbox)
  const id = await world.term({ connectors: 3 })
  const { quote } = (await world.quote(id)).body
  expect(quote.lines.map(({ quantity, amount: of }) => [quantity, of])).toEqual([
    [2, amount],
    [3, 15_000],
  ])
  expect((await world.commit(id, { quoteId: quote.quoteId })).body.chargeAmount).toBe(amount + 15_000)
  const yens = await newProduct(world, { prices: [{ term: 'paid_yearly', amount: 9000, currency: 'JPY' }] })
  await world.publish()
  const inYen = await world.term({ productCode: yens.code, currency: 'JPY', connectors: 1 })
  expect((await world.quote(inYen)).body.code).toBe('change_not_possible')
})

test('a prepaid month becomes a year, at the price of a year', async () => {
  await using world = await prepaidVendor(sandbox)
  const id = await world.term({ term: 'paid_monthly', price: 2000 })
  expect((await renew(world, id)).status).toBe(200)
  expect(await world.row(id)).toMatchObject({ term: 'paid_yearly', price: amount, periodEnd: world.yearAfter })
})

test.each([
  ['91 days before the end', 91, 409, 0],
  ['90 days before the end', 90, 200, 1],
  ['30 days after the end', -30, 200, 0],
  ['31 days after the end', -31, 409, 0],
])('a prepaid term is renewed or not: %s', async (_when, days, expected, manualRenew) => {
  await using world = await prepaidVendor(sandbox)
  const periodEnd = daysLater(world.deps.clock(), days)
  const ended = days < 0 ? ({ status: 'prepayment-expired', endedAt: periodEnd } as const) : {}
  const id = await world.term({ periodEnd, periodStart: monthsLater(periodEnd, -12), ...ended })
  const [listed] = await world.listed()
  expect(listed?.manualRenew).toBe(manualRenew)
  const { status, body } = await world.quote(id)
  expect(status).toBe(expected)
  if (expected === 409) return expect(body.code).toBe('change_not_possible')
  expect((await world.commit(id, { quoteId: body.quote.quoteId })).status).toBe(200)
  const row = await world.row(id)
  expect(row).toMatchObject({ status: 'active', endedAt: null, periodEnd: monthsLater(periodEnd, 12) })
  expect((await world.listed())[0]).toMatchObject({ stripeSubscriptionStatus: 'active', manualRenew: 0 })
})

test.each([
  ['billed at the provider', { providerId: `sub_${randomUUID()}` }],
  ['not a prepaid term', { term: 'yearly' }],
  ['paid with PayPal', { channel: 'paypal' }],
  ['given', { origin: 'given', status: 'given' }],
  ['sold by invoice', { channel: 'invoice' }],
  ['in a currency that is not sold', { currency: 'EUR' }],
] as const)('%s: it cannot be renewed', async (_what, values) => {
  await using world = await prepaidVendor(sandbox)
  const id = await world.term(values)
  expect(await world.quote(id)).toMatchObject({ status: 409, body: { code: 'change_not_possible' } })
  expect((await world.listed())[0]?.manualRenew).toBe(0)
})

test('everybody but the Owner is refused, and somebody else’s looks like none', async () => {
  await using world = await prepaidVendor(sandbox)
  const id = await world.term()
  const { quoteId } = (await world.quote(id)).body.quote
  const [admin, stranger] = [await world.member(), await world.member()]
  await newSeat(world, id, { memberId: admin.id, type: 1, email: admin.email })
  expect((await world.quote(id, { member: admin })).body.code).toBe('not_owner')
  const [foreign, missing] = [
    await world.commit(id, { quoteId, member: stranger }),
    await world.commit('sub-none', { quoteId, member: stranger }),
  ]
  expect([foreign.status, { ...foreign.body, requestId: '' }]).toEqual([404, { ...missing.body, requestId: '' }])
  expect((await world.finish(id, stranger)).body.code).toBe('nothing_to_finish')
  // The Owner before a transfer had it.
  const before = (await world.quote(id)).body.quote
  await world.db.update(changeQuotes).set({ memberId: stranger.id }).where(eq(changeQuotes.id, before.quoteId))
  expect((await world.commit(id, { quoteId: before.quoteId })).body.code).toBe('quote_changed')
  expect((await world.commit(id, { quoteId })).status).toBe(200)
})

test('twenty commits at once, with one key and with others, of two quotes, charge once', async () => {
  await using world = await prepaidVendor(sandbox)
  const id = await world.term()
  const quoteIds = [(await world.quote(id)).body.quote.quoteId, (await world.quote(id)).body.quote.quoteId]
  const one = randomUUID()
  const commits = Array.from({ length: 20 }, (_, place) => {
    const quoteId = quoteIds[place % 2] ?? ''
    return world.commit(id, { quoteId, key: place % 4 === 0 ? one : randomUUID() })
  })
  const replies = await Promise.all(commits)
  expect(replies.some(({ status }) => status === 200)).toBe(true)
  expect(replies.map(({ status }) => status).filter((status) => ![200, 409].includes(status))).toEqual([])
  expect(await world.invoices()).toMatchObject([{ status: 'paid', paid: amount }])
  expect((await world.row(id))?.periodEnd).toEqual(world.yearAfter)
})

test.each([
  ['the price', (world: Vendor) => dearer(world)],
  ['the number of seats', (world: Vendor) => changed(world, { userCount: 3 })],
  ['the end', (world: Vendor) => changed(world, { periodEnd: daysLater(world.endsAt, 1) })],
  ['the card', (world: Vendor) => world.payWith('pm_card_mastercard')],
])('%s has changed since the quote: nothing is charged, and the answer is a fresh one', async (_what, change) => {
  await using world = await prepaidVendor(sandbox)
  const id = await world.term()
  const { quoteId } = (await world.quote(id)).body.quote
  await change(world)
  const { status, body } = await world.commit(id, { quoteId })
  expect([status, body.code]).toEqual([409, 'quote_changed'])
  expect(await world.invoices()).toEqual([])
  const fresh = ChangeQuote.parse(Reflect.get(body, 'data'))
  expect(await world.commit(id, { quoteId: fresh.quoteId })).toMatchObject({
    ...{ status: 200, body: { chargeAmount: fresh.chargeAmount } },
  })
})

async function dearer({ db, prepaidProduct, publish }: Vendor): Promise<void> {
  const prices = [{ term: 'paid_yearly' as const, amount: 12_900, currency: 'USD' }]
  await db.update(products).set({ prices }).where(eq(products.code, prepaidProduct.code))
  await publish()
}

async function changed({ db, buyer }: Vendor, values: Partial<typeof subscriptions.$inferInsert>): Promise<void> {
  await db.update(subscriptions).set(values).where(eq(subscriptions.memberId, buyer.id))
}

test('a quote is used once, and for a quarter of an hour; the card that is named is charged', async () => {
  await using world = await prepaidVendor(sandbox)
  const id = await world.term()
  const { quoteId } = (await world.quote(id)).body.quote
  await world.payWith('pm_card_chargeCustomerFail')
  expect((await world.commit(id, { quoteId, paymentMethodId: 'pm_somebodyelses' })).status).toBe(404)
  expect((await world.commit(id, { quoteId, paymentMethodId: world.cardId })).status).toBe(200)
  expect(await world.commit(id, { quoteId })).toMatchObject({ status: 409, body: { code: 'change_not_possible' } })
  expect(await world.invoices()).toHaveLength(1)

  const late = await world.term()
  const { quoteId: old } = (await world.quote(late)).body.quote
  world.at(new Date(Date.now() + 16 * 60_000))
  const member = { ...world.buyer, cookie: await world.session(world.buyer.id) }
  expect((await world.commit(late, { quoteId: old, member })).body.code).toBe('quote_changed')
  expect(await world.invoices()).toHaveLength(1)
})

test.each(['a card', 'a customer at the provider'])(
  'without %s the price is shown, and nothing is charged',
  async (without) => {
    await using world = await prepaidVendor(sandbox)
    if (without === 'a card') await sandbox.stripe.paymentMethods.detach(world.cardId)
    const member = without === 'a card' ? world.buyer : await world.member()
    const id = await world.term({ memberId: member.id })
    await world.db.update(seats).set({ memberId: member.id }).where(eq(seats.subscriptionId, id))
    const { quote, cardList } = (await world.quote(id, { member })).body
    expect([quote.chargeAmount, cardList]).toEqual([amount, []])
    const refused = await world.commit(id, { quoteId: quote.quoteId, member })
    expect(refused).toMatchObject({ status: 409, body: { code: 'card_required' } })
    expect(await world.invoices()).toEqual([])
  },
)

test('a coupon and the tax: what is shown is charged and ordered, and the coupon is used', async () => {
  await using world = await prepaidVendor(sandbox, { settings: { STRIPE_AUTOMATIC_TAX: 'on' } })
  const id = await world.term()
  await sandbox.stripe.customers.update(world.customerId, { address: { country: 'DE' } })
  const code = `C${randomUUID()}`.toUpperCase()
  const anybody = { products: [], terms: [], countries: [], maxUsesPerCustomer: 1 }
  await world.db.insert(coupons).values({ code, percentOff: 10, ...anybody })
  const body = { sid: id, code, type: 'techsoup-renew' } as const
  expect(await world.as(world.buyer).send(checkCoupon, { body })).toMatchObject({ status: 200, body: { discount: 10 } })
  const { quote } = (await world.quote(id, { couponCode: code })).body
  expect(quote).toMatchObject({ discount: 2380, subAmount: 21_420, chargeAmount: 21_420 + quote.taxAmount })
  expect(quote.taxAmount).toBeGreaterThan(0)
  const { quoteId, chargeAmount } = quote
  expect((await world.commit(id, { quoteId, couponCode: code, discount: 2380 })).body.chargeAmount).toBe(chargeAmount)
  const [invoice] = await world.invoices()
  expect(invoice).toMatchObject({ status: 'paid', paid: chargeAmount })
  await world.syncInvoice(invoice?.id ?? '')
  expect(await world.orders()).toMatchObject([{ orderAmount: chargeAmount }])
  expect((await world.quote(await world.term(), { couponCode: code })).status).toBe(422)
})

test.each([
  ['KWD', 33_330, 33.33, 10],
  ['KWD', 11_110, 15, 10],
  ['BHD', 12_340, 50.5, 10],
  ['ISK', 4001, 33.33, 1],
  ['JPY', 1537, 33.33, 1],
])('%s %i with %d percent off: what is shown can be charged, and is', async (currency, price, percentOff, step) => {
  await using world = await prepaidVendor(sandbox)
  const product = await newProduct(world, { prices: [{ term: 'paid_yearly', amount: price, currency }] })
  await world.publish()
  const id = await world.term({ productCode: product.code, currency, userCount: 3 })
  const code = `C${randomUUID()}`.toUpperCase()
  const anybody = { products: [], terms: [], countries: [], maxUsesPerCustomer: 1 }
  await world.db.insert(coupons).values({ code, percentOff, ...anybody })

  const { quoteId, subAmount, discount, chargeAmount } = (await world.quote(id, { couponCode: code })).body.quote
  expect([discount % step, subAmount + discount, chargeAmount]).toEqual([0, 3 * price, subAmount])
  const exact = 3 * price * (1 - percentOff / 100)
  expect(chargeAmount).toBeLessThanOrEqual(exact)
  expect(chargeAmount).toBeGreaterThan(exact - step - 1)

  const { status, body } = await world.commit(id, { quoteId, couponCode: code, discount })
  expect([status, body.chargeAmount]).toEqual([200, chargeAmount])
  const [invoice] = await world.invoices()
  expect(invoice).toMatchObject({ status: 'paid', paid: currency === 'ISK' ? chargeAmount * 100 : chargeAmount })
})
