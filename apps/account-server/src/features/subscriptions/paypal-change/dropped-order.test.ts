import * as contract from '@atrium/contract/plan-changes.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approve, buyer, halfway, order, quote } from '../../../test/paypal-orders.ts'
import { type Sandbox, startSandbox } from '../../../test/sandbox.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(async () => {
  await sandbox[Symbol.asyncDispose]()
})

test('an order that is dropped is not taken, even if it is approved afterwards', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const { approveUrl } = (await order(world, id)).body
  expect(await world.listed()).toMatchObject([{ openChange: { type: 'buy-more', increasedNumber: 2 } }])
  const dropped = await (await buyer(world)).send(contract.dropOpenChange, { params: { sid: id } })
  expect(dropped.body).toEqual({ isDropped: 1 })
  expect((await world.listed())[0]).not.toHaveProperty('openChange')
  await approve(world, approveUrl)
  const back = await (await buyer(world)).send(contract.paypalCallBack, { body: { subscriptionId: id } })
  expect(back).toMatchObject({ status: 409, body: { code: 'nothing_to_finish' } })
  expect((await world.listed())[0]?.userCount).toBe(3)
  expect((await quote(world, id)).status).toBe(200)
})
