import { randomUUID } from 'node:crypto'
import * as contract from '@atrium/contract/plan-changes.ts'
import { expect, test } from 'vitest'
import { buyer, halfway, order, quote, twoMore } from '../../../test/paypal-orders.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { coupons } from '../../coupons/coupons.tables.ts'

const sandbox = await sandboxOfFile()

test('whoever closed PayPal’s window can use the coupon for the next try', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const code = `C${randomUUID()}`.toUpperCase()
  await world.db
    .insert(coupons)
    .values({ code, percentOff: 30, products: [], terms: [], countries: [], maxUsesPerCustomer: 1 })
  const ask = async () =>
    (await buyer(world)).send(contract.changePlanFrom, { body: { sid: id, ...twoMore, couponCode: code } })
  const { quoteId } = (await ask()).body.quote
  const body = { subscriptionId: id, quoteId, ...twoMore, couponCode: code }
  expect((await (await buyer(world)).send(contract.changePlan, { body })).status).toBe(200)
  // The window is closed without an approval; the dialog opens again.
  const again = await ask()
  expect([again.status, JSON.stringify(again.body.quote ?? again.body).match(/coupon_\w+/)?.[0]]).toEqual([
    200,
    undefined,
  ])
})

test('a coupon that waits at PayPal for one subscription is not used for another', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const other = await world.buy()
  await world.sync(other)
  const code = `C${randomUUID()}`.toUpperCase()
  await world.db
    .insert(coupons)
    .values({ code, percentOff: 30, products: [], terms: [], countries: [], maxUsesPerCustomer: 1 })
  expect((await order(world, id, { ...twoMore, couponCode: code })).status).toBe(200)
  expect(JSON.stringify((await quote(world, other, { ...twoMore, couponCode: code })).body)).toContain(
    'coupon_used_before',
  )
})
