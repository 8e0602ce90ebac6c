import { declineSubscription } from '@atrium/contract/offered-subscriptions.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { linkCustomerCommand } from '../../commands/link-customer.ts'
import { daysLater } from '../../db/calendar.rules.ts'
import { paypalVendor } from '../../test/paypal.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { confirmPaypal } from './confirm-paypal.ts'

const sandbox = await sandboxOfFile()

test('what a member has said is not theirs is not proven to be nobody’s by a word about all addresses', async () => {
  await using world = await paypalVendor(sandbox)
  const right = await world.member()
  const customId = world.buyer.email
  const [sid, other] = [await world.buy({ customId }), await world.buy({ customId })]
  for (const id of [sid, other]) await world.sync(id)
  expect((await world.as(world.buyer).send(declineSubscription, { params: { sid } })).status).toBe(200)

  const now = world.deps.clock()
  await confirmPaypal(world.db, daysLater(now, 1))
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionId: other, knownByAddress: 0 }])
  const link = linkCustomerCommand((_db, run) => run(world.deps.jobs)).prepare([right.email, sid])
  await link?.(world.db, () => undefined, { ...world.config, PAST_DUE_DAYS: 21, now })
  const [row] = await world.db.select().from(subscriptions).where(eq(subscriptions.id, sid))
  expect(row?.memberId).toBe(right.id)
})
