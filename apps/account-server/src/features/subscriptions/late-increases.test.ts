import * as contract from '@atrium/contract/plan-changes.ts'
import { expect, test } from 'vitest'
import { cardVendor } from '../../test/card-billing.ts'
import { cardTransfer } from '../../test/card-transfer.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import type { TestMember } from '../../test/world.ts'
import { storedSubscription } from './subscriptions.queries.ts'

const sandbox = await sandboxOfFile()
const { stripe } = sandbox

const hourMs = 3_600_000
const dayMs = 24 * hourMs

interface Added {
  type: 'buy-more' | 'buy-connector'
  increasingNumber: number
}

/** The buyer buys more of a subscription. */
async function add(world: Awaited<ReturnType<typeof cardVendor>>, subscriptionId: string, asked: Added) {
  const caller = world.as({ cookie: await world.session(world.buyer.id) })
  const { quoteId } = (await caller.send(contract.changePlanFrom, { body: { sid: subscriptionId, ...asked } })).body
    .quote
  expect((await caller.send(contract.changePlan, { body: { subscriptionId, ...asked, quoteId } })).status).toBe(200)
}

/** A customer with a month of one seat. */
async function monthOfOneSeat() {
  const world = await cardVendor(sandbox)
  world.at(await sandbox.now())
  const id = await world.buy({ quantity: 1 })
  const row = async () => (await storedSubscription(world.db, id)) ?? expect.fail('not stored')
  const { periodEnd } = await row()
  const end = periodEnd?.getTime() ?? 0
  return {
    ...{ world, id, row },
    async shown() {
      const {
        stripeSubscriptionStatus: status,
        userCount,
        esignConnectors,
        isHeldBack,
      } = (await world.listed())[0] ?? {}
      return [status, userCount, esignConnectors, ...(isHeldBack ? ['held back'] : [])]
    },
    /** Moves both clocks to so long after the end of the first month, and reads what the provider has then. */
    async readAfterEnd(ms: number) {
      const at = new Date(end + ms)
      await sandbox.advanceTo(at)
      world.at(at)
      await world.sync(id)
    },
    add: (asked: Added) => add(world, id, asked),
    async pay() {
      await world.payWith('pm_card_visa')
      const [open] = (await stripe.invoices.list({ subscription: id, status: 'open' })).data
      await stripe.invoices.pay(open?.id ?? '')
      await world.sync(id)
    },
  }
}

test('what is added hours before a renewal that fails is there once that is paid, and at the next renewal', async () => {
  const { world, row, shown, add, pay, readAfterEnd } = await monthOfOneSeat()
  await using _ = world
  await readAfterEnd(-2 * hourMs)
  await add({ type: 'buy-more', increasingNumber: 9 })
  await add({ type: 'buy-connector', increasingNumber: 2 })
  await add({ type: 'buy-more', increasingNumber: 20 })
  expect(await shown()).toEqual(['active', 30, 2])

  await world.payWith('pm_card_chargeCustomerFail')
  await readAfterEnd(3 * hourMs)
  expect(await shown()).toEqual(['past_due', 1, 0, 'held back'])
  await readAfterEnd(5 * dayMs)
  expect(await shown()).toEqual(['past_due', 1, 0, 'held back'])

  await pay()
  expect(await shown()).toEqual(['active', 30, 2])
  expect(await row()).toMatchObject({ lateIncreases: [] })
  await world.payWith('pm_card_chargeCustomerFail')
  await readAfterEnd(32 * dayMs)
  expect(await shown()).toEqual(['past_due', 30, 2])
})

test('what was added before the last days of retries stays while a renewal is tried', async () => {
  const { world, shown, add, readAfterEnd } = await monthOfOneSeat()
  await using _ = world
  await readAfterEnd(-22 * dayMs)
  await add({ type: 'buy-more', increasingNumber: 4 })
  await readAfterEnd(-20 * dayMs)
  await add({ type: 'buy-more', increasingNumber: 5 })
  await world.payWith('pm_card_chargeCustomerFail')
  await readAfterEnd(3 * hourMs)
  expect(await shown()).toEqual(['past_due', 5, 0, 'held back'])
})

test('what the Owner before has added shortly before a renewal is not there, either, while it is tried', async () => {
  await using world = await cardTransfer(sandbox)
  const { buyer, recipient, stored } = world
  const fresh = async (member: TestMember) => ({ ...member, cookie: await world.session(member.id) })
  world.at(await sandbox.now())
  const id = await world.buy({ quantity: 1 })
  const end = (await stored(id)).periodEnd?.getTime() ?? 0
  async function moveTo(ms: number) {
    const at = new Date(ms)
    await sandbox.advanceTo(at)
    world.at(at)
  }
  await moveTo(end - 3 * dayMs)
  await add(world, id, { type: 'buy-more', increasingNumber: 9 })
  expect((await world.transferBetween(await fresh(buyer), await fresh(recipient))).status).toBe(200)
  await world.reconcileAfter(60)
  const providerId = (await stored(id)).providerId ?? ''
  await world.payWith('pm_card_chargeCustomerFail', world.recipientCustomerId)
  await moveTo(end + 3 * hourMs)
  await world.sync(providerId)
  expect(await stored(id)).toMatchObject({ memberId: recipient.id, status: 'past_due', userCount: 1 })
})
