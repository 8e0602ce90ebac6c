import { expect, test, vi } from 'vitest'
import { load } from '../../../test/import.ts'
import { prepaidVendor } from '../../../test/prepaid-terms.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { mailQueue } from '../../mail/mail.writes.ts'

const sandbox = await sandboxOfFile()

type Vendor = Awaited<ReturnType<typeof prepaidVendor>>

/** A renewal of two seats that waits for the bank, and a file of its vendor that is imported meanwhile. */
async function waiting(world: Vendor) {
  const id = await world.term()
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
