import * as contract from '@atrium/contract/plan-changes.ts'
import { listSubscriptions } from '@atrium/contract/subscriptions.ts'
import { expect, test } from 'vitest'
import { cardTransfer } from '../../../test/card-transfer.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'

const sandbox = await sandboxOfFile()

const dayMs = 86_400_000

test('what continues as a trial at the provider, where nothing can be charged before its end, is changed after it', async () => {
  await using world = await cardTransfer(sandbox)
  const now = new Date()
  const anchor = Math.floor(now.getTime() / 1000) + (20 * dayMs) / 1000
  const sid = await world.buy({ quantity: 5, billing_cycle_anchor: anchor })
  // More than a month before the first charge, as on February 28 of a period until March 31.
  world.at(new Date(now.getTime() - 15 * dayMs))
  expect((await world.transfer()).status).toBe(200)
  expect(await world.begun()).toMatchObject([{ status: 'trialing', trial_end: anchor }])
  world.at(now)

  expect((await world.stored(sid)).status).toBe('active')
  const recipient = world.as({ cookie: await world.session(world.recipient.id) })
  const none = { subscriptionUpgrade: 0, purchaseAdditionalSubscription: 0, switchToAnnualBilling: 0 }
  const listed = async () => (await recipient.send(listSubscriptions, { query: {} })).body.list
  expect(await listed()).toMatchObject([{ stripeSubscriptionStatus: 'active', ...none, isSupportBuyConnector: 0 }])
  const asked = { body: { sid, type: 'buy-more', increasingNumber: 2 } } as const
  expect(await recipient.send(contract.changePlanFrom, asked)).toMatchObject({
    status: 409,
    body: { code: 'change_not_possible' },
  })

  const [begun] = await world.begun()
  await sandbox.stripe.subscriptions.update(begun?.id ?? '', { trial_end: 'now' })
  await world.sync(begun?.id ?? '')
  expect(await listed()).toMatchObject([{ purchaseAdditionalSubscription: 1 }])
  expect((await recipient.send(contract.changePlanFrom, asked)).status).toBe(200)
})
