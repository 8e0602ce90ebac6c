import { randomUUID } from 'node:crypto'
import { payOverdue } from '@atrium/contract/overdue-payments.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { subscriptionCalls } from '../../outside/card-provider/subscriptions.ts'
import { ProviderFailure } from '../../outside/provider-failure.ts'
import { cardVendor } from '../../test/card-billing.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'

const sandbox = await sandboxOfFile()

const Moved = z.object({ now: z.coerce.date() })
const day = 86_400

async function ask(method: string, path: string, body: object) {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${sandbox.url}${path}`, { method, headers, body: JSON.stringify(body) })
  if (!reply.ok) throw new Error(await reply.text())
  return reply.json()
}

type Outcome = 'pause' | 'stay_paused' | 'cancel'

const afterRetries = (outcome: Outcome, retryDays: readonly number[]) =>
  ask('PUT', '/cards/control/collection/', { afterRetries: outcome, retryDays })

afterEach(() => afterRetries('cancel', [3, 5, 7, 6]))

/** Its renewal is declined, and the provider pauses it after the last retry. */
async function pausedUnpaid(outcome: Outcome = 'pause') {
  const world = await cardVendor(sandbox)
  const id = await world.buy()
  await world.sync(id)
  await afterRetries(outcome, [1])
  await world.payWith('pm_card_chargeCustomerFail')
  const [item] = (await sandbox.stripe.subscriptions.retrieve(id)).items.data
  const to = new Date(((item?.current_period_end ?? 0) + 3 * day) * 1000).toISOString()
  world.at(Moved.parse(await ask('POST', '/clock/control/advance/', { to })).now)
  await world.sync(id)
  return { ...world, id }
}

async function listed(world: Awaited<ReturnType<typeof pausedUnpaid>>) {
  const [first] = await world.listed()
  return first
}

test('one that is paused since its renewal was not paid is due, and is not in use until the end of that period', async () => {
  await using world = await pausedUnpaid()
  expect((await sandbox.stripe.subscriptions.retrieve(world.id)).status).toBe('paused')
  expect(await listed(world)).toMatchObject({ stripeSubscriptionStatus: 'past_due' })
  expect((await listed(world))?.stripeSdkUrl).toMatch(/^http/)

  const [open] = (await sandbox.stripe.invoices.list({ subscription: world.id, status: 'open' })).data
  await sandbox.stripe.invoices.pay(open?.id ?? '', { payment_method: world.cardId })
  await world.sync(world.id)
  expect(await listed(world)).toMatchObject({ stripeSubscriptionStatus: 'active' })
})

async function payHere(world: Awaited<ReturnType<typeof pausedUnpaid>>) {
  await world.payWith('pm_card_visa')
  const member = world.as({ cookie: await world.session(world.buyer.id) })
  const body = { amount: 3000, currency: 'USD' }
  return member.send(payOverdue, { params: { sid: world.id }, body }, randomUUID())
}

async function payAtProvider(world: Awaited<ReturnType<typeof pausedUnpaid>>): Promise<void> {
  const [open] = (await sandbox.stripe.invoices.list({ subscription: world.id, status: 'open' })).data
  await sandbox.stripe.invoices.pay(open?.id ?? '', { payment_method: world.cardId })
}

test.each(['here', 'at the provider'] as const)(
  'a payment %s resumes what the provider would leave paused, without billing anything else',
  async (where) => {
    await using world = await pausedUnpaid('stay_paused')
    const { items } = await sandbox.stripe.subscriptions.retrieve(world.id)
    if (where === 'here') expect((await payHere(world)).status).toBe(200)
    else await payAtProvider(world)
    if (where !== 'here') await world.sync(world.id)
    expect(await listed(world)).toMatchObject({ stripeSubscriptionStatus: 'active' })
    const resumed = await sandbox.stripe.subscriptions.retrieve(world.id)
    expect([resumed.status, resumed.items.data[0]?.current_period_end]).toEqual([
      'active',
      items.data[0]?.current_period_end,
    ])
    const invoices = (await sandbox.stripe.invoices.list({ subscription: world.id })).data
    expect(invoices.map(({ status }) => status)).toEqual(['paid', 'paid'])
  },
)

test('a payment whose resumption got no answer is not called failed, and the reconciler resumes it', async () => {
  await using world = await pausedUnpaid('stay_paused')
  const failure = new ProviderFailure('unavailable', new Error('too many'))
  const resume = vi.spyOn(world.deps.cards, 'resumePaid').mockRejectedValue(failure)
  expect((await payHere(world)).body).not.toMatchObject({ code: 'payment_provider_unavailable' })
  resume.mockRestore()
  await world.reconcileAfter(120)
  expect(await listed(world)).toMatchObject({ stripeSubscriptionStatus: 'active' })
})

test('what is paid after its period is over stays paused: resuming it would bill another period', async () => {
  await using world = await pausedUnpaid('stay_paused')
  const [item] = (await sandbox.stripe.subscriptions.retrieve(world.id)).items.data
  const to = new Date(((item?.current_period_end ?? 0) + day) * 1000)
  await sandbox.advanceTo(to)
  world.at(to)
  await payAtProvider(world)
  await world.sync(world.id)
  expect(await listed(world)).toMatchObject({ stripeSubscriptionStatus: 'pending' })
  expect((await sandbox.stripe.subscriptions.retrieve(world.id)).status).toBe('paused')
})

test.each([
  ['trial_end_without_payment_method', 'paused'],
  ['pause_requested', 'pause_requested'],
  ['system', 'pause_requested'],
  // The vendor has not set up that the payment resumes it.
  ['final_payment_failure', 'paused_paid'],
  ['first_payment_failure', 'paused_paid'],
  [undefined, 'paused'],
])('a pause for %s, of which nothing is open, is read as %s', async (type, status) => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const { stripe } = sandbox
  const found = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })
  const details = type && { paused: { type: 'subscription', subscription: { type }, transitioned_at: 1 } }
  const paused = { ...found, status: 'paused' as const, ...(details && { status_details: details }) }
  vi.spyOn(stripe.subscriptions, 'retrieve').mockResolvedValueOnce(paused)
  expect((await subscriptionCalls(stripe).readSubscription(id)).status).toBe(status)
})
