import * as contract from '@atrium/contract/plan-changes.ts'
import { expect, test } from 'vitest'
import { cardVendor } from '../../../test/card-billing.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'

const sandbox = await sandboxOfFile()
const { stripe } = sandbox

const hour = 3600_000

/** A subscription whose vendor has changed the seats in the middle of its month: the difference waits for the next invoice. */
async function vendorWithWaiting([before, after]: readonly [number, number]) {
  const world = await cardVendor(sandbox)
  const moveTo = async (date: Date) => {
    await sandbox.advanceTo(date)
    world.at(date)
  }
  world.at(await sandbox.now())
  const sid = await world.buy({ quantity: before })
  const [item] = (await stripe.subscriptions.retrieve(sid)).items.data
  if (!item) throw new Error('nothing is subscribed to')
  const end = new Date(item.current_period_end * 1000)
  const middle = new Date(((item.current_period_start + item.current_period_end) / 2) * 1000)
  await moveTo(middle)
  await stripe.subscriptions.update(sid, {
    items: [{ id: item.id, quantity: after }],
    proration_behavior: 'create_prorations',
  })
  await moveTo(new Date(middle.getTime() + hour))
  await world.sync(sid)
  const buyer = async () => world.as({ cookie: await world.session(world.buyer.id) })
  return {
    ...world,
    sid,
    buyer,
    async buyMore(increasingNumber: number) {
      const asked = { type: 'buy-more', increasingNumber } as const
      const { body: detail } = await (await buyer()).send(contract.changePlanFrom, { body: { sid, ...asked } })
      const body = { subscriptionId: sid, ...asked, quoteId: detail.quote.quoteId }
      return (await buyer()).send(contract.changePlan, { body })
    },
    async giveUpLater() {
      await moveTo(new Date(middle.getTime() + 26 * hour))
      for (let minute = 0; minute < 3; minute += 1) await world.reconcileAfter(60)
    },
    async waiting() {
      const { data } = await stripe.invoiceItems.list({ customer: world.customerId, pending: true })
      return data
        .map(({ amount, currency, description, discountable, parent, period }) => ({
          ...{ amount, currency, description, discountable, period },
          of: parent?.subscription_details?.subscription,
        }))
        .sort((one, other) => one.amount - other.amount)
    },
    async renewal() {
      await moveTo(new Date(end.getTime() + 2 * hour))
      const { data } = await stripe.invoices.list({ subscription: sid })
      return data.find(({ billing_reason }) => billing_reason === 'subscription_cycle')?.amount_paid
    },
  }
}

test.each([
  ['more seats', [3, 5], 6000],
  ['fewer seats', [5, 3], 2000],
] as const)(
  'a declined change leaves to the next invoice what the vendor’s change to %s has left to it',
  async (_, seats, due) => {
    await using world = await vendorWithWaiting(seats)
    const before = await world.waiting()
    expect(before.length).toBeGreaterThan(0)
    await world.payWith('pm_card_chargeCustomerFail')
    expect((await world.buyMore(3)).status).toBe(402)
    await world.reconcileAfter(60)

    expect(await world.waiting()).toEqual(before)
    await world.payWith('pm_card_visa')
    expect(await world.renewal()).toBe(due)
  },
)

const ends = {
  'its Owner drops': async (world: Waiting) => {
    const dropped = await (await world.buyer()).send(contract.dropOpenChange, { params: { sid: world.sid } })
    expect(dropped.body).toEqual({ isDropped: 1 })
  },
  'runs out': (world: Waiting) => world.giveUpLater(),
  'the provider has voided': async (world: Waiting) => {
    const [open] = (await stripe.invoices.list({ subscription: world.sid, status: 'open' })).data
    await stripe.invoices.voidInvoice(open?.id ?? '')
    await world.giveUpLater()
  },
}

type Waiting = Awaited<ReturnType<typeof vendorWithWaiting>>

test.each(['its Owner drops', 'runs out', 'the provider has voided'] as const)(
  'a change with a bank’s question that %s leaves to the next invoice what waited for it, once',
  async (end) => {
    await using world = await vendorWithWaiting([3, 5])
    const before = await world.waiting()
    await world.payWith('pm_card_authenticationRequired')
    expect((await world.buyMore(3)).body.paymentIntentStatus).toBe('requires_action')
    expect(await world.waiting()).toEqual([])
    await ends[end](world)
    expect(await world.waiting()).toEqual(before)

    // As after an answer that was lost.
    const invoices = (await stripe.invoices.list({ subscription: world.sid, status: 'void' })).data
    for (const { id } of invoices) await world.deps.cards.giveUpChange({ invoiceId: id, prorationDate: undefined })
    expect(await world.waiting()).toEqual(before)
  },
)

test('a change that is paid has what waited on its invoice', async () => {
  await using world = await vendorWithWaiting([3, 5])
  expect((await world.buyMore(3)).status).toBe(200)
  expect(await world.waiting()).toEqual([])
})
