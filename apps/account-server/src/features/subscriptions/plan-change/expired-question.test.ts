import * as autoRenewal from '@atrium/contract/auto-renewal.ts'
import * as contract from '@atrium/contract/plan-changes.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { cardVendor } from '../../../test/card-billing.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { mailQueue } from '../../mail/mail.writes.ts'
import { providerOperations } from '../../payments/operations/operations.tables.ts'
import { subscriptions } from '../subscriptions.tables.ts'

const sandbox = await sandboxOfFile()

const Sent = z.object({ subject: z.string(), text: z.string() })

/** Emails that a change was not made. */
function notMade({ sent }: Pick<Vendor, 'sent'>) {
  const emails = sent.flatMap(({ queue, data }) => (queue === mailQueue ? [Sent.parse(data)] : []))
  return emails.filter(({ subject }) => /^Your change of .* was not made$/.test(subject))
}

type Vendor = Awaited<ReturnType<typeof cardVendor>>
const twoMore = { type: 'buy-more', increasingNumber: 2 } as const

async function buyer(world: Vendor) {
  return world.as({ cookie: await world.session(world.buyer.id) })
}
async function change(world: Vendor, sid: string, paymentMethodId = '') {
  const { quoteId } = (await (await buyer(world)).send(contract.changePlanFrom, { body: { sid, ...twoMore } })).body
    .quote
  const body = { subscriptionId: sid, quoteId, ...twoMore, ...(paymentMethodId && { paymentMethodId }) }
  return (await buyer(world)).send(contract.changePlan, { body })
}
async function statuses(world: Vendor) {
  const rows = await world.db.select().from(providerOperations).where(eq(providerOperations.memberId, world.buyer.id))
  return rows.filter(({ kind }) => kind === 'subscription.change').map(({ status }) => status)
}

test('a bank’s question that ran out at the provider ends here as well, and the next change is possible', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  await world.payWith('pm_card_authenticationRequired')
  const asked = await change(world, id)
  expect(asked.body.paymentIntentStatus).toBe('requires_action')
  const [row] = await world.db.select().from(providerOperations).where(eq(providerOperations.memberId, world.buyer.id))
  // The provider lets the change expire: the invoice is void, the pending update gone.
  const [open] = (await sandbox.stripe.invoices.list({ subscription: id, status: 'open' })).data
  await sandbox.stripe.invoices.voidInvoice(open?.id ?? '')
  expect((await sandbox.stripe.subscriptions.retrieve(id)).pending_update).toBeNull()
  world.at(new Date((row?.givesUpAt?.getTime() ?? 0) + 1000))
  expect(notMade(world)).toEqual([])
  for (let minute = 0; minute < 5; minute += 1) await world.reconcileAfter(60)
  expect((await statuses(world))[0]).not.toBe('requires_action')
  expect(notMade(world)).toMatchObject([{ text: expect.stringMatching(/Nothing was charged.*\n\n2\smore seats, \$/) }])
  await world.payWith('pm_card_visa')
  expect((await change(world, id)).status).toBe(200)
})

test('another card that was to pay for a change does not stay the subscription’s own once the question ran out', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const { stripe } = sandbox
  const { id: asking } = await stripe.paymentMethods.attach('pm_card_authenticationRequired', {
    customer: world.customerId,
  })
  const asked = await change(world, id, asking)
  expect(asked.body.paymentIntentStatus).toBe('requires_action')
  const [row] = await world.db.select().from(providerOperations).where(eq(providerOperations.memberId, world.buyer.id))
  const [open] = (await stripe.invoices.list({ subscription: id, status: 'open' })).data
  await stripe.invoices.voidInvoice(open?.id ?? '')
  world.at(new Date((row?.givesUpAt?.getTime() ?? 0) + 1000))
  for (let minute = 0; minute < 5; minute += 1) await world.reconcileAfter(60)
  expect((await stripe.subscriptions.retrieve(id)).default_payment_method).toBeNull()
})

test.each(['its time is up', 'its Owner drops it'] as const)(
  'a change by another card ends once the vendor has canceled its subscription, when %s',
  async (when) => {
    await using world = await cardVendor(sandbox)
    const id = await world.buy()
    const { stripe } = sandbox
    const customer = world.customerId
    const { id: asking } = await stripe.paymentMethods.attach('pm_card_authenticationRequired', { customer })
    expect((await change(world, id, asking)).body.paymentIntentStatus).toBe('requires_action')
    await stripe.subscriptions.cancel(id)
    if (when === 'its Owner drops it') {
      const dropped = await (await buyer(world)).send(contract.dropOpenChange, { params: { sid: id } })
      expect(dropped).toMatchObject({ status: 200, body: { isDropped: 1 } })
    } else {
      await world.sync(id)
      const [row] = await world.db.select().from(providerOperations)
      world.at(new Date((row?.givesUpAt?.getTime() ?? 0) + 1000))
      for (let minute = 0; minute < 5; minute += 1) await world.reconcileAfter(60)
    }
    expect(await statuses(world)).toEqual(['canceled'])
    expect(notMade(world)).toMatchObject([{ text: expect.stringContaining('Nothing was charged.') }])
    expect(notMade(world)).toMatchObject([{ text: expect.not.stringMatching(/stays as it is|change again/) }])
    const invoices = await stripe.invoices.list({ subscription: id })
    expect(invoices.data.map(({ status }) => status)).toEqual(['void', 'paid'])
  },
)

test('the email names the product that was to be changed, whatever the vendor has put in its place', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const { stripe } = sandbox
  await world.payWith('pm_card_authenticationRequired')
  await change(world, id)
  const lookupKey = `${world.business.code.toLowerCase()}-monthly-usd`
  const [price] = (await stripe.prices.list({ lookup_keys: [lookupKey] })).data
  const [item] = (await stripe.subscriptions.retrieve(id)).items.data
  const items = [{ id: item?.id ?? '', price: price?.id ?? '' }]
  await stripe.subscriptions.update(id, { items, proration_behavior: 'none' })
  await world.sync(id)
  const dropped = await (await buyer(world)).send(contract.dropOpenChange, { params: { sid: id } })
  expect(dropped.body).toEqual({ isDropped: 1 })
  expect(await world.listed()).toMatchObject([{ appName: 'Folio PDF Editor+ Business' }])
  expect(notMade(world)).toMatchObject([
    {
      subject: 'Your change of Folio PDF Editor+ was not made',
      text: expect.stringContaining('make the change again'),
    },
  ])
})

test('a change does not stay open whose question was answered just in time', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  await world.payWith('pm_card_authenticationRequired')
  const asked = await change(world, id)
  const [row] = await world.db.select().from(providerOperations).where(eq(providerOperations.memberId, world.buyer.id))
  await sandbox.answerBank(asked.body.clientSecret.replace(/_secret_.*/, ''), 'complete')
  world.at(new Date((row?.givesUpAt?.getTime() ?? 0) + 1000))
  for (let minute = 0; minute < 5; minute += 1) await world.reconcileAfter(60)
  expect(await statuses(world)).toEqual(['succeeded'])
  expect(notMade(world)).toEqual([])
})

test.each(['turn off', 'remove a card'] as const)(
  '%s while the bank’s question is open: what is charged is granted',
  async (meanwhile) => {
    await using world = await cardVendor(sandbox)
    const id = await world.buy()
    await world.payWith('pm_card_authenticationRequired')
    const asked = await change(world, id)
    if (meanwhile === 'turn off') {
      await (await buyer(world)).send(autoRenewal.subscriptionCancel, { body: { sid: id, reasons: [1] } })
    } else {
      await sandbox.stripe.subscriptions.update(id, { default_payment_method: '' })
    }
    await sandbox.answerBank(asked.body.clientSecret.replace(/_secret_.*/, ''), 'complete').catch(() => undefined)
    const end = await (await buyer(world)).send(contract.memberPlanPlace, { body: { subscriptionId: id } })
    for (let minute = 0; minute < 3; minute += 1) await world.reconcileAfter(60)
    await world.sync(id)
    const [row] = await world.db.select().from(subscriptions).where(eq(subscriptions.id, id))
    const paid = (await sandbox.stripe.invoices.list({ subscription: id, status: 'paid' })).data.length
    expect([paid, row?.userCount]).toEqual(paid === 2 ? [2, 5] : [1, 3])
    expect((await statuses(world))[0]).not.toBe('requires_action')
    // Nothing was charged: that is not unknown.
    expect(end.body.code).toBe('change_dropped')
  },
)

test('once its time is up, a question is not offered any more; the next change says why once, and is then possible', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  await world.payWith('pm_card_authenticationRequired')
  await change(world, id)
  await world.sync(id)
  const [row] = await world.db.select().from(providerOperations).where(eq(providerOperations.memberId, world.buyer.id))
  const expiresAt = row?.givesUpAt?.toISOString()
  expect(await world.listed()).toMatchObject([{ openChange: { increasedNumber: 2, expiresAt } }])

  // Nobody has heard of it yet: neither the reconciler nor a webhook.
  world.at(new Date((row?.givesUpAt?.getTime() ?? 0) + 1000))
  const [listed] = await world.listed()
  expect(listed).toMatchObject({ userCount: 3, stripeSdkUrl: '' })
  for (const open of ['openChange', 'dueAmount']) expect(listed).not.toHaveProperty(open)
  const quote = async () => (await buyer(world)).send(contract.changePlanFrom, { body: { sid: id, ...twoMore } })
  expect(await quote()).toMatchObject({ status: 409, body: { code: 'change_expired' } })
  expect((await sandbox.stripe.invoices.list({ subscription: id, status: 'open' })).data).toEqual([])
  expect((await quote()).status).toBe(200)
})

test('a payment that is continued after its time says that it ran out; one that was dropped elsewhere, that it was canceled', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  await world.payWith('pm_card_authenticationRequired')
  const finish = async () => (await buyer(world)).send(contract.memberPlanPlace, { body: { subscriptionId: id } })
  await change(world, id)
  await (await buyer(world)).send(contract.dropOpenChange, { params: { sid: id } })
  expect(await finish()).toMatchObject({ status: 409, body: { code: 'change_dropped' } })
  expect(notMade(world)).toHaveLength(1)

  await change(world, id)
  const rows = await world.db.select().from(providerOperations).where(eq(providerOperations.memberId, world.buyer.id))
  const [open] = (await sandbox.stripe.invoices.list({ subscription: id, status: 'open' })).data
  await sandbox.stripe.invoices.voidInvoice(open?.id ?? '')
  const deadline = rows.find(({ status }) => status === 'requires_action')?.givesUpAt?.getTime() ?? 0
  world.at(new Date(deadline + 1000))
  expect(await finish()).toMatchObject({ status: 409, body: { code: 'change_expired' } })
  expect(await world.listed()).toMatchObject([{ userCount: 3, stripeSdkUrl: '' }])
})

test('a change that waits is named in the list and in the next one’s way, and its Owner can drop it', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  await world.payWith('pm_card_authenticationRequired')
  const { chargeAmount } = (await change(world, id)).body
  const openChange = { type: 'buy-more', increasedNumber: 2, isStorage: 0, chargeAmount, currency: 'USD' }
  expect(await world.listed()).toMatchObject([{ openChange }])
  const ending = async () => (await buyer(world)).send(autoRenewal.checkCancelSr, { body: { sid: id } })
  expect((await ending()).body).toMatchObject({ openChange })
  const again = await (await buyer(world)).send(contract.changePlanFrom, { body: { sid: id, ...twoMore } })
  expect(again).toMatchObject({ status: 409, body: { code: 'subscription_change_pending', data: openChange } })

  const params = { sid: id }
  expect((await world.as(await world.member()).send(contract.dropOpenChange, { params })).status).toBe(404)
  expect((await (await buyer(world)).send(contract.dropOpenChange, { params })).body).toEqual({ isDropped: 1 })
  const [listed] = await world.listed()
  expect(listed).toMatchObject({ userCount: 3, stripeSdkUrl: '' })
  expect(listed).not.toHaveProperty('openChange')
  expect((await ending()).body).not.toHaveProperty('openChange')
  expect((await sandbox.stripe.invoices.list({ subscription: id, status: 'open' })).data).toEqual([])
  const over = { status: 409, body: { code: 'nothing_to_finish' } }
  expect(await (await buyer(world)).send(contract.dropOpenChange, { params })).toMatchObject(over)
  await world.payWith('pm_card_visa')
  expect((await change(world, id)).status).toBe(200)
})

test('… unless it was paid meanwhile: then it is made', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  await world.payWith('pm_card_authenticationRequired')
  const asked = await change(world, id)
  await sandbox.answerBank(asked.body.clientSecret.replace(/_secret_.*/, ''), 'complete')
  const dropped = await (await buyer(world)).send(contract.dropOpenChange, { params: { sid: id } })
  expect(dropped.body).toEqual({ isDropped: 0 })
  expect(await world.listed()).toMatchObject([{ userCount: 5 }])
})
