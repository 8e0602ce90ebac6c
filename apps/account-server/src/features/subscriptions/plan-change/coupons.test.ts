import { randomUUID } from 'node:crypto'
import type { ChangeQuote } from '@atrium/contract/change-quotes.ts'
import { checkCoupon } from '@atrium/contract/coupons.ts'
import { listOnlineOrders } from '@atrium/contract/orders.ts'
import * as contract from '@atrium/contract/plan-changes.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cardVendor } from '../../../test/card-billing.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { coupons } from '../../coupons/coupons.tables.ts'

const sandbox = await sandboxOfFile()

type Vendor = Awaited<ReturnType<typeof cardVendor>>

const twoMore = { type: 'buy-more', increasingNumber: 2 } as const

/** @returns its code, as a customer may type it */
async function newCoupon({ db }: Vendor, values: Partial<typeof coupons.$inferInsert> = {}): Promise<string> {
  const code = `C${randomUUID()}`.toUpperCase()
  const anybody = { products: [], terms: [], countries: [], maxUsesPerCustomer: 1 }
  await db.insert(coupons).values({ code, percentOff: 30, ...anybody, ...values })
  return code.toLowerCase()
}

function quote(world: Vendor, sid: string, couponCode = '') {
  return world.as(world.buyer).send(contract.changePlanFrom, { body: { sid, ...twoMore, couponCode } })
}

function commit(world: Vendor, subscriptionId: string, { quoteId, couponCode }: ChangeQuote) {
  return world.as(world.buyer).send(contract.changePlan, { body: { subscriptionId, ...twoMore, quoteId, couponCode } })
}

async function lastInvoice(subscription: string) {
  const [invoice] = (await sandbox.stripe.invoices.list({ subscription, limit: 1 })).data
  return invoice
}

function atField(path: string, code: string) {
  return { status: 422, body: { code: 'invalid', errors: [{ path: `body.${path}`, code }] } }
}

test('a change that a coupon pays for is made: what is said is there, without an order', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const { body } = await quote(world, id, await newCoupon(world, { percentOff: 100 }))
  expect(body.quote.chargeAmount).toBe(0)
  expect((await commit(world, id, body.quote)).status).toBe(200)
  const { items } = await sandbox.stripe.subscriptions.retrieve(id)
  expect(items.data[0]?.quantity).toBe(5)
  expect((await world.listed())[0]).toMatchObject({ userCount: 5 })
  expect(await lastInvoice(id)).toMatchObject({ status: 'paid', amount_due: 0 })
})

test.each([
  ['percent', { percentOff: 30 }],
  ['an amount', { percentOff: null, amountOff: 500, currency: 'USD' }],
])('%s off: what is shown is charged, invoiced and ordered; the next renewal is whole', async (_what, values) => {
  await using world = await cardVendor(sandbox)
  const code = await newCoupon(world, values)
  const id = await world.buy()
  const { quote: full } = (await quote(world, id)).body
  const { body } = await quote(world, id, code)
  const { quote: less } = body
  const expected = values.percentOff === null ? 500 : less.discount
  // As the vendor writes it, however it was typed.
  expect(less).toMatchObject({ couponCode: code.toUpperCase(), discount: expected, nextRenewal: { amount: 5000 } })
  // The two quotes are some seconds apart.
  expect(Math.abs(full.subAmount - less.discount - less.subAmount)).toBeLessThanOrEqual(1)
  if (values.percentOff) {
    // Of the two seats more, not of all five.
    const bought = less.lines.reduce((sum, { amount }) => sum + amount, 0)
    expect(bought - less.discount).toBe(Math.floor(bought * 0.7))
  }

  const paid = await commit(world, id, less)
  expect([paid.status, paid.body]).toMatchObject([200, { chargeAmount: less.chargeAmount }])
  const invoice = await lastInvoice(id)
  expect(invoice?.amount_paid).toBe(less.chargeAmount)
  await world.syncInvoice(invoice?.id ?? '')
  const [order] = (await world.as(world.buyer).send(listOnlineOrders, { query: {} })).body.list
  expect(order).toMatchObject({ orderAmount: less.chargeAmount, orderStatus: 'CO' })
  expect((await sandbox.stripe.invoices.createPreview({ subscription: id })).total).toBe(5000)
})

test('a coupon of the card provider holds for its products, and its uses are counted here too', async () => {
  await using world = await cardVendor(sandbox)
  const { stripe } = sandbox
  const [price] = (await stripe.prices.list({ lookup_keys: [`${world.product.code.toLowerCase()}-monthly-usd`] })).data
  const applies_to = { products: [String(price?.product)] }
  const shared = { amount_off: 200, currency: 'usd', duration: 'once' as const, max_redemptions: 1 }
  const { id: code } = await stripe.coupons.create({ ...shared, applies_to })
  const { id: lasting } = await stripe.coupons.create({ percent_off: 10, duration: 'forever' })
  const other = await stripe.products.create({ name: 'Something else' })
  const { id: foreign } = await stripe.coupons.create({ ...shared, applies_to: { products: [other.id] } })

  const id = await world.buy()
  expect(await quote(world, id, lasting)).toMatchObject(atField('couponCode', 'coupon_unknown'))
  expect(await quote(world, id, foreign)).toMatchObject(atField('couponCode', 'coupon_other_product'))
  const { body } = await quote(world, id, code)
  expect(body.quote.discount).toBe(200)
  expect((await commit(world, id, body.quote)).status).toBe(200)
  expect(await quote(world, id, code)).toMatchObject(atField('couponCode', 'coupon_used_up'))
})

test('a coupon that is withdrawn before the payment is refused at its field, and nothing is charged', async () => {
  await using world = await cardVendor(sandbox)
  const code = await newCoupon(world)
  const id = await world.buy()
  const { body } = await quote(world, id, code)
  const it = eq(coupons.code, code.toUpperCase())
  await world.db
    .update(coupons)
    .set({ validUntil: new Date(0) })
    .where(it)
  expect(await commit(world, id, body.quote)).toMatchObject(atField('couponCode', 'coupon_expired'))
  await world.db.delete(coupons).where(it)
  expect(await commit(world, id, body.quote)).toMatchObject(atField('couponCode', 'coupon_unknown'))
  expect((await lastInvoice(id))?.amount_paid).toBe(3000)
})

test('of two that use a coupon for the last time at once, one does', async () => {
  await using world = await cardVendor(sandbox)
  const code = await newCoupon(world, { maxUses: 1, maxUsesPerCustomer: null })
  const ids = [await world.buy(), await world.buy()]
  const quotes = await Promise.all(ids.map((id) => quote(world, id, code)))
  const paid = await Promise.all(quotes.map(({ body }, place) => commit(world, ids[place] ?? '', body.quote)))
  expect(paid.map(({ status }) => status).sort()).toEqual([200, 422])
})

test('a payment that the bank declines gives the coupon back', async () => {
  await using world = await cardVendor(sandbox)
  const code = await newCoupon(world)
  const id = await world.buy()
  await world.payWith('pm_card_chargeCustomerFail')
  const { body } = await quote(world, id, code)
  expect((await commit(world, id, body.quote)).body).toMatchObject({ code: 'card_refused' })
  await world.payWith('pm_card_visa')
  const again = (await quote(world, id, code)).body.quote
  expect((await commit(world, id, again)).status).toBe(200)
  expect(await quote(world, id, code)).toMatchObject(atField('couponCode', 'coupon_used_before'))
})

test('the call of a coupon says what it takes off; ten tries an hour, and a quoted coupon is none', async () => {
  await using world = await cardVendor(sandbox)
  const code = await newCoupon(world, { terms: ['monthly'] })
  const id = await world.buy()
  const check = (typed: string) =>
    world.as(world.buyer).send(checkCoupon, { body: { sid: id, code: typed, ...twoMore } })
  expect((await check(code)).body).toEqual({
    ...{ discount: 30, discountType: 'percentage', applicableLicenseType: ['monthly'] },
  })
  expect((await quote(world, id, code)).status).toBe(200)
  for (let tries = 0; tries < 8; tries++) {
    expect(await check(`GUESS${tries}`)).toMatchObject(atField('code', 'coupon_unknown'))
  }
  expect(await check('GUESS9')).toMatchObject({ status: 429, body: { code: 'too_often' } })
  expect((await quote(world, id, 'GUESS9')).status).toBe(429)
  const guessed = { ...(await quote(world, id)).body.quote, couponCode: 'GUESS9' }
  expect((await commit(world, id, guessed)).status).toBe(429)
  expect((await quote(world, id, code)).status).toBe(200)
  expect((await check('')).status).toBe(422)
})

test('a coupon that somebody else has a quote with is a try like any other', async () => {
  await using world = await cardVendor(sandbox)
  const code = await newCoupon(world)
  const id = await world.buy()
  expect((await quote(world, id, code)).status).toBe(200)

  const stranger = world.as(await world.member())
  const statuses: number[] = []
  for (let tries = 0; tries < 11; tries++) {
    statuses.push((await stranger.send(checkCoupon, { body: { sid: id, code, ...twoMore } })).status)
  }
  expect(statuses).toEqual([...Array<number>(10).fill(404), 429])
})

test('another discount than the customer saw is refused with a fresh quote', async () => {
  await using world = await cardVendor(sandbox)
  const code = await newCoupon(world)
  const id = await world.buy()
  const { quoteId, discount } = (await quote(world, id, code)).body.quote
  const body = { subscriptionId: id, ...twoMore, quoteId, couponCode: code, discount: discount + 1 }
  const refused = await world.as(world.buyer).send(contract.changePlan, { body })
  expect(refused).toMatchObject({ status: 409, body: { code: 'quote_changed', data: { discount } } })
  const without = await world.as(world.buyer).send(contract.changePlan, { body: { ...body, couponCode: '' } })
  expect(without).toMatchObject({ status: 409, body: { code: 'quote_changed', data: { discount: 0 } } })
})

test('a coupon for a switch to a year takes its share of what a lasting discount has left', async () => {
  await using world = await cardVendor(sandbox)
  const lasting = await sandbox.stripe.coupons.create({ percent_off: 50, duration: 'forever' })
  const sid = await world.buy({ discounts: [{ coupon: lasting.id }] })
  const couponCode = await newCoupon(world, { percentOff: 50 })
  const body = { sid, type: 'switch-to-annual-billing', couponCode } as const
  const { quote: year } = (await world.as(world.buyer).send(contract.changePlanFrom, { body })).body
  // Half of 3 × $100.00 lastingly, and half of the other half.
  expect(year.discount).toBe(15_000 + 7500)
  // The month that was paid is credited.
  expect(year.chargeAmount).toBeGreaterThanOrEqual(7500 - 1500)
})

test('a coupon for one product takes nothing off what is bought beside it', async () => {
  await using world = await cardVendor(sandbox)
  const { stripe } = sandbox
  const sid = await world.buy({ quantity: 1 })
  const { data } = await stripe.prices.list({ lookup_keys: [`${world.connector.code.toLowerCase()}-monthly-usd`] })
  const items = [{ price: data[0]?.id ?? '', quantity: 10 }]
  await stripe.subscriptions.update(sid, { items, proration_behavior: 'always_invoice' })
  await world.sync(sid)
  for (const values of [{ percentOff: 100 }, { percentOff: null, amountOff: 50_000, currency: 'USD' }]) {
    const couponCode = await newCoupon(world, { ...values, products: [world.product.code] })
    const body = { sid, type: 'switch-to-annual-billing', couponCode } as const
    const { quote: year } = (await world.as(world.buyer).send(contract.changePlanFrom, { body })).body
    expect(year.discount).toBe(10_000)
  }
})
