import * as contract from '@atrium/contract/auto-renewal.ts'
import { and, eq } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { payments } from '../../../app.ts'
import { ProviderFailure } from '../../../outside/provider-failure.ts'
import { paypalVendor } from '../../../test/paypal.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { activity } from '../../activity/activity.tables.ts'
import { providerOperations } from '../../payments/operations/operations.tables.ts'
import { endSubscriptions } from '../subscriptions.jobs.ts'
import { subscriptions } from '../subscriptions.tables.ts'
import { cancelEndedAtPaypal } from './cancel-at-paypal.jobs.ts'

const sandbox = await sandboxOfFile()
afterEach(async () => {
  vi.restoreAllMocks()
  await sandbox.paypal.control('DELETE', 'faults/')
})

type Vendor = Awaited<ReturnType<typeof paypalVendor>>

async function subscribed() {
  const world = await paypalVendor(sandbox)
  const id = await world.buy()
  await world.sync(id)
  return { world, id }
}

/** Whose session may have ended with the clock's moves. */
async function buyer(world: Vendor) {
  return world.as({ cookie: await world.session(world.buyer.id) })
}

const turnOff = async (world: Vendor, sid: string) =>
  (await buyer(world)).send(contract.subscriptionCancel, { body: { sid, reasons: [1] } })

const turnOn = async (world: Vendor, sid: string) =>
  (await buyer(world)).send(contract.subscriptionRenew, { body: { sid } })

const statusAtPaypal = async (world: Vendor, id: string) =>
  (await world.call('GET', `/v1/billing/subscriptions/${id}`)).status

async function actors(world: Vendor) {
  const rows = await world.db.select().from(activity).where(eq(activity.memberId, world.buyer.id))
  return rows.filter(({ action }) => action === 'subscription.changed').map(({ actorKind }) => actorKind)
}

test('turned off, PayPal suspends it, and it can be used until the end of what is paid', async () => {
  const { world, id } = await subscribed()
  await using _world = world
  const [before] = await world.listed()
  const { status, body } = await turnOff(world, id)
  expect([status, body.stripeSubscriptionStatus, body.autoRenewal]).toEqual([200, 'active', 0])
  expect(body.nextPlanPeriodStart).toBe(before?.stripeCurrentPeriodEnd)
  expect(await statusAtPaypal(world, id)).toBe('SUSPENDED')
  await world.sync(id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active', autoRenewal: 0, hideResume: 0 }])
  expect(await actors(world)).toEqual(['member'])

  world.at(new Date(Date.parse(body.nextPlanPeriodStart) + 1000))
  await endSubscriptions(world.deps)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'canceled' }])
  expect((await turnOn(world, id)).body.code).toBe('not_resumable')
})

test('once the paid time has ended, it is canceled at PayPal, once, and nothing changes here', async () => {
  const { world, id } = await subscribed()
  await using _world = world
  const { body } = await turnOff(world, id)
  await turnOn(world, id)
  await turnOff(world, id)
  const other = await world.buy()
  await world.sync(other)
  await cancelEndedAtPaypal(world.deps)
  expect(await statusAtPaypal(world, id)).toBe('SUSPENDED')

  world.at(new Date(Date.parse(body.nextPlanPeriodStart) + 1000))
  await endSubscriptions(world.deps)
  const before = await world.listed()
  vi.spyOn(world.deps.paypal, 'cancelSubscription').mockRejectedValueOnce(
    new ProviderFailure('unknown', new Error('gone')),
  )
  await Promise.all([cancelEndedAtPaypal(world.deps), cancelEndedAtPaypal(world.deps)])
  for (let round = 0; round < 3; round += 1) await world.reconcileAfter(60)
  expect([await statusAtPaypal(world, id), await statusAtPaypal(world, other)]).toEqual(['CANCELLED', 'ACTIVE'])
  await world.sync(id)
  await cancelEndedAtPaypal(world.deps)
  expect(await world.listed()).toEqual(before)
  const { kind, objectId } = providerOperations
  const ofThis = and(eq(kind, 'subscription.cancel_at_paypal'), eq(objectId, id))
  expect(await world.db.$count(providerOperations, ofThis)).toBe(1)
})

test('turned on before the end, it is billed again as before; PayPal is asked for no card', async () => {
  const { world, id } = await subscribed()
  await using _world = world
  const [before] = await world.listed()
  await turnOff(world, id)
  const { status, body } = await turnOn(world, id)
  expect([status, body.autoRenewal, body.nextPlanPeriodStart]).toEqual([200, 1, ''])
  expect(body.stripeCurrentPeriodEnd).toBe(before?.stripeCurrentPeriodEnd)
  expect(await statusAtPaypal(world, id)).toBe('ACTIVE')
  expect(await actors(world)).toEqual(['member', 'member'])
})

test('what was canceled at PayPal is final', async () => {
  const { world, id } = await subscribed()
  await using _world = world
  await world.call('POST', `/v1/billing/subscriptions/${id}/cancel`, { reason: 'Canceled there' })
  expect((await turnOff(world, id)).body.code).toBe('not_renewing')
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active', hideResume: 1 }])
  expect((await turnOn(world, id)).body.code).toBe('not_resumable')
})

test('what was turned on, off or canceled at PayPal meanwhile is shown with the answer that says so', async () => {
  const { world, id } = await subscribed()
  await using _world = world
  const atPaypal = (act: string) =>
    world.call('POST', `/v1/billing/subscriptions/${id}/${act}`, { reason: 'Somebody else did it' })
  await atPaypal('suspend')
  expect((await turnOn(world, id)).body).toMatchObject({ autoRenewal: 1 })
  await atPaypal('suspend')
  expect((await turnOff(world, id)).body).toMatchObject({ autoRenewal: 0 })
  await atPaypal('activate')
  expect((await turnOff(world, id)).body).toMatchObject({ autoRenewal: 0 })
  await atPaypal('cancel')
  expect((await turnOn(world, id)).body.code).toBe('not_resumable')
  expect(await world.listed()).toMatchObject([{ autoRenewal: 0, hideResume: 1 }])
})

test('PayPal’s event that comes first does not make it past due', async () => {
  const { world, id } = await subscribed()
  await using _world = world
  const definition = payments.definitions['subscription.turn_off_renewal']
  const { apply } = definition
  const seen: unknown[] = []
  vi.spyOn(definition, 'apply').mockImplementationOnce(async (...parameters) => {
    await world.sync(id)
    seen.push(...(await world.db.select().from(subscriptions).where(eq(subscriptions.id, id))))
    return apply(...parameters)
  })
  expect((await turnOff(world, id)).body.autoRenewal).toBe(0)
  expect(seen).toMatchObject([{ status: 'active', autoRenew: false }])
  expect(await actors(world)).toEqual(['member'])
})

test.each(['suspend', 'activate'] as const)(
  'the lost answer of %s is looked up, and PayPal is not asked twice',
  async (action) => {
    const { world, id } = await subscribed()
    await using _world = world
    if (action === 'activate') await turnOff(world, id)
    const pattern = `/v1/billing/subscriptions/${id}/${action}`
    await sandbox.paypal.control('POST', 'faults/', { kind: 'reset', pattern, times: 1 })
    const { status, body } = await (action === 'suspend' ? turnOff(world, id) : turnOn(world, id))
    expect([status, body.autoRenewal]).toEqual([200, action === 'suspend' ? 0 : 1])
  },
)

test('a server killed after PayPal suspended it is caught up with', async () => {
  const { world, id } = await subscribed()
  await using _world = world
  const definition = payments.definitions['subscription.turn_off_renewal']
  vi.spyOn(definition, 'apply').mockRejectedValueOnce(new Error('killed'))
  expect((await turnOff(world, id)).status).toBe(500)
  for (let minute = 0; minute < 3; minute += 1) await world.reconcileAfter(60)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active', autoRenewal: 0 }])
  expect(await actors(world)).toEqual(['member'])
})

test('what PayPal answers and does not do is not taken for done', async () => {
  const { world, id } = await subscribed()
  await using _world = world
  vi.spyOn(world.deps.paypal, 'suspendSubscription').mockResolvedValueOnce()
  expect((await turnOff(world, id)).status).toBe(502)
  expect(await world.listed()).toMatchObject([{ autoRenewal: 1 }])
  await world.reconcileAfter(60)
  expect((await turnOff(world, id)).status).toBe(200)

  vi.spyOn(world.deps.paypal, 'activateSubscription').mockResolvedValueOnce()
  expect((await turnOn(world, id)).status).toBe(502)
  expect(await world.listed()).toMatchObject([{ autoRenewal: 0 }])
})
