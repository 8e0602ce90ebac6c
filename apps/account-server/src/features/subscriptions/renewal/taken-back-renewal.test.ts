import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { monthsLater } from '../../../db/calendar.rules.ts'
import { load } from '../../../test/import.ts'
import { prepaidVendor } from '../../../test/prepaid-terms.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { endSubscriptions } from '../subscriptions.jobs.ts'
import { subscriptions } from '../subscriptions.tables.ts'

const sandbox = await sandboxOfFile()

type Vendor = Awaited<ReturnType<typeof prepaidVendor>>

const amount = 23_800

/** Renews for a year. @returns the id of its invoice */
async function renewed(world: Vendor, id: string): Promise<string> {
  const member = { ...world.buyer, cookie: await world.session(world.buyer.id) }
  const { quoteId } = (await world.quote(id, { member })).body.quote
  expect((await world.commit(id, { quoteId, member })).status).toBe(200)
  const [invoice] = await world.invoices()
  await world.syncInvoice(invoice?.id ?? '')
  return invoice?.id ?? ''
}

/** The vendor gives money back at the provider. @returns the id of the refund */
async function refund(invoice: string, part?: number): Promise<string> {
  const { data } = await sandbox.stripe.invoicePayments.list({ invoice })
  const intent = data[0]?.payment.payment_intent
  const asked = { payment_intent: String(intent), ...(part !== undefined && { amount: part }) }
  return (await sandbox.stripe.refunds.create(asked)).id
}

async function refundAndHear(world: Vendor, invoice: string, part?: number): Promise<string> {
  const id = await refund(invoice, part)
  await world.syncRefund(id)
  return id
}

/** The provider could not give it back, after all: its event comes. */
async function refundFails(world: Vendor, refundId: string): Promise<void> {
  const reading = vi.spyOn(world.deps.cards, 'refundsOfInvoice').mockResolvedValue({ amount: 0, lastAt: null })
  await world.syncRefund(refundId)
  reading.mockRestore()
}

const before = { userCount: 2, price: 20_000, status: 'active' }

test('a year of which the customer’s credit has paid a part is kept when the card’s part is given back', async () => {
  await using world = await prepaidVendor(sandbox)
  const id = await world.term()
  await sandbox.stripe.customers.update(world.customerId, { balance: -23_000 })
  const invoice = await renewed(world, id)
  await refundAndHear(world, invoice)
  expect(await world.orders()).toMatchObject([{ orderAmount: 800, orderRefundedAmount: 800 }])
  expect(await world.row(id)).toMatchObject({ periodEnd: world.yearAfter })
})

test('a renewal whose payment was given back wholly loses its year, once', async () => {
  await using world = await prepaidVendor(sandbox)
  const id = await world.term()
  const invoice = await renewed(world, id)
  expect(await world.row(id)).toMatchObject({ periodEnd: world.yearAfter, price: amount })
  const refundId = await refundAndHear(world, invoice)
  expect(await world.row(id)).toMatchObject({ ...before, periodEnd: world.endsAt })
  expect((await world.changes()).at(-1)).toMatchObject({ kind: 'provider', target: id })

  await world.syncRefund(refundId)
  await world.syncInvoice(invoice)
  expect(await world.row(id)).toMatchObject({ ...before, periodEnd: world.endsAt })
  // It can be renewed again.
  await renewed(world, id)
  expect(await world.row(id)).toMatchObject({ periodEnd: world.yearAfter, price: amount })
})

test('what was given back in parts keeps its year until all of it was', async () => {
  await using world = await prepaidVendor(sandbox)
  const id = await world.term()
  const invoice = await renewed(world, id)
  await refundAndHear(world, invoice, 10_000)
  expect(await world.row(id)).toMatchObject({ periodEnd: world.yearAfter })
  await refundAndHear(world, invoice)
  expect(await world.row(id)).toMatchObject({ ...before, periodEnd: world.endsAt })
})

test.each(['the first', 'the second'])(
  'of two renewals only the year of %s is taken back, then that of the other',
  async (which) => {
    await using world = await prepaidVendor(sandbox)
    const id = await world.term()
    const first = await renewed(world, id)
    world.at(monthsLater(world.deps.clock(), 12))
    const second = await renewed(world, id)
    expect(await world.row(id)).toMatchObject({ periodEnd: monthsLater(world.yearAfter, 12) })
    const [one, other] = which === 'the first' ? [first, second] : [second, first]
    await refundAndHear(world, one)
    expect(await world.row(id)).toMatchObject({ periodEnd: world.yearAfter, price: amount })
    await refundAndHear(world, other)
    expect((await world.row(id))?.periodEnd).toEqual(world.endsAt)
  },
)

test('a year that is over is not taken back', async () => {
  await using world = await prepaidVendor(sandbox)
  const id = await world.term()
  const invoice = await renewed(world, id)
  world.at(monthsLater(world.deps.clock(), 15))
  await refundAndHear(world, invoice)
  expect(await world.row(id)).toMatchObject({ periodEnd: world.yearAfter })
})

test('an end that a file has brought since stays, and the operator is told', async () => {
  await using world = await prepaidVendor(sandbox)
  const id = await world.term()
  const invoice = await renewed(world, id)
  const row = await world.row(id)
  const record = {
    ...{ type: 'subscription', subscriptionId: id, email: world.buyer.email, status: 'active', userCount: 2 },
    ...{ productCode: world.prepaidProduct.code, origin: 'online', channel: 'card', term: 'paid_yearly' },
    ...{ periodStart: row?.periodStart.toISOString(), periodEnd: world.endsAt.toISOString() },
    ...{ price: 20_000, currency: 'USD' },
  }
  expect((await load(world, [record])).refusals).toEqual([])
  const logged = vi.spyOn(world.deps.logger, 'error')
  await refundAndHear(world, invoice)
  expect(await world.row(id)).toMatchObject({ periodEnd: world.endsAt })
  expect(logged).toHaveBeenCalledWith(
    expect.objectContaining({ subscriptionId: id, invoiceId: invoice }),
    expect.stringContaining('a file has brought another end'),
  )
})

test('what was given back before the renewal is heard of is not renewed, unless that fails', async () => {
  await using world = await prepaidVendor(sandbox)
  const id = await world.term()
  await world.payWith('pm_card_authenticationRequired')
  const { quoteId } = (await world.quote(id)).body.quote
  const { body } = await world.commit(id, { quoteId })
  await sandbox.answerBank(body.clientSecret.replace(/_secret_.*/, ''), 'complete')
  const [invoice] = await world.invoices()
  const refundId = await refundAndHear(world, invoice?.id ?? '')
  await world.syncInvoice(invoice?.id ?? '')
  await world.reconcileAfter(60)
  expect(await world.row(id)).toMatchObject({ ...before, periodEnd: world.endsAt })
  await refundFails(world, refundId)
  expect(await world.row(id)).toMatchObject({ periodEnd: world.yearAfter, price: amount })
})

test('a year comes back with a refund that fails, and can be given back once more', async () => {
  await using world = await prepaidVendor(sandbox)
  const id = await world.term()
  const invoice = await renewed(world, id)
  const refundId = await refundAndHear(world, invoice)
  expect(await world.row(id)).toMatchObject({ ...before, periodEnd: world.endsAt })
  for (let time = 0; time < 2; time += 1) await refundFails(world, refundId)
  expect(await world.row(id)).toMatchObject({
    userCount: 2,
    status: 'active',
    periodEnd: world.yearAfter,
    price: amount,
  })
  await world.syncRefund(refundId)
  expect(await world.row(id)).toMatchObject({ ...before, periodEnd: world.endsAt })
})

test('so does that of a term which has run out meanwhile, and one beside a renewal that was made since', async () => {
  await using world = await prepaidVendor(sandbox)
  const id = await world.term()
  const first = await renewed(world, id)
  const refundId = await refundAndHear(world, first)
  world.at(monthsLater(world.endsAt, 1))
  await endSubscriptions(world.deps)
  expect(await world.row(id)).toMatchObject({ status: 'prepayment-expired' })
  await refundFails(world, refundId)
  expect(await world.row(id)).toMatchObject({ status: 'active', endedAt: null, periodEnd: world.yearAfter })

  await world.syncRefund(refundId)
  world.at(world.endsAt)
  const second = await renewed(world, id)
  await refundFails(world, refundId)
  const twoYears = monthsLater(world.yearAfter, 12)
  expect(await world.row(id)).toMatchObject({ status: 'active', periodEnd: twoYears })
  await refundAndHear(world, second)
  expect(await world.row(id)).toMatchObject({ status: 'active', periodEnd: world.yearAfter })
})

test('where the term was canceled since, its year does not come back, and the operator is told', async () => {
  await using world = await prepaidVendor(sandbox)
  const id = await world.term()
  const invoice = await renewed(world, id)
  const refundId = await refundAndHear(world, invoice)
  const values = { status: 'canceled', endedAt: world.deps.clock() } as const
  await world.db.update(subscriptions).set(values).where(eq(subscriptions.id, id))
  const logged = vi.spyOn(world.deps.logger, 'error')
  await refundFails(world, refundId)
  expect(await world.row(id)).toMatchObject({ ...values, periodEnd: world.endsAt })
  expect(logged).toHaveBeenCalledWith(
    expect.objectContaining({ subscriptionId: id, invoiceId: invoice }),
    expect.stringContaining('cannot come back'),
  )
})
