import { declineSubscription } from '@atrium/contract/offered-subscriptions.ts'
import { listSubscriptions } from '@atrium/contract/subscriptions.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { linkCustomerCommand } from '../../commands/link-customer.ts'
import { daysLater } from '../../db/calendar.rules.ts'
import { paypalVendor } from '../../test/paypal.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { confirmPaypal } from './confirm-paypal.ts'

const sandbox = await sandboxOfFile()

/** Of whoever pays in the stand-in. */
const payersAddress = 'buyer@personal.example.com'

test('what a member has said is not theirs is not proven to be nobody’s by a word about all addresses', async () => {
  await using world = await paypalVendor(sandbox)
  const [payer, right] = [await world.member({ email: payersAddress }), await world.member()]
  const [sid, other] = [await world.buy({ customId: 'order-1' }), await world.buy({ customId: 'order-2' })]
  for (const id of [sid, other]) await world.sync(id)
  expect((await world.as(payer).send(declineSubscription, { params: { sid } })).status).toBe(200)

  const now = world.deps.clock()
  expect(await confirmPaypal(world.deps, daysLater(now, 1))).toBe(1)
  const { list } = (await world.as(payer).send(listSubscriptions, { query: {} })).body
  expect(list).toMatchObject([{ stripeSubscriptionId: other, knownByAddress: 0 }])
  const link = linkCustomerCommand((_db, run) => run(world.deps.jobs)).prepare([right.email, sid])
  await link?.(world.db, () => undefined, { ...world.config, PAST_DUE_DAYS: 21, now })
  const [row] = await world.db.select().from(subscriptions).where(eq(subscriptions.id, sid))
  expect(row?.memberId).toBe(right.id)
})

test.each(['id', 'email'] as const)(
  'nor is what only a custom id names by their %s: no shop has signed it, and the payer’s address is another',
  async (named) => {
    await using world = await paypalVendor(sandbox)
    const sid = await world.buy({ customId: world.buyer[named] })
    await world.sync(sid)
    expect(await confirmPaypal(world.deps, daysLater(world.deps.clock(), 1))).toBe(0)
    expect(await world.listed()).toMatchObject([{ stripeSubscriptionId: sid, knownByAddress: 1 }])
  },
)
