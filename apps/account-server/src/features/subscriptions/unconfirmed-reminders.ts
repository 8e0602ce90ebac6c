import { and, asc, eq, gt, isNotNull, isNull, lte, type SQL } from 'drizzle-orm'
import { daysLater } from '../../db/calendar.rules.ts'
import type { Deps } from '../../deps.ts'
import { ifKnown, ProviderFailure } from '../../outside/provider-failure.ts'
import { knownPrices, productsOfPrices } from '../catalog/catalog.queries.ts'
import { billedByPaypal } from './paypal-plan.rules.ts'
import type { NamedPlan } from './plan-ahead-notes.ts'
import { confirmationDays } from './reminders.rules.ts'
import { emailOwner } from './subscription-emails.writes.ts'
import { note } from './subscription-notices.writes.ts'
import { type SubscriptionRow, subscriptions } from './subscriptions.tables.ts'

export type Needs = Pick<Deps, 'db' | 'config' | 'clock' | 'jobs' | 'logger'> & {
  paypal: Pick<Deps['paypal'], 'readSubscription'>
}

/** Reminds Owners, once before a renewal, that a change is not confirmed at PayPal, and says what renews otherwise. */
export async function remindOfUnconfirmed(deps: Needs): Promise<void> {
  for (const row of await deps.db
    .select()
    .from(subscriptions)
    .where(isUnconfirmed(deps.clock()))
    .orderBy(asc(subscriptions.id))) {
    const { id } = row
    const renewing = await renewingAtPaypal(deps, row)
    if (!renewing) continue
    await deps.db.transaction(async (tx) => {
      const now = deps.clock()
      const isStill = and(eq(subscriptions.id, id), isUnconfirmed(now))
      const [{ endsAt } = { endsAt: null }] = await tx
        .select({ endsAt: subscriptions.periodEnd })
        .from(subscriptions)
        .where(isStill)
        .for('update')
      if (!endsAt || !(await note(tx, 'confirmation-in-3-days', { id, endsAt, now }))) return
      await emailOwner(deps, tx, { id, email: 'confirmSoon', renewing })
    })
  }
}

function isUnconfirmed(now: Date): SQL | undefined {
  const { status, channel, cancelAt, pendingPlanId, periodEnd, providerId } = subscriptions
  return and(
    ...[eq(status, 'active'), eq(channel, 'paypal'), isNull(cancelAt), isNotNull(pendingPlanId), isNotNull(providerId)],
    ...[gt(periodEnd, now), lte(periodEnd, daysLater(now, confirmationDays))],
  )
}

/** What PayPal bills unless the change is confirmed; undefined: it is confirmed, or PayPal does not answer, and is asked again tomorrow. */
async function renewingAtPaypal(
  { db, paypal, logger }: Needs,
  { providerId, pendingPlanId, pendingQuantity }: SubscriptionRow,
): Promise<NamedPlan | undefined> {
  try {
    const given = providerId === null ? undefined : await ifKnown(paypal.readSubscription(providerId))
    if (!given || (given.planId === pendingPlanId && given.quantity === pendingQuantity)) return undefined
    const ids = [given.planId]
    const [prices, products] = await Promise.all([knownPrices(db, ids), productsOfPrices(db, ids)])
    const [price, product] = [prices.get(given.planId), products.get(given.planId)]
    if (!price || !product) return undefined
    const isOf = { isConnector: price.flags.includes('connector'), isStorage: price.flags.includes('storage') }
    return { ...billedByPaypal(given, { ...price, ...isOf }), productName: product.name }
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    logger.warn({ err: error, subscriptionId: providerId }, 'what PayPal renews is not known now')
    return undefined
  }
}
