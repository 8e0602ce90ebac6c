import { expect, test } from 'vitest'
import { termsVendor } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'

const sandbox = await sandboxOfFile()

async function suspendedVendor() {
  const world = await termsVendor(sandbox)
  const act = (id: string, action: string) =>
    world.call('POST', `/v1/billing/subscriptions/${id}/${action}`, { reason: 'Test' })
  return { ...world, act }
}

test('a suspension does not prolong what was paid, however long it lasts', async () => {
  await using world = await suspendedVendor()
  const id = await world.buy()
  await world.sync(id)
  const [paid] = await world.listed()
  await world.act(id, 'suspend')
  await world.advanceTo(world.inDays(40))
  await world.sync(id)
  expect(await world.listed()).toMatchObject([
    { stripeSubscriptionStatus: 'canceled', accessEnd: paid?.stripeCurrentPeriodEnd, endedUnpaid: 0 },
  ])
  await world.sync(id)
  await world.act(id, 'activate')
  await world.sync(id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'pending' }])
})

test.each([1, 24, 60])('activated %s hours after its paid end, it has no days for late billing', async (hours) => {
  await using world = await suspendedVendor()
  const id = await world.buy()
  await world.sync(id)
  const [paid] = await world.listed()
  const accessEnd = paid?.stripeCurrentPeriodEnd ?? ''
  await world.act(id, 'suspend')
  await world.sync(id)
  await world.advanceTo(new Date(Date.parse(accessEnd) + hours * 3_600_000).toISOString())
  await world.sync(id)
  await world.act(id, 'activate')
  for (let reading = 0; reading < 2; reading += 1) {
    await world.sync(id)
    expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'pending' }])
  }
  await world.advanceTo(world.inDays(32))
  await world.sync(id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active' }])
})

test('activated before its paid end, it may be billed late, as any other', async () => {
  await using world = await suspendedVendor()
  const id = await world.buy()
  await world.act(id, 'suspend')
  await world.act(id, 'activate')
  await world.sync(id)
  const [paid] = await world.listed()
  world.at(new Date(Date.parse(paid?.stripeCurrentPeriodEnd ?? '') + 86_400_000))
  await world.sync(id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active' }])
})
