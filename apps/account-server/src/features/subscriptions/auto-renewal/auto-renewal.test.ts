import * as contract from '@atrium/contract/auto-renewal.ts'
import { asc, eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { payments } from '../../../app.ts'
import { ProviderFailure } from '../../../outside/provider-failure.ts'
import { cardVendor } from '../../../test/card-billing.ts'
import { newEmailDevice, newSeat, newSubscription } from '../../../test/factories.ts'
import { killedAtEachPoint } from '../../../test/killed.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import type { TestMember } from '../../../test/world.ts'
import { events } from '../../events/events.tables.ts'
import { providerOperations } from '../../payments/operations/operations.tables.ts'
import { subscriptions } from '../subscriptions.tables.ts'
import { cancellations } from './cancellations.tables.ts'

const sandbox = await sandboxOfFile()

type Vendor = Awaited<ReturnType<typeof cardVendor>>
type Asked = Partial<Parameters<typeof turnOff>[2]>

function turnOff(world: Vendor, sid: string, asked: object = {}, member: TestMember = world.buyer) {
  return world.as(member).send(contract.subscriptionCancel, { body: { sid, reasons: [4], ...asked } })
}

const turnOn = (world: Vendor, sid: string, member = world.buyer) =>
  world.as(member).send(contract.subscriptionRenew, { body: { sid } })

const check = (world: Vendor, sid: string, member = world.buyer) =>
  world.as(member).send(contract.checkCancelSr, { body: { sid } })

const atProvider = (id: string) => sandbox.stripe.subscriptions.retrieve(id)

async function stored(world: Vendor, id: string) {
  const [row] = await world.db.select().from(subscriptions).where(eq(subscriptions.id, id))
  return row
}

/** A subscription with an add-on that the customer bought, and one that ends already. */
async function withAddOn(world: Vendor) {
  const id = await world.buy()
  const addOn = await world.buy({ quantity: 1, metadata: { parent: id } })
  return { id, addOn }
}

test('turned off, it ends with the paid period, here and at the provider, and the reasons are stored', async () => {
  const hears = { EVENT_URLS: 'http://localhost:1/events', EVENT_SECRET: `whsec_${'a'.repeat(32)}` }
  await using world = await cardVendor(sandbox, { settings: hears })
  const id = await world.buy()
  const before = await stored(world, id)
  const { status, body } = await turnOff(world, id, { reasons: [10, 4, 4], comment: ' Too much for two of us. ' })

  const end = before?.periodEnd?.toISOString()
  expect([status, body.autoRenewal, body.nextPlanPeriodStart, body.hideResume]).toEqual([200, 0, end, 0])
  expect((await atProvider(id)).cancel_at_period_end).toBe(true)
  const said = await world.db.select().from(cancellations).where(eq(cancellations.subscriptionId, id))
  expect(said).toMatchObject([{ memberId: world.buyer.id, reasons: [4, 10], comment: 'Too much for two of us.' }])
  expect(await world.changes()).toMatchObject([{ kind: 'member', target: id, after: { autoRenew: false } }])
  // The first one: it was bought.
  expect(world.sent.filter(({ queue }) => queue === 'mail')).toHaveLength(2)
  const told = await world.db.select().from(events).where(eq(events.type, 'subscription.changed'))
  expect(told.map(({ data }) => data).filter((data) => data.subscriptionId === id)).toHaveLength(2)

  expect((await turnOff(world, id)).status).toBe(200)
  expect(await world.changes()).toHaveLength(1)
})

test('turned on again before the end, it renews as before, and nothing is charged', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  await turnOff(world, id)
  const { status, body } = await turnOn(world, id)
  expect([status, body.autoRenewal, body.nextPlanPeriodStart]).toEqual([200, 1, ''])
  expect(await atProvider(id)).toMatchObject({ cancel_at_period_end: false, cancel_at: null, status: 'active' })
  expect((await sandbox.stripe.invoices.list({ subscription: id })).data).toHaveLength(1)
  expect((await world.changes()).map(({ kind }) => kind)).toEqual(['member', 'member'])
  expect((await turnOn(world, id)).status).toBe(200)
})

test('its add-ons stop and resume with it, but not what was turned off before; other ids are refused whole', async () => {
  await using world = await cardVendor(sandbox)
  const { id, addOn } = await withAddOn(world)
  const early = await world.buy({ quantity: 1, metadata: { parent: id } })
  await turnOff(world, early)
  const other = await world.buy()

  const preview = await check(world, id)
  expect(preview.body.list.map((one) => one.stripeSubscriptionId)).toEqual([addOn])
  const refused = await turnOff(world, id, { cancelSubIds: `${addOn},${other}` })
  expect([refused.status, refused.body.code]).toEqual([404, 'not_found'])
  expect((await stored(world, id))?.autoRenew).toBe(true)

  expect((await turnOff(world, id, { cancelSubIds: addOn })).status).toBe(200)
  const off = await Promise.all([id, addOn, early, other].map(async (one) => (await stored(world, one))?.autoRenew))
  expect(off).toEqual([false, false, false, true])
  expect((await atProvider(addOn)).cancel_at_period_end).toBe(true)

  expect((await turnOn(world, id)).status).toBe(200)
  const on = await Promise.all([id, addOn, early].map(async (one) => (await atProvider(one)).cancel_at_period_end))
  expect(on).toEqual([false, false, true])
})

test('what stops is said before: when, whose seats, and which devices', async () => {
  await using world = await cardVendor(sandbox)
  const { id, addOn } = await withAddOn(world)
  const seat = await newSeat(world, id)
  await newEmailDevice(world, seat.id)
  const { status, body } = await check(world, id)
  const endsAt = (await stored(world, id))?.periodEnd?.toISOString()
  expect(status).toBe(200)
  expect(body).toMatchObject({ stripeSubscriptionId: id, endsAt, joinCount: 2, deviceCount: 1 })
  expect(body.list).toMatchObject([{ stripeSubscriptionId: addOn, appName: world.product.name, deviceCount: 0 }])
})

test.each([[[]], [undefined], [[11]], [[0]], [['4']], [[1.5]]])('reasons %j are refused', async (reasons) => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const { status, body } = await turnOff(world, id, { reasons } satisfies Asked)
  expect(status).toBe(422)
  expect(body.errors?.[0]?.path).toMatch(/^body\.reasons/)
  expect((await atProvider(id)).cancel_at_period_end).toBe(false)
})

test('everybody but the Owner is refused, and somebody else’s looks like none', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const [admin, stranger] = [await world.member(), await world.member()]
  await newSeat(world, id, { memberId: admin.id, type: 1, email: admin.email })
  for (const call of [turnOff, turnOn, check]) {
    const asks = (sid: string, member: TestMember) =>
      call === turnOff ? turnOff(world, sid, {}, member) : call(world, sid, member)
    expect((await asks(id, admin)).body.code).toBe('not_owner')
    const [foreign, missing] = [await asks(id, stranger), await asks('sub_none', stranger)]
    expect([foreign.status, { ...foreign.body, requestId: '' }]).toEqual([404, { ...missing.body, requestId: '' }])
  }
  expect((await turnOff(world, id)).status).toBe(200)
})

const day = 86_400_000
const ahead = new Date(Date.now() + 10 * day)
const past = new Date(Date.now() - day)

test.each([
  ['ended', { status: 'canceled', endedAt: past }, 'not_renewing', 'not_resumable'],
  ['past due', { status: 'past_due', pastDueSince: past }, 'not_renewing', 'not_resumable'],
  ['a prepaid term', { term: 'paid_yearly', autoRenew: false }, 'not_renewing', 'not_resumable'],
  ['given', { origin: 'given', status: 'given', providerId: null }, 'not_renewing', 'not_resumable'],
  ['offline', { origin: 'offline', status: 'offline-purchase', channel: 'invoice' }, 'not_renewing', 'not_resumable'],
  ['canceled for good', { autoRenew: false, cancelAt: ahead, endedAt: ahead }, 'not_renewing', 'not_resumable'],
] as const)('%s can be neither turned off nor on', async (_name, values, off, on) => {
  await using world = await cardVendor(sandbox)
  const { id } = await newSubscription(world, world.buyer, { providerId: `sub_${Math.random()}`, ...values })
  expect((await turnOff(world, id)).body.code).toBe(off)
  expect((await check(world, id)).body.code).toBe(off)
  expect((await turnOn(world, id)).body.code).toBe(on)
})

test('without a card it cannot be turned on, and says so', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  await turnOff(world, id)
  await sandbox.stripe.paymentMethods.detach(world.cardId)
  const { status, body } = await turnOn(world, id)
  expect([status, body.code]).toEqual([409, 'card_required'])
})

test('what a file brought, and no provider has, can be turned neither on nor off', async () => {
  await using world = await cardVendor(sandbox)
  const on = await newSubscription(world, world.buyer)
  const off = await newSubscription(world, world.buyer, { autoRenew: false, cancelAt: on.periodEnd })
  expect(await turnOn(world, off.id)).toMatchObject({ status: 409, body: { code: 'not_resumable' } })
  expect(await turnOff(world, on.id)).toMatchObject({ status: 409, body: { code: 'not_renewing' } })
})

test('a trial is turned off too, before it is charged', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy({ trial_period_days: 14 })
  expect((await check(world, id)).body.charges).toBe('never')
  const { body } = await turnOff(world, id)
  const trial = await atProvider(id)
  expect([body.stripeSubscriptionStatus, body.autoRenewal]).toEqual(['trialing', 0])
  expect(trial.cancel_at).toBe(trial.trial_end)
})

test('a year that is paid monthly ends with the year', async () => {
  await using world = await cardVendor(sandbox)
  const year = new Date(Math.floor(Date.now() / 1000) * 1000 + 300 * day)
  // The vendor writes milliseconds, of which the provider takes none.
  const id = await world.buy({ metadata: { commitmentEnd: new Date(year.getTime() + 347).toISOString() } })
  expect((await check(world, id)).body).toMatchObject({ endsAt: year.toISOString(), charges: 'monthly' })
  const { body } = await turnOff(world, id)
  expect(body.nextPlanPeriodStart).toBe(year.toISOString())
  expect((await sandbox.stripe.invoices.list({ subscription: id })).data).toHaveLength(1)
  expect((await turnOn(world, id)).body.autoRenewal).toBe(1)
})

test('a trial of a year that is paid monthly ends with the trial: nothing is charged', async () => {
  await using world = await cardVendor(sandbox)
  const commitmentEnd = new Date(Date.now() + 379 * day).toISOString()
  const id = await world.buy({ trial_period_days: 14, metadata: { commitmentEnd } })
  const { trial_end: trialEnd } = await atProvider(id)
  const endsAt = new Date(Number(trialEnd) * 1000).toISOString()
  expect((await check(world, id)).body).toMatchObject({ endsAt, charges: 'never' })
  expect((await turnOff(world, id)).body.accessEnd).toBe(endsAt)
  expect((await atProvider(id)).cancel_at).toBe(trialEnd)
})

test('off and on at once, twenty times: here and at the provider agree', async () => {
  await using world = await cardVendor(sandbox)
  const { id, addOn } = await withAddOn(world)
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? turnOff(world, id) : turnOn(world, id))),
  )
  // Those that waited for too long were not made, and are told so.
  expect(replies.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
  for (const one of [id, addOn]) {
    expect((await stored(world, one))?.autoRenew).toBe(!(await atProvider(one)).cancel_at_period_end)
  }
})

test('the provider’s event that comes first is the customer’s own change', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const definition = payments.definitions['subscription.turn_off_renewal']
  const { apply } = definition
  vi.spyOn(definition, 'apply').mockImplementationOnce(async (...parameters) => {
    await world.sync(id)
    return apply(...parameters)
  })
  expect((await turnOff(world, id)).body.autoRenewal).toBe(0)
  expect(await world.changes()).toMatchObject([{ kind: 'member', after: { autoRenew: false } }])
})

test('a provider that is away changes nothing and is said so; a lost answer is found', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  await sandbox.misbehave({ kind: 'rate_limit', pattern: `/subscriptions/${id}`, times: 10 })
  const away = await turnOff(world, id)
  expect([away.status, away.body.code]).toEqual([503, 'payment_provider_unavailable'])
  await sandbox.behave()
  expect((await atProvider(id)).cancel_at_period_end).toBe(false)

  const { turnOffRenewal } = world.deps.cards
  vi.spyOn(world.deps.cards, 'turnOffRenewal').mockImplementationOnce(async (asked) => {
    await turnOffRenewal(asked)
    throw new ProviderFailure('unknown', new Error('lost'))
  })
  expect((await turnOff(world, id)).body.autoRenewal).toBe(0)
})

killedAtEachPoint('subscription.turn_off_renewal', async ({ kill, isDone }) => {
  await using world = await cardVendor(sandbox)
  const { id, addOn } = await withAddOn(world)
  kill()
  expect((await turnOff(world, id)).status).toBe(500)
  for (let minute = 0; minute < 4; minute += 1) await world.reconcileAfter(60)

  const operations = await world.db
    .select({ status: providerOperations.status })
    .from(providerOperations)
    .where(eq(providerOperations.memberId, world.buyer.id))
    .orderBy(asc(providerOperations.createdAt))
  expect(operations.map(({ status }) => status)).toEqual(isDone ? ['succeeded', 'succeeded'] : ['failed'])
  for (const one of [id, addOn]) {
    expect((await atProvider(one)).cancel_at_period_end).toBe(isDone)
    expect((await stored(world, one))?.autoRenew).toBe(!isDone)
  }
  expect(await world.changes()).toHaveLength(isDone ? 2 : 0)
  if (!isDone) expect((await turnOff(world, id)).body.autoRenewal).toBe(0)
})
