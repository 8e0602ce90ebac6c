import * as contract from '@atrium/contract/plan-changes.ts'
import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { ProviderFailure } from '../../../outside/provider-failure.ts'
import { cardVendor } from '../../../test/card-billing.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { providerOperations } from '../../payments/operations/operations.tables.ts'
import { Change } from './stored-change.ts'

const sandbox = await sandboxOfFile()

type Vendor = Awaited<ReturnType<typeof cardVendor>>
const twoMore = { type: 'buy-more', increasingNumber: 2 } as const

async function change(world: Vendor, subscriptionId: string) {
  const caller = world.as({ cookie: await world.session(world.buyer.id) })
  const { quote } = (await caller.send(contract.changePlanFrom, { body: { sid: subscriptionId, ...twoMore } })).body
  return caller.send(contract.changePlan, { body: { subscriptionId, quoteId: quote.quoteId, ...twoMore } })
}

/** The provider makes a change, and its answer is lost. */
function loseAnswer(world: Vendor) {
  const { changePlan } = world.deps.cards
  vi.spyOn(world.deps.cards, 'changePlan').mockImplementationOnce(async (asked) => {
    await changePlan(asked)
    throw new ProviderFailure('unknown', new Error('the connection was lost'))
  })
}

async function operations(world: Vendor) {
  const { memberId, kind, status } = providerOperations
  const isBuyers = eq(memberId, world.buyer.id)
  const rows = await world.db.select({ kind, status }).from(providerOperations).where(isBuyers)
  return rows.map((row) => `${row.kind} ${row.status}`)
}

/** The next period has begun, and its invoice is paid. */
async function renew(world: Vendor, id: string) {
  const { items } = await sandbox.stripe.subscriptions.retrieve(id)
  const after = new Date(((items.data[0]?.current_period_end ?? 0) + 2 * 3600) * 1000)
  await sandbox.advanceTo(after)
  world.at(after)
  const { data } = await sandbox.stripe.invoices.list({ subscription: id, status: 'paid' })
  expect(data.map(({ billing_reason: reason }) => reason)).toEqual([
    ...['subscription_cycle', 'subscription_update', 'subscription_create'],
  ])
}

test('a vendor’s change that waits, begun after a change here whose answer was lost, is not taken for it', async () => {
  await using world = await cardVendor(sandbox)
  const { stripe } = sandbox
  const id = await world.buy()
  loseAnswer(world)
  await change(world, id)
  await world.payWith('pm_card_authenticationRequired')
  const { items } = await stripe.subscriptions.retrieve(id)
  const more = [{ id: items.data[0]?.id ?? '', quantity: 20 }]
  const waits = { payment_behavior: 'pending_if_incomplete', proration_behavior: 'always_invoice' } as const
  const changed = await stripe.subscriptions.update(id, { items: more, ...waits })
  expect(changed.pending_update).not.toBeNull()

  const [row] = await world.db.select().from(providerOperations).where(eq(providerOperations.memberId, world.buyer.id))
  const { providerId, prorationDate } = Change.parse(row?.input)
  const lost = { id: providerId, operationId: row?.id ?? '', invoiceId: '', prorationDate }
  const [, made] = (await stripe.invoices.list({ subscription: id })).data
  const { amount_due: charged, id: invoiceId } = made ?? {}
  expect(await world.deps.cards.readChange(lost)).toMatchObject({ state: 'paid', invoiceId, charged })
})

test('a change that is paid on the provider’s page, and heard of after the renewal: nothing of the renewal is given back', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  await world.payWith('pm_card_authenticationRequired')
  const asked = await change(world, id)
  expect(asked.body.paymentIntentStatus).toBe('requires_action')
  await sandbox.answerBank(asked.body.clientSecret.replace(/_secret_.*/, ''), 'complete')
  await world.payWith('pm_card_visa')
  await renew(world, id)

  for (let minute = 0; minute < 3; minute += 1) await world.reconcileAfter(60)
  expect(await operations(world)).toEqual(['subscription.change succeeded'])
  expect((await sandbox.stripe.refunds.list()).data).toEqual([])
  expect(await world.listed()).toMatchObject([{ userCount: 5 }])
})

test('… also if the answer was lost, so that its invoice is not stored', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  loseAnswer(world)
  await change(world, id)
  await renew(world, id)

  for (let minute = 0; minute < 3; minute += 1) await world.reconcileAfter(60)
  expect(await operations(world)).toEqual(['subscription.change succeeded'])
  expect((await sandbox.stripe.refunds.list()).data).toEqual([])
})
