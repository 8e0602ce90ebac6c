import { expect, test, vi } from 'vitest'
import { load } from '../../../test/import.ts'
import { prepaidVendor } from '../../../test/prepaid-terms.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { mailQueue } from '../../mail/mail.writes.ts'

const sandbox = await sandboxOfFile()

type Vendor = Awaited<ReturnType<typeof prepaidVendor>>

/** A renewal of two seats that waits for the bank, and a file of its vendor that is imported meanwhile. */
async function waiting(world: Vendor, values: Parameters<Vendor['term']>[0] = {}) {
  const id = await world.term(values)
  await world.payWith('pm_card_authenticationRequired')
  const { quoteId } = (await world.quote(id)).body.quote
  const { body } = await world.commit(id, { quoteId })
  expect(body.paymentIntentStatus).toBe('requires_action')
  const intent = body.clientSecret.replace(/_secret_.*/, '')
  const logged = vi.spyOn(world.deps.logger, 'error')
  return {
    ...{ id, logged },
    async importFile(changed: object) {
      const row = await world.row(id)
      const record = {
        ...{ type: 'subscription', subscriptionId: id, email: world.buyer.email, status: 'active', userCount: 2 },
        ...{ productCode: world.prepaidProduct.code, origin: 'online', channel: 'card', term: 'paid_yearly' },
        ...{ periodStart: row?.periodStart.toISOString(), periodEnd: row?.periodEnd?.toISOString() },
        ...{ price: 20_000, currency: 'USD', ...changed },
      }
      expect((await load(world, [record])).refusals).toEqual([])
    },
    async pay() {
      await sandbox.answerBank(intent, 'complete')
      const [invoice] = await world.invoices()
      await world.syncInvoice(invoice?.id ?? '')
      expect(await world.invoices()).toMatchObject([{ status: 'paid', paid: 23_800 }])
    },
  }
}

test.each([
  ['more seats', { userCount: 5, price: 50_000 }, { userCount: 5, price: 50_000 }],
  ['fewer seats', { userCount: 1, price: 10_000 }, { userCount: 2, price: 23_800 }],
  ['connectors', { connectors: 2 }, { userCount: 2, connectors: 2, price: 20_000 }],
])(
  'paid after a file has brought %s: the year is there, no paid seat is lost, and the operator is told',
  async (_what, file, after) => {
    await using world = await prepaidVendor(sandbox)
    const { id, logged, importFile, pay } = await waiting(world)
    await importFile(file)
    await pay()
    expect(await world.row(id)).toMatchObject({ ...after, periodEnd: world.yearAfter, status: 'active' })
    expect(logged.mock.calls).toEqual([
      [
        expect.objectContaining({ subscriptionId: id, paid: expect.objectContaining({ userCount: 2, connectors: 0 }) }),
        expect.stringContaining('a renewal was paid for'),
      ],
    ])
  },
)

test('paid after a file has brought another year: it is extended from that one’s end', async () => {
  await using world = await prepaidVendor(sandbox)
  const { id, logged, importFile, pay } = await waiting(world)
  await importFile({ periodEnd: world.yearAfter.toISOString() })
  await pay()
  const { periodEnd } = (await world.row(id)) ?? {}
  expect(periodEnd?.getUTCFullYear()).toBe(world.yearAfter.getUTCFullYear() + 1)
  expect(logged).toHaveBeenCalledTimes(1)
})

test('paid after a file that says what is here, nobody is told', async () => {
  await using world = await prepaidVendor(sandbox)
  const { id, logged, importFile, pay } = await waiting(world)
  await importFile({})
  await pay()
  expect(await world.row(id)).toMatchObject({ userCount: 2, price: 23_800, periodEnd: world.yearAfter })
  expect(logged).not.toHaveBeenCalled()
})

test('not paid yet when a file brings more seats: it is taken back, and its Owner is told', async () => {
  await using world = await prepaidVendor(sandbox)
  const { id, importFile } = await waiting(world)
  await importFile({ userCount: 5, price: 50_000 })
  await world.reconcileAfter(60)
  expect(await world.invoices()).toMatchObject([{ status: 'void', paid: 0 }])
  expect(await world.row(id)).toMatchObject({ userCount: 5, periodEnd: world.endsAt })
  expect(await world.finish(id)).toMatchObject({ status: 409, body: { code: 'change_not_possible' } })
  const mails = world.sent.flatMap(({ queue, data }) => (queue === mailQueue ? [JSON.stringify(data)] : []))
  expect(mails.filter((mail) => mail.includes('was not made'))).toHaveLength(1)
  const { status, body } = await world.quote(id)
  expect([status, body.quote.chargeAmount]).toEqual([200, 5 * 11_900])
})

const weekMs = 7 * 86_400_000
const endedAt = new Date(Date.now() - weekMs).toISOString()

/** Before its end. */
const later = new Date(Date.now() + weekMs).toISOString()

test.each([
  ['cancels it', { status: 'canceled', endedAt }, 'change_not_possible'],
  ['says only when it was told not to renew', { cancelAt: later }, 'change_not_possible'],
  ['says only when it ends', { endedAt: later }, 'change_not_possible'],
  ['has the vendor invoice it', { channel: 'invoice' }, 'change_not_possible'],
  ['gives it another term', { term: 'yearly' }, 'change_not_possible'],
  ['hides its price', { priceHidden: true }, 'bought_through_partner'],
])('not paid yet when a file %s: it is taken back, and what the file says stays', async (_what, file, code) => {
  await using world = await prepaidVendor(sandbox)
  const { id, importFile } = await waiting(world)
  await importFile(file)
  const imported = await world.row(id)
  await world.reconcileAfter(60)
  expect(await world.invoices()).toMatchObject([{ status: 'void', paid: 0 }])
  expect(await world.row(id)).toEqual(imported)
  expect(await world.finish(id)).toMatchObject({ status: 409, body: { code } })
})

test('not paid yet when a file says again what it has said before: it is still what the customer may pay', async () => {
  await using world = await prepaidVendor(sandbox)
  const { importFile, pay, id, logged } = await waiting(world, { cancelAt: world.endsAt })
  await importFile({ cancelAt: world.endsAt.toISOString() })
  await world.reconcileAfter(60)
  expect(await world.invoices()).toMatchObject([{ status: 'open' }])
  await pay()
  expect(await world.row(id)).toMatchObject({ cancelAt: null, periodEnd: world.yearAfter })
  expect(logged).not.toHaveBeenCalled()
})

test.each(['active', 'prepayment-expired'])(
  'not paid yet when a file says that it has run out, and is %s: it is still what the customer may pay',
  async (status) => {
    await using world = await prepaidVendor(sandbox)
    const { importFile } = await waiting(world)
    await importFile({ status, endedAt: world.endsAt.toISOString() })
    await world.reconcileAfter(60)
    expect(await world.invoices()).toMatchObject([{ status: 'open' }])
  },
)

test('not paid yet when it expires: it is still what the customer may pay', async () => {
  await using world = await prepaidVendor(sandbox)
  const { id, logged, importFile, pay } = await waiting(world)
  await importFile({ status: 'prepayment-expired' })
  await world.reconcileAfter(60)
  expect(await world.invoices()).toMatchObject([{ status: 'open' }])
  await pay()
  expect(await world.row(id)).toMatchObject({ status: 'active', periodEnd: world.yearAfter })
  expect(logged).not.toHaveBeenCalled()
})

const active = { status: 'active', term: 'paid_yearly', endedAt: null, cancelAt: null }

test.each([
  ['canceled it', { status: 'canceled', endedAt }, { ...active, price: 23_800 }],
  ['said only when it was told not to renew', { cancelAt: later }, { ...active, price: 23_800 }],
  ['said only when it ends', { endedAt: later }, { ...active, price: 23_800 }],
  ['canceled it without an end', { status: 'canceled', endedAt, periodEnd: undefined }, { ...active, price: 23_800 }],
  ['had the vendor invoice it', { channel: 'invoice' }, { ...active, channel: 'invoice' }],
  ['given it another term', { term: 'yearly', autoRenewal: true }, { term: 'yearly', autoRenew: true, price: 20_000 }],
  [
    'made it free',
    { status: 'given', origin: 'given', term: undefined },
    { status: 'given', term: null, price: 20_000 },
  ],
  ['changed its currency', { currency: 'EUR' }, { ...active, price: 20_000, currency: 'EUR' }],
])('paid after a file has %s: the year is granted, and the operator is told', async (_what, file, after) => {
  await using world = await prepaidVendor(sandbox)
  const { id, logged, importFile, pay } = await waiting(world)
  await importFile(file)
  const { status } = (await world.row(id)) ?? {}
  await pay()
  expect(await world.row(id)).toMatchObject({ ...after, periodEnd: world.yearAfter })
  expect(logged.mock.calls).toEqual([
    [
      expect.objectContaining({ subscriptionId: id, now: expect.objectContaining({ status }) }),
      expect.stringContaining('a renewal was paid for'),
    ],
  ])
})

test.each([
  ['a prepaid term', {}, { term: 'paid_yearly' }],
  ['a term that somebody else bills', { term: 'monthly' }, { term: 'monthly' }],
])(
  'paid after a file has removed the end of %s: it stays endless, and the operator is told',
  async (_what, file, after) => {
    await using world = await prepaidVendor(sandbox)
    const { id, logged, importFile, pay } = await waiting(world)
    await importFile({ ...file, periodEnd: undefined })
    await pay()
    expect(await world.row(id)).toMatchObject({ ...after, status: 'active', periodEnd: null })
    expect(logged).toHaveBeenCalledTimes(1)
  },
)

test('paid after a file has given it to somebody else: the operator is told whose it was and is', async () => {
  await using world = await prepaidVendor(sandbox)
  const { id, logged, importFile, pay } = await waiting(world)
  const other = await world.member()
  await importFile({ email: other.email })
  await pay()
  expect(await world.row(id)).toMatchObject({ memberId: other.id, periodEnd: world.yearAfter })
  expect(logged.mock.calls).toEqual([
    [
      expect.objectContaining({
        paid: expect.objectContaining({ memberId: world.buyer.id }),
        now: expect.objectContaining({ memberId: other.id }),
      }),
      expect.stringContaining('a renewal was paid for'),
    ],
  ])
})

test.each([
  ['a file has changed it', 60, { code: 'payment_outcome_unknown' }, 'change_not_possible'],
  ['the time is up', 24 * 3600, { paymentIntentStatus: 'requires_action' }, 'change_expired'],
])('a payment in progress when %s: it has not failed until it is taken back', async (what, after, early, code) => {
  await using world = await prepaidVendor(sandbox)
  const { id, importFile } = await waiting(world)
  if (what === 'a file has changed it') await importFile({ userCount: 5, price: 50_000 })
  const { cards } = world.deps
  // The provider refuses to void it meanwhile.
  const discard = vi.spyOn(cards, 'discardPrepaid').mockImplementation((invoiceId) => cards.readPrepaid(invoiceId))
  await world.reconcileAfter(after)
  const member = { ...world.buyer, cookie: await world.session(world.buyer.id) }
  const { body } = await world.finish(id, member)
  discard.mockRestore()
  expect(body).toMatchObject(early)
  expect(await world.invoices()).toMatchObject([{ status: 'open' }])
  await world.reconcileAfter(60)
  expect(await world.invoices()).toMatchObject([{ status: 'void', paid: 0 }])
  expect(await world.finish(id, member)).toMatchObject({ status: 409, body: { code } })
})
