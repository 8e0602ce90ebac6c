import { declineSubscription } from '@atrium/contract/offered-subscriptions.ts'
import { expect, test } from 'vitest'
import { linkCustomerCommand } from '../../commands/link-customer.ts'
import { freeMonths, paidWeekAndFreeMonth, termsVendor, usd } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { transfersIn } from '../../test/transfers.ts'

const sandbox = await sandboxOfFile()

test.each(['listed', 'declined'])(
  'what somebody has paid for with a typed address, and is %s, leaves the member’s own trial',
  async (state) => {
    await using world = await termsVendor(sandbox)
    const { buyer } = world
    const planId = await world.ownPlan({ trial: freeMonths(1), preferences: { setup_fee: usd('5') } })
    async function bought(more: { customId?: string } = {}) {
      const id = await world.buy({ planId, ...more })
      await world.sync(id)
      return id
    }
    const { stored } = transfersIn(world)
    const [typed, typedAgain] = [await bought({ customId: buyer.id }), await bought({ customId: buyer.id })]
    expect(await stored(typed)).toMatchObject({ status: 'trialing', proof: 'address' })
    expect(await stored(typedAgain)).toMatchObject({ status: 'pending' })
    if (state === 'declined') {
      const caller = world.as({ cookie: await world.session(buyer.id) })
      expect((await caller.send(declineSubscription, { params: { sid: typed } })).status).toBe(200)
    }
    expect(await stored(await bought())).toMatchObject({ status: 'trialing', proof: 'signed' })
    expect(await stored(await bought())).toMatchObject({ status: 'pending' })
  },
)

test('a further trial of whose address was typed is the first one of whose it is', async () => {
  await using world = await termsVendor(sandbox)
  const { buyer, db, deps } = world
  const planId = await world.ownPlan({ trials: paidWeekAndFreeMonth })
  await world.sync(await world.buy({ planId }))
  const payer = await world.member()
  const typed = await world.buy({ planId, customId: buyer.email })
  await world.sync(typed)
  await world.daysLater(9, typed)
  const { stored } = transfersIn(world)
  expect(await stored(typed)).toMatchObject({ memberId: buyer.id, status: 'pending' })
  const run = linkCustomerCommand((_db, run) => run(deps.jobs)).prepare([payer.email, typed])
  expect(await run?.(db, () => undefined, { ...world.config, PAST_DUE_DAYS: 21, now: deps.clock() })).toBe(0)
  await world.sync(typed)
  expect(await stored(typed)).toMatchObject({ memberId: payer.id, status: 'trialing' })
})
