import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newProduct, newSubscription } from '../../test/factories.ts'
import { newWorld } from '../../test/world.ts'
import { accessNow, hasAccess } from './subscriptions.rules.ts'
import { subscriptions } from './subscriptions.tables.ts'

const end = new Date('2026-06-15T10:00:00Z')

test.each(['paypal', 'card'] as const)(
  'a trial (%s) that goes on by itself: half an hour after its end the provider has not billed yet',
  async (channel) => {
    await using world = await newWorld({ now: '2026-06-15T10:30:00.000Z' })
    const member = await world.member()
    const { code } = await newProduct(world, {})
    const made = await newSubscription(world, member, { productCode: code })
    const id = typeof made === 'string' ? made : made.id
    await world.db
      .update(subscriptions)
      .set({
        ...{ status: 'trialing', channel, origin: 'online', providerId: id, autoRenew: true, cancelAt: null },
        periodEnd: end,
        trialEnd: end,
      })
      .where(eq(subscriptions.id, id))
    const [row] = await world.db
      .select({ has: hasAccess(accessNow(world.deps)) })
      .from(subscriptions)
      .where(eq(subscriptions.id, id))
    expect(row?.has).toBe(true)
  },
)
