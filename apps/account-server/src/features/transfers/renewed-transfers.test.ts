import { expect, test, vi } from 'vitest'
import { cardTransfer } from '../../test/card-transfer.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'

const sandbox = await sandboxOfFile()

const atProvider = (id: string) => sandbox.stripe.subscriptions.retrieve(id)
const endOf = async (id: string) => (await atProvider(id)).items.data[0]?.current_period_end ?? 0

/** An Owner whose next period the vendor can have begin at once, days before its time. */
async function people(options?: { hasCard: boolean }) {
  const world = await cardTransfer(sandbox, options)
  const anchor = Math.floor(Date.now() / 1000) + 10 * 86_400
  const id = await world.buy({ billing_cycle_anchor: anchor })
  const before = await world.charged()
  return {
    ...world,
    id,
    /** The old Owner pays for a month, from now on. @returns its invoice */
    async renew() {
      const renewal = { billing_cycle_anchor: { type: 'now' }, proration_behavior: 'none' } as const
      return String((await sandbox.stripe.subscriptions.update(id, renewal)).latest_invoice)
    },
    /** What the provider tells of it. */
    async told(invoice: string) {
      await world.syncInvoice(invoice)
      await world.sync(id)
    },
    paidSince: async () => (await world.charged()) - before,
  }
}

type World = Awaited<ReturnType<typeof people>>

/** The recipient has the time that the old Owner paid, once, and pays from then on. */
async function expectMoved(world: World, { isContinued }: { isContinued: boolean }) {
  const { id, recipient } = world
  const end = await endOf(id)
  const old = await atProvider(id)
  expect([old.cancel_at_period_end, old.status]).toEqual([true, 'active'])
  const row = await world.stored(id)
  expect(row).toMatchObject({ memberId: recipient.id, status: 'active', autoRenew: isContinued, userCount: 3 })
  expect(row.periodEnd?.getTime()).toBe(end * 1000)
  const begun = await world.begun()
  expect(begun.map(({ billing_cycle_anchor: anchor }) => anchor)).toEqual(isContinued ? [end] : [])
  if (isContinued) expect([row.providerId, row.cancelAt]).toEqual([begun[0]?.id, null])
  else expect(row.cancelAt?.getTime()).toBe(end * 1000)
  expect(await world.paidSince()).toBe(1)
}

test('renewed between the codes and the transfer, nothing moves; new codes say the new end, and it is paid once', async () => {
  await using world = await people()
  const { id, buyer, recipient } = world
  const codes = await world.codesFor(buyer, recipient)
  await world.told(await world.renew())
  const refused = await world.use(buyer, recipient.email, codes)
  expect([refused.status, refused.body.code]).toEqual([409, 'transfer_changed'])
  expect(await world.stored(id)).toMatchObject({ memberId: buyer.id, autoRenew: true })
  expect([await world.begun(), (await atProvider(id)).cancel_at_period_end]).toEqual([[], false])

  world.later(60)
  expect((await world.transfer()).status).toBe(200)
  await expectMoved(world, { isContinued: true })
})

const moments = ['before the end', 'after the end', 'before the begin', 'after the begin', 'afterwards'] as const

test.each(moments.flatMap((moment) => [true, false].map((hasCard) => [moment, hasCard] as const)))(
  'renewed before the provider is asked, which is told %s (with a card: %s): nothing is lost, nothing paid twice',
  async (moment, hasCard) => {
    await using world = await people({ hasCard })
    const { buyer, recipient } = world
    const { cards } = world.deps
    const [{ endMoved, continueSubscription }, codes] = [cards, await world.codesFor(buyer, recipient)]
    let invoice = ''
    const tell = async (now: (typeof moments)[number]) => (now === moment ? world.told(invoice) : undefined)
    vi.spyOn(cards, 'endMoved').mockImplementationOnce(async (providerId) => {
      invoice = await world.renew()
      await tell('before the end')
      const moved = await endMoved(providerId)
      await tell('after the end')
      return moved
    })
    vi.spyOn(cards, 'continueSubscription').mockImplementationOnce(async (asked) => {
      await tell('before the begin')
      const begun = await continueSubscription(asked)
      await tell('after the begin')
      return begun
    })
    expect((await world.use(buyer, recipient.email, codes)).status).toBe(200)
    await world.told(invoice)
    for (let round = 0; round < 2; round += 1) await world.reconcileAfter(60)
    await expectMoved(world, { isContinued: hasCard })
  },
)

test.each([true, false])(
  'renewed before the provider is asked, and declined: nobody has that time, and nobody is charged for it (with a card: %s)',
  async (hasCard) => {
    await using world = await people({ hasCard })
    const { id } = world
    const { periodEnd } = await world.stored(id)
    const { cards } = world.deps
    const { endMoved } = cards
    vi.spyOn(cards, 'endMoved').mockImplementationOnce(async (providerId) => {
      await world.payWith('pm_card_chargeCustomerFail')
      await world.renew()
      return endMoved(providerId)
    })
    expect((await world.transfer()).status).toBe(200)
    for (let round = 0; round < 2; round += 1) await world.reconcileAfter(60)
    expect(await world.stored(id)).toMatchObject({ periodEnd, status: 'active', autoRenew: hasCard })
    const begun = await world.begun()
    expect(begun.map(({ billing_cycle_anchor: anchor }) => anchor * 1000)).toEqual(
      hasCard ? [periodEnd?.getTime()] : [],
    )
    // Its renewal is not tried again.
    expect((await atProvider(id)).status).toBe('canceled')
    await world.payWith('pm_card_visa')
    expect(await world.paidSince()).toBe(0)
  },
)
