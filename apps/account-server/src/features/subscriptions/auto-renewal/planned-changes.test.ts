import * as contract from '@atrium/contract/auto-renewal.ts'
import { changePayingCard, listPayingCards } from '@atrium/contract/paying-cards.ts'
import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { ProviderFailure } from '../../../outside/provider-failure.ts'
import { cardVendor } from '../../../test/card-billing.ts'
import { planAhead } from '../../../test/planned-change.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { providerOperations } from '../../payments/operations/operations.tables.ts'
import { subscriptions } from '../subscriptions.tables.ts'

const sandbox = await sandboxOfFile()

type Vendor = Awaited<ReturnType<typeof cardVendor>>

const atProvider = (id: string) => sandbox.stripe.subscriptions.retrieve(id)
const check = async (world: Vendor, sid: string) =>
  (await world.as(world.buyer).send(contract.checkCancelSr, { body: { sid } })).body
const turnOff = (world: Vendor, sid: string, planned?: string) =>
  world.as(world.buyer).send(contract.subscriptionCancel, { body: { sid, reasons: [4], ...(planned && { planned }) } })

async function stored({ db }: Vendor, id: string) {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, id))
  return row
}

async function operations({ db }: Vendor, id: string) {
  const rows = await db.select().from(providerOperations).where(eq(providerOperations.subject, id))
  return rows.map(({ status }) => status)
}

/** Three seats, of which one is to be left from the next period on. */
async function scheduled(world: Vendor) {
  const id = await world.buy()
  const schedule = await planAhead(sandbox, id, { quantity: 1 })
  await world.sync(id)
  return { id, schedule }
}

test('what is planned stands in the row, and is what renews', async () => {
  await using world = await cardVendor(sandbox)
  const { id } = await scheduled(world)
  const [row] = await world.listed()
  expect(row?.nextPlan).toMatchObject({ when: 'certain', userCount: 1, price: 1000, currency: 'USD' })
  expect(row?.nextPlan?.from).toBeUndefined()

  const later = await world.buy()
  const schedule = await planAhead(sandbox, later, {})
  expect((await stored(world, later))?.nextPlan).toBeNull()
  const { phases } = await sandbox.stripe.subscriptionSchedules.retrieve(schedule)
  const [now, next] = phases.map(({ items, start_date, end_date }) => ({
    items: items.map(({ price, quantity = 1 }) => ({ price: String(price), quantity })),
    ...{ start_date, end_date },
  }))
  const seats = (next?.items ?? []).map((item) => ({ ...item, quantity: 8 }))
  await sandbox.stripe.subscriptionSchedules.update(schedule, {
    phases: [...(now && next ? [now, next] : []), { items: seats, duration: { interval: 'month' } }],
  })
  await world.syncSchedule(schedule)
  const from = new Date((next?.end_date ?? 0) * 1000).toISOString()
  expect((await world.listed()).find((one) => one.stripeSubscriptionId === later)?.nextPlan).toMatchObject({
    ...{ from, userCount: 8 },
  })
  expect((await stored(world, id))?.price).toBe(3000)
})

test('it is said before that it is dropped; only then it is, and the subscription ends', async () => {
  await using world = await cardVendor(sandbox)
  const { id, schedule } = await scheduled(world)
  const said = await check(world, id)
  expect(said.plannedChange).toEqual({ from: said.endsAt, userCount: 1 })

  const refused = await turnOff(world, id)
  expect([refused.status, refused.body.code]).toEqual([409, 'planned_change'])
  expect(await atProvider(id)).toMatchObject({ schedule, cancel_at: null })

  const { status, body } = await turnOff(world, id, said.planned)
  expect([status, body.autoRenewal, body.nextPlan]).toEqual([200, 0, undefined])
  expect(await atProvider(id)).toMatchObject({ schedule: null, cancel_at_period_end: true })
  expect(await sandbox.stripe.subscriptionSchedules.retrieve(schedule)).toMatchObject({ status: 'released' })
  expect(await stored(world, id)).toMatchObject({ autoRenew: false, nextPlan: null, endedAt: null })
  expect((await check(world, await world.buy())).planned).toBe('')
})

test('what was planned since the dialog opened is not dropped unsaid, though no event has told it yet', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const { planned } = await check(world, id)
  const schedule = await planAhead(sandbox, id, { quantity: 2 })
  expect((await turnOff(world, id, planned)).body.code).toBe('planned_change')
  expect(await atProvider(id)).toMatchObject({ schedule, cancel_at: null })
  expect((await check(world, id)).plannedChange?.userCount).toBe(2)
})

test('a schedule that only repeats what there is needs no word, and is released', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  await planAhead(sandbox, id)
  await world.sync(id)
  expect((await turnOff(world, id)).status).toBe(200)
  expect(await atProvider(id)).toMatchObject({ schedule: null, cancel_at_period_end: true })
})

test('the plans of add-ons are said and dropped with it', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const addOn = await world.buy({ metadata: { parent: id } })
  await planAhead(sandbox, addOn, { quantity: 1 })
  await world.sync(addOn)
  const { list, planned } = await check(world, id)
  expect(list.map(({ plannedChange }) => plannedChange?.userCount)).toEqual([1])
  expect((await turnOff(world, id)).body.code).toBe('planned_change')
  expect((await turnOff(world, id, planned)).status).toBe(200)
  expect(await atProvider(addOn)).toMatchObject({ schedule: null, cancel_at_period_end: true })
})

test('a fixed term keeps its end, which is said, and is neither turned off nor on', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const schedule = await planAhead(sandbox, id, { quantity: 8, months: 3, endBehavior: 'cancel' })
  await world.sync(id)
  // The provider's own end stands in the last phase only.
  const end = (await sandbox.stripe.subscriptionSchedules.retrieve(schedule)).phases.at(-1)?.end_date ?? 0
  const [row] = await world.listed()
  const endsAt = new Date(end * 1000).toISOString()
  expect([row?.autoRenewal, row?.hideResume, row?.nextPlanPeriodStart]).toEqual([0, 1, endsAt])
  expect(row?.nextPlan).toMatchObject({ userCount: 8 })
  expect((await turnOff(world, id)).body.code).toBe('not_renewing')
  const on = await world.as(world.buyer).send(contract.subscriptionRenew, { body: { sid: id } })
  expect(on.body.code).toBe('not_resumable')
  expect(await atProvider(id)).toMatchObject({ schedule, cancel_at: null })
})

test('two tabs turn it off once', async () => {
  await using world = await cardVendor(sandbox)
  const { id } = await scheduled(world)
  const { planned } = await check(world, id)
  const replies = await Promise.all([turnOff(world, id, planned), turnOff(world, id, planned)])
  expect(replies.map(({ status }) => status)).toEqual([200, 200])
  expect(await operations(world, id)).toEqual(['succeeded'])
  expect(await atProvider(id)).toMatchObject({ schedule: null, cancel_at_period_end: true })
})

test('stopped between release and end, it is taken up again', async () => {
  await using world = await cardVendor(sandbox)
  const { id } = await scheduled(world)
  const { planned } = await check(world, id)
  const lost = new ProviderFailure('unknown', new Error('killed'))
  vi.spyOn(world.deps.cards, 'turnOffRenewal').mockRejectedValueOnce(lost)
  expect((await turnOff(world, id, planned)).status).toBe(502)
  expect(await atProvider(id)).toMatchObject({ schedule: null, cancel_at: null })

  for (let round = 0; round < 2; round += 1) await world.reconcileAfter(60)
  expect(await operations(world, id)).toEqual(['succeeded'])
  expect(await atProvider(id)).toMatchObject({ cancel_at_period_end: true })
  expect(await stored(world, id)).toMatchObject({ autoRenew: false, nextPlan: null })
})

test('stopped before the release, nothing was dropped, and it can be turned off again', async () => {
  await using world = await cardVendor(sandbox)
  const { id, schedule } = await scheduled(world)
  const { planned } = await check(world, id)
  const lost = new ProviderFailure('unknown', new Error('killed'))
  vi.spyOn(world.deps.cards, 'releaseSchedule').mockRejectedValueOnce(lost)
  expect((await turnOff(world, id, planned)).status).toBe(502)
  for (let round = 0; round < 2; round += 1) await world.reconcileAfter(60)
  expect(await operations(world, id)).toEqual(['failed'])
  expect(await atProvider(id)).toMatchObject({ schedule, cancel_at: null })
  expect((await turnOff(world, id, (await check(world, id)).planned)).status).toBe(200)
  expect(await atProvider(id)).toMatchObject({ schedule: null, cancel_at_period_end: true })
})

test('a refusal of the end is never a success', async () => {
  await using world = await cardVendor(sandbox)
  const { id } = await scheduled(world)
  const { planned } = await check(world, id)
  vi.spyOn(world.deps.cards, 'releaseSchedule').mockResolvedValue()
  expect((await turnOff(world, id, planned)).body.code).toBe('not_renewing')
  expect((await stored(world, id))?.autoRenew).toBe(true)
})

test('an add-on that is planned anew while its subscription is turned off ends all the same', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const addOn = await world.buy({ metadata: { parent: id } })
  const { turnOffRenewal } = world.deps.cards
  vi.spyOn(world.deps.cards, 'turnOffRenewal').mockImplementationOnce(async (asked) => {
    await planAhead(sandbox, addOn, { quantity: 1 })
    return turnOffRenewal(asked)
  })
  expect((await turnOff(world, id)).status).toBe(200)
  for (let round = 0; round < 2; round += 1) await world.reconcileAfter(60)
  expect(await atProvider(addOn)).toMatchObject({ schedule: null, cancel_at_period_end: true })
})

test('an add-on whose end is refused is not left to be charged on: it is tried until it ends', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const addOn = await world.buy({ metadata: { parent: id } })
  const { turnOffRenewal } = world.deps.cards
  const refused = new ProviderFailure('invalid', new Error('not now'))
  const end = vi.spyOn(world.deps.cards, 'turnOffRenewal')
  end.mockImplementation((asked) => (asked.id === addOn ? Promise.reject(refused) : turnOffRenewal(asked)))
  expect((await turnOff(world, id)).status).toBe(200)
  expect(await operations(world, addOn)).toEqual(['pending'])
  end.mockRestore()
  for (let round = 0; round < 3; round += 1) await world.reconcileAfter(120)
  expect(await operations(world, addOn)).toEqual(['succeeded'])
  expect(await atProvider(addOn)).toMatchObject({ cancel_at_period_end: true })
})

test('what is planned to pay for a later phase is not replaced, and it is said', async () => {
  await using world = await cardVendor(sandbox)
  const { id, schedule } = await scheduled(world)
  const { stripe } = sandbox
  const { id: other } = await stripe.paymentMethods.attach('pm_card_mastercard', { customer: world.customerId })
  const { phases } = await stripe.subscriptionSchedules.retrieve(schedule)
  const wanted = phases.map(({ items, start_date, end_date }) => ({
    ...{ start_date, end_date, default_payment_method: world.cardId },
    items: items.map(({ price, quantity = 1 }) => ({ price: String(price), quantity })),
  }))
  await stripe.subscriptionSchedules.update(schedule, { phases: wanted })
  const body = { paymentMethodId: other }
  const refused = await world.as(world.buyer).send(changePayingCard, { params: { sid: id }, body })
  expect([refused.status, refused.body.code]).toEqual([409, 'payer_planned'])
  // It is said before a card is typed for it; a change of the subscription can be charged to any.
  const listed = await world.as(world.buyer).send(listPayingCards, { params: { sid: id }, query: { purpose: 'payer' } })
  expect([listed.status, listed.body.code]).toEqual([409, 'payer_planned'])
  expect((await world.as(world.buyer).send(listPayingCards, { params: { sid: id }, query: {} })).status).toBe(200)
  expect((await atProvider(id)).default_payment_method).toBe(world.cardId)
})

test('another card that pays for what has a planned change goes on paying after it', async () => {
  await using world = await cardVendor(sandbox)
  const { id } = await scheduled(world)
  const { id: other } = await sandbox.stripe.paymentMethods.attach('pm_card_mastercard', { customer: world.customerId })
  const caller = world.as(world.buyer)
  const paid = await caller.send(changePayingCard, { params: { sid: id }, body: { paymentMethodId: other } })
  expect([paid.status, (await atProvider(id)).default_payment_method]).toEqual([200, other])

  const { items } = await atProvider(id)
  await sandbox.advanceTo(new Date(((items.data[0]?.current_period_end ?? 0) + 60) * 1000))
  const { default_payment_method: pays, items: after } = await atProvider(id)
  expect([pays, after.data[0]?.quantity]).toEqual([other, 1])
})
