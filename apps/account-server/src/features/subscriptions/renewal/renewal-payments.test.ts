import { dropOpenChange } from '@atrium/contract/plan-changes.ts'
import { expect, test, vi } from 'vitest'
import { payments } from '../../../app.ts'
import { ProviderFailure } from '../../../outside/provider-failure.ts'
import { Killed, killedAtEachPoint } from '../../../test/killed.ts'
import { prepaidVendor } from '../../../test/prepaid-terms.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'

const sandbox = await sandboxOfFile()

type Vendor = Awaited<ReturnType<typeof prepaidVendor>>

const amount = 23_800

/** Quotes and commits at once. */
async function renew(world: Vendor, id: string) {
  const { quoteId } = (await world.quote(id)).body.quote
  return world.commit(id, { quoteId })
}

/** Commits with a card whose bank asks. @returns the payment's id */
async function askedByBank(world: Vendor, id: string): Promise<string> {
  await world.payWith('pm_card_authenticationRequired')
  const { status, body } = await renew(world, id)
  expect([status, body.paymentIntentStatus]).toEqual([200, 'requires_action'])
  expect((await world.row(id))?.periodEnd).toEqual(world.endsAt)
  return body.clientSecret.replace(/_secret_.*/, '')
}

test('a declined card changes nothing, says why, and leaves nothing to pay', async () => {
  await using world = await prepaidVendor(sandbox)
  const id = await world.term()
  await world.payWith('pm_card_chargeCustomerFail')
  const declined = { code: 'card_refused', detail: expect.stringContaining('declined') }
  expect(await renew(world, id)).toMatchObject({ status: 402, body: declined })
  expect((await world.row(id))?.periodEnd).toEqual(world.endsAt)
  expect(await world.invoices()).toMatchObject([{ status: 'void', paid: 0 }])
  await world.payWith('pm_card_visa')
  expect((await renew(world, id)).status).toBe(200)
  expect((await world.row(id))?.periodEnd).toEqual(world.yearAfter)
})

test.each(['page', 'event', 'reconciler'] as const)(
  'the bank’s question, answered with yes: renewed once, by %s',
  async (finishedBy) => {
    await using world = await prepaidVendor(sandbox)
    const id = await world.term()
    const { quoteId } = (await world.quote(id)).body.quote
    const intent = await askedByBank(world, id)
    expect(await world.quote(id)).toMatchObject({ status: 409, body: { code: 'subscription_change_pending' } })
    // Asked again, by the page or by a second click: it is the same payment.
    const open = { paymentIntentStatus: 'requires_action', clientSecret: expect.stringContaining(intent) }
    expect((await world.finish(id)).body).toMatchObject(open)
    expect((await world.commit(id, { quoteId })).body).toMatchObject(open)
    await sandbox.answerBank(intent, 'complete')
    const [invoice] = await world.invoices()
    if (finishedBy === 'event') await world.syncInvoice(invoice?.id ?? '')
    if (finishedBy === 'reconciler') await world.reconcileAfter(60)
    const member = { ...world.buyer, cookie: await world.session(world.buyer.id) }
    if (finishedBy === 'page') expect((await world.finish(id)).body.paymentIntentStatus).toBe('succeeded')
    expect((await world.row(id))?.periodEnd).toEqual(world.yearAfter)
    expect((await world.finish(id, member)).body.paymentIntentStatus).toBe('succeeded')
    expect(await world.invoices()).toMatchObject([{ status: 'paid', paid: amount }])
    expect((await world.row(id))?.periodEnd).toEqual(world.yearAfter)
  },
)

test('the bank’s question, answered with no: nothing has changed, and nothing is left to pay', async () => {
  await using world = await prepaidVendor(sandbox)
  const id = await world.term()
  await sandbox.answerBank(await askedByBank(world, id), 'fail')
  const refused = { code: 'card_refused', data: { reason: 'authentication_failed' } }
  expect(await world.finish(id)).toMatchObject({ status: 402, body: refused })
  expect((await world.quote(id)).status).toBe(200)
  expect((await world.row(id))?.periodEnd).toEqual(world.endsAt)
  expect(await world.invoices()).toMatchObject([{ status: 'void', paid: 0 }])
})

test('the bank’s question, never answered: after 23 hours it is taken back', async () => {
  await using world = await prepaidVendor(sandbox)
  const id = await world.term()
  await askedByBank(world, id)
  await world.reconcileAfter(22 * 3600)
  expect(await world.invoices()).toMatchObject([{ status: 'open' }])
  await world.reconcileAfter(2 * 3600)
  expect(await world.invoices()).toMatchObject([{ status: 'void', paid: 0 }])
  expect((await world.row(id))?.periodEnd).toEqual(world.endsAt)
  const member = { ...world.buyer, cookie: await world.session(world.buyer.id) }
  expect(await world.finish(id, member)).toMatchObject({ status: 409, body: { code: 'change_expired' } })
})

test.each([
  ['drops it', (world: Vendor, sid: string) => world.as(world.buyer).send(dropOpenChange, { params: { sid } })],
  ['lets it run out', (world: Vendor) => world.reconcileAfter(24 * 3600)],
])(
  'what the bank asked about is voided although the vendor has written it off, once the customer %s',
  async (_, end) => {
    await using world = await prepaidVendor(sandbox)
    const id = await world.term()
    await askedByBank(world, id)
    const [invoice] = await world.invoices()
    await sandbox.stripe.invoices.markUncollectible(invoice?.id ?? '')
    await end(world, id)
    expect(await world.invoices()).toMatchObject([{ status: 'void', paid: 0 }])
    expect((await world.row(id))?.periodEnd).toEqual(world.endsAt)
  },
)

test('with another card while the bank asks: one at a time', async () => {
  await using world = await prepaidVendor(sandbox)
  const id = await world.term()
  const { quoteId } = (await world.quote(id)).body.quote
  await askedByBank(world, id)
  await world.payWith('pm_card_visa')
  expect((await world.commit(id, { quoteId })).body.code).toBe('subscription_change_pending')
  expect(await world.invoices()).toHaveLength(1)
})

test('a lost answer is found, and charged once', async () => {
  await using world = await prepaidVendor(sandbox)
  const id = await world.term()
  await sandbox.misbehave({ kind: 'reset', pattern: '*/pay', times: 2 })
  expect((await renew(world, id)).status).toBe(200)
  expect(await world.invoices()).toMatchObject([{ status: 'paid', paid: amount }])
  expect((await world.row(id))?.periodEnd).toEqual(world.yearAfter)
})

test.each(['addPrepaidLines', 'finalizePrepaid', 'payPrepaid'] as const)(
  'a provider that refuses %s for now: nothing is charged, and neither an invoice nor its items are left',
  async (step) => {
    await using world = await prepaidVendor(sandbox)
    const id = await world.term()
    vi.spyOn(world.deps.cards, step).mockRejectedValueOnce(new ProviderFailure('unavailable', new Error('too many')))
    expect(await renew(world, id)).toMatchObject({ status: 503, body: { code: 'payment_provider_unavailable' } })
    expect((await world.invoices()).filter(({ status }) => status !== 'void')).toEqual([])
    const { data: pending } = await sandbox.stripe.invoiceItems.list({ customer: world.customerId, pending: true })
    expect(pending).toEqual([])
    expect((await renew(world, id)).status).toBe(200)
    expect((await world.invoices()).filter(({ status }) => status === 'paid')).toHaveLength(1)
  },
)

test('an invoice that would charge something else is taken back, and the answer is a fresh quote', async () => {
  await using world = await prepaidVendor(sandbox)
  const id = await world.term()
  const { quoteId } = (await world.quote(id)).body.quote
  const { addPrepaidLines } = world.deps.cards
  vi.spyOn(world.deps.cards, 'addPrepaidLines').mockImplementationOnce(async (step, term) => {
    await addPrepaidLines(step, { ...term, items: term.items.map((item) => ({ ...item, quantity: 1 })) })
  })
  expect(await world.commit(id, { quoteId })).toMatchObject({ status: 409, body: { code: 'quote_changed' } })
  expect(await world.invoices()).toMatchObject([{ status: 'void', paid: 0 }])
  expect((await world.row(id))?.periodEnd).toEqual(world.endsAt)
})

killedAtEachPoint('subscription.renew', async ({ kill, isDone }) => {
  await using world = await prepaidVendor(sandbox)
  const id = await world.term()
  kill()
  expect((await renew(world, id)).status).toBe(500)
  for (let minute = 0; minute < 4; minute += 1) await world.reconcileAfter(60)

  expect((await world.row(id))?.periodEnd).toEqual(isDone ? world.yearAfter : world.endsAt)
  expect((await world.invoices()).map(({ paid }) => paid)).toEqual(isDone ? [amount] : [])
})

test.each(['addPrepaidLines', 'finalizePrepaid', 'payPrepaid'] as const)(
  'a server killed before %s leaves nothing that is charged later, and the customer can renew again',
  async (step) => {
    await using world = await prepaidVendor(sandbox)
    const id = await world.term()
    vi.spyOn(world.deps.cards, step).mockImplementationOnce(async () => {
      throw new Killed()
    })
    expect((await renew(world, id)).status).toBe(500)
    for (let minute = 0; minute < 4; minute += 1) await world.reconcileAfter(60)
    expect((await world.invoices()).filter(({ status }) => status !== 'void')).toEqual([])
    expect((await world.row(id))?.periodEnd).toEqual(world.endsAt)
    const member = { ...world.buyer, cookie: await world.session(world.buyer.id) }
    const { quoteId } = (await world.quote(id, { member })).body.quote
    expect((await world.commit(id, { quoteId, member })).status).toBe(200)
    expect((await world.invoices()).filter(({ status }) => status === 'paid')).toHaveLength(1)
  },
)

test('an event that comes before the answer renews it, and the answer does not renew it again', async () => {
  await using world = await prepaidVendor(sandbox)
  const id = await world.term()
  const { payPrepaid } = world.deps.cards
  vi.spyOn(world.deps.cards, 'payPrepaid').mockImplementationOnce(async (step, card) => {
    const paid = await payPrepaid(step, card)
    await world.syncInvoice(step.invoiceId)
    expect((await world.row(id))?.periodEnd).toEqual(world.yearAfter)
    return paid
  })
  expect(await renew(world, id)).toMatchObject({ status: 200, body: { paymentIntentStatus: 'succeeded' } })
  expect((await world.row(id))?.periodEnd).toEqual(world.yearAfter)
  expect(await world.changes()).toHaveLength(1)
})

test('the event alone completes a renewal whose server was killed after the payment', async () => {
  await using world = await prepaidVendor(sandbox)
  const id = await world.term()
  const definition = payments.definitions['subscription.renew']
  vi.spyOn(definition, 'apply').mockImplementationOnce(async () => {
    throw new Killed()
  })
  expect((await renew(world, id)).status).toBe(500)
  expect((await world.row(id))?.periodEnd).toEqual(world.endsAt)
  const [invoice] = await world.invoices()
  await Promise.all([1, 2, 3].map(() => world.syncInvoice(invoice?.id ?? '')))
  expect((await world.row(id))?.periodEnd).toEqual(world.yearAfter)
  expect(await world.orders()).toMatchObject([{ orderAmount: amount, orderStatus: 'CO' }])
  await world.reconcileAfter(60)
  expect((await world.row(id))?.periodEnd).toEqual(world.yearAfter)
})
