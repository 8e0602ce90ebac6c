import type { PlanChangeType } from '@atrium/contract/plan-change-types.ts'
import * as contract from '@atrium/contract/plan-changes.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { cardVendor } from '../../../test/card-billing.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { mailQueue } from '../../mail/mail.writes.ts'

const sandbox = await sandboxOfFile()

const Sent = z.object({ subject: z.string(), text: z.string() })

type Vendor = Awaited<ReturnType<typeof cardVendor>>

const pending = 'subscription_change_pending'

const quote = (world: Vendor, sid: string, type: PlanChangeType = 'buy-more') =>
  world.as(world.buyer).send(contract.changePlanFrom, { body: { sid, type, increasingNumber: 1 } })

const drop = (world: Vendor, sid: string, member = world.buyer) =>
  world.as(member).send(contract.dropOpenChange, { params: { sid } })

/** More seats, begun in the provider's dashboard: the bank asks, so that it waits. */
async function begunAtProvider(world: Vendor, id: string, { quantity = 6, metadata = {} } = {}) {
  const { stripe } = sandbox
  await world.payWith('pm_card_authenticationRequired')
  const [item] = (await stripe.subscriptions.retrieve(id)).items.data
  await stripe.subscriptions.update(id, {
    items: [{ id: item?.id ?? '', quantity }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
    metadata,
  })
  const [open] = (await stripe.invoices.list({ subscription: id, status: 'open' })).data
  return { invoiceId: open?.id ?? '', amount: open?.amount_due ?? 0, payUrl: open?.hosted_invoice_url ?? '' }
}

test('one of ours that is given up is nothing to pay, until the provider has voided it', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  await begunAtProvider(world, id, { metadata: { operation: 'given-up' } })
  await world.sync(id)
  const [listed] = await world.listed()
  expect(listed).toMatchObject({ stripeSubscriptionStatus: 'active', stripeSdkUrl: '' })
  expect(listed).not.toHaveProperty('dueAmount')
})

test('a change begun at the provider is named with its amount, and stands in the way of others until its Owner drops it', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const early = await quote(world, id)
  const { invoiceId, amount, payUrl } = await begunAtProvider(world, id)

  // No event has come yet: what was quoted before does not replace it.
  const body = { subscriptionId: id, type: 'buy-more', increasingNumber: 1, quoteId: early.body.quote.quoteId } as const
  const late = await world.as(world.buyer).send(contract.changePlan, { body })
  expect(late).toMatchObject({ status: 409, body: { code: pending } })
  expect((await sandbox.stripe.invoices.retrieve(invoiceId)).status).toBe('open')

  const { pending_update: waiting } = await sandbox.stripe.subscriptions.retrieve(id)
  const expiresAt = new Date((waiting?.expires_at ?? 0) * 1000).toISOString()
  const openChange = {
    ...{ type: 'buy-more', increasedNumber: 3, isStorage: 0, appName: 'Folio PDF Editor+' },
    ...{ chargeAmount: amount, currency: 'USD', payUrl, expiresAt },
  }
  expect(await world.listed()).toMatchObject([{ openChange, dueAmount: amount, stripeSdkUrl: payUrl, userCount: 3 }])
  const refused = { status: 409, body: { code: pending, data: openChange } }
  expect(await quote(world, id)).toMatchObject(refused)
  expect(await quote(world, id, 'switch-to-annual-billing')).toMatchObject(refused)

  expect((await drop(world, id, await world.member())).status).toBe(404)
  expect((await drop(world, id)).body).toEqual({ isDropped: 1 })
  const emails = world.sent.flatMap(({ queue, data }) => (queue === mailQueue ? [Sent.parse(data)] : []))
  expect(emails.at(-1)).toEqual({
    subject: 'Your change of Folio PDF Editor+ was not made',
    text: expect.stringMatching(/3\smore seats, \$/),
  })
  expect(await sandbox.stripe.subscriptions.retrieve(id)).toMatchObject({ pending_update: null })
  expect((await sandbox.stripe.invoices.retrieve(invoiceId)).status).toBe('void')
  const [listed] = await world.listed()
  expect(listed).toMatchObject({ userCount: 3, stripeSdkUrl: '' })
  expect(listed).not.toHaveProperty('openChange')
  expect(await drop(world, id)).toMatchObject({ status: 409, body: { code: 'nothing_to_finish' } })
  expect((await quote(world, id)).status).toBe(200)
})

test('… or it was paid there meanwhile: then it is made', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const { invoiceId } = await begunAtProvider(world, id)
  await world.sync(id)
  await sandbox.stripe.invoices.pay(invoiceId, { payment_method: world.cardId })
  expect((await drop(world, id)).body).toEqual({ isDropped: 0 })
  const [listed] = await world.listed()
  expect(listed).toMatchObject({ userCount: 6, stripeSdkUrl: '' })
  expect(listed).not.toHaveProperty('openChange')
})

test.each(['dropped', 'paid'] as const)('one that was %s at the provider is no longer named', async (how) => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const { invoiceId } = await begunAtProvider(world, id)
  await world.sync(id)
  if (how === 'paid') await sandbox.stripe.invoices.pay(invoiceId, { payment_method: world.cardId })
  else await sandbox.stripe.invoices.voidInvoice(invoiceId)
  await world.syncInvoice(invoiceId)
  const [listed] = await world.listed()
  expect(listed).toMatchObject({ userCount: how === 'paid' ? 6 : 3, stripeSdkUrl: '' })
  expect(listed).not.toHaveProperty('openChange')
})
