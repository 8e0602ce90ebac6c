import { randomUUID } from 'node:crypto'
import * as contract from '@atrium/contract/overdue-payments.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { cardVendor } from '../../../test/card-billing.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'

const sandbox = await sandboxOfFile()

const Clock = z.object({ now: z.coerce.date() })
const dayMs = 86_400_000
const price = 3000

function collect(body: object) {
  const headers = { 'content-type': 'application/json' }
  return fetch(`${sandbox.url}/cards/control/collection/`, { method: 'PUT', headers, body: JSON.stringify(body) })
}

beforeAll(() => collect({ retryDays: [1], afterRetries: 'unpaid' }))
afterAll(() => collect({ retryDays: [3, 5, 7], afterRetries: 'cancel' }))

/** A monthly subscription whose renewal was never paid, two months after it: the provider goes on billing it, in drafts. */
async function twoMonthsUnpaid() {
  const world = await cardVendor(sandbox)
  const clock = await fetch(`${sandbox.url}/clock/control/`)
  world.at(Clock.parse(await clock.json()).now)
  const id = await world.buy()
  const { items } = await sandbox.stripe.subscriptions.retrieve(id)
  const end = (items.data[0]?.current_period_end ?? 0) * 1000
  await world.payWith('pm_card_chargeCustomerFail')
  const readAt = async (days: number) => {
    const then = new Date(end + days * dayMs)
    await sandbox.advanceTo(then)
    world.at(then)
    for (const { id: invoice } of await invoices(id)) await world.syncInvoice(invoice)
    await world.sync(id)
    return world.listed()
  }
  const failed = await readAt(2)
  return { ...world, id, readAt, failed, back: await readAt(65) }
}

async function invoices(subscription: string) {
  return (await sandbox.stripe.invoices.list({ subscription, limit: 100 })).data
}

const statuses = async (id: string) => (await invoices(id)).map(({ status }) => status)

async function payer({ buyer, as, session, id }: Awaited<ReturnType<typeof twoMonthsUnpaid>>) {
  const member = as({ cookie: await session(buyer.id) })
  return (amount: number) =>
    member.send(contract.payOverdue, { params: { sid: id }, body: { amount, currency: 'USD' } }, randomUUID())
}

test('after months of unpaid, what was open and the month of now are due, and bring the subscription back', async () => {
  await using world = await twoMonthsUnpaid()
  const { id, failed, back } = world
  expect(failed).toMatchObject([{ stripeSubscriptionStatus: 'past_due', dueAmount: price }])
  expect(await statuses(id)).toEqual(['draft', 'draft', 'open', 'paid'])
  // No page of the provider takes the sum.
  const due = { stripeSubscriptionStatus: 'past_due', dueAmount: 2 * price, stripeSdkUrl: '' }
  expect(back).toMatchObject([{ ...due, accessEnd: failed[0]?.accessEnd }])

  await world.payWith('pm_card_visa')
  const pay = await payer(world)
  expect(await pay(price)).toMatchObject({ status: 409, body: { code: 'amount_changed', data: { amount: 2 * price } } })
  expect(await statuses(id)).toEqual(['draft', 'draft', 'open', 'paid'])
  expect(await pay(2 * price)).toMatchObject({ status: 200, body: { chargeAmount: 2 * price } })
  // Of the month in between nothing was had.
  expect(await statuses(id)).toEqual(['paid', 'draft', 'paid', 'paid'])
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active', stripeSdkUrl: '' }])
  expect((await world.listed())[0]).not.toHaveProperty('dueAmount')

  expect(await world.readAt(97)).toMatchObject([{ stripeSubscriptionStatus: 'active' }])
  expect(await statuses(id)).toEqual(['paid', 'paid', 'draft', 'paid', 'paid'])
})

test('what was paid of it elsewhere leaves the month of now due, and gives no further days', async () => {
  await using world = await twoMonthsUnpaid()
  await world.payWith('pm_card_visa')
  const [open] = (await sandbox.stripe.invoices.list({ subscription: world.id, status: 'open' })).data
  await sandbox.stripe.invoices.pay(open?.id ?? '')
  const [listed] = await world.readAt(66)
  const { accessEnd } = world.failed[0] ?? {}
  expect(listed).toMatchObject({ stripeSubscriptionStatus: 'past_due', dueAmount: price, accessEnd })
  const pay = await payer(world)
  expect((await pay(price)).status).toBe(200)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active' }])
})

test('a balance that counts once the draft is asked for is told before anything is charged', async () => {
  await using world = await twoMonthsUnpaid()
  await world.payWith('pm_card_visa')
  await sandbox.stripe.customers.update(world.customerId, { balance: -1000 })
  const due = 2 * price - 1000
  const pay = await payer(world)
  expect(await pay(2 * price)).toMatchObject({ status: 409, body: { data: { amount: due } } })
  expect(await pay(due)).toMatchObject({ status: 200 })
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active' }])
})
