import { expect, test } from 'vitest'
import { newBilling } from '../../../test/billing.ts'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'

const world = await ofFile(newCardsWorld())
const billing = newBilling(world)

/** A draft with one line, as for a prepaid term. */
async function newDraft(amount = 5000, card = 'pm_card_visa') {
  const { id: customer } = await billing.customer(card)
  await world.stripe.invoiceItems.create({ customer, amount, currency: 'usd' })
  const draft = await world.stripe.invoices.create({ customer, pending_invoice_items_behavior: 'include' })
  return { customer, draft, id: draft.id }
}

test('a prepaid term is an invoice of an item, finalized and paid', async () => {
  const { invoices } = world.stripe
  const { draft, id } = await newDraft()
  expect(draft).toMatchObject({
    status: 'draft',
    billing_reason: 'manual',
    total: 5000,
    number: null,
    parent: null,
    auto_advance: false,
  })
  expect(draft.lines.data[0]?.parent).toMatchObject({ type: 'invoice_item_details', subscription_item_details: null })

  const open = await invoices.finalizeInvoice(id)
  expect(open).toMatchObject({ status: 'open', amount_due: 5000, amount_remaining: 5000, attempted: false })
  expect(await invoices.pay(id)).toMatchObject({ status: 'paid', amount_paid: 5000, amount_remaining: 0 })
  expect((await world.refused(invoices.pay(id))).message).toBe('Invoice is already paid')
})

test('lines are added to a draft in one call, and cost what their preview says', async () => {
  const { invoices } = world.stripe
  const { id: customer } = await billing.customer('pm_card_visa', { address: { country: 'DE' } })
  const { id: price } = await billing.oneTime(1000)
  const period = { start: 1_800_000_000, end: 1_831_536_000 }
  const coupon = { amount: -500, description: 'SPRING', metadata: { coupon: 'SPRING' } }
  const automatic_tax = { enabled: true }
  const preview = await invoices.createPreview({
    ...{ customer, currency: 'usd', automatic_tax },
    invoice_items: [
      { price, quantity: 3, period },
      { ...coupon, currency: 'usd' },
    ],
  })
  const { id } = await invoices.create({ customer, currency: 'usd', automatic_tax })
  const draft = await invoices.addLines(id, { lines: [{ pricing: { price }, quantity: 3, period }, coupon] })

  expect(draft).toMatchObject({ status: 'draft', subtotal: 2500, total: preview.total, amount_due: preview.amount_due })
  expect(draft.lines.data).toMatchObject([
    { amount: 3000, quantity: 3, period, pricing: { price_details: { price } } },
    { amount: -500, metadata: { coupon: 'SPRING' } },
  ])
  expect(preview.lines.data.map(({ amount }) => amount)).toEqual([3000, -500])
  expect((await invoices.pay(id)).amount_paid).toBe(preview.total)
  expect((await world.refused(invoices.addLines(id, { lines: [coupon] }))).code).toBe('invoice_not_editable')
})

test('lines removed from a draft are deleted or wait for another invoice, as those of a deleted draft do', async () => {
  const { invoices, invoiceItems } = world.stripe
  const { id: customer } = await billing.customer()
  const pending = async () => (await invoiceItems.list({ customer, pending: true })).data.map(({ amount }) => amount)
  const { id } = await invoices.create({ customer, currency: 'usd' })
  const { lines } = await invoices.addLines(id, { lines: [{ amount: 100 }, { amount: 200 }, { amount: 300 }] })
  const [deleted, unassigned] = lines.data.map((line) => line.id)
  const left = await invoices.removeLines(id, {
    lines: [
      { id: deleted ?? '', behavior: 'delete' },
      { id: unassigned ?? '', behavior: 'unassign' },
    ],
  })

  expect([left.total, await pending()]).toEqual([300, [200]])
  const gone = await world.refused(invoices.removeLines(id, { lines: [{ id: deleted ?? '', behavior: 'delete' }] }))
  expect(gone.code).toBe('resource_missing')
  await invoices.del(id)
  expect(await pending()).toEqual([300, 200])
})

test('a preview of a customer is of something', async () => {
  const { invoices } = world.stripe
  const { id: customer } = await billing.customer()
  const { message } = await world.refused(invoices.createPreview({ customer }))
  expect(message).toContain('You must provide at least one of')
})

test('numbers count up for each customer', async () => {
  const { invoices, invoiceItems } = world.stripe
  const { id, customer } = await newDraft()
  await invoiceItems.create({ customer, amount: 200, currency: 'usd' })
  const second = await invoices.create({ customer, pending_invoice_items_behavior: 'include' })
  const numbers = [(await invoices.finalizeInvoice(id)).number, (await invoices.finalizeInvoice(second.id)).number]

  expect(numbers[0]).toMatch(/^[A-Z0-9]{8}-0001$/)
  expect(numbers[1]).toBe(numbers[0]?.replace('0001', '0002'))
})

test('a draft follows its items and its customer; a finalized invoice does not', async () => {
  const { invoices, invoiceItems, customers } = world.stripe
  const { id, customer } = await newDraft(1000)
  const item = await invoiceItems.create({ customer, invoice: id, amount: 500, currency: 'usd', description: 'Extra' })
  expect(item).not.toHaveProperty('net_amount')
  expect((await invoices.retrieve(id)).total).toBe(1500)
  await customers.update(customer, { name: 'Ada' })

  expect((await invoices.finalizeInvoice(id)).customer_name).toBe('Ada')
  await customers.update(customer, { name: 'Grace' })
  expect((await invoices.retrieve(id)).customer_name).toBe('Ada')
  const late = await world.refused(invoiceItems.create({ customer, invoice: id, amount: 1, currency: 'usd' }))
  expect(late.code).toBe('invoice_not_editable')
})

test('a declined payment answers 402 and leaves the invoice open', async () => {
  const { invoices } = world.stripe
  const { id } = await newDraft(5000, 'pm_card_chargeCustomerFail')
  await invoices.finalizeInvoice(id)

  expect(await world.refused(invoices.pay(id))).toMatchObject({ statusCode: 402, code: 'card_declined' })
  expect(await world.refused(invoices.pay(id))).toMatchObject({ statusCode: 402 })
  expect(await invoices.retrieve(id)).toMatchObject({ status: 'open', attempted: true, attempt_count: 1 })
})

test('a payment that needs authentication answers 402 and says so', async () => {
  const { invoices } = world.stripe
  const { id } = await newDraft(5000, 'pm_card_authenticationRequired')
  await invoices.finalizeInvoice(id)

  expect(await world.refused(invoices.pay(id))).toMatchObject({
    statusCode: 402,
    code: 'invoice_payment_intent_requires_action',
  })
})

test('a voided invoice gives back what it took from the balance', async () => {
  const { invoices, customers } = world.stripe
  const { id, customer } = await newDraft(1000)
  await customers.update(customer, { balance: -300 })
  expect(await invoices.finalizeInvoice(id)).toMatchObject({
    amount_due: 700,
    starting_balance: -300,
    ending_balance: 0,
  })
  expect(await customers.retrieve(customer)).toMatchObject({ balance: 0 })

  expect(await invoices.voidInvoice(id)).toMatchObject({
    status: 'void',
    status_transitions: { voided_at: expect.any(Number) },
  })
  expect(await customers.retrieve(customer)).toMatchObject({ balance: -300 })
  expect((await world.refused(invoices.voidInvoice(id))).code).toBe('status_transition_invalid')
})

test('an uncollectible invoice can still be paid', async () => {
  const { invoices } = world.stripe
  const { id } = await newDraft()
  await invoices.finalizeInvoice(id)
  expect((await invoices.markUncollectible(id)).status).toBe('uncollectible')
  expect((await invoices.pay(id)).status).toBe('paid')
})

test('what is too small to be charged is owed with the next invoice', async () => {
  const { invoices, customers } = world.stripe
  const { id, customer } = await newDraft(30)
  expect(await invoices.finalizeInvoice(id)).toMatchObject({ status: 'paid', amount_due: 0, ending_balance: 30 })
  expect(await customers.retrieve(customer)).toMatchObject({ balance: 30 })
})

test('an invoice shows ten lines, and lists all', async () => {
  const { invoices, invoiceItems } = world.stripe
  const { id: customer } = await billing.customer()
  for (let index = 1; index <= 12; index += 1) {
    await invoiceItems.create({ customer, amount: 100 * index, currency: 'usd', description: `Item ${index}` })
  }
  const draft = await invoices.create({ customer, pending_invoice_items_behavior: 'include' })

  expect(draft.lines.data).toHaveLength(10)
  expect(draft.lines.has_more).toBe(true)
  const all = await invoices.listLineItems(draft.id, { limit: 5 }).autoPagingToArray({ limit: 100 })
  expect(all.map(({ amount }) => amount)).toEqual(Array.from({ length: 12 }, (_, index) => 100 * (index + 1)))
})

test('invoices are listed by customer, subscription and status', async () => {
  const { invoices } = world.stripe
  const { id, customer } = await newDraft()
  expect((await invoices.list({ customer, status: 'draft' })).data.map((one) => one.id)).toEqual([id])
  expect((await invoices.list({ customer, status: 'paid' })).data).toEqual([])
  expect((await invoices.list({ subscription: 'sub_none' })).data).toEqual([])
  expect(await invoices.del(id)).toMatchObject({ deleted: true })
  expect((await world.refused(invoices.retrieve(id))).statusCode).toBe(404)
})

test('a charge is refunded in parts, and not beyond its rest', async () => {
  const { invoices, refunds, charges, events } = world.stripe
  const { id } = await newDraft(1000)
  await invoices.pay(id)
  const { payments } = await invoices.retrieve(id, { expand: ['payments'] })
  const payment_intent = String(payments?.data[0]?.payment.payment_intent)
  const part = await refunds.create({
    payment_intent,
    amount: 400,
    reason: 'requested_by_customer',
    metadata: { a: 'b' },
  })
  expect(part).toMatchObject({
    amount: 400,
    status: 'succeeded',
    reason: 'requested_by_customer',
    metadata: { a: 'b' },
  })
  const charge = String(part.charge)
  expect(await charges.retrieve(charge)).toMatchObject({ amount_refunded: 400, refunded: false })
  expect(await world.refused(refunds.create({ charge, amount: 601 }))).toMatchObject({
    statusCode: 400,
    param: 'amount',
  })

  expect((await refunds.create({ charge })).amount).toBe(600)
  expect(await charges.retrieve(charge)).toMatchObject({ amount_refunded: 1000, refunded: true })
  expect((await world.refused(refunds.create({ charge }))).code).toBe('charge_already_refunded')
  expect((await refunds.list({ payment_intent })).data.map(({ amount }) => amount)).toEqual([600, 400])
  const [last] = (await events.list({ type: 'charge.refunded', limit: 1 })).data
  expect(last?.data.previous_attributes).toEqual({ amount_refunded: 400, refunded: false })
})

test('of two refunds of the whole at once one is refused', async () => {
  const { invoices, refunds } = world.stripe
  const { id } = await newDraft(1000)
  await invoices.pay(id)
  const { payments } = await invoices.retrieve(id, { expand: ['payments'] })
  const payment_intent = String(payments?.data[0]?.payment.payment_intent)
  const outcomes = await Promise.allSettled([refunds.create({ payment_intent }), refunds.create({ payment_intent })])

  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})
