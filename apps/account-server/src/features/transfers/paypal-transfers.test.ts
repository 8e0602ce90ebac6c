import { afterAll, beforeAll, expect, test } from 'vitest'
import { paypalVendor } from '../../test/paypal.ts'
import { type Sandbox, startSandbox } from '../../test/sandbox.ts'
import { transfersIn } from '../../test/transfers.ts'

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(async () => {
  await sandbox[Symbol.asyncDispose]()
})

async function paypalPeople() {
  const world = await paypalVendor(sandbox)
  const recipient = await world.member()
  const id = await world.buy()
  await world.sync(id)
  const state = async () => (await world.call('GET', `/v1/billing/subscriptions/${id}`)).status
  return { ...world, ...transfersIn(world), recipient, id, state }
}

test('PayPal’s is suspended and ends with the paid time; what PayPal does with it later changes nothing', async () => {
  await using world = await paypalPeople()
  const { buyer, recipient, id } = world
  const before = await world.stored(id)
  expect((await world.transfer(buyer, recipient)).status).toBe(200)
  expect(await world.state()).toBe('SUSPENDED')
  const row = await world.stored(id)
  expect(row).toMatchObject({ memberId: recipient.id, autoRenew: false, providerId: null, status: 'active' })
  expect([row.cancelAt, row.endedAt]).toEqual([before.periodEnd, before.periodEnd])
  expect(world.emailsTo(recipient.email)[0].text).toContain('You won’t be charged for it.')

  await world.call('POST', `/v1/billing/subscriptions/${id}/cancel`, { reason: 'no more' })
  await world.sync(id)
  expect(await world.stored(id)).toEqual(row)
  expect(await world.listed()).toEqual([])
})

test('once the paid time has ended, the old Owner’s is canceled at PayPal', async () => {
  await using world = await paypalPeople()
  const { buyer, recipient, id } = world
  expect((await world.transfer(buyer, recipient)).status).toBe(200)
  const end = (await world.stored(id)).endedAt?.getTime() ?? 0
  await world.hourlyJobsAt(new Date(end - 1000))
  expect(await world.state()).toBe('SUSPENDED')
  await world.hourlyJobsAt(new Date(end + 1000))
  expect(await world.state()).toBe('CANCELLED')
})

test('PayPal cannot be reached: it is suspended as soon as it can, once', async () => {
  await using world = await paypalPeople()
  const { buyer, recipient } = world
  const codes = await world.codesFor(buyer, recipient)
  const { suspendSubscription } = world.deps.paypal
  let tries = 0
  world.deps.paypal.suspendSubscription = async (asked) => {
    tries += 1
    if (tries === 1) throw new Error('the process is gone')
    return suspendSubscription(asked)
  }
  expect((await world.use(buyer, recipient.email, codes)).status).toBe(200)
  expect(await world.state()).toBe('ACTIVE')
  for (let round = 0; round < 3; round += 1) await world.reconcileAfter(60)
  expect([await world.state(), tries]).toEqual(['SUSPENDED', 2])
})
