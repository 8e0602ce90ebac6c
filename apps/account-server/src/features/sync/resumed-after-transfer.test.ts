import { listOnlineOrders, listPaymentsBeingChecked } from '@atrium/contract/orders.ts'
import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { ProviderFailure } from '../../outside/provider-failure.ts'
import { cardTransfer } from '../../test/card-transfer.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { unmatchedPurchases } from '../payments/unmatched/unmatched.tables.ts'
import { syncCardRefund } from '../subscriptions/renewal/renewal.sync.ts'
import { acceptUnmatched, unmatchedLines } from './unmatched.ts'

const sandbox = await sandboxOfFile()

async function people() {
  const world = await cardTransfer(sandbox, { hasCard: false })
  world.at(await sandbox.now())
  const invoicesOf = async (subscription: string) => (await sandbox.stripe.invoices.list({ subscription })).data
  return {
    ...world,
    invoicesOf,
    transfer: async () =>
      world.transferBetween({ ...world.buyer, cookie: await world.session(world.buyer.id) }, world.recipient),
    async renew(id: string) {
      const { items } = await sandbox.stripe.subscriptions.retrieve(id)
      const renewedAt = new Date(((items.data[0]?.current_period_end ?? 0) + 2 * 3600) * 1000)
      await sandbox.advanceTo(renewedAt)
      world.at(renewedAt)
    },
    async hear(id: string) {
      for (const invoice of (await invoicesOf(id)).reverse()) await world.syncInvoice(invoice.id)
      await world.sync(id)
    },
    waiting: () => world.db.select().from(unmatchedPurchases).where(eq(unmatchedPurchases.provider, 'card')),
    async seenBy(memberId: string) {
      const client = world.as({ cookie: await world.session(memberId) })
      const checked = (await client.send(listPaymentsBeingChecked, {})).body.list
      const ordered = (await client.send(listOnlineOrders, { query: {} })).body.list
      return [checked.map(({ amount }) => amount), ordered.map(({ orderStatus }) => orderStatus)]
    },
  }
}

test.each([false, true])(
  'what was transferred, turned off before: %s, and is resumed at the card provider is no order: it waits until it is given back',
  async (isOff) => {
    await using world = await people()
    const id = await world.buy({ cancel_at_period_end: isOff })
    await world.hear(id)
    expect((await world.transfer()).status).toBe(200)
    await sandbox.stripe.subscriptions.update(id, { cancel_at_period_end: false })
    await world.renew(id)
    await world.hear(id)
    const [again] = await world.invoicesOf(id)
    expect(await world.seenBy(world.buyer.id)).toEqual([[3000], ['CO']])
    expect(await world.seenBy(world.recipient.id)).toEqual([[], []])
    const [waits, ...others] = await world.waiting()
    const whose = { memberId: world.buyer.id, isProven: true }
    expect([waits, others]).toMatchObject([
      { objectId: again?.id, kind: 'invoice', reason: 'transferred', ...whose },
      [],
    ])
    expect((await unmatchedLines(world.db, 'card')).join()).toContain('give the money back and cancel it')
    const accepting = { id: waits?.id ?? '', provider: 'card', now: world.deps.clock() } as const
    expect(await acceptUnmatched(world.db, accepting)).toMatchObject({ kind: 'refused' })

    const payments = await sandbox.stripe.invoicePayments.list({ invoice: again?.id ?? '' })
    const intent = payments.data[0]?.payment.payment_intent
    const refund = (amount: number) => sandbox.stripe.refunds.create({ payment_intent: String(intent), amount })
    await syncCardRefund(world.deps, (await refund(1000)).id)
    expect(await world.waiting()).toHaveLength(1)
    await syncCardRefund(world.deps, (await refund(2000)).id)
    await world.hear(id)
    expect([await world.waiting(), await world.seenBy(world.buyer.id)]).toEqual([[], [[], ['CO']]])
  },
)

test('a renewal before the provider was to end it is the new Owner’s time, and an order of who paid it', async () => {
  await using world = await people()
  const id = await world.buy()
  await world.hear(id)
  const away = new ProviderFailure('unavailable', new Error('away'))
  const isAway = vi.spyOn(world.deps.cards, 'readMoved').mockRejectedValue(away)
  expect((await world.transfer()).status).toBe(200)
  await world.renew(id)
  await world.hear(id)
  expect([await world.waiting(), await world.seenBy(world.buyer.id)]).toEqual([[], [[], ['CO', 'CO']]])

  isAway.mockRestore()
  await world.reconcileAfter(86_400)
  const [item] = (await sandbox.stripe.subscriptions.retrieve(id)).items.data
  expect((await world.stored(id)).cancelAt).toEqual(new Date((item?.current_period_end ?? 0) * 1000))
})
