import * as contract from '@atrium/contract/plan-changes.ts'
import { expect, test, vi } from 'vitest'
import { ProviderFailure } from '../../../outside/provider-failure.ts'
import { cardVendor } from '../../../test/card-billing.ts'
import { planAhead } from '../../../test/planned-change.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'

const sandbox = await sandboxOfFile()

type Vendor = Awaited<ReturnType<typeof cardVendor>>

const twoMore = { type: 'buy-more', increasingNumber: 2 } as const
const atProvider = (id: string) => sandbox.stripe.subscriptions.retrieve(id)
const quote = async (world: Vendor, sid: string) =>
  (await world.as(world.buyer).send(contract.changePlanFrom, { body: { sid, ...twoMore } })).body
const commit = (world: Vendor, subscriptionId: string, quoteId: string) =>
  world.as(world.buyer).send(contract.changePlan, { body: { subscriptionId, quoteId, ...twoMore } })
const invoices = async (id: string) => (await sandbox.stripe.invoices.list({ subscription: id })).data.length

test('the dialog of a change says what is planned, and the change drops it', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  await planAhead(sandbox, id, { quantity: 1 })
  await world.sync(id)
  const { plannedChange, quote: shown } = await quote(world, id)
  expect(plannedChange).toMatchObject({ userCount: 1 })
  expect((await commit(world, id, shown.quoteId)).status).toBe(200)
  expect(await atProvider(id)).toMatchObject({ schedule: null, items: { data: [{ quantity: 5 }] } })
  expect((await world.listed())[0]).toMatchObject({ userCount: 5, autoRenewal: 1 })
  expect((await world.listed())[0]?.nextPlan).toBeUndefined()
  expect((await quote(world, id)).plannedChange).toBeUndefined()
})

test('what was planned since the quote makes another one, and nothing is dropped or charged', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const { quote: shown } = await quote(world, id)
  const schedule = await planAhead(sandbox, id, { quantity: 1 })
  const { status, body } = await commit(world, id, shown.quoteId)
  expect([status, body.code]).toEqual([409, 'quote_changed'])
  expect((await atProvider(id)).schedule).toBe(schedule)
  expect(await invoices(id)).toBe(1)
})

test('a fixed term is not changed, and keeps its plan and its end', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const schedule = await planAhead(sandbox, id, { quantity: 1, months: 3, endBehavior: 'cancel' })
  await world.sync(id)
  const { status } = await world.as(world.buyer).send(contract.changePlanFrom, { body: { sid: id, ...twoMore } })
  expect(status).toBe(409)
  expect((await atProvider(id)).schedule).toBe(schedule)
})

test('stopped between release and change, nothing is charged, and the row says what there is', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  await planAhead(sandbox, id, { quantity: 1 })
  await world.sync(id)
  const { quote: shown } = await quote(world, id)
  vi.spyOn(world.deps.cards, 'changePlan').mockRejectedValueOnce(new ProviderFailure('unknown', new Error('killed')))
  expect((await commit(world, id, shown.quoteId)).status).toBe(502)
  for (let round = 0; round < 2; round += 1) await world.reconcileAfter(60)
  await world.sync(id)
  expect(await invoices(id)).toBe(1)
  expect((await world.listed())[0]).toMatchObject({ userCount: 3, autoRenewal: 1 })
  expect((await world.listed())[0]?.nextPlan).toBeUndefined()
  const again = await quote(world, id)
  expect((await commit(world, id, again.quote.quoteId)).status).toBe(200)
})

test('a schedule that plans nothing else stays: what it ends or repeats is not undone by a change', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const { id: schedule } = await sandbox.stripe.subscriptionSchedules.create({ from_subscription: id })
  await world.sync(id)
  const { plannedChange, quote: shown } = await quote(world, id)
  expect(plannedChange).toBeUndefined()
  expect((await commit(world, id, shown.quoteId)).status).toBe(200)
  expect((await atProvider(id)).schedule).toBe(schedule)
})
