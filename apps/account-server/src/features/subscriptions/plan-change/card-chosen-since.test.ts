import * as autoRenewal from '@atrium/contract/auto-renewal.ts'
import * as contract from '@atrium/contract/plan-changes.ts'
import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { payments } from '../../../app.ts'
import { ProviderFailure } from '../../../outside/provider-failure.ts'
import { cardVendor } from '../../../test/card-billing.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { type OperationRow, providerOperations } from '../../payments/operations/operations.tables.ts'

const sandbox = await sandboxOfFile()

const twoMore = { type: 'buy-more', increasingNumber: 2 } as const

type Chooser = 'its Owner' | 'the vendor' | 'nobody'

const choosers = ['its Owner', 'the vendor', 'nobody'] as const

/** A subscription that a card of its own pays for, of a customer who has another default. */
async function vendorWithOwnCard() {
  const world = await cardVendor(sandbox)
  const { stripe } = sandbox
  const sid = await world.buy()
  const attach = async (card: string) => (await stripe.paymentMethods.attach(card, { customer: world.customerId })).id
  const before = await attach('pm_card_amex')
  const since = await attach('pm_card_mastercard')
  await stripe.subscriptions.update(sid, { default_payment_method: before })
  await world.sync(sid)
  const buyer = async () => world.as({ cookie: await world.session(world.buyer.id) })
  return {
    ...world,
    ...{ sid, attach, buyer },
    async changeBy(paymentMethodId: string) {
      const { body: detail } = await (await buyer()).send(contract.changePlanFrom, { body: { sid, ...twoMore } })
      const body = { subscriptionId: sid, ...twoMore, quoteId: detail.quote.quoteId, paymentMethodId }
      return (await buyer()).send(contract.changePlan, { body })
    },
    async chooseAnother(chooser: Chooser) {
      if (chooser === 'the vendor') await stripe.subscriptions.update(sid, { default_payment_method: since })
      if (chooser !== 'its Owner') return
      await (await buyer()).send(autoRenewal.subscriptionCancel, { body: { sid, reasons: [1] } })
      const body = { sid, paymentMethodId: since }
      expect((await (await buyer()).send(autoRenewal.subscriptionRenew, { body })).status).toBe(200)
    },
    async expectPayer(chooser: Chooser) {
      const { default_payment_method: payer } = await stripe.subscriptions.retrieve(sid)
      expect(payer).toBe(chooser === 'nobody' ? before : since)
    },
    async operation(kind: OperationRow['kind'] = 'subscription.change') {
      const isTheirs = eq(providerOperations.memberId, world.buyer.id)
      const rows = await world.db.select().from(providerOperations).where(isTheirs)
      const row = rows.find((stored) => stored.kind === kind)
      if (!row) throw new Error('the operation is not stored')
      return row
    },
  }
}

test.each(choosers)('a waiting change that is given up leaves the card that %s has chosen since', async (chooser) => {
  await using world = await vendorWithOwnCard()
  const asked = await world.changeBy(await world.attach('pm_card_authenticationRequired'))
  expect(asked.body.paymentIntentStatus).toBe('requires_action')
  await world.chooseAnother(chooser)
  const row = await world.operation()
  world.at(new Date((row.givesUpAt?.getTime() ?? 0) + 1000))
  for (let minute = 0; minute < 3; minute += 1) await world.reconcileAfter(60)
  expect((await world.operation()).status).toBe('canceled')
  await world.expectPayer(chooser)
})

test.each(choosers)('a bank’s question that is gone leaves the card that %s has chosen since', async (chooser) => {
  await using world = await vendorWithOwnCard()
  await world.changeBy(await world.attach('pm_card_authenticationRequired'))
  await world.chooseAnother(chooser)
  const [open] = (await sandbox.stripe.invoices.list({ subscription: world.sid, status: 'open' })).data
  if (open) await sandbox.stripe.invoices.voidInvoice(open.id)
  for (let minute = 0; minute < 3; minute += 1) await world.reconcileAfter(60)
  expect((await world.operation()).status).toBe('canceled')
  await world.expectPayer(chooser)
})

test.each(['called', 'found'] as const)(
  'a declined change whose invoice is voided later leaves the card that was chosen since, when that is %s',
  async (when) => {
    for (const chooser of ['the vendor', 'nobody'] as const) {
      await using world = await vendorWithOwnCard()
      const { giveUpChange } = world.deps.cards
      const chosen = vi.spyOn(world.deps.cards, 'giveUpChange').mockImplementationOnce(async (invoice) => {
        await world.chooseAnother(chooser)
        if (when === 'called') return giveUpChange(invoice)
        await giveUpChange(invoice)
        throw new ProviderFailure('unknown', new Error('no answer'))
      })
      expect((await world.changeBy(await world.attach('pm_card_chargeCustomerFail'))).status).toBe(402)
      for (let minute = 0; minute < 3; minute += 1) await world.reconcileAfter(60)
      expect(chosen).toHaveBeenCalledTimes(when === 'called' ? 1 : 2)
      expect((await world.operation('subscription.give_up_change')).status).toBe('succeeded')
      await world.expectPayer(chooser)
    }
  },
)

test('a change that never reached the provider leaves the card that was chosen since', async () => {
  for (const chooser of ['the vendor', 'nobody'] as const) {
    await using world = await vendorWithOwnCard()
    const asking = await world.attach('pm_card_visa')
    vi.spyOn(world.deps.cards, 'changePlan').mockImplementationOnce(async () => {
      await sandbox.stripe.subscriptions.update(world.sid, { default_payment_method: asking })
      throw new ProviderFailure('unknown', new Error('no answer'))
    })
    await world.changeBy(asking)
    await world.chooseAnother(chooser)
    const late = { ...(await world.operation()), calledAt: new Date(0) }
    expect(await payments.definitions['subscription.change'].find(world.deps, late)).toBeUndefined()
    await world.expectPayer(chooser)
  }
})

test('what its vendor planned pays as before as well, unless the vendor chose that too', async () => {
  await using world = await vendorWithOwnCard()
  const { stripe } = sandbox
  const planned = async () => {
    const { schedule } = await stripe.subscriptions.retrieve(world.sid, { expand: ['schedule'] })
    return typeof schedule === 'object' ? schedule?.default_settings.default_payment_method : undefined
  }
  const [first, second] = [await world.attach('pm_card_visa'), await world.attach('pm_card_discover')]
  await stripe.subscriptionSchedules.create({ from_subscription: world.sid })
  await world.deps.cards.payBy(world.sid, first)
  await world.deps.cards.restoreCard({ subscription: world.sid, from: second, to: world.cardId })
  expect(await planned()).toBe(first)
  await world.deps.cards.restoreCard({ subscription: world.sid, from: first, to: second })
  expect(await planned()).toBe(second)
})
